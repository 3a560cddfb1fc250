"""Connections and transactions: SQLite out of the box, PostgreSQL by changing the URL alone.

SQLite has one writer for everybody, and they queue here in order of arrival instead of racing for its lock. Its
safety settings are checked at the start, because the wrong ones may lose a commit that was already acknowledged.

A line to PostgreSQL can fall silent without a word. A service that serves people waits so long and no longer, on both
ends: here a statement without an answer is an error and its connection is given up, and there a transaction that
hears nothing more is undone, so that what it had locked is free again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Self, TypeVar

from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from casino.storage import quick_sqlite
from casino.storage.address import UnusableDatabaseError, async_url, explained, make_folder
from casino.storage.migrate import migrate

BUSY_SECONDS: Final = 10
"""Long enough for a command that is run beside the server."""

CONNECT_SECONDS: Final = 10
"""How long PostgreSQL has to answer at all."""

ANSWER_SECONDS: Final = 8.0
"""How long it has for one statement, where people wait for it. Nothing they ask for takes a tenth of that, but for
a machine that is out of breath."""

PATIENT_SECONDS: Final = 120.0
"""And where somebody wants to see a whole month."""

LOST_RACES_MAX: Final = 4

T = TypeVar("T")

_LOST_RACES: Final = ("40001", "40P01")  # a serialization failure, a deadlock
_AWAY: Final = ("08", "53", "57", "58", "25P03", "55P03")  # whole classes, and somebody who waited for too long
_PRAGMAS: Final = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1}
_MAY_LOSE_COMMITS: Final = {"fsync": "off", "synchronous_commit": "off"}


class Database:
    """What is written within `writing` is stored whole when the block ends, and not at all when it fails."""

    def __init__(self, reader: AsyncEngine, writer: AsyncEngine, patient: AsyncEngine | None = None) -> None:
        self._reader = reader
        self._writer = writer
        self._patient = patient or reader
        self._is_sqlite = writer.dialect.name == "sqlite"
        self._turn = asyncio.Lock()

    @classmethod
    async def open(cls, url: str, *, busy_seconds: float = BUSY_SECONDS, answer_seconds: float | None = None) -> Self:
        """Connect, bring the tables up to date, and check that the database keeps what it is told.

        `busy_seconds` is how long a writer waits for another process that holds SQLite's only lock, `answer_seconds`
        how long anybody waits for PostgreSQL to answer a statement: for a command as long as it takes.
        """
        parsed = async_url(url)
        with explained(parsed):
            database = cls(*_engines(parsed, busy_seconds))
            try:
                async with database.writing() as connection:
                    await migrate(connection)
                await database._check_safety()
            except BaseException:
                await database.close()
                raise
            if answer_seconds is not None and not database.is_sqlite:
                await database.close()
                quick = _postgresql(parsed, answer_seconds)
                database = cls(quick, quick, _postgresql(parsed, PATIENT_SECONDS))
        return database

    async def close(self) -> None:
        for engine in {self._writer, self._reader, self._patient}:
            await engine.dispose()

    @property
    def is_sqlite(self) -> bool:
        return self._is_sqlite

    @property
    def url(self) -> str:
        """With its password, for a process of our own that opens it again."""
        return self._writer.url.render_as_string(hide_password=False)

    @asynccontextmanager
    async def reading(self, *, patiently: bool = False) -> AsyncIterator[AsyncConnection]:
        """Patiently what may take long, on connections of its own: so nobody at a table waits for one."""
        async with (self._patient if patiently else self._reader).connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        if not self._is_sqlite:
            async with self._writer.begin() as connection:
                yield connection
            return
        async with self._turn, self._writer.begin() as connection:
            yield connection

    @asynccontextmanager
    async def beside(self) -> AsyncIterator[AsyncConnection]:
        """A connection for what is no transaction, such as a lock that lasts as long as it is open."""
        async with self._writer.connect() as connection:
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
        for engine in {self._reader, self._writer}:
            async with engine.connect() as connection:
                await (_check_sqlite if self._is_sqlite else _check_postgresql)(connection)


async def _check_sqlite(connection: AsyncConnection) -> None:
    for name, wanted in _PRAGMAS.items():
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


def _engines(url: URL, busy_seconds: float = BUSY_SECONDS) -> tuple[AsyncEngine, AsyncEngine]:
    """One to read with and one to write with; PostgreSQL needs no difference."""
    if url.get_backend_name() == "sqlite":
        make_folder(url)
        return _sqlite(url, "BEGIN", busy_seconds), _sqlite(url, "BEGIN IMMEDIATE", busy_seconds)
    engine = _postgresql(url)
    return engine, engine


def _postgresql(url: URL, answer_seconds: float | None = None) -> AsyncEngine:
    """PostgreSQL itself gives up a moment before we do: then the connection can still be used."""
    options: dict[str, Any] = {"timeout": CONNECT_SECONDS}
    if answer_seconds is not None:
        options["timeout"] = answer_seconds
        options["command_timeout"] = answer_seconds
        options["server_settings"] = {
            "statement_timeout": f"{round(answer_seconds * 800)}ms",
            "idle_in_transaction_session_timeout": f"{round(answer_seconds * 1500)}ms",
            "tcp_keepalives_idle": "5",
            "tcp_keepalives_interval": "5",
            "tcp_keepalives_count": "3",
        }
    return create_async_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=options)


def _sqlite(url: URL, begin: str, busy_seconds: float) -> AsyncEngine:
    is_writer = begin != "BEGIN"
    engine = create_async_engine(
        url,
        pool_size=1 if is_writer else 5,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"async_creator_fn": quick_sqlite.connect},
    )

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: object) -> None:  # noqa: ANN401  the driver's own object
        connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
        for name, value in _PRAGMAS.items():
            cursor.execute(f"PRAGMA {name} = {value}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: Any) -> None:  # noqa: ANN401
        connection.exec_driver_sql(begin)

    @event.listens_for(engine.sync_engine, "invalidate")
    def let_go(connection: Any, *_: object) -> None:  # noqa: ANN401
        """Whoever asked was cancelled in the middle. An answer nobody has read would keep the closed connection
        alive, and with it the lock on the whole database."""
        connection.rollback()

    return engine
