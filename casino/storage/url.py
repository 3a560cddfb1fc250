"""Database URL, and errors of opening it in texts that show no password."""

import inspect
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import quote, unquote

import asyncpg
from alembic.util import CommandError
from sqlalchemy import make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
_POSTGRESQL_PORT: Final = 5432
SQLITE_SIDE_FILES: Final = ("-wal", "-shm")
PRIVATE_MODE: Final = 0o600
_POSTGRESQL_SETTINGS: Final = {*inspect.signature(asyncpg.connect).parameters, "prepared_statement_cache_size"}


class UnusableDatabaseError(OSError):
    """No usable database; the message names it and the reason."""


def async_url(url: str) -> URL:
    """Returns the URL with its asynchronous driver."""
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
    """Returns the SQLite file, also if the URL itself contains a file URL."""
    name = url.database or ""
    return Path(unquote(name.removeprefix("file:")) if url.query.get("uri") == "true" else name)


def make_private_file(url: URL) -> None:
    """SQLite gives its write-ahead log the mode of the file, so only the owner can read the data."""
    file = file_of(url)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableDatabaseError(f"its folder cannot be made: {error.strerror}") from error
    with suppress(OSError, sqlite3.Error):  # SQLite reports a bad path itself, and the file may belong to another user
        if not file.exists():
            _make_empty_database(file, url)
        for kept in (file, *(Path(f"{file}{suffix}") for suffix in SQLITE_SIDE_FILES)):
            if kept.exists() and (mode := kept.stat().st_mode & 0o777) & ~PRIVATE_MODE:
                kept.chmod(mode & PRIVATE_MODE)


def _make_empty_database(file: Path, url: URL) -> None:
    """Makes the file in write-ahead mode before another process can open it.

    Connections that change the mode of one new file at the same time are refused as locked, and SQLite does not wait.
    """
    with TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as folder:
        made = Path(folder) / file.name
        made.touch(mode=PRIVATE_MODE)
        vfs = f"?vfs={quote(str(url.query['vfs']))}" if "vfs" in url.query else ""
        with closing(sqlite3.connect(f"file:{quote(str(made))}{vfs}", uri=True)) as connection:
            connection.execute("PRAGMA journal_mode = wal")
        with suppress(FileExistsError):  # another process was quicker
            os.link(made, file)


def existing(url: URL) -> URL:
    """Returns the URL for a command that must not create the database. Raises if the file is missing or empty."""
    if url.get_backend_name() != "sqlite":
        return url
    file = file_of(url)
    if not file.is_file():
        raise UnusableDatabaseError("there is no such database")
    if not file.stat().st_size:
        raise UnusableDatabaseError("the file is empty: it holds no books")
    return url.set(database=f"file:{quote(str(file))}", query={**url.query, "mode": "rw", "uri": "true"})


def place_of(url: URL) -> str:
    """Names the place of a database for people and across restarts, without user and password."""
    if url.get_backend_name() == "sqlite":
        return str(file_of(url))
    host = url.host or url.query.get("host", "localhost")
    return f"PostgreSQL database {url.database} at {host}:{url.port or _POSTGRESQL_PORT}"


@contextmanager
def wrap_errors(url: URL) -> Iterator[None]:
    """Adds address and reason to any error on the way to the database."""
    try:
        yield
    except UnusableDatabaseError as error:
        raise UnusableDatabaseError(f"{place_of(url)}: {error}") from error
    except (SQLAlchemyError, CommandError, OSError, ValueError) as error:
        raise UnusableDatabaseError(f"{place_of(url)}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, CommandError):
        return f"it was made by another version of this program ({error})"
    if isinstance(error, DBAPIError):
        return str(error.orig)
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
