"""Chat archive: every line of every table, with the blocked ones, stored in batches and deleted after a retention time.

Writers only append to a queue in memory; a background task stores it. So a slow database delays no chat message and no
bet. A line is stored within about a second. Lines that are still in the queue when the process is killed are lost.
"""

import asyncio
import secrets
from collections import deque
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

import structlog
from sqlalchemy import Row, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.chat.message_log import Line
from casino.clock import Clock
from casino.storage.bulk import insert_rows
from casino.storage.database import Database
from casino.storage.schema import chat_lines

FLUSH_SECONDS: Final = 0.5
QUEUE_MAX: Final = 20_000
"""Lines that wait while the database is away; the oldest are dropped beyond that."""
ROWS_AT_ONCE: Final = 500
"""Rows stored or deleted per transaction: few enough that no table waits noticeably."""
PURGE_SECONDS: Final = 600.0
PURGE_PAUSE_SECONDS: Final = 1.0
TEXT_MAX: Final = 400
_DAY_MS: Final = 86_400_000
_COLUMNS: Final = ("id", "table_id", "at_ms", "player_id", "name", "role", "text", "code", "blocked")

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Said:
    """A stored line. `blocked` is the reason why no other user has read it; None for a line that was sent."""

    id: str
    table_id: str
    at_ms: int
    player_id: str | None
    name: str
    role: str
    text: str
    code: str | None
    blocked: str | None


class ChatArchive:
    def __init__(self, database: Database, keep_days: int, clock: Clock) -> None:
        self._database = database
        self._keep_ms = keep_days * _DAY_MS
        self._clock = clock
        self._queue: deque[tuple[Any, ...]] = deque()
        self._run = secrets.token_hex(6)
        self._numbers = count()
        self._flushing = asyncio.Lock()
        self._dropped = 0

    def keep(self, line: Line, blocked: str | None = None) -> None:
        """Queues a line; never waits."""
        id_ = f"{line.at_ms:015d}-{self._run}-{next(self._numbers):08d}"
        text = _storable(line.text)[:TEXT_MAX]
        row = (id_, line.table_id, line.at_ms, line.player_id, line.name, line.role, text, line.code, blocked)
        self._queue.append(row)
        if len(self._queue) > QUEUE_MAX:
            self._queue.popleft()
            self._dropped += 1

    async def flush(self) -> None:
        """Stores what is queued. A failed batch stays in the queue."""
        async with self._flushing:
            while self._queue:
                batch = list(self._queue)[:ROWS_AT_ONCE]
                async with self._database.writing() as connection:
                    # A commit whose answer was lost is repeated.
                    await insert_rows(connection, chat_lines, _COLUMNS, batch, or_else="ON CONFLICT (id) DO NOTHING")
                stored = {row[0] for row in batch}
                while self._queue and self._queue[0][0] in stored:
                    self._queue.popleft()

    async def run(self) -> None:
        """Stores queued lines until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            try:
                await self.flush()
            except Exception as error:  # noqa: BLE001  the database may be away for a moment; the lines wait
                _log.warning("chat_archive_failed", waiting=len(self._queue), exc_info=error)
            if self._dropped:
                _log.error("chat_lines_dropped", lines=self._dropped)
                self._dropped = 0

    async def run_purge(self) -> None:
        """Deletes lines older than the retention time until cancelled."""
        while True:
            deleted = 0
            try:
                deleted = await self.purge_some()
            except Exception as error:  # noqa: BLE001  the next attempt follows
                _log.warning("chat_purge_failed", exc_info=error)
            await asyncio.sleep(PURGE_PAUSE_SECONDS if deleted == ROWS_AT_ONCE else PURGE_SECONDS)

    async def purge_some(self) -> int:
        """Deletes at most `ROWS_AT_ONCE` lines in one transaction; returns their number."""
        too_old = select(chat_lines.c.id).where(chat_lines.c.at_ms < self._clock() - self._keep_ms)
        some = too_old.order_by(chat_lines.c.at_ms, chat_lines.c.id).limit(ROWS_AT_ONCE)
        async with self._database.reading() as connection:
            ids = (await connection.execute(some)).scalars().all()
        if ids:
            async with self._database.writing() as connection:
                await connection.execute(delete(chat_lines).where(chat_lines.c.id.in_(ids)))
        return len(ids)

    async def last_of(self, table_id: str, player_id: str, at_ms: int | None) -> Said | None:
        """Returns the player's line of that moment at this table; without a moment the last one, blocked or not."""
        await self.flush()
        query = select(chat_lines).where(chat_lines.c.table_id == table_id, chat_lines.c.player_id == player_id)
        if at_ms is not None:
            query = query.where(chat_lines.c.at_ms == at_ms)
        async with self._database.reading() as connection:
            row = (await connection.execute(query.order_by(chat_lines.c.id.desc()).limit(1))).first()
        return said_of(row) if row else None


async def lines_between(
    connection: AsyncConnection, table_id: str, from_ms: int, until_ms: int | None, limit: int = 1000
) -> list[Said]:
    """Returns the lines at a table in that time, blocked ones included, oldest first."""
    query = select(chat_lines).where(chat_lines.c.table_id == table_id, chat_lines.c.at_ms >= from_ms)
    if until_ms is not None:
        query = query.where(chat_lines.c.at_ms <= until_ms)
    rows = await connection.execute(query.order_by(chat_lines.c.at_ms, chat_lines.c.id).limit(limit))
    return [said_of(row) for row in rows]


def said_of(row: Row[Any]) -> Said:
    return Said(*(getattr(row, name) for name in _COLUMNS))


def _storable(text: str) -> str:
    """A blocked line is stored as it came, except for characters that a database refuses."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
