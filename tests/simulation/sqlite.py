"""SQLite without the driver's thread: every statement runs at once.

Nothing depends on how threads are scheduled then, and no statement pays for futures that are done before anybody
waits for them. The driver's own ways with its thread are tried elsewhere, against the real one.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_dbapi, SQLiteDialect_aiosqlite
from sqlalchemy.ext.asyncio import AsyncConnection, engine
from sqlalchemy.util import LRUCache, greenlet_spawn

from casino.storage.database import Database


class _Cursor(sqlite3.Cursor):
    """Has read all rows when a statement is done, as the driver's has: none is left for when things have moved on."""

    _rows: list[Any] = []  # noqa: RUF012  each statement has a list of its own

    def execute(self, *asked: Any) -> "_Cursor":  # noqa: ANN401  as the driver is called
        super().execute(*asked)
        if self.description:
            self._rows = super().fetchall()
        return self

    def fetchone(self) -> Any:  # noqa: ANN401
        return self._rows.pop(0) if self._rows else None

    def fetchmany(self, size: int | None = None) -> list[Any]:
        size = self.arraysize if size is None else size
        rows, self._rows = self._rows[:size], self._rows[size:]
        return rows

    def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        return rows

    async def _async_soft_close(self) -> None:
        """Everything is read, so nothing is held."""


class InlineConnection(sqlite3.Connection):
    """In the place of what adapts the driver; a closed one has nothing to commit or to undo."""

    is_open = True

    @property
    def _connection(self) -> "_Driver":
        return _Driver(self)

    def cursor(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401
        if not self.is_open:
            raise sqlite3.OperationalError("no active connection")
        return super().cursor(_Cursor)

    def commit(self) -> None:
        if self.is_open:
            super().commit()

    def rollback(self) -> None:
        if self.is_open:
            super().rollback()

    def close(self) -> None:
        self.is_open = False
        super().close()

    terminate = close


class _Answer:
    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor

    async def __aenter__(self) -> "_Answer":
        return self

    async def __aexit__(self, *_: object) -> None:
        self._cursor.close()

    async def fetchmany(self, size: int) -> list[Any]:
        return self._cursor.fetchmany(size)


class _Driver:
    """The part of the driver that is used directly: verification reads many plain rows."""

    def __init__(self, connection: InlineConnection) -> None:
        self._raw = connection

    def execute(self, statement: str, values: list[Any]) -> _Answer:
        return _Answer(self._raw.cursor().execute(statement, values))

    async def execute_fetchall(self, statement: str, values: list[Any]) -> list[Any]:
        rows: list[Any] = self._raw.cursor().execute(statement, values).fetchall()
        return rows


class _Dialect(SQLiteDialect_aiosqlite):
    """Every life of the service has a new one; compiled SQL texts are shared."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Dialect)

    def __hash__(self) -> int:
        return hash(_Dialect)


_COMPILED: Final[Any] = LRUCache(2000)


def share_compiled(database: Database) -> None:
    """Compiling its statements would be most of what a short life does."""
    for one in database._engines.each():
        one.sync_engine.dialect.__class__ = _Dialect
        one.sync_engine._compiled_cache = _COMPILED


@contextmanager
def sqlite_at_once() -> Iterator[None]:
    def connect(_dbapi: object, *where: Any, **options: Any) -> InlineConnection:  # noqa: ANN401
        options.pop("async_creator_fn", None)
        return sqlite3.connect(*where, **options, factory=InlineConnection)

    def spawn(*call: Any, _require_await: bool = False, **options: Any) -> Any:  # noqa: ANN401
        return greenlet_spawn(*call, **options)

    async def leave(connection: AsyncConnection, *_: object) -> None:
        """Giving a connection back waits for nothing here, so it needs no shielded task."""
        await connection.close()

    with (
        patch.object(AsyncAdapt_aiosqlite_dbapi, "connect", connect),
        patch.object(engine, "greenlet_spawn", spawn),
        patch.object(AsyncConnection, "__aexit__", leave),
    ):
        yield
