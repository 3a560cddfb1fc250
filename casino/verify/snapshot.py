"""Snapshot reads: the books at one moment, however long reading takes and whatever is written in that time.

Large results come directly from the driver, as plain tuples: named columns of a million rows cost more than checking
them.
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
"""Plain tuples on SQLite; records with the same access on PostgreSQL."""

PARTITION: Final = 5_000
"""Rows per fetch: enough to be efficient, few enough for memory."""


class Snapshot:
    """Reads everything on one connection in one transaction. `connection` is for small results."""

    def __init__(self, connection: AsyncConnection, driver: Any) -> None:  # noqa: ANN401  aiosqlite's or asyncpg's
        self.connection = connection
        self._driver = driver
        self.is_sqlite = connection.dialect.name == "sqlite"

    @classmethod
    async def on(cls, connection: AsyncConnection) -> Self:
        """Fixes the snapshot now, if the connection is in no transaction yet."""
        await connection.execute(text("SELECT 1 FROM rounds LIMIT 1"))
        return cls(connection, (await connection.get_raw_connection()).driver_connection)

    async def rows(self, query: Select[Any]) -> Rows:
        statement, values = self._compiled(query)
        with _named_errors(statement):
            if self.is_sqlite:
                return await self._driver.execute_fetchall(statement, values)  # type: ignore[no-any-return]
            return await self._driver.fetch(statement, *values)  # type: ignore[no-any-return]

    async def partitions(
        self, query: Select[Any], *, ahead: bool = False, size: int = PARTITION
    ) -> AsyncIterator[Rows]:
        """Yields the rows some thousands at a time, in constant memory; large rows in smaller partitions.

        With `ahead`, the next rows are fetched while these are processed; no other query may run then.
        """
        statement, values = self._compiled(query)
        with _named_errors(statement):
            if self.is_sqlite:
                async with self._driver.execute(statement, values) as cursor:
                    while rows := await cursor.fetchmany(size):
                        yield rows
            else:
                cursor = await self._driver.cursor(statement, *values)
                if ahead:
                    async for rows in _asked_ahead(cursor, size):
                        yield rows
                    return
                while rows := await cursor.fetch(size):
                    yield rows

    @contextmanager
    def any_text(self) -> Iterator[None]:
        """Decodes invalid text with replacement characters, since SQLite may hold bytes where text should be.

        This is slow, so it is used only after a normal read has failed.
        """
        self._driver.text_factory = lambda data: data.decode(errors="replace")
        try:
            yield
        finally:
            self._driver.text_factory = str

    def _compiled(self, query: Select[Any]) -> tuple[str, list[Any]]:
        compiled = query.compile(dialect=self.connection.dialect)
        return str(compiled), [compiled.params[name] for name in compiled.positiontup or ()]


async def _asked_ahead(cursor: Any, size: int) -> AsyncIterator[Rows]:  # noqa: ANN401  asyncpg's
    following = asyncio.ensure_future(cursor.fetch(size))
    try:
        while rows := await following:
            following = asyncio.ensure_future(cursor.fetch(size))
            await asyncio.sleep(0)  # lets the request start
            yield rows
    finally:
        following.cancel()


@asynccontextmanager
async def snapshot(database: Database) -> AsyncIterator[Snapshot]:
    """SQLite has snapshots by default; PostgreSQL needs the isolation level."""
    async with database.reading() as connection:
        if not database.is_sqlite:
            await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        yield await Snapshot.on(connection)


@contextmanager
def _named_errors(statement: str) -> Iterator[None]:
    """Converts driver errors into one error type."""
    try:
        yield
    except (sqlite3.Error, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise OperationalError(statement, None, error) from error
