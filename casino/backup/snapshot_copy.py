"""Copies a consistent snapshot of a running service's database into one SQLite file.

SQLite is copied page by page with its own backup interface. PostgreSQL is read in one snapshot, table by table, into
the same tables in SQLite. So a backup is the same kind of file whatever it was made from, needs no other program, and
is verified by the commands that verify the books.
"""

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Table, make_url, select

from casino.storage.database import Database
from casino.storage.schema import database_identity, metadata
from casino.storage.url import PRIVATE_MODE, SQLITE_SIDE_FILES, file_of
from casino.verify.snapshot import snapshot

_BUSY_SECONDS: Final = 60.0


async def copy_books(database: Database, out: Path) -> None:
    """Into a file that does not exist yet. Raises sqlite3.Error and OSError."""
    os.close(os.open(out, os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
    if database.is_sqlite:
        await asyncio.to_thread(_copy_pages, file_of(make_url(database.url)), out)
    else:
        await _copy_rows(database, out)
    await asyncio.to_thread(_finish, out)


def _copy_pages(file: Path, out: Path) -> None:
    """Copies all pages in one step: writers continue, and the copy shows the moment it began."""
    source = sqlite3.connect(f"file:{quote(str(file))}?mode=rw", uri=True, timeout=_BUSY_SECONDS)
    with closing(source), closing(sqlite3.connect(out)) as copy:
        source.backup(copy, pages=-1)


async def _copy_rows(database: Database, out: Path) -> None:
    empty = await Database.open(f"sqlite:///{out}")
    await empty.close()
    with closing(sqlite3.connect(out, isolation_level=None)) as copy:
        copy.execute("BEGIN")
        copy.execute(f"DELETE FROM {database_identity.name}")  # noqa: S608  a name of our own
        async with snapshot(database) as books:
            for table in metadata.sorted_tables:
                insert = _insert(table)
                async for rows in books.partitions(select(table)):
                    copy.executemany(insert, map(tuple, rows))
        copy.execute("COMMIT")


def _insert(table: Table) -> str:
    names = [f'"{column.name}"' for column in table.columns]
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"  # noqa: S608


def _finish(out: Path) -> None:
    """Makes the copy one synced file without a log file, and marks it as not in service."""
    with closing(sqlite3.connect(out, isolation_level=None)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute(f"UPDATE {database_identity.name} SET served_file = NULL")  # noqa: S608
        for check, fine in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
            found = copy.execute(f"PRAGMA {check}").fetchmany(1)
            if found != fine:
                raise sqlite3.DatabaseError(f"{check}: {found[0]}")
    for suffix in SQLITE_SIDE_FILES:
        Path(f"{out}{suffix}").unlink(missing_ok=True)
    with _opened(out) as descriptor:
        os.fsync(descriptor)


@contextmanager
def _opened(file: Path) -> Iterator[int]:
    descriptor = os.open(file, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def rows_of(file: Path, table: Table, at_once: int) -> Iterator[list[Any]]:
    """The rows of a backup, in the order of the columns."""
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as connection:
        cursor = connection.execute(f"SELECT {names} FROM {table.name}")  # noqa: S608
        while rows := cursor.fetchmany(at_once):
            yield rows
