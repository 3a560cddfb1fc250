"""Read-only commands: they create no database, table, folder or key."""

import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from casino.storage.database import BUSY_SECONDS, Database
from casino.storage.engines import engines_of
from casino.storage.migrate import migrate
from casino.storage.url import async_url
from tests.databases import PostgresServer, sqlite_url
from tests.service import CASINO

COMMANDS = {
    "verify": ["verify"],
    "export": "export ledger --from 2026-11-01 --to 2026-11-01 --format csv --out out.csv".split(),
    "round": ["round", "r1", "--out", "out.html"],
    "fair": ["fair", "r1"],
    "user list": ["user", "list"],
    "backup": ["backup", "out.db"],
    "close": ["close", "2026-11-01"],
}
EACH = pytest.mark.parametrize("command", COMMANDS)


def run(folder: Path, command: str, url: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CASINO_")}
    (folder / "config").mkdir(exist_ok=True)
    return subprocess.run(
        [CASINO, *COMMANDS[command], "--database", url],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
    )


def refused(folder: Path, command: str, url: str) -> str:
    """The sentence, after making sure that nothing was made."""
    before = [*folder.rglob("*"), folder / "config"]
    done = run(folder, command, url)
    assert (done.returncode, done.stdout) == (1, "")
    assert set(folder.rglob("*")) <= set(before)
    [line] = done.stderr.splitlines()
    return line


@EACH
def test_missing_and_empty_databases_are_refused(tmp_path: Path, command: str) -> None:
    assert "there is no such database" in refused(tmp_path, command, f"sqlite:///{tmp_path}/deep/casino.db")
    (tmp_path / "casino.db").touch()
    assert "the file is empty" in refused(tmp_path, command, sqlite_url(tmp_path))
    assert (tmp_path / "casino.db").stat().st_size == 0
    with closing(sqlite3.connect(tmp_path / "casino.db")) as connection:
        connection.execute("CREATE TABLE theirs (a)")
        connection.commit()
    assert "it holds no books" in refused(tmp_path, command, sqlite_url(tmp_path))


@EACH
def test_empty_postgresql_database_is_refused(tmp_path: Path, command: str, postgres: PostgresServer) -> None:
    with postgres.lent_database() as url:
        assert "it holds no books" in refused(tmp_path, command, url)


@EACH
async def test_older_database_is_refused_and_stays_older(tmp_path: Path, command: str) -> None:
    database = Database(engines_of(async_url(sqlite_url(tmp_path)), BUSY_SECONDS))
    async with database.writing() as connection:
        await migrate(connection, "0006")
    await database.close()
    assert "made by an older version of this program" in refused(tmp_path, command, sqlite_url(tmp_path))
    with closing(sqlite3.connect(tmp_path / "casino.db")) as stored:
        assert stored.execute("SELECT version_num FROM alembic_version").fetchall() == [("0006",)]


async def test_books_can_be_read_without_configuration_folder_and_key(tmp_path: Path) -> None:
    database = await Database.open(sqlite_url(tmp_path))
    await database.close()
    done = run(tmp_path, "verify", sqlite_url(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "hmac: not checked (no key)" in done.stdout.splitlines()
    assert not (tmp_path / "data").exists()


def modes_in(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


async def test_database_files_are_private(tmp_path: Path) -> None:
    database = await Database.open(sqlite_url(tmp_path))
    try:
        modes = modes_in(tmp_path)
    finally:
        await database.close()
    assert modes == {"casino.db": 0o600, "casino.db-wal": 0o600, "casino.db-shm": 0o600}
