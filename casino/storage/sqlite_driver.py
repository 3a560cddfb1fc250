"""SQLite driver that uses a worker thread only for statements, fetches and the end of a transaction.

The asynchronous driver sends every call to a thread and waits for it, even to create or close a cursor, or to roll back
without a transaction. That would be most of the cost of a short transaction.
"""

import sqlite3
from collections.abc import Callable
from typing import Any

import aiosqlite


class QuickConnection(aiosqlite.Connection):
    # Each counter is written by one thread only, because concurrent increments lose counts.
    _asked = 0
    _answered = 0

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
            return name == "close"
        return name == "cursor" or (name == "rollback" and not self._conn.in_transaction)


def connect(database: str, **options: Any) -> QuickConnection:  # noqa: ANN401
    connection = QuickConnection(lambda: sqlite3.connect(database, **options), iter_chunk_size=64)
    connection._thread.daemon = True  # noqa: SLF001  an open connection keeps no process alive
    return connection
