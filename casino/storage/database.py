"""Connections and transactions: SQLite out of the box, PostgreSQL by changing the URL alone.

SQLite has a single writer, so writers queue here instead of racing for its lock. The queue is first-in, first-out, but
only one writer at a time may be no table (`docs/decisions/021`). SQLite's durability settings are checked at the start,
because wrong ones could lose an acknowledged commit.

A connection to PostgreSQL can go silent. A service therefore has timeouts on both ends. Here, a statement without a
reply is an error, and its connection is dropped. In PostgreSQL, an idle transaction is rolled back, which frees its
locks.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, Self, TypeVar

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.engines import Engines, engines_of, serving_engines
from casino.storage.hash_chain import SIGNER, Signer
from casino.storage.live_file import PARTIAL_COPY, is_partial_copy
from casino.storage.migrate import check_revision, migrate
from casino.storage.sqlite_driver import PRAGMAS
from casino.storage.url import UnusableDatabaseError, async_url, existing, wrap_errors

BUSY_SECONDS: Final = 10
"""Enough for a command that runs while the service does."""

ANSWER_SECONDS: Final = 8.0
"""Timeout of a PostgreSQL statement in a service.

Requests take less than a tenth of that, except on an overloaded machine.
"""

LOST_RACES_MAX: Final = 5

T = TypeVar("T")

_LOST_RACES: Final = ("40001", "40P01")  # serialization failure, deadlock
_AWAY: Final = ("08", "53", "57", "58", "25P03", "55P03")  # whole error classes, and lock or idle timeouts
_MAY_LOSE_COMMITS: Final = {"fsync": "off", "synchronous_commit": "off"}


class Database:
    """A `writing` block commits as a whole when it ends, and rolls back when it fails."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._is_sqlite = engines.writer.dialect.name == "sqlite"
        self._gate = asyncio.Lock()
        self._turn = asyncio.Lock()
        self.revision_found: str | None = None
        """Schema version before this process applied migrations; None for a new database."""

    @classmethod
    async def open(cls, url: str, *, busy_seconds: float = BUSY_SECONDS, answer_seconds: float | None = None) -> Self:
        """Connects, applies migrations, and checks that the database is durable.

        `busy_seconds` is how long a writer waits for another process that holds SQLite's write lock. `answer_seconds`
        is the timeout of a PostgreSQL statement; commands have none.
        """
        parsed = async_url(url)
        with wrap_errors(parsed):
            database = cls(engines_of(parsed, busy_seconds))
            try:
                async with database.writing() as connection:
                    found = await migrate(connection)
                await database._check_safety()
            except BaseException:
                await database.close()
                raise
            if answer_seconds is not None and not database.is_sqlite:
                await database.close()
                database = cls(serving_engines(parsed, answer_seconds))
            database.revision_found = found
        return database

    @classmethod
    async def open_existing(cls, url: str, *, busy_seconds: float = BUSY_SECONDS) -> Self:
        """Connects to a database of this version. It creates and migrates nothing; raises if that is needed."""
        parsed = async_url(url)
        with wrap_errors(parsed):
            if is_partial_copy(parsed):
                raise UnusableDatabaseError(PARTIAL_COPY)
            database = cls(engines_of(existing(parsed), busy_seconds, is_new_allowed=False))
            try:
                async with database.reading() as connection:
                    await check_revision(connection)
            except BaseException:
                await database.close()
                raise
        return database

    def sign_with(self, signer: Signer) -> None:
        """Signs chained rows with this signer from now on."""
        for engine in self._engines.each():
            engine.update_execution_options(**{SIGNER: signer})

    async def close(self) -> None:
        for engine in self._engines.each():
            await engine.dispose()

    @property
    def is_sqlite(self) -> bool:
        return self._is_sqlite

    @property
    def url(self) -> str:
        """URL with its password, for a child process that opens the database again."""
        return self._engines.writer.url.render_as_string(hide_password=False)

    @asynccontextmanager
    async def reading(self, *, for_table: bool = False, long_running: bool = False) -> AsyncIterator[AsyncConnection]:
        """Each kind of reader has its own pool. Others need not wait for `long_running` reads."""
        engines = self._engines
        engine = engines.table_reader if for_table else engines.patient if long_running else engines.reader
        async with engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self, *, for_table: bool = False) -> AsyncIterator[AsyncConnection]:
        """Tables write their own rounds first: at most one other transaction is ahead of them."""
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
    async def autocommit(self) -> AsyncIterator[AsyncConnection]:
        """Returns a connection outside transactions, such as for an advisory lock."""
        async with self._engines.writer.connect() as connection:
            yield await connection.execution_options(isolation_level="AUTOCOMMIT")

    async def run_transaction(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Runs the work in one transaction; repeats it from the start after a serialization failure."""

        async def transaction() -> T:
            async with self.writing() as connection:
                return await work(connection)

        return await retry_lost_races(transaction)

    async def _check_safety(self) -> None:
        for engine in {self._engines.reader, self._engines.writer}:
            async with engine.connect() as connection:
                await (_check_sqlite if self._is_sqlite else _check_postgresql)(connection)


async def _check_sqlite(connection: AsyncConnection) -> None:
    for name, wanted in PRAGMAS.items():
        found = (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar()
        if found != wanted:
            raise UnusableDatabaseError(f"SQLite has {name} = {found} where {wanted} is needed")


async def _check_postgresql(connection: AsyncConnection) -> None:
    for name, unsafe in _MAY_LOSE_COMMITS.items():
        if (await connection.exec_driver_sql(f"SHOW {name}")).scalar() == unsafe:
            raise UnusableDatabaseError(f"PostgreSQL has {name} = {unsafe}, which may lose what was acknowledged")


async def retry_lost_races(transaction: Callable[[], Awaitable[T]]) -> T:
    """Runs a whole transaction; repeats it a few times if PostgreSQL rolled it back because of a concurrent one."""
    for _ in range(LOST_RACES_MAX):
        try:
            return await transaction()
        except DBAPIError as error:
            if not is_serialization_failure(error):
                raise
    return await transaction()


def is_serialization_failure(error: DBAPIError) -> bool:
    """Whether PostgreSQL rolled back because of a concurrent transaction, so that a retry makes sense."""
    return getattr(error.orig, "sqlstate", None) in _LOST_RACES


def is_unavailable(error: BaseException) -> bool:
    """Whether the database is unreachable or cannot work now, so that a later retry makes sense."""
    if isinstance(error, OSError | NoFreeConnection | OperationalError | InterfaceError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    state = getattr(error.orig, "sqlstate", None) or ""
    return error.connection_invalidated or state.startswith(_AWAY)
