"""Restores a checked backup into a database that is missing or empty. It overwrites nothing."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from sqlalchemy import delete, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.backup.manifest import UnusableBackupError, counts
from casino.backup.snapshot_copy import rows_of
from casino.storage.database import BUSY_SECONDS, Database
from casino.storage.engines import engines_of
from casino.storage.migrate import migrate
from casino.storage.schema import database_identity, metadata
from casino.storage.url import async_url, file_of, wrap_errors

_ROWS_AT_ONCE: Final = 5_000


async def restore(backup: Path, url: str, rows: dict[str, int]) -> None:
    """Raises UnusableBackupError if the place is taken, UnusableDatabaseError if it cannot be written."""
    parsed = async_url(url)
    with wrap_errors(parsed):
        if parsed.get_backend_name() == "sqlite":
            _restore_file(backup, file_of(parsed))
        else:
            await _restore_rows(backup, Database(engines_of(parsed, BUSY_SECONDS)), rows)


def _restore_file(backup: Path, file: Path) -> None:
    """Its name appears only when all of it is on the disk."""
    if file.exists() or Path(f"{file}-wal").exists():
        raise UnusableBackupError(f"{file} is there already: move it away first, with its -wal and -shm")
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, made = tempfile.mkstemp(dir=file.parent, prefix=".restoring-")
    try:
        with backup.open("rb") as source, os.fdopen(descriptor, "wb") as copy:
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fsync(copy.fileno())
        os.link(made, file)
    finally:
        Path(made).unlink()


async def _restore_rows(backup: Path, database: Database, rows: dict[str, int]) -> None:
    """In one transaction: all of it, or nothing."""
    try:
        async with database.writing() as connection:
            if await connection.run_sync(lambda of: inspect(of).get_table_names()):
                raise UnusableBackupError("the database is not empty: create a new one, and restore into that")
            await migrate(connection)
            await connection.execute(delete(database_identity))
            await _load(connection, backup)
            if await counts(connection) != rows:
                raise UnusableBackupError("the database does not hold the rows of the backup")
    finally:
        await database.close()


async def _load(connection: AsyncConnection, backup: Path) -> None:
    driver = (await connection.get_raw_connection()).driver_connection
    assert driver is not None
    for table in metadata.sorted_tables:
        names = [column.name for column in table.columns]
        for rows in rows_of(backup, table, _ROWS_AT_ONCE):
            await driver.copy_records_to_table(table.name, records=rows, columns=names)
        for column in table.columns:
            if column.identity is not None:
                sequence = f"pg_get_serial_sequence('{table.name}', '{column.name}')"
                newest = f"(SELECT max({column.name}) FROM {table.name})"  # noqa: S608  names of our own
                await connection.execute(text(f"SELECT setval({sequence}, {newest}) WHERE {newest} IS NOT NULL"))
