"""SQLite connections: durable settings, explicit transactions, and a driver that avoids needless thread switches.

The asynchronous driver sends every call to a thread and waits for it, even to create or close a cursor, or to roll back
without a transaction. That would be most of the cost of a short transaction. This one uses the thread only for
statements, fetches and the end of a transaction; within `inline_statements`, only for its beginning and its end, which
wait for other processes and for the disk.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import aiosqlite
from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

PRAGMAS: Final = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1}


class QuickConnection(aiosqlite.Connection):
    # Each counter is written by one thread only, because concurrent increments lose counts.
    _asked = 0
    _answered = 0
    is_inline = False
    """Whether statements run in the event loop."""

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  the driver's own
        """Runs trivial calls inline, unless a cancelled call still runs in the thread."""
        if self._asked == self._answered and self._is_quick(fn):
            return fn(*args, **kwargs)
        self._asked += 1
        return await super()._execute(self._answer, fn, *args, **kwargs)  # type: ignore[no-untyped-call]

    def _answer(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        """Runs the call in the thread."""
        try:
            return fn(*args, **kwargs)
        finally:
            self._answered += 1

    def _is_quick(self, fn: Callable[..., Any]) -> bool:
        name, of = getattr(fn, "__name__", ""), getattr(fn, "__self__", None)
        if isinstance(of, sqlite3.Cursor):
            return self.is_inline or name == "close"
        return name == "cursor" or (name == "rollback" and not self._conn.in_transaction)


@contextmanager
def inline_statements(connection: AsyncConnection) -> Iterator[None]:
    """Runs the statements of this block in the event loop, if the database is SQLite.

    For a few statements by key within a write transaction: each takes some microseconds, and the way to the thread and
    back takes more. Under load the thread also waits up to 5 ms for the interpreter lock, for every statement.
    """
    assert connection.sync_connection is not None
    raw = connection.sync_connection.connection.driver_connection
    if not isinstance(raw, QuickConnection):
        yield
        return
    raw.is_inline = True
    try:
        yield
    finally:
        raw.is_inline = False


def connect(database: str, **options: Any) -> QuickConnection:  # noqa: ANN401
    connection = QuickConnection(lambda: sqlite3.connect(database, **options), iter_chunk_size=64)
    connection._thread.daemon = True  # noqa: SLF001  an open connection keeps no process alive
    return connection


def sqlite_engine(
    url: URL,
    busy_seconds: float,
    pragmas: Mapping[str, Any],
    *,
    begin: str = "BEGIN",
    pages_kib: int = 2000,
    **pool: float,
) -> AsyncEngine:
    engine = create_async_engine(
        url,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"async_creator_fn": connect},
        **pool,
    )

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: object) -> None:  # noqa: ANN401  the driver's own object
        connection.isolation_level = None  # transactions begin explicitly, not when the driver guesses
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
        cursor.execute(f"PRAGMA cache_size = {-pages_kib}")
        for name, value in pragmas.items():
            cursor.execute(f"PRAGMA {name} = {value}")
        cursor.close()

    def start(connection: Any) -> None:  # noqa: ANN401
        """Begins as the dialect does, so that a failure is SQLAlchemy's own error."""
        cursor = connection.cursor()
        try:
            cursor.execute(begin)
        finally:
            cursor.close()

    engine.dialect.do_begin = start  # type: ignore[assignment,method-assign]

    @event.listens_for(engine.sync_engine, "invalidate")
    def let_go(connection: Any, *_: object) -> None:  # noqa: ANN401
        """Rolls back the connection of a cancelled caller.

        An unread result would keep the closed connection alive, and with it the lock on the whole database.
        """
        connection.rollback()

    return engine
