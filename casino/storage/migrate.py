"""Applies migrations inside the caller's transaction, so that all or none take effect."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.url import UnusableDatabaseError

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK_ID = 0x43415349  # arbitrary, the same in every process


async def migrate(connection: AsyncConnection, revision: str = "head") -> str | None:
    """Returns the revision the schema had before; None for a new database."""
    if connection.dialect.name == "postgresql":  # for concurrent starts; SQLite's write lock does the same
        await connection.execute(text("SELECT pg_advisory_xact_lock(:id)"), {"id": _LOCK_ID})
    found = await connection.run_sync(_revision)
    await connection.run_sync(_upgrade, revision)
    return found


async def check_revision(connection: AsyncConnection) -> None:
    """Raises unless the schema has this version."""
    found = await connection.run_sync(_revision)
    newest, *older = [script.revision for script in ScriptDirectory(str(_MIGRATIONS)).walk_revisions()]
    if found is None:
        raise UnusableDatabaseError("it is empty: it holds no books")
    if found in older:
        raise UnusableDatabaseError(
            "it was made by an older version of this program. `casino serve` brings it up to date when it starts"
        )
    if found != newest:
        raise UnusableDatabaseError(f"it was made by another version of this program ({found})")


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
