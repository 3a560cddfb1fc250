"""Login sessions: a random reference on the person's device, stored by its hash alone.

A reader of the database cannot sign in with it. A session belongs to a user. It ends by sign-out, after a time without
use, at a maximum age, and when its user is disabled or gets a new password, in any process.
"""

import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

import structlog
from sqlalchemy import Row, bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.clock import Clock, wall_clock
from casino.refusals import Reason
from casino.storage.bulk import many
from casino.storage.database import Database
from casino.storage.schema import sessions, users
from casino.users.roles import Role
from casino.users.users import USER_COLUMNS, User, user_of

DAY_MS: Final = 86_400_000
HOUR_MS: Final = 3_600_000
TOKEN_BYTES: Final = 32
PER_USER_MAX: Final = 100
RENEW_AFTER_MS: Final = 3_600_000
"""Use extends a session, but this is stored at most once an hour."""

_SWEPT_AT_ONCE: Final = 100
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")

_log = structlog.get_logger()

SignedOut = Callable[[str], Awaitable[None]]
"""Called with the id of an ended session, so that its connections can be closed."""


@dataclass(frozen=True, slots=True)
class Session:
    """`id` is a hash: it may be stored and compared, and grants no access."""

    id: str
    user: User
    expires_ms: int
    must_enrol: bool = False
    """The role needs a second factor that this session lacks: it may only be used to enrol one."""


@dataclass(frozen=True, slots=True)
class Lifetime:
    unused_ms: int
    all_ms: int

    def end_of(self, created_ms: int, used_ms: int) -> int:
        return min(used_ms + self.unused_ms, created_ms + self.all_ms)


class Sessions:
    def __init__(
        self,
        database: Database,
        lifetime: Lifetime,
        clock: Clock = wall_clock,
        *,
        staff: Lifetime | None = None,
        second_factor_roles: Collection[str] = (),
    ) -> None:
        self._database = database
        self._lifetime = lifetime
        self._staff_lifetime = staff or lifetime
        self._second_factor_roles = frozenset(second_factor_roles)
        self._clock = clock
        self.on_signed_out: list[SignedOut] = []

    def lifetime_of(self, role: Role) -> Lifetime:
        return self._lifetime if role is Role.PLAYER else self._staff_lifetime

    async def begin(
        self, connection: AsyncConnection, user: User, *, device: str = "", second_factor: bool = False
    ) -> str:
        """Creates a session in the caller's transaction; returns its reference, which cannot be retrieved again."""
        at_ms = self._clock()
        await _sweep(connection, at_ms)
        await _verify_enabled(connection, user)
        await _make_room(connection, user)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        values = {
            "id": id_of(token),
            "user_id": user.id,
            "created_ms": at_ms,
            "expires_ms": self.lifetime_of(user.role).end_of(at_ms, at_ms),
            "device": device,
            "second_factor": int(second_factor),
        }
        await connection.execute(sessions.insert(), values)
        return token

    async def find(self, token: str) -> Session | None:
        """Returns the valid session of this reference. Finding it counts as use."""
        if not _TOKEN.fullmatch(token):  # saves a query for an impossible reference
            return None
        at_ms = self._clock()
        async with self._database.reading() as connection:
            row = (await connection.execute(_STANDING, {"token_id": id_of(token), "at_ms": at_ms})).first()
        if row is None:
            return None
        expires_ms = self.lifetime_of(Role(row.role)).end_of(row.session_created_ms, at_ms)
        if expires_ms - row.expires_ms >= RENEW_AFTER_MS:
            await self._renew(row.session_id, expires_ms)
        return self._session(row)

    async def end(self, connection: AsyncConnection, session_id: str) -> bool:
        """Returns False if it had ended already. The caller calls `announce_sign_out` after the commit."""
        ended = await connection.execute(delete(sessions).where(sessions.c.id == session_id))
        return ended.rowcount > 0

    async def announce_sign_out(self, session_id: str) -> None:
        for notify in self.on_signed_out:
            try:
                await notify(session_id)
            except Exception:  # noqa: BLE001 - a failing listener must not stop the others
                _log.exception("sign_out_listener_failed")

    async def ended_of(self, session_ids: Collection[str]) -> set[str]:
        """Returns those of these sessions that have ended, in any process: for long-lived connections."""
        async with self._database.reading() as connection:
            asked = (many(connection, session_ids), self._clock())
            ended = await connection.exec_driver_sql(_ENDED[connection.dialect.name], asked)
            return set(ended.scalars())

    def _session(self, row: Row[Any]) -> Session:
        must_enrol = row.role in self._second_factor_roles and not row.second_factor
        return Session(row.session_id, user_of(row), row.expires_ms, must_enrol)

    async def _renew(self, session_id: str, expires_ms: int) -> None:
        async with self._database.writing() as connection:
            await connection.execute(update(sessions).where(sessions.c.id == session_id).values(expires_ms=expires_ms))


_IS_VALID: Final = (sessions.c.expires_ms > bindparam("at_ms")) & (users.c.disabled == 0)
_STANDING: Final = (
    select(
        sessions.c.id.label("session_id"),
        sessions.c.created_ms.label("session_created_ms"),
        sessions.c.expires_ms,
        sessions.c.second_factor,
        *(users.c[name] for name in USER_COLUMNS),
    )
    .join(users)
    .where(sessions.c.id == bindparam("token_id"), _IS_VALID)
)
_ENDED_OF: Final = (
    "SELECT asked.id FROM {asked} WHERE NOT EXISTS (SELECT 1 FROM sessions JOIN users ON users.id = sessions.user_id"
    " WHERE sessions.id = asked.id AND sessions.expires_ms > {at} AND users.disabled = 0)"
)
_ENDED: Final = {  # asked every second, for all connections: those that stand are not fetched
    "sqlite": _ENDED_OF.format(asked="(SELECT value AS id FROM json_each(?1)) AS asked", at="?2"),
    "postgresql": _ENDED_OF.format(asked="unnest($1::text[]) AS asked(id)", at="$2::bigint"),
}


def id_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


async def _sweep(connection: AsyncConnection, at_ms: int) -> None:
    """Deletes some expired sessions; skips those locked by another transaction."""
    expired = select(sessions.c.id).where(sessions.c.expires_ms <= at_ms).limit(_SWEPT_AT_ONCE)
    await connection.execute(delete(sessions).where(sessions.c.id.in_(expired.with_for_update(skip_locked=True))))


async def _verify_enabled(connection: AsyncConnection, user: User) -> None:
    """Refuses a user who was disabled after the password check; a later disabling finds this session."""
    enabled = select(users.c.id).where(users.c.id == user.id, users.c.disabled == 0).with_for_update(read=True)
    if (await connection.execute(enabled)).first() is None:
        raise Reason.ACCOUNT_DISABLED.refusal()


async def _make_room(connection: AsyncConnection, user: User) -> None:
    newest = sessions.c.created_ms.desc()
    own = select(sessions.c.id).where(sessions.c.user_id == user.id).order_by(newest, sessions.c.id)
    too_many = (await connection.execute(own.offset(PER_USER_MAX - 1))).scalars().all()
    if too_many:
        await connection.execute(delete(sessions).where(sessions.c.id.in_(too_many)))
