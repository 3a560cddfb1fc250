"""Database heartbeat: a small write every two seconds, which shows whether anything can be stored.

A database may answer reads while every write fails: the disk is full, another process holds SQLite's write lock, or
PostgreSQL is read-only. An attempt is never cancelled, because it uses the connections of the tables. One that takes
too long counts as failed until it ends.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog
from sqlalchemy import text

from casino.clock import Clock, wall_clock
from casino.storage.database import Database

INTERVAL_SECONDS: Final = 2.0
ANSWER_SECONDS_MAX: Final = 5.0
"""With the interval, at most 7 s pass between the first failing write and the verdict."""

_BEAT: Final = text(
    "INSERT INTO heartbeats (id, at_ms) VALUES (1, :at_ms) ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms"
)

_log = structlog.get_logger()


class Heartbeat:
    """`is_storing` is true from the start: opening the database has written to it."""

    def __init__(
        self, database: Database, clock: Clock = wall_clock, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._database = database
        self._clock = clock
        self._seconds = seconds
        self._begun: float | None = None
        self._has_failed = False

    @property
    def is_storing(self) -> bool:
        is_overdue = self._begun is not None and self._seconds() - self._begun > ANSWER_SECONDS_MAX
        return not (self._has_failed or is_overdue)

    async def run(self) -> None:
        while True:
            begun = self._seconds()
            await self.beat()
            await asyncio.sleep(max(0.0, begun + INTERVAL_SECONDS - self._seconds()))

    async def beat(self) -> None:
        """Writes with the tables' priority, so that a queue of other writers does not look like a failure."""
        self._begun = self._seconds()
        try:
            async with self._database.writing(for_table=True) as connection:
                await connection.execute(_BEAT, {"at_ms": self._clock()})
        except Exception as error:  # noqa: BLE001  for whatever reason, nothing was stored
            if not self._has_failed:
                _log.error("storage_unavailable", exc_info=error)
            self._has_failed = True
        else:
            if self._has_failed:
                _log.warning("storage_recovered")
            self._has_failed = False
        finally:
            self._begun = None
