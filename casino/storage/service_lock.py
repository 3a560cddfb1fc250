"""One service per database: two would each take the other's running rounds for rounds that a crash left behind.

The lock dies with the process that holds it, however it ends: beside a SQLite file it is the operating system's, in
PostgreSQL it belongs to a connection. A connection can also end by itself, with PostgreSQL or with the line to it: then
the lock is taken anew as soon as it can be, and a service that comes too late for it must stop. Commands that only add
or read work beside the service and need no lock.
"""

import asyncio
import contextlib
import fcntl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Final

import structlog
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.address import UnusableDatabaseError, file_of
from casino.storage.database import Database

PATIENCE_SECONDS: Final = 5.0
"""PostgreSQL may need a moment to notice that the process before this one is dead."""
LOOK_SECONDS: Final = 1.0
_PAUSE_SECONDS: Final = 0.1
_KEY: Final = 0x63617369_6E6F  # "casino"
_OURSELVES: Final = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
_END: Final = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :pid AND backend_start = :start"

_log = structlog.get_logger()


@asynccontextmanager
async def only_service(
    database: Database, lost: Callable[[], None], *, patience_seconds: float = PATIENCE_SECONDS
) -> AsyncIterator[None]:
    """Refuses to be the second one. `lost` is called if another service has taken the place of this one."""
    if database.is_sqlite:
        with _lock_beside(database) as file:
            await _wait_for(lambda: _lock_file(file), patience_seconds)
            yield
    else:
        claim = _Claim(database, patience_seconds)
        async with claim.held():
            keeping = asyncio.create_task(claim.keep(lost), name="the only service")
            try:
                yield
            finally:
                keeping.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await keeping


class _Claim:
    """A lock in PostgreSQL, and the connection it hangs on."""

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
                _log.warning("lock_of_the_service_gone", kind=type(error).__name__)
                if not await self._taken_anew():
                    lost()
                    return

    async def _taken_anew(self) -> bool:
        """False if somebody else was faster."""
        while True:
            try:
                await self._let_go()
                await self._take()
            except UnusableDatabaseError:
                return False
            except Exception:  # noqa: BLE001  the database is still away
                await asyncio.sleep(LOOK_SECONDS)
            else:
                _log.info("lock_of_the_service_taken_anew")
                return True

    async def _take(self) -> None:
        """Where the line was cut, PostgreSQL may hold our own lock for a client that is gone: ourselves, until now."""
        connection = self._connection = await self._opened.enter_async_context(self._database.beside())
        if self._ourselves:
            await connection.execute(text(_END), self._ourselves)
        await _wait_for(lambda: _lock_in(connection), self._patience_seconds)
        row = (await connection.execute(text(_OURSELVES))).one()
        self._ourselves = {"pid": row.pid, "start": row.backend_start}

    async def _let_go(self) -> None:
        """Not back to where connections are lent from: the lock would go with it."""
        with contextlib.suppress(Exception):  # there may be none, and a broken one cannot be let go of in order
            await self._connection.invalidate()
        with contextlib.suppress(Exception):
            await self._opened.aclose()


async def _wait_for(lock: Callable[[], Awaitable[bool]], patience_seconds: float) -> None:
    until = time.monotonic() + patience_seconds
    while not await lock():
        if time.monotonic() > until:
            raise UnusableDatabaseError("another service is running on it")
        await asyncio.sleep(_PAUSE_SECONDS)


def _lock_beside(database: Database) -> IO[str]:
    """Of the file itself, whichever way it is named."""
    return Path(f"{file_of(make_url(database.url)).resolve()}.lock").open("w")


async def _lock_file(file: IO[str]) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # a child process does not inherit it
    except (BlockingIOError, PermissionError):
        return False
    return True


async def _lock_in(connection: AsyncConnection) -> bool:
    return bool(await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _KEY}))
