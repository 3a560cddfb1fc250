"""Coming in and going out: register, sign in, be a guest, sign out, and who one is.

Staff have no wallet: for them `GET /api/me` says null for currency, balance and available.
"""

from typing import Final

from aiohttp import web
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.api.answers import Answered
from casino.api.asking import address_in
from casino.api.audience import EVERYBODY, SESSION, SIGNED_IN, add_route
from casino.api.bodies import Body, Nothing, body_of
from casino.api.rates import Limits
from casino.audit import log as audit_log
from casino.chat.lines import verify_decent
from casino.clock import Clock, wall_clock
from casino.door.tokens import COOKIE
from casino.errors import Code, Refusal
from casino.people.guests import add_guest
from casino.people.lookalikes import verify_own_name
from casino.people.names import clean_name
from casino.people.passwords import Passwords, verify_password
from casino.people.roles import Actor, Role
from casino.people.sessions import Sessions
from casino.people.signing_in import authenticate, last_sign_ins
from casino.people.users import NameTaken, User, Users
from casino.people.wallet import wallet_of
from casino.settings import HouseSettings
from casino.storage.database import Database

DAY_SECONDS: Final = 86_400
_NOBODY: Final = Actor("nobody", "none")


class NameAndPassword(Body):
    name: str
    password: str


class Accounts:
    def __init__(
        self,
        house: HouseSettings,
        database: Database,
        sessions: Sessions,
        passwords: Passwords,
        *,
        limits: Limits | None = None,
        clock: Clock = wall_clock,
    ) -> None:
        self._house = house
        self._database = database
        self._sessions = sessions
        self._passwords = passwords
        self._limits = limits or Limits(house.rates)
        self._clock = clock

    def add_to(self, app: web.Application) -> None:
        add_route(app, "POST", "/api/register", self.register, EVERYBODY)
        add_route(app, "POST", "/api/login", self.login, EVERYBODY)
        add_route(app, "POST", "/api/guest", self.guest, EVERYBODY)
        add_route(app, "POST", "/api/logout", self.logout, SIGNED_IN)
        add_route(app, "GET", "/api/me", self.me, SIGNED_IN)

    async def remember(self) -> None:
        """From where people have signed in lately: a restart must not let a stranger's guesses lock them out."""
        async with self._database.reading() as connection:
            for name, address in await last_sign_ins(connection):
                self._limits.registered(name, address)

    async def register(self, request: web.Request) -> web.Response:
        """Makes players only: staff are added from the machine's own shell."""
        asked = await body_of(request, NameAndPassword)
        name = clean_name(asked.name)
        verify_own_name(name)
        verify_decent(name)
        verify_password(asked.password)
        self._limits.verify_registration(address_in(request))
        password_hash = await self._passwords.hashed(asked.password)

        async def enter(connection: AsyncConnection) -> tuple[User, str]:
            by, currency = Actor(name, Role.PLAYER), self._house.service.currency
            user = await Users(connection).add(
                name, Role.PLAYER, currency, password_hash=password_hash, by=by, at_ms=self._clock()
            )
            return user, await self._begin(connection, user, request)

        try:
            entered = await self._database.stored(enter)
        except NameTaken as taken:
            raise Answered(taken.code, taken.message, status=409) from None
        self._limits.registered(name, address_in(request))
        return self._welcome(*entered)

    async def login(self, request: web.Request) -> web.Response:
        asked = await body_of(request, NameAndPassword)
        address = address_in(request)
        self._limits.verify_sign_in(asked.name, address)
        try:
            proof = await authenticate(self._database, self._passwords, asked.name, asked.password)
        except Refusal as refusal:
            if refusal.code is Code.NOT_AUTHENTICATED:
                await self._note_failure(asked.name, address)
            raise
        self._limits.signed_in(asked.name, address)

        async def enter(connection: AsyncConnection) -> tuple[User, str]:
            await proof.verify_still_true(connection)
            return proof.user, await self._begin(connection, proof.user, request)

        return self._welcome(*await self._database.stored(enter))

    async def guest(self, request: web.Request) -> web.Response:
        await body_of(request, Nothing, may_be_missing=True)
        if self._house.guests.enabled:
            self._limits.verify_guest(address_in(request))

        async def enter(connection: AsyncConnection) -> tuple[User, str]:
            user = await add_guest(connection, self._house.guests, self._clock())
            return user, await self._begin(connection, user, request)

        return self._welcome(*await self._database.stored(enter))

    async def logout(self, request: web.Request) -> web.Response:
        session = request[SESSION]
        user = session.user

        async def leave(connection: AsyncConnection) -> None:
            if await self._sessions.end(connection, session.id):
                entry = audit_log.Entry(user.name, user.role, "signed_out", f"user {user.id}")
                await audit_log.write(connection, entry, self._clock())

        await self._database.stored(leave)
        await self._sessions.tell_signed_out(session.id)
        answer = web.json_response({"ok": True})
        answer.del_cookie(COOKIE, path="/", secure=self._is_encrypted, httponly=True, samesite="Strict")
        return answer

    async def me(self, request: web.Request) -> web.Response:
        user = request[SESSION].user
        async with self._database.reading() as connection:
            wallet = await wallet_of(connection, user)
        return web.json_response(
            {
                **_shown(user),
                "currency": wallet and wallet.currency,
                "balance": wallet and wallet.balance,
                "available": wallet and wallet.available,
            }
        )

    async def _begin(self, connection: AsyncConnection, user: User, request: web.Request) -> str:
        token = await self._sessions.begin(connection, user)
        after = {"address": address_in(request)}
        entry = audit_log.Entry(user.name, user.role, "signed_in", f"user {user.id}", after=after)
        await audit_log.write(connection, entry, self._clock())
        return token

    async def _note_failure(self, name: str, address: str) -> None:
        """The same work for every name. The name itself is not written: people type passwords there."""
        if not self._limits.may_note_failure(address):
            return

        async def note(connection: AsyncConnection) -> None:
            try:
                target = f"user {(await Users(connection).named(name)).id}"
            except Refusal:
                target = "unknown name"
            entry = audit_log.Entry(*_NOBODY, "sign_in_failed", target, after={"address": address})
            await audit_log.write(connection, entry, self._clock())

        await self._database.stored(note)

    def _welcome(self, user: User, token: str) -> web.Response:
        answer = web.json_response({"token": token, "user": _shown(user)})
        answer.set_cookie(
            COOKIE,
            token,
            max_age=self._house.sessions.days * DAY_SECONDS,  # the server knows better when it ends
            path="/",
            secure=self._is_encrypted,
            httponly=True,
            samesite="Strict",
        )
        return answer

    @property
    def _is_encrypted(self) -> bool:
        return self._house.service.public_url.startswith("https:")


def _shown(user: User) -> dict[str, str]:
    return {"id": user.id, "name": user.name, "role": user.role}
