"""Brings the tables up to date, inside the caller's transaction, so that it happens whole or not at all."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK_ID = 0x43415349  # any number, the same in every process


async def migrate(connection: AsyncConnection, revision: str = "head") -> None:
    if connection.dialect.name == "postgresql":  # two processes may start at once; SQLite's write lock does the same
        await connection.execute(text("SELECT pg_advisory_xact_lock(:id)"), {"id": _LOCK_ID})
    await connection.run_sync(_upgrade, revision)


def _upgrade(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
