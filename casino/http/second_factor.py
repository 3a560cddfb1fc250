"""Second factor of staff over HTTP: state, enrolment in two steps, removal."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final, TypeVar

from aiohttp import web
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.audit import log as audit_log
from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.http.authorization import ENROLLING_STAFF, SESSION, SESSION_CACHE, STAFF, add_route, only
from casino.http.errors import with_status
from casino.http.known_devices import KnownDevices
from casino.http.login_limits import LoginLimits
from casino.http.own_account import OwnAccount
from casino.http.request_body import Body, body_of
from casino.http.responses import JsonResponse, Ok
from casino.settings import ServiceSettings
from casino.storage.database import Database
from casino.users import second_factor, totp
from casino.users.own_sessions import end_others, grant_second_factor
from casino.users.second_factor import CODE_LENGTH_MAX, SecondFactors
from casino.users.sessions import Session, Sessions
from casino.users.users import User, Users
from casino.wire.common import Count

_PATH: Final = "/api/second-factor"

T = TypeVar("T")
CodeText = Annotated[str, Field(max_length=CODE_LENGTH_MAX)]


class EnrolmentRequest(Body):
    """`code` is required to replace a second factor."""

    password: str
    code: CodeText = ""


class EnrolmentCode(Body):
    code: CodeText


class RemovalRequest(Body):
    password: str
    code: CodeText


class SecondFactorState(TypedDict):
    enrolled: bool
    required: bool
    recovery_codes_left: Count


class SecondFactorOffer(TypedDict):
    """The secret in base32, and as an otpauth link."""

    secret: str
    uri: str


class RecoveryCodes(TypedDict):
    """Shown once; each replaces a code of the app one time."""

    recovery_codes: list[str]


class SecondFactorRoutes:
    def __init__(
        self,
        settings: ServiceSettings,
        database: Database,
        sessions: Sessions,
        own_account: OwnAccount,
        *,
        factors: SecondFactors,
        devices: KnownDevices,
        limits: LoginLimits,
        clock: Clock = wall_clock,
    ) -> None:
        self._required_roles = frozenset[str](settings.sessions.second_factor_roles)
        self._database = database
        self._sessions = sessions
        self._own_account = own_account
        self._factors = factors
        self._devices = devices
        self._limits = limits
        self._clock = clock

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", _PATH, self.read, ENROLLING_STAFF)
        add_route(app, "POST", f"{_PATH}/begin", self.begin, ENROLLING_STAFF)
        add_route(app, "POST", f"{_PATH}/confirm", self.confirm, ENROLLING_STAFF)
        add_route(app, "POST", f"{_PATH}/remove", self.remove, only(*STAFF))

    async def read(self, request: web.Request) -> SecondFactorState:
        user = request[SESSION].user
        async with self._database.reading() as connection:
            found = await self._factors.enrolment(connection, user)
        return {
            "enrolled": found.is_enrolled,
            "required": user.role in self._required_roles,
            "recovery_codes_left": found.recovery_codes_left,
        }

    async def begin(self, request: web.Request) -> SecondFactorOffer:
        """Offers a new secret for an authenticator app; it takes effect once confirmed with a code."""
        body = await body_of(request, EnrolmentRequest)
        user = request[SESSION].user
        await self._own_account.verify_current_password(request[SESSION], body.password)

        async def offer(connection: AsyncConnection) -> bytes:
            await self._factors.verify(connection, user, body.code, self._clock())
            return await self._factors.offer(connection, user, self._clock())

        secret = await self._with_code(request[SESSION], offer)
        return {"secret": totp.base32(secret), "uri": totp.otpauth_uri(secret, user.name)}

    async def confirm(self, request: web.Request) -> JsonResponse[RecoveryCodes]:
        """Verifies that the app has the secret by its first code. Ends sessions without a second factor.

        The browser becomes a device that has passed the factor: its codes count apart from those of other devices.
        """
        body = await body_of(request, EnrolmentCode)
        session = request[SESSION]

        async def enrol(connection: AsyncConnection) -> tuple[list[str], list[str], str | None]:
            codes = await self._factors.confirm(connection, session.user, body.code, self._clock())
            await grant_second_factor(connection, session.id)
            ended = await end_others(connection, session.user, session.id)
            await self._note(connection, session.user, "second_factor_enrolled")
            return codes, ended, await Users(connection).password_hash(session.user)

        codes, ended, password_hash = await self._with_code(session, enrol)
        request.app[SESSION_CACHE].forget(session.id)  # the session has more rights now
        await self._announce(ended)
        answer: JsonResponse[RecoveryCodes] = JsonResponse({"recovery_codes": codes})
        if password_hash is None:  # no sign-in to protect
            return answer
        return self._devices.remember(answer, request, session.user.name, password_hash, second_factor=True)

    async def remove(self, request: web.Request) -> Ok:
        body = await body_of(request, RemovalRequest)
        user = request[SESSION].user
        if user.role in self._required_roles:
            raise Refusal(Code.FORBIDDEN, "Your role requires a second factor. Replace it instead of removing it.")
        await self._own_account.verify_current_password(request[SESSION], body.password)

        async def remove(connection: AsyncConnection) -> None:
            if await self._factors.verify(connection, user, body.code, self._clock()) is None:
                raise Refusal(Code.NOT_FOUND, "You have no second factor.")
            await second_factor.remove(connection, user)
            await self._note(connection, user, "second_factor_removed")

        await self._with_code(request[SESSION], remove)
        return {"ok": True}

    async def _with_code(self, session: Session, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Rate limits codes here too, because a session may be stolen."""
        self._limits.verify_code(session.user.id, session.id)
        try:
            done = await self._database.run_transaction(work)
        except Refusal as refusal:
            if refusal.code is Code.SECOND_FACTOR_REQUIRED:  # the session is valid, so this is no 401
                raise with_status(refusal, 403) from None
            raise
        self._limits.code_was_right(session.user.id, session.id)
        return done

    async def _announce(self, ended: list[str]) -> None:
        for session_id in ended:
            await self._sessions.announce_sign_out(session_id)

    async def _note(self, connection: AsyncConnection, user: User, action: str) -> None:
        entry = audit_log.Entry(user.name, user.role, action, f"user {user.id}")
        await audit_log.write(connection, entry, self._clock())
