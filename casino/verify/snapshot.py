"""The books as they stood at one moment, however long reading them takes and whoever writes meanwhile."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from sqlalchemy import Select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.database import Database

PARTITION: Final = 5_000
"""Rows fetched at a time: enough that fetching costs little, few enough to forget."""


@asynccontextmanager
async def snapshot(database: Database) -> AsyncIterator[AsyncConnection]:
    """One transaction that only reads. SQLite's sees what was committed when it began; PostgreSQL must be told to."""
    async with database.reading() as connection:
        if not database.is_sqlite:
            await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        yield connection


async def partitions(connection: AsyncConnection, query: Select[Any]) -> AsyncIterator[Sequence[Any]]:
    """The rows of the answer, some thousands at a time, without ever holding them all."""
    result = await connection.stream(query, execution_options={"yield_per": PARTITION})
    async for rows in result.partitions():
        yield rows
