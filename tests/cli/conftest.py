"""Fixtures of the command tests: runs commands in this process, on either database."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Row, select
from typer.testing import CliRunner, Result

from casino.cli import app
from casino.storage import schema
from casino.storage.database import Database
from tests.databases import sqlite_url
from tests.ledger.invariants import check_books
from tests.live_table.stored_rounds import balances

T = TypeVar("T")
PASSWORD = "correct horse battery"  # noqa: S105


@dataclass(frozen=True)
class Shell:
    """A shell on the machine of the service, with this database configured."""

    url: str
    config: Path

    def run(self, *arguments: str, stdin: str | bytes = "") -> Result:
        command = [*arguments, "--config", str(self.config)]
        return CliRunner().invoke(app, command, input=stdin, env={"CASINO_DATABASE_URL": self.url})

    def done(self, *arguments: str, stdin: str | bytes = "") -> str:
        """The one line a success prints."""
        result = self.run(*arguments, stdin=stdin)
        assert (result.exit_code, result.stderr) == (0, ""), result.stderr
        assert result.stdout.count("\n") == 1
        return result.stdout.rstrip("\n")

    def refused(self, *arguments: str, stdin: str | bytes = "") -> tuple[int, str]:
        """Exit code and the one line on the error output."""
        result = self.run(*arguments, stdin=stdin)
        assert result.stdout == ""
        assert "Traceback" not in result.stderr
        return result.exit_code, result.stderr.rstrip("\n")

    def add(self, name: str, role: str = "player") -> str:
        return self.done("user", "add", name, "--role", role, "--password-stdin", stdin=f"{PASSWORD}\n")

    def users(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.done("user", "list", "--json"))["users"]
        return found

    def rows(self, table: str) -> list[Row[Any]]:
        async def read(database: Database) -> list[Row[Any]]:
            await check_books(database)
            async with database.reading() as connection:
                return list(await connection.execute(select(schema.metadata.tables[table])))

        return self.on_database(read)

    def balance(self, account: str) -> int:
        return self.on_database(balances)[account].balance

    def on_database(self, work: Callable[[Database], Awaitable[T]]) -> T:
        async def run() -> T:
            database = await Database.open(self.url)
            try:
                return await work(database)
            finally:
                await database.close()

        return asyncio.run(run())


@pytest.fixture
def shell(database_url: str, tmp_path: Path) -> Shell:
    config = tmp_path / "config"
    config.mkdir()
    return Shell(database_url, config)


@pytest.fixture
def sqlite_shell(tmp_path: Path) -> Shell:
    """For what does not depend on the database."""
    config = tmp_path / "config"
    config.mkdir()
    return Shell(sqlite_url(tmp_path), config)
