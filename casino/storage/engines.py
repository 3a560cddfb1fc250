"""Who waits for whose connections: tables, everybody else, and those who want to see a whole month have their own.

A table that waits lets everybody at it wait, so none ever waits for a connection that somebody else could have taken.
What SQLite has only one of is its writer: whose turn that is, `Database` decides.
"""

from typing import Any, Final, NamedTuple

from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from casino.storage import quick_sqlite
from casino.storage.address import make_folder

CONNECT_SECONDS: Final = 10
"""How long PostgreSQL has to answer at all."""

PATIENT_SECONDS: Final = 120.0
"""How long it has for one statement where somebody wants to see a whole month, and how long they wait for a turn."""

SQLITE_PRAGMAS: Final = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1}

_READERS: Final = 4
_TABLE_READERS: Final = 2
_PATIENT_READERS: Final = 2
"""Few connections to SQLite: what is read is read in an instant, or by those who have patience."""

_QUICK_PAGES_KIB: Final = 512
"""What a connection for short questions keeps of the file: the system has it all in memory anyway, so a quarter of what
SQLite would keep is enough."""


class Engines(NamedTuple):
    """Where two of them are the same engine, those who use them wait for each other."""

    reader: AsyncEngine
    writer: AsyncEngine
    patient: AsyncEngine
    table_reader: AsyncEngine
    table_writer: AsyncEngine

    def each(self) -> tuple[AsyncEngine, ...]:
        """Every one of them once."""
        return tuple(dict.fromkeys(self))


def engines_of(url: URL, busy_seconds: float) -> Engines:
    """For a service on SQLite, and for a command on either: nobody plays there, so PostgreSQL needs no difference."""
    if url.get_backend_name() != "sqlite":
        engine = _postgresql(url)
        return Engines(engine, engine, engine, engine, engine)
    make_folder(url)
    writer = _sqlite(url, busy_seconds, begin="BEGIN IMMEDIATE", pool_size=1)
    return Engines(
        _sqlite(url, busy_seconds, pool_size=_READERS, pages_kib=_QUICK_PAGES_KIB),
        writer,
        _sqlite(url, busy_seconds, pool_size=_PATIENT_READERS, pool_timeout=PATIENT_SECONDS),
        _sqlite(url, busy_seconds, pool_size=_TABLE_READERS, pages_kib=_QUICK_PAGES_KIB),
        writer,
    )


def serving_engines(url: URL, answer_seconds: float) -> Engines:
    """For a service on PostgreSQL, which waits so long for an answer and no longer."""
    quick, tables = _postgresql(url, answer_seconds), _postgresql(url, answer_seconds)
    return Engines(quick, quick, _postgresql(url, PATIENT_SECONDS), tables, tables)


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


def _sqlite(
    url: URL, busy_seconds: float, *, begin: str = "BEGIN", pages_kib: int = 2000, **pool: float
) -> AsyncEngine:
    engine = create_async_engine(
        url,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"async_creator_fn": quick_sqlite.connect},
        **pool,
    )

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: object) -> None:  # noqa: ANN401  the driver's own object
        connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
        cursor.execute(f"PRAGMA cache_size = {-pages_kib}")
        for name, value in SQLITE_PRAGMAS.items():
            cursor.execute(f"PRAGMA {name} = {value}")
        cursor.close()

    def start(connection: Any) -> None:  # noqa: ANN401
        """As the dialect begins: what fails is SQLAlchemy's own error, and nothing is made of it that nobody reads."""
        cursor = connection.cursor()
        try:
            cursor.execute(begin)
        finally:
            cursor.close()

    engine.dialect.do_begin = start  # type: ignore[assignment,method-assign]

    @event.listens_for(engine.sync_engine, "invalidate")
    def let_go(connection: Any, *_: object) -> None:  # noqa: ANN401
        """Whoever asked was cancelled in the middle. An answer nobody has read would keep the closed connection
        alive, and with it the lock on the whole database."""
        connection.rollback()

    return engine
