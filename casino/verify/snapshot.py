"""The books as they stood at one moment, however long reading them takes and whoever writes meanwhile.

Where there are many rows they come from the driver itself, as plain tuples: a name for every column of a million rows
costs more than checking them.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, Self

import asyncpg
from sqlalchemy import Select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.database import Database

Rows = Sequence[Any]
"""Plain tuples on SQLite; on PostgreSQL records, which are unpacked, indexed and sliced like them."""

PARTITION: Final = 5_000
"""Rows fetched at a time: enough that fetching costs little, few enough to forget."""


class Snapshot:
    """Reads everything on one connection in one transaction. `connection` is for answers of a few rows."""

    def __init__(self, connection: AsyncConnection, driver: Any) -> None:  # noqa: ANN401  aiosqlite's or asyncpg's
        self.connection = connection
        self._driver = driver
        self.is_sqlite = connection.dialect.name == "sqlite"

    @classmethod
    async def on(cls, connection: AsyncConnection) -> Self:
        """From now on the connection sees the books as they stand, if it is in no transaction yet."""
        await connection.execute(text("SELECT 1 FROM rounds LIMIT 1"))
        return cls(connection, (await connection.get_raw_connection()).driver_connection)

    async def rows(self, query: Select[Any]) -> Rows:
        statement, values = self._compiled(query)
        with _named_errors(statement):
            if self.is_sqlite:
                return await self._driver.execute_fetchall(statement, values)  # type: ignore[no-any-return]
            return await self._driver.fetch(statement, *values)  # type: ignore[no-any-return]

    async def partitions(self, query: Select[Any], *, ahead: bool = False) -> AsyncIterator[Rows]:
        """The rows of the answer, some thousands at a time, without ever holding them all.

        With `ahead` a server is asked for the next ones while these are looked at; nothing else may be asked then.
        """
        statement, values = self._compiled(query)
        with _named_errors(statement):
            if self.is_sqlite:
                async with self._driver.execute(statement, values) as cursor:
                    while rows := await cursor.fetchmany(PARTITION):
                        yield rows
            else:
                cursor = await self._driver.cursor(statement, *values)
                if ahead:
                    async for rows in _asked_ahead(cursor):
                        yield rows
                    return
                while rows := await cursor.fetch(PARTITION):
                    yield rows

    @contextmanager
    def any_text(self) -> Iterator[None]:
        """SQLite may hold bytes that are no text where a text should be; so they are read as signs nobody writes.

        That is slow, so it is for books that could not be read without it.
        """
        self._driver.text_factory = lambda data: data.decode(errors="replace")
        try:
            yield
        finally:
            self._driver.text_factory = str

    def _compiled(self, query: Select[Any]) -> tuple[str, list[Any]]:
        compiled = query.compile(dialect=self.connection.dialect)
        return str(compiled), [compiled.params[name] for name in compiled.positiontup or ()]


async def _asked_ahead(cursor: Any) -> AsyncIterator[Rows]:  # noqa: ANN401  asyncpg's
    following = asyncio.ensure_future(cursor.fetch(PARTITION))
    try:
        while rows := await following:
            following = asyncio.ensure_future(cursor.fetch(PARTITION))
            await asyncio.sleep(0)  # so that the question is on its way
            yield rows
    finally:
        following.cancel()


@asynccontextmanager
async def snapshot(database: Database) -> AsyncIterator[Snapshot]:
    """SQLite sees what was committed at the first statement of a transaction; PostgreSQL must be told to."""
    async with database.reading() as connection:
        if not database.is_sqlite:
            await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        yield await Snapshot.on(connection)


@contextmanager
def _named_errors(statement: str) -> Iterator[None]:
    """Whatever the driver calls it, the callers know one error for a database that fails."""
    try:
        yield
    except (sqlite3.Error, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise OperationalError(statement, None, error) from error
