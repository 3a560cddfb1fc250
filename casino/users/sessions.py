"""Who is signed in: a random reference that only the person's device has, kept here by its hash alone.

Whoever reads the database cannot sign in with what stands there. A session belongs to a user and ends when it is
signed out, when it was not used for long, when it is old, and with everything else when its user is disabled or gets
another password, in whichever process that happens.
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
from casino.errors import Code, Refusal
from casino.people.roles import Role
from casino.people.users import User
from casino.storage.database import Database
from casino.storage.schema import sessions, users

DAY_MS: Final = 86_400_000
TOKEN_BYTES: Final = 32
PER_USER_MAX: Final = 100
RENEW_AFTER_MS: Final = 3_600_000
"""Using a session makes it last longer, but that is written down at most once an hour."""

_SWEPT_AT_ONCE: Final = 100
_ASKED_AT_ONCE: Final = 500
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")

_log = structlog.get_logger()

SignedOut = Callable[[str], Awaitable[None]]
"""Told the id of a session that has ended, so that its connections can be closed."""


@dataclass(frozen=True, slots=True)
class Session:
    """`id` is a hash: it may be kept and compared, and opens nothing."""

    id: str
    user: User
    expires_ms: int


@dataclass(frozen=True, slots=True)
class Lifetime:
    unused_ms: int
    all_ms: int

    def end_of(self, created_ms: int, used_ms: int) -> int:
        return min(used_ms + self.unused_ms, created_ms + self.all_ms)


class Sessions:
    def __init__(self, database: Database, lifetime: Lifetime, clock: Clock = wall_clock) -> None:
        self._database = database
        self._lifetime = lifetime
        self._clock = clock
        self.on_signed_out: list[SignedOut] = []

    async def begin(self, connection: AsyncConnection, user: User) -> str:
        """A new session in the caller's transaction; the answer is its reference, which nobody can ask for again."""
        at_ms = self._clock()
        await _sweep(connection, at_ms)
        await _verify_enabled(connection, user)
        await _make_room(connection, user)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        values = {
            "id": id_of(token),
            "user_id": user.id,
            "created_ms": at_ms,
            "expires_ms": self._lifetime.end_of(at_ms, at_ms),
        }
        await connection.execute(sessions.insert(), values)
        return token

    async def find(self, token: str) -> Session | None:
        """The session of this reference, if it stands. Finding it counts as using it."""
        if not _TOKEN.fullmatch(token):  # spares the database what cannot be a reference
            return None
        at_ms = self._clock()
        async with self._database.reading() as connection:
            row = (await connection.execute(_STANDING, {"token_id": id_of(token), "at_ms": at_ms})).first()
        if row is None:
            return None
        expires_ms = self._lifetime.end_of(row.session_created_ms, at_ms)
        if expires_ms - row.expires_ms >= RENEW_AFTER_MS:
            await self._renew(row.session_id, expires_ms)
        return _session(row)

    async def end(self, connection: AsyncConnection, session_id: str) -> bool:
        """False if it had ended already. The caller tells it with `tell_signed_out` once this is stored."""
        ended = await connection.execute(delete(sessions).where(sessions.c.id == session_id))
        return ended.rowcount > 0

    async def tell_signed_out(self, session_id: str) -> None:
        for told in self.on_signed_out:
            try:
                await told(session_id)
            except Exception:  # noqa: BLE001 - one listener's mistake keeps nobody else from hearing it
                _log.exception("sign_out_not_heard")

    async def ended_of(self, session_ids: Collection[str]) -> set[str]:
        """Those of these sessions that no longer stand, whoever ended them: for connections that outlive a request."""
        asked = list(session_ids)
        standing: set[str] = set()
        async with self._database.reading() as connection:
            for start in range(0, len(asked), _ASKED_AT_ONCE):
                part = {"ids": asked[start : start + _ASKED_AT_ONCE], "at_ms": self._clock()}
                standing.update((await connection.execute(_STANDING_OF, part)).scalars())
        return set(asked) - standing

    async def _renew(self, session_id: str, expires_ms: int) -> None:
        async with self._database.writing() as connection:
            await connection.execute(update(sessions).where(sessions.c.id == session_id).values(expires_ms=expires_ms))


_IS_VALID: Final = (sessions.c.expires_ms > bindparam("at_ms")) & (users.c.disabled == 0)
_STANDING: Final = (
    select(
        sessions.c.id.label("session_id"),
        sessions.c.created_ms.label("session_created_ms"),
        sessions.c.expires_ms,
        *(users.c[name] for name in ("id", "name", "role", "currency", "disabled", "created_ms")),
    )
    .join(users)
    .where(sessions.c.id == bindparam("token_id"), _IS_VALID)
)
_STANDING_OF: Final = (
    select(sessions.c.id).join(users).where(sessions.c.id.in_(bindparam("ids", expanding=True)), _IS_VALID)
)


def id_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _session(row: Row[Any]) -> Session:
    user = User(row.id, row.name, Role(row.role), row.currency, bool(row.disabled), row.created_ms)
    return Session(row.session_id, user, row.expires_ms)


async def _sweep(connection: AsyncConnection, at_ms: int) -> None:
    """Take away some that have expired; what another transaction is about to take away is left to it."""
    expired = select(sessions.c.id).where(sessions.c.expires_ms <= at_ms).limit(_SWEPT_AT_ONCE)
    await connection.execute(delete(sessions).where(sessions.c.id.in_(expired.with_for_update(skip_locked=True))))


async def _verify_enabled(connection: AsyncConnection, user: User) -> None:
    """Whoever was disabled after the password was checked does not come in; whoever is, from now on, is found here."""
    enabled = select(users.c.id).where(users.c.id == user.id, users.c.disabled == 0).with_for_update(read=True)
    if (await connection.execute(enabled)).first() is None:
        raise Refusal(Code.NOT_AUTHENTICATED, "This account is disabled.")


async def _make_room(connection: AsyncConnection, user: User) -> None:
    newest = sessions.c.created_ms.desc()
    own = select(sessions.c.id).where(sessions.c.user_id == user.id).order_by(newest, sessions.c.id)
    too_many = (await connection.execute(own.offset(PER_USER_MAX - 1))).scalars().all()
    if too_many:
        await connection.execute(delete(sessions).where(sessions.c.id.in_(too_many)))
