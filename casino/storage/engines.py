"""Separate connection pools for tables, for other requests, and for long-running reads.

All players at a table wait when the table waits, so no table waits for a connection that others could have taken.
`Database` schedules the single writer of SQLite.
"""

from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from casino.storage.sqlite_driver import PRAGMAS, sqlite_engine
from casino.storage.url import make_private_file

CONNECT_SECONDS: Final = 10
"""Connection timeout of PostgreSQL."""

PATIENT_SECONDS: Final = 120.0
"""Timeout of a long-running read, such as a whole month, and of its wait for a connection."""

_READERS: Final = 4
_TABLE_READERS: Final = 2
_PATIENT_READERS: Final = 2
"""Few connections to SQLite, since reads are quick or may wait."""

_QUICK_PAGES_KIB: Final = 512
"""Page cache of a connection for short queries, a quarter of SQLite's default.

The operating system caches the file anyway.
"""


class Engines(NamedTuple):
    """Users of the same engine wait for each other."""

    reader: AsyncEngine
    writer: AsyncEngine
    patient: AsyncEngine
    table_reader: AsyncEngine
    table_writer: AsyncEngine

    def each(self) -> tuple[AsyncEngine, ...]:
        """Yields each distinct engine once."""
        return tuple(dict.fromkeys(self))


def engines_of(url: URL, busy_seconds: float, *, is_new_allowed: bool = True) -> Engines:
    """Engines of a service on SQLite, and of a command on either database, which needs no separate pools."""
    if url.get_backend_name() != "sqlite":
        engine = _postgresql(url)
        return Engines(engine, engine, engine, engine, engine)
    pragmas = dict(PRAGMAS)
    if is_new_allowed:
        make_private_file(url)
    else:
        del pragmas["journal_mode"]  # stored in the file, which must stay unchanged
    sqlite = partial(sqlite_engine, url, busy_seconds, pragmas)
    writer = sqlite(begin="BEGIN IMMEDIATE", pool_size=1)
    return Engines(
        sqlite(pool_size=_READERS, pages_kib=_QUICK_PAGES_KIB),
        writer,
        sqlite(pool_size=_PATIENT_READERS, pool_timeout=PATIENT_SECONDS),
        sqlite(pool_size=_TABLE_READERS, pages_kib=_QUICK_PAGES_KIB),
        writer,
    )


def serving_engines(url: URL, answer_seconds: float) -> Engines:
    """Engines of a service on PostgreSQL, with a statement timeout."""
    quick, tables = _postgresql(url, answer_seconds), _postgresql(url, answer_seconds)
    return Engines(quick, quick, _postgresql(url, PATIENT_SECONDS), tables, tables)


def _postgresql(url: URL, answer_seconds: float | None = None) -> AsyncEngine:
    """PostgreSQL's own timeout is a moment shorter, so that the connection stays usable."""
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
    engine = create_async_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=options)
    _drop_silent_connections(engine)
    return engine


def _drop_silent_connections(engine: AsyncEngine) -> None:
    """Treats a statement without a reply as a disconnect, which drops all idle connections of the pool.

    PostgreSQL ends slow statements earlier by itself, so only a silent line causes a timeout here. Without this, each
    idle connection on that line would cost a caller the whole timeout, one after the other.
    """
    ping = engine.dialect.do_ping

    def is_answered(connection: Any) -> bool:  # noqa: ANN401  the driver's own object
        try:
            return ping(connection)
        except TimeoutError:
            return False

    engine.dialect.do_ping = is_answered  # type: ignore[assignment,method-assign]

    @event.listens_for(engine.sync_engine, "handle_error")
    def note_timeout(context: ExceptionContext) -> None:
        if isinstance(context.original_exception, TimeoutError):
            context.is_disconnect = True
