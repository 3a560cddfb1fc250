"""Database that fails on request: at any statement, or at the commit."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from casino.storage.database import Database

MESSAGE = "the trap snapped"


class Snap(StrEnum):
    """What happens at the chosen statement."""

    BEFORE = "it fails before the database sees it"
    AFTER = "it is executed, and the answer gets lost"
    CANCEL = "whoever asked is cancelled"
    ELSEWHERE = "it is sent off after something has happened elsewhere"


@dataclass
class Trap:
    """Set for the n-th statement from now on; it snaps once."""

    snap: Snap = Snap.BEFORE
    statements_left: int = 0
    snapped: bool = False
    then: Callable[[], None] = lambda: None

    def set(self, number: int) -> None:
        self.statements_left, self.snapped = number, False

    def before(self, *_: object) -> None:
        self.statements_left -= 1
        if self.statements_left == 0 and self.snap is not Snap.AFTER:
            self._go_off()

    def after(self, *_: object) -> None:
        if self.statements_left == 0 and not self.snapped and self.snap is Snap.AFTER:
            self._go_off()

    def _go_off(self) -> None:
        self.snapped = True
        self.then()
        if self.snap is Snap.CANCEL:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
        elif self.snap is not Snap.ELSEWHERE:
            raise OperationalError(None, None, RuntimeError(MESSAGE))


def writer_engine(database: Database) -> Engine:
    return database._engines.table_writer.sync_engine


@contextmanager
def statement_trap(database: Database, snap: Snap) -> Iterator[Trap]:
    trap, engine = Trap(snap), writer_engine(database)
    listeners: list[tuple[str, Callable[..., None]]] = [
        ("before_cursor_execute", trap.before),
        ("after_cursor_execute", trap.after),
    ]
    for name, listener in listeners:
        event.listen(engine, name, listener)
    try:
        yield trap
    finally:
        for name, listener in listeners:
            event.remove(engine, name, listener)


@contextmanager
def commit_trap(database: Database, snap: Snap) -> Iterator[Trap]:
    """The same for the n-th commit."""
    trap, dialect = Trap(snap), writer_engine(database).dialect
    commit, failure = dialect.do_commit, dialect.loaded_dbapi.OperationalError

    def do_commit(connection: Any) -> None:  # noqa: ANN401  the driver's own object
        try:
            trap.before()
            commit(connection)
            trap.after()
        except OperationalError as error:
            raise failure(MESSAGE) from error

    dialect.do_commit = do_commit  # type: ignore[method-assign,assignment]
    try:
        yield trap
    finally:
        dialect.do_commit = commit  # type: ignore[method-assign]
