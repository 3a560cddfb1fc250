"""Connections and transactions: SQLite out of the box, PostgreSQL by changing the URL alone.

SQLite has one writer for everybody, and they queue here instead of racing for its lock: in order of arrival, but of
all that is no table's own bookkeeping only one at a time stands in that queue (`docs/decisions/021`). Its safety
settings are checked at the start, because the wrong ones may lose a commit that was already acknowledged.

A line to PostgreSQL can fall silent without a word. A service that serves people waits so long and no longer, on both
ends: here a statement without an answer is an error and its connection is given up, and there a transaction that
hears nothing more is undone, so that what it had locked is free again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, Self, TypeVar

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.address import UnusableDatabaseError, async_url, explained
from casino.storage.engines import SQLITE_PRAGMAS, Engines, engines_of, serving_engines
from casino.storage.migrate import migrate

BUSY_SECONDS: Final = 10
"""Long enough for a command that is run beside the server."""

ANSWER_SECONDS: Final = 8.0
"""How long PostgreSQL has for one statement, where people wait for it. Nothing they ask for takes a tenth of that, but
for a machine that is out of breath."""

LOST_RACES_MAX: Final = 4

T = TypeVar("T")

_LOST_RACES: Final = ("40001", "40P01")  # a serialization failure, a deadlock
_AWAY: Final = ("08", "53", "57", "58", "25P03", "55P03")  # whole classes, and somebody who waited for too long
_MAY_LOSE_COMMITS: Final = {"fsync": "off", "synchronous_commit": "off"}


class Database:
    """What is written within `writing` is stored whole when the block ends, and not at all when it fails."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._is_sqlite = engines.writer.dialect.name == "sqlite"
        self._gate = asyncio.Lock()
        self._turn = asyncio.Lock()

    @classmethod
    async def open(cls, url: str, *, busy_seconds: float = BUSY_SECONDS, answer_seconds: float | None = None) -> Self:
        """Connect, bring the tables up to date, and check that the database keeps what it is told.

        `busy_seconds` is how long a writer waits for another process that holds SQLite's only lock, `answer_seconds`
        how long anybody waits for PostgreSQL to answer a statement: for a command as long as it takes.
        """
        parsed = async_url(url)
        with explained(parsed):
            database = cls(engines_of(parsed, busy_seconds))
            try:
                async with database.writing() as connection:
                    await migrate(connection)
                await database._check_safety()
            except BaseException:
                await database.close()
                raise
            if answer_seconds is not None and not database.is_sqlite:
                await database.close()
                database = cls(serving_engines(parsed, answer_seconds))
        return database

    async def close(self) -> None:
        for engine in self._engines.each():
            await engine.dispose()

    @property
    def is_sqlite(self) -> bool:
        return self._is_sqlite

    @property
    def url(self) -> str:
        """With its password, for a process of our own that opens it again."""
        return self._engines.writer.url.render_as_string(hide_password=False)

    @asynccontextmanager
    async def reading(self, *, for_table: bool = False, patiently: bool = False) -> AsyncIterator[AsyncConnection]:
        """Each kind on connections of its own. Patiently what may take long: nobody else waits for that."""
        engines = self._engines
        engine = engines.table_reader if for_table else engines.patient if patiently else engines.reader
        async with engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self, *, for_table: bool = False) -> AsyncIterator[AsyncConnection]:
        """What a table stores about its own rounds comes first: at most one transaction of others stands before it."""
        engine = self._engines.table_writer if for_table else self._engines.writer
        async with self._turn_of(for_table=for_table), engine.begin() as connection:
            yield connection

    @asynccontextmanager
    async def _turn_of(self, *, for_table: bool) -> AsyncIterator[None]:
        if not self._is_sqlite:
            yield
        elif for_table:
            async with self._turn:
                yield
        else:
            async with self._gate, self._turn:
                yield

    @asynccontextmanager
    async def beside(self) -> AsyncIterator[AsyncConnection]:
        """A connection for what is no transaction, such as a lock that lasts as long as it is open."""
        async with self._engines.writer.connect() as connection:
            yield await connection.execution_options(isolation_level="AUTOCOMMIT")

    async def stored(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """The work in one transaction; again from the start if PostgreSQL has put another transaction before it."""
        for _ in range(LOST_RACES_MAX):
            try:
                async with self.writing() as connection:
                    return await work(connection)
            except DBAPIError as error:
                if not is_lost_race(error):
                    raise
        async with self.writing() as connection:
            return await work(connection)

    async def _check_safety(self) -> None:
        for engine in {self._engines.reader, self._engines.writer}:
            async with engine.connect() as connection:
                await (_check_sqlite if self._is_sqlite else _check_postgresql)(connection)


async def _check_sqlite(connection: AsyncConnection) -> None:
    for name, wanted in SQLITE_PRAGMAS.items():
        found = (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar()
        if found != wanted:
            raise UnusableDatabaseError(f"SQLite has {name} = {found} where {wanted} is needed")


async def _check_postgresql(connection: AsyncConnection) -> None:
    for name, unsafe in _MAY_LOSE_COMMITS.items():
        if (await connection.exec_driver_sql(f"SHOW {name}")).scalar() == unsafe:
            raise UnusableDatabaseError(f"PostgreSQL has {name} = {unsafe}, which may lose what was acknowledged")


def is_lost_race(error: DBAPIError) -> bool:
    """PostgreSQL undid the transaction because it and another one waited for each other: it may be tried again."""
    return getattr(error.orig, "sqlstate", None) in _LOST_RACES


def is_away(error: BaseException) -> bool:
    """The database cannot be reached, or cannot do anything now: what was asked may be asked again later."""
    if isinstance(error, OSError | NoFreeConnection | OperationalError | InterfaceError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    state = getattr(error.orig, "sqlstate", None) or ""
    return error.connection_invalidated or state.startswith(_AWAY)
