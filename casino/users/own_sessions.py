"""Sessions of a signed-in person: lists and ends them without ever showing a session's reference."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.schema import sessions
from casino.users.users import User

HANDLE_LENGTH: Final = 16
"""Shown characters of a session's hashed id: enough to distinguish a person's hundred sessions."""


@dataclass(frozen=True, slots=True)
class OwnSession:
    handle: str
    device: str
    created_ms: int
    expires_ms: int
    is_current: bool


async def list_sessions(connection: AsyncConnection, user: User, current_id: str, at_ms: int) -> list[OwnSession]:
    """Lists sessions, newest first."""
    own = (sessions.c.user_id == user.id) & (sessions.c.expires_ms > at_ms)
    query = select(sessions).where(own).order_by(sessions.c.created_ms.desc(), sessions.c.id)
    return [
        OwnSession(row.id[:HANDLE_LENGTH], row.device, row.created_ms, row.expires_ms, row.id == current_id)
        for row in await connection.execute(query)
    ]


async def find_session(connection: AsyncConnection, user: User, handle: str) -> str | None:
    """Returns the id of a handle, if it is one of this user's own sessions."""
    if len(handle) != HANDLE_LENGTH:
        return None
    query = select(sessions.c.id).where(sessions.c.user_id == user.id)
    ids = (await connection.execute(query)).scalars()
    return next((session_id for session_id in ids if session_id.startswith(handle)), None)


async def end_others(connection: AsyncConnection, user: User, current_id: str) -> list[str]:
    """Returns the ids of ended sessions; the caller announces them after the commit."""
    others = delete(sessions).where(sessions.c.user_id == user.id, sessions.c.id != current_id)
    return list((await connection.execute(others.returning(sessions.c.id))).scalars())


async def grant_second_factor(connection: AsyncConnection, session_id: str) -> None:
    await connection.execute(update(sessions).where(sessions.c.id == session_id).values(second_factor=1))
