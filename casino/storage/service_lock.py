"""Service lock: one service per database, since two would recover each other's running rounds.

The lock ends with its process, however that ends: for SQLite it is an operating-system lock, in PostgreSQL it belongs
to a connection. If that connection is lost, the service takes the lock again as soon as possible. It must stop if
another service was faster. Commands that only append or read need no lock.
"""

import asyncio
import contextlib
import fcntl
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import IO, Final

import structlog
from sqlalchemy import make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.database import Database
from casino.storage.live_file import mark_served, unmark_served, write_through
from casino.storage.url import PRIVATE_MODE, UnusableDatabaseError, file_of

PATIENCE_SECONDS: Final = 5.0
"""PostgreSQL may need a moment to notice that the previous process is dead."""
LOOK_SECONDS: Final = 1.0
_PAUSE_SECONDS: Final = 0.1
_KEY: Final = 0x63617369_6E6F  # "casino"
_OURSELVES: Final = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
_END: Final = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :pid AND backend_start = :start"

_log = structlog.get_logger()


@asynccontextmanager
async def single_instance(
    database: Database, lost: Callable[[], None], *, patience_seconds: float = PATIENCE_SECONDS
) -> AsyncIterator[None]:
    """Refuses to be the second service. Calls `lost` if another service has taken over."""
    if database.is_sqlite:
        with _open_lock_file(database) as file:
            await _wait_for(lambda: _lock_file(file), patience_seconds)
            yield
    else:
        claim = _AdvisoryLock(database, patience_seconds)
        async with claim.held():
            keeping = asyncio.create_task(claim.keep(lost), name="the only service")
            try:
                yield
            finally:
                keeping.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await keeping


@asynccontextmanager
async def served(database: Database) -> AsyncIterator[None]:
    """Marks the file as served while the block runs; after a crash the mark stays until the next clean stop."""
    url = make_url(database.url)
    async with database.writing() as connection:
        await mark_served(connection, url)
    await asyncio.to_thread(write_through, url)
    yield
    try:
        async with database.writing() as connection:
            await unmark_served(connection)
    except (SQLAlchemyError, OSError) as error:
        _log.warning("live_file_mark_not_removed", kind=type(error).__name__)


class _AdvisoryLock:
    """An advisory lock in PostgreSQL, and the connection that holds it."""

    def __init__(self, database: Database, patience_seconds: float) -> None:
        self._database = database
        self._patience_seconds = patience_seconds
        self._opened = contextlib.AsyncExitStack()
        self._connection: AsyncConnection
        self._ourselves: dict[str, object] = {}

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        try:
            await self._take()
            yield
        finally:
            await self._let_go()

    async def keep(self, lost: Callable[[], None]) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._connection.execute(text("SELECT 1"))
            except Exception as error:  # noqa: BLE001  whatever it was, the lock hung on this connection
                _log.warning("service_lock_lost", kind=type(error).__name__)
                if not await self._taken_again():
                    lost()
                    return

    async def _taken_again(self) -> bool:
        """Returns False if another service was faster."""
        while True:
            try:
                await self._let_go()
                await self._take()
            except UnusableDatabaseError:
                return False
            except Exception:  # noqa: BLE001  the database is still away
                await asyncio.sleep(LOOK_SECONDS)
            else:
                _log.info("service_lock_reacquired")
                return True

    async def _take(self) -> None:
        """Takes the lock; first ends our own lost connection, for which PostgreSQL may still hold it."""
        connection = self._connection = await self._opened.enter_async_context(self._database.autocommit())
        if self._ourselves:
            await connection.execute(text(_END), self._ourselves)
        await _wait_for(lambda: _lock_in(connection), self._patience_seconds)
        row = (await connection.execute(text(_OURSELVES))).one()
        self._ourselves = {"pid": row.pid, "start": row.backend_start}

    async def _let_go(self) -> None:
        """Closes the connection instead of returning it to the pool, which would keep the lock."""
        with contextlib.suppress(Exception):  # there may be none, and closing a broken one fails
            await self._connection.invalidate()
        with contextlib.suppress(Exception):
            await self._opened.aclose()


async def _wait_for(lock: Callable[[], Awaitable[bool]], patience_seconds: float) -> None:
    until = time.monotonic() + patience_seconds
    while not await lock():
        if time.monotonic() > until:
            raise UnusableDatabaseError("another service is running on it")
        await asyncio.sleep(_PAUSE_SECONDS)


def _open_lock_file(database: Database) -> IO[str]:
    """Locks the file itself, by whatever path it is named."""
    name = f"{file_of(make_url(database.url)).resolve()}.lock"
    return os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_MODE), "w")


async def _lock_file(file: IO[str]) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # not inherited by child processes
    except (BlockingIOError, PermissionError):
        return False
    return True


async def _lock_in(connection: AsyncConnection) -> bool:
    return bool(await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _KEY}))
