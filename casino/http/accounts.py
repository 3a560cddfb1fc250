"""Routes for registration, sign-in, guests, sign-out and the current user.

Staff have no wallet: for them `GET /api/me` returns null for currency, balance and available.
"""

from typing import Annotated, Final, Literal, NotRequired

from aiohttp import web
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.audit import log as audit_log
from casino.chat.message_filter import verify_clean_name
from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.http.authorization import PUBLIC, SESSION, SIGNED_IN_OR_ENROLLING, add_route
from casino.http.client_address import address_in
from casino.http.device_labels import device_label
from casino.http.errors import with_status
from casino.http.known_devices import KnownDevices
from casino.http.login_limits import LoginLimits
from casino.http.request_body import Body, Nothing, body_of
from casino.http.responses import JsonResponse, Ok
from casino.security.credentials import COOKIE
from casino.settings import ServiceSettings
from casino.storage.database import Database
from casino.users.authentication import authenticate, last_sign_ins
from casino.users.confusables import verify_display_name
from casino.users.guests import add_guest
from casino.users.names import clean_name
from casino.users.password_policy import verify_new_password
from casino.users.passwords import Passwords
from casino.users.roles import Actor, Role
from casino.users.second_factor import CODE_LENGTH_MAX, Method, SecondFactors
from casino.users.sessions import Sessions
from casino.users.users import NameTaken, User, Users
from casino.users.wallet import wallet_of
from casino.wire.common import Minor

_ANONYMOUS: Final = Actor("nobody", "none")


class NameAndPassword(Body):
    name: str
    password: str


class SignIn(NameAndPassword):
    """`code` comes from the authenticator app, or is a recovery code; only users with a second factor need one."""

    code: Annotated[str, Field(max_length=CODE_LENGTH_MAX)] = ""


class ShownUser(TypedDict):
    id: str
    name: str
    role: Role


class Welcome(TypedDict):
    """The token is the session; the cookie carries the same one."""

    token: str
    user: ShownUser
    must_enrol: NotRequired[Literal[True]]
    """The role needs a second factor: until one is enrolled, the session allows nothing else."""


class Me(ShownUser):
    """Staff have no wallet: for them the last three are null."""

    currency: str | None
    balance: Minor | None
    available: Minor | None
    """The balance minus holds of open bets."""
    must_enrol: NotRequired[Literal[True]]


class Accounts:
    def __init__(
        self,
        settings: ServiceSettings,
        database: Database,
        sessions: Sessions,
        passwords: Passwords,
        *,
        factors: SecondFactors,
        devices: KnownDevices,
        limits: LoginLimits,
        clock: Clock = wall_clock,
    ) -> None:
        self._settings = settings
        self._database = database
        self._sessions = sessions
        self._passwords = passwords
        self._factors = factors
        self._devices = devices
        self._limits = limits
        self._clock = clock

    def add_to(self, app: web.Application) -> None:
        add_route(app, "POST", "/api/register", self.register, PUBLIC)
        add_route(app, "POST", "/api/login", self.login, PUBLIC)
        add_route(app, "POST", "/api/guest", self.guest, PUBLIC)
        add_route(app, "POST", "/api/logout", self.logout, SIGNED_IN_OR_ENROLLING)
        add_route(app, "GET", "/api/me", self.me, SIGNED_IN_OR_ENROLLING)

    async def remember(self) -> None:
        """Loads recent sign-in addresses, so that a stranger's guesses after a restart lock no owner out."""
        async with self._database.reading() as connection:
            for name, address, password_hash in await last_sign_ins(connection):
                self._limits.registered(name, address, self._devices.version(password_hash))

    async def register(self, request: web.Request) -> JsonResponse[Welcome]:
        """Registers players only; staff are added from the shell."""
        body = await body_of(request, NameAndPassword)
        name = clean_name(body.name)
        verify_display_name(name)
        verify_clean_name(name)
        verify_new_password(body.password, name=name, role=Role.PLAYER)
        self._limits.verify_registration(address_in(request))
        password_hash = await self._passwords.hash(body.password)

        async def enter(connection: AsyncConnection) -> tuple[User, str]:
            by, currency = Actor(name, Role.PLAYER), self._settings.service.currency
            user = await Users(connection).add(
                name, Role.PLAYER, currency, password_hash=password_hash, by=by, at_ms=self._clock()
            )
            return user, await self._begin(connection, user, request)

        try:
            entered = await self._database.run_transaction(enter)
        except NameTaken as taken:
            raise with_status(taken, 409) from None
        self._limits.registered(name, address_in(request), self._devices.version(password_hash))
        return self._devices.remember(self._welcome(*entered), request, name, password_hash, second_factor=False)

    async def login(self, request: web.Request) -> JsonResponse[Welcome]:
        body = await body_of(request, SignIn)
        address = address_in(request)
        device = await self._devices.find(request, body.name)
        await self._forget_earlier_password(body.name, address)
        attempt = self._limits.verify_sign_in(body.name, address, device)
        try:
            proof = await authenticate(
                self._database, self._passwords, body.name, body.password, is_known_device=device is not None
            )
        except Refusal as refusal:
            if refusal.code is Code.NOT_AUTHENTICATED:
                await self._note_failure("sign_in_failed", body.name, address)
            raise
        self._limits.password_was_right(attempt)
        counted_by = device.id if device and device.has_second_factor else ""
        if body.code:
            self._limits.verify_code(proof.user.id, counted_by)

        async def enter(connection: AsyncConnection) -> tuple[str, Method | None]:
            await proof.verify_still_true(connection)
            method = await self._factors.verify(connection, proof.user, body.code, self._clock())
            return await self._begin(connection, proof.user, request, method), method

        try:
            token, method = await self._database.run_transaction(enter)
        except Refusal as refusal:
            if body.code and refusal.code is Code.SECOND_FACTOR_REQUIRED:
                await self._note_failure("second_factor_failed", body.name, address)
            raise
        if body.code:
            self._limits.code_was_right(proof.user.id, counted_by)
        self._limits.registered(body.name, address, self._devices.version(proof.password_hash))
        welcome = self._welcome(proof.user, token, must_enrol=self._must_enrol(proof.user, method))
        return self._devices.remember(
            welcome, request, body.name, proof.password_hash, second_factor=method is not None
        )

    async def guest(self, request: web.Request) -> JsonResponse[Welcome]:
        await body_of(request, Nothing, may_be_missing=True)
        if self._settings.guests.enabled:
            self._limits.verify_guest(address_in(request))

        async def enter(connection: AsyncConnection) -> tuple[User, str]:
            user = await add_guest(connection, self._settings.guests, self._clock())
            return user, await self._begin(connection, user, request)

        return self._welcome(*await self._database.run_transaction(enter))

    async def logout(self, request: web.Request) -> JsonResponse[Ok]:
        session = request[SESSION]
        user = session.user

        async def leave(connection: AsyncConnection) -> None:
            if await self._sessions.end(connection, session.id):
                entry = audit_log.Entry(user.name, user.role, "signed_out", f"user {user.id}")
                await audit_log.write(connection, entry, self._clock())

        await self._database.run_transaction(leave)
        await self._sessions.announce_sign_out(session.id)
        answer: JsonResponse[Ok] = JsonResponse({"ok": True})
        answer.del_cookie(COOKIE, path="/", secure=self._is_encrypted, httponly=True, samesite="Strict")
        return answer

    async def me(self, request: web.Request) -> Me:
        user = request[SESSION].user
        async with self._database.reading() as connection:
            wallet = await wallet_of(connection, user)
        me: Me = {
            "id": user.id,
            "name": user.name,
            "role": user.role,
            "currency": wallet.currency if wallet else None,
            "balance": wallet.balance if wallet else None,
            "available": wallet.available if wallet else None,
        }
        if request[SESSION].must_enrol:
            me["must_enrol"] = True
        return me

    def _must_enrol(self, user: User, method: Method | None) -> bool:
        return user.role in self._settings.sessions.second_factor_roles and method is None

    async def _begin(
        self, connection: AsyncConnection, user: User, request: web.Request, method: Method | None = None
    ) -> str:
        device = device_label(request.headers.get("User-Agent", ""))
        token = await self._sessions.begin(connection, user, device=device, second_factor=method is not None)
        after = {"address": address_in(request)} | ({"second_factor": method} if method else {})
        entry = audit_log.Entry(user.name, user.role, "signed_in", f"user {user.id}", after=after)
        await audit_log.write(connection, entry, self._clock())
        return token

    async def _forget_earlier_password(self, name: str, address: str) -> None:
        """Makes a stranger of an address that knew an earlier password: it may be a thief's."""
        version = self._limits.known_version(name, address)
        if version is not None and version != await self._devices.password_version(name):
            self._limits.forget(name, address)

    async def _note_failure(self, action: str, name: str, address: str) -> None:
        """Does the same work for every name. It records no name, because people type passwords there by mistake."""
        if not self._limits.may_note_failure(address):
            return

        async def note(connection: AsyncConnection) -> None:
            try:
                target = f"user {(await Users(connection).named(name)).id}"
            except Refusal:
                target = "unknown name"
            entry = audit_log.Entry(*_ANONYMOUS, action, target, after={"address": address})
            await audit_log.write(connection, entry, self._clock())

        await self._database.run_transaction(note)

    def _welcome(self, user: User, token: str, *, must_enrol: bool = False) -> JsonResponse[Welcome]:
        welcome: Welcome = {"token": token, "user": _shown(user)}
        if must_enrol:
            welcome["must_enrol"] = True
        answer = JsonResponse(welcome)
        answer.set_cookie(
            COOKIE,
            token,
            # upper bound; the server may end the session earlier
            max_age=self._sessions.lifetime_of(user.role).all_ms // 1000,
            path="/",
            secure=self._is_encrypted,
            httponly=True,
            samesite="Strict",
        )
        return answer

    @property
    def _is_encrypted(self) -> bool:
        return self._settings.service.public_url.startswith("https:")


def _shown(user: User) -> ShownUser:
    return {"id": user.id, "name": user.name, "role": user.role}
