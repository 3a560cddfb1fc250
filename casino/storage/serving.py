"""One service per database: two would each take the other's running rounds for rounds that a crash left behind.

The lock dies with the process that holds it, however it ends: beside a SQLite file it is the operating system's, in
PostgreSQL it belongs to a connection. Commands that only add or read work beside the service and need no lock.
"""

import asyncio
import fcntl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Final

from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.address import UnusableDatabaseError
from casino.storage.database import Database

PATIENCE_SECONDS: Final = 5.0
"""PostgreSQL may need a moment to notice that the process before this one is dead."""
_PAUSE_SECONDS: Final = 0.1
_KEY: Final = 0x63617369_6E6F  # "casino"


@asynccontextmanager
async def only_service(database: Database, *, patience_seconds: float = PATIENCE_SECONDS) -> AsyncIterator[None]:
    if database.is_sqlite:
        with _lock_beside(database) as file:
            await _wait_for(lambda: _lock_file(file), patience_seconds)
            yield
    else:
        async with database.beside() as connection:
            await _wait_for(lambda: _lock_in(connection), patience_seconds)
            yield


async def _wait_for(lock: Callable[[], Awaitable[bool]], patience_seconds: float) -> None:
    until = time.monotonic() + patience_seconds
    while not await lock():
        if time.monotonic() > until:
            raise UnusableDatabaseError("another service is running on it")
        await asyncio.sleep(_PAUSE_SECONDS)


def _lock_beside(database: Database) -> IO[str]:
    return Path(f"{make_url(database.url).database}.lock").open("w")


async def _lock_file(file: IO[str]) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # a child process does not inherit it
    except (BlockingIOError, PermissionError):
        return False
    return True


async def _lock_in(connection: AsyncConnection) -> bool:
    return bool(await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _KEY}))
