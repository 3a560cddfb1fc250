"""Routes for a user's own account: changing the password, listing sessions and ending them."""

from typing import Final

from aiohttp import web
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.audit import log as audit_log
from casino.clock import Clock, wall_clock
from casino.errors import Refusal
from casino.http.authorization import SESSION, SIGNED_IN, add_route
from casino.http.known_devices import KnownDevices
from casino.http.request_body import Body, body_of
from casino.http.responses import JsonResponse, Ok
from casino.refusals import Reason
from casino.security.rate_limit import MINUTE_MS, Rate, RateLimiter, steady_clock
from casino.storage.database import Database
from casino.users.own_sessions import OwnSession, end_others, find_session, list_sessions
from casino.users.password_policy import verify_new_password
from casino.users.passwords import Passwords
from casino.users.roles import Actor
from casino.users.sessions import Session, Sessions
from casino.users.users import User, Users
from casino.wire.common import Count, Moment

_PASSWORD_CHECKS: Final = (Rate(5, MINUTE_MS), Rate(30, 60 * MINUTE_MS))
"""Per session, right or wrong: the thief of one session must not use up the attempts of its owner's others."""


class PasswordChange(Body):
    current: str
    new: str


class ShownSession(TypedDict):
    """`id` names the session to its owner, and grants no access."""

    id: str
    device: str
    """Browser and system; empty if unknown."""
    created_at: Moment
    expires_at: Moment
    current: bool


class OwnSessions(TypedDict):
    sessions: list[ShownSession]


class EndedSessions(TypedDict):
    ended: Count


class OwnAccount:
    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        passwords: Passwords,
        *,
        devices: KnownDevices,
        clock: Clock = wall_clock,
        limit_clock: Clock = steady_clock,
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._passwords = passwords
        self._devices = devices
        self._clock = clock
        self._limit_clock = limit_clock
        self._password_checks = [RateLimiter(rate) for rate in _PASSWORD_CHECKS]

    def add_to(self, app: web.Application) -> None:
        add_route(app, "POST", "/api/password", self.change_password, SIGNED_IN)
        add_route(app, "GET", "/api/sessions", self.list_sessions, SIGNED_IN)
        add_route(app, "DELETE", "/api/sessions", self.end_other_sessions, SIGNED_IN)
        add_route(app, "DELETE", "/api/sessions/{session_id}", self.end_session, SIGNED_IN)

    async def change_password(self, request: web.Request) -> JsonResponse[Ok]:
        """Ends every other session, so that a thief of the old password is signed out, and forgets other devices."""
        body = await body_of(request, PasswordChange)
        session, user = request[SESSION], request[SESSION].user
        verify_new_password(body.new, name=user.name, role=user.role)
        current_hash = await self.verify_current_password(session, body.current)
        new_hash = await self._passwords.hash(body.new)
        device = await self._devices.find(request, user.name)

        async def change(connection: AsyncConnection) -> list[str]:
            users = Users(connection)
            if not await users.is_still_valid(user, current_hash):
                raise _wrong_password()
            by = Actor(user.name, user.role)
            return await users.change_password(user, new_hash, by, self._clock(), keep_session=session.id)

        await self._announce(await self._database.run_transaction(change))
        has_factor = device is not None and device.has_second_factor
        answer: JsonResponse[Ok] = JsonResponse({"ok": True})
        return self._devices.remember(answer, request, user.name, new_hash, second_factor=has_factor)

    async def list_sessions(self, request: web.Request) -> OwnSessions:
        session = request[SESSION]
        async with self._database.reading() as connection:
            found = await list_sessions(connection, session.user, session.id, self._clock())
        return {"sessions": [_shown(one) for one in found]}

    async def end_other_sessions(self, request: web.Request) -> EndedSessions:
        session = request[SESSION]

        async def end(connection: AsyncConnection) -> list[str]:
            ended = await end_others(connection, session.user, session.id)
            if ended:
                await self._note_ended(connection, session.user, len(ended))
            return ended

        ended = await self._database.run_transaction(end)
        await self._announce(ended)
        return {"ended": len(ended)}

    async def end_session(self, request: web.Request) -> EndedSessions:
        session = request[SESSION]

        async def end(connection: AsyncConnection) -> str:
            found = await find_session(connection, session.user, request.match_info["session_id"])
            if found is None or not await self._sessions.end(connection, found):
                raise Reason.SESSION_ENDED.refusal()
            await self._note_ended(connection, session.user, 1)
            return found

        await self._announce([await self._database.run_transaction(end)])
        return {"ended": 1}

    async def verify_current_password(self, session: Session, password: str) -> str:
        """Returns the matching hash. Rate limited, because a session may be stolen.

        Guests have no password and are not counted, so that many of them cannot displace the counts of others.
        """
        async with self._database.reading() as connection:
            current_hash = await Users(connection).password_hash(session.user)
        if current_hash is None:
            raise Reason.NO_PASSWORD.refusal()
        for limiter in self._password_checks:
            if wait_ms := limiter.acquire(session.id, self._limit_clock()):
                raise Reason.TRY_AGAIN_LATER.refusal(seconds=-(-wait_ms // 1000))
        if not await self._passwords.matches(password, current_hash, is_known_device=True):
            raise _wrong_password()
        return current_hash

    async def _announce(self, ended: list[str]) -> None:
        """Closes the sockets of ended sessions at once."""
        for session_id in ended:
            await self._sessions.announce_sign_out(session_id)

    async def _note_ended(self, connection: AsyncConnection, user: User, count: int) -> None:
        entry = audit_log.Entry(user.name, user.role, "sessions_ended", f"user {user.id}", after={"sessions": count})
        await audit_log.write(connection, entry, self._clock())


def _wrong_password() -> Refusal:
    return Reason.WRONG_PASSWORD.refusal()


def _shown(session: OwnSession) -> ShownSession:
    return {
        "id": session.handle,
        "device": session.device,
        "created_at": session.created_ms,
        "expires_at": session.expires_ms,
        "current": session.is_current,
    }
