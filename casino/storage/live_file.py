"""Detects a SQLite file that was copied from a running service without its write-ahead log.

Such a copy opens without an error, but lacks the contents of the log. A service therefore marks the file it serves with
its file-system identity, in the file itself, and removes the mark on a clean stop. A file with the mark of another file
and without a log was copied while it was served, or after a crash.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import update
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.schema import database_identity
from casino.storage.url import file_of

PARTIAL_COPY: Final = (
    "it is a copy of a file that was in service, taken without its write-ahead log, so the latest bets and payments "
    "may be missing. Take the original, or a backup made by `casino backup`"
)


async def mark_served(connection: AsyncConnection, url: URL) -> None:
    if url.get_backend_name() == "sqlite":
        await connection.execute(update(database_identity).values(served_file=_identity(file_of(url))))


async def unmark_served(connection: AsyncConnection) -> None:
    if connection.dialect.name == "sqlite":
        await connection.execute(update(database_identity).values(served_file=None))


def write_through(url: URL) -> None:
    """Writes the mark into the file itself, since a copy without the log would otherwise lack it."""
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(f"file:{quote(str(file_of(url)))}?mode=rw", uri=True)) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def is_partial_copy(url: URL) -> bool:
    """Must run before the file is opened, because opening creates a log. It writes nothing."""
    if url.get_backend_name() != "sqlite":
        return False
    file = file_of(url)
    log = Path(f"{file}-wal")
    if not file.is_file() or (log.exists() and log.stat().st_size):
        return False
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro&immutable=1", uri=True)) as connection:
            marked = connection.execute("SELECT served_file FROM database_identity").fetchone()
    except sqlite3.Error:  # an older database, an empty file, or no database
        return False
    return bool(marked and marked[0]) and marked[0] != _identity(file)


def _identity(file: Path) -> str:
    found = file.stat()
    return f"{found.st_dev}:{found.st_ino}"
