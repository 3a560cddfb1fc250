"""Real database with an unreliable disk: slow, failing or silent; lost replies to a commit, and power failures.

SQLite does its work at once (`sqlite.py`); how long it seems to take is decided here. PostgreSQL is a real server and
takes the time it takes.
"""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from random import Random
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.util import await_only

from casino.storage.database import ANSWER_SECONDS, Database
from tests.simulation.loop import VirtualLoop
from tests.simulation.plan import Disk
from tests.simulation.seeded_random import sometimes
from tests.simulation.sqlite import InlineConnection

_WATCHED: Final = (
    "do_begin",
    "do_execute",
    "do_execute_no_params",
    "do_executemany",
    "do_commit",
    "do_ping",
    "connect",
)


class PowerCut(BaseException):
    """The process is dead. No part of it may do anything more, least of all handle this."""


class Storage:
    """Layer between one life of the service and its database."""

    def __init__(self, loop: VirtualLoop, disk: Disk, chance: Random, log: Callable[..., None]) -> None:
        self._loop = loop
        self._chance = chance
        self._log = log
        self.disk = disk
        self.is_dead = False
        self.calls = 0
        self.on_call: Callable[[int, str], None] = lambda _calls, _when: None
        self._raw: list[Any] = []
        self._lent: list[Any] = []
        self._wrapped: list[Any] = []
        self.out_until = 0.0
        self.slow_until = 0.0
        self.silent_until = 0.0

    def stand_between(self, database: Database) -> None:
        for engine in database._engines.each():
            self._wrapped.append(engine.sync_engine.dialect)
            self._wrap(engine.sync_engine.dialect, is_real=not database.is_sqlite)
            event.listen(engine.sync_engine, "connect", lambda raw, _: self._raw.append(raw))
            event.listen(engine.sync_engine, "checkout", lambda _raw, record, _: self._lent.append(record))

    def cut(self) -> None:
        """What was not committed is undone, as the next process finds it."""
        self.is_dead = True
        for raw in self._raw:
            if isinstance(raw, InlineConnection):
                raw.rollback()
                raw.close()
            else:
                raw._connection.terminate()

    def bury(self) -> None:
        """Connections of a dead service are never returned to its pool; warnings about them are suppressed."""
        for record in self._lent:
            record.fairy_ref = None
        for dialect in self._wrapped:  # which compiled statements keep, and with it all that it knows
            for name in _WATCHED:
                vars(dialect).pop(name, None)

    def _wrap(self, dialect: Any, *, is_real: bool) -> None:  # noqa: ANN401  SQLAlchemy's own
        outside = self._loop.waiting_outside if is_real else nullcontext
        failure = dialect.loaded_dbapi.OperationalError

        def wrapped(name: str, done: Callable[..., None]) -> Callable[..., None]:
            def do(*arguments: Any) -> None:  # noqa: ANN401  as the dialect is called
                self._before(name, failure)
                is_silent = self._loop.time() < self.silent_until
                if not is_silent or sometimes(self._chance, 0.5):
                    with outside():
                        done(*arguments)
                if is_silent:
                    self._wait_in_vain(name)
                self._after(name, failure)

            return do

        for name in _WATCHED:
            if name in ("do_ping", "connect"):
                if is_real:
                    setattr(dialect, name, _outside(getattr(dialect, name), outside))
            else:
                setattr(dialect, name, wrapped(name, getattr(dialect, name)))

    def _before(self, name: str, failure: type[Exception]) -> None:
        disk, chance = self.disk, self._chance
        self.calls += 1
        self._live(self.calls, "before")
        self._pass(self._seconds())
        self._live(self.calls, "during")
        if self._loop.time() < self.out_until or sometimes(chance, disk.error_rate):
            self._log("storage fails", name)
            raise failure("disk I/O error")
        if name == "do_commit" and sometimes(chance, disk.commit_error_rate):
            self._log("a commit fails")
            raise failure("disk is full")

    def _after(self, name: str, failure: type[Exception]) -> None:
        self._live(self.calls, "after")
        if name == "do_commit":
            if sometimes(self._chance, self.disk.lost_commit_rate):
                self._log("a commit is stored and its answer lost")
                raise failure("the connection broke during the commit")
            self._pass(self._seconds())
            self._live(self.calls, "answered")

    def _wait_in_vain(self, name: str) -> None:
        """As the driver does it: for so long, and then it is an error that is none of the database's own."""
        self._log("storage is silent", name)
        self._pass(ANSWER_SECONDS)
        self._live(self.calls, "after")
        raise TimeoutError

    def _pass(self, seconds: float) -> None:
        if not self._loop.skip(seconds):
            await_only(asyncio.sleep(seconds))

    def _seconds(self) -> float:
        slow = self._chance.uniform(0, 1.5) if self._loop.time() < self.slow_until else 0.0
        return self._chance.expovariate(1 / self.disk.seconds) + slow

    def _live(self, calls: int, when: str) -> None:
        if not self.is_dead:
            self.on_call(calls, when)
        if self.is_dead:
            raise PowerCut


def _outside(done: Callable[..., Any], outside: Callable[[], Any]) -> Callable[..., Any]:
    def do(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401  as the dialect is called
        with outside():
            return done(*arguments, **options)

    return do
