"""Changes rows of the books directly, after removing the guards of the database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.database import Database


@asynccontextmanager
async def unguarded(database: Database) -> AsyncIterator[AsyncConnection]:
    """A transaction that no trigger and no foreign key disturbs, as for a person with access to the machine."""
    async with database.writing() as connection:
        if database.is_sqlite:
            triggers = await connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
            for name in triggers.scalars().all():
                await connection.execute(text(f"DROP TRIGGER {name}"))
            await connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        else:
            await connection.execute(text("SET LOCAL session_replication_role = replica"))
        yield connection
