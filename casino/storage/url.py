"""Where the database is, and why it cannot be opened, in words that show no password."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import asyncpg
from alembic.util import CommandError
from sqlalchemy import make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
_POSTGRESQL_PORT: Final = 5432
_POSTGRESQL_SETTINGS: Final = {*inspect.signature(asyncpg.connect).parameters, "prepared_statement_cache_size"}


class UnusableDatabaseError(OSError):
    """There is no database to work with; the message says which one and why."""


def async_url(url: str) -> URL:
    """The same database through its asynchronous driver, whichever way the URL names it."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise UnusableDatabaseError("not a database URL such as sqlite:///data/casino.db") from None
    backend = parsed.get_backend_name()
    if backend not in _DRIVERS:
        raise UnusableDatabaseError(f"the database must be SQLite or PostgreSQL, not {backend}")
    is_kept = parsed.database not in (None, "", ":memory:", "file::memory:") and parsed.query.get("mode") != "memory"
    if backend == "sqlite" and not is_kept:
        raise UnusableDatabaseError("SQLite needs a file: in memory nothing outlives a crash")
    if backend == "postgresql" and (unknown := sorted(set(parsed.query) - _POSTGRESQL_SETTINGS)):
        raise UnusableDatabaseError(f"the URL has a setting that the driver does not know: {', '.join(unknown)}")
    return parsed.set(drivername=_DRIVERS[backend])


def file_of(url: URL) -> Path:
    """Where SQLite keeps it, also if the URL names it as another URL."""
    name = url.database or ""
    return Path(name.removeprefix("file:") if url.query.get("uri") == "true" else name)


def make_folder(url: URL) -> None:
    try:
        file_of(url).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableDatabaseError(f"its folder cannot be made: {error.strerror}") from error


@contextmanager
def explained(url: URL) -> Iterator[None]:
    """Whatever fails on the way to the database fails with its address and a reason."""
    try:
        yield
    except UnusableDatabaseError as error:
        raise UnusableDatabaseError(f"{_place(url)}: {error}") from error
    except (SQLAlchemyError, CommandError, OSError, ValueError) as error:
        raise UnusableDatabaseError(f"{_place(url)}: {_reason(error)}") from error


def _place(url: URL) -> str:
    if url.get_backend_name() == "sqlite":
        return str(file_of(url))
    host = url.host or url.query.get("host", "localhost")
    return f"PostgreSQL database {url.database} at {host}:{url.port or _POSTGRESQL_PORT}"


def _reason(error: Exception) -> str:
    if isinstance(error, CommandError):
        return f"it was made by another version of this program ({error})"
    if isinstance(error, DBAPIError):
        return str(error.orig)
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
