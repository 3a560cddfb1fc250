"""Opening a database: refused ones, and the error texts."""

import asyncio
import socket
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import event, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from casino.storage.database import Database
from casino.storage.url import UnusableDatabaseError
from tests.databases import PostgresServer, sqlite_url


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> str:
    return postgres.fresh_database()


async def refusal(url: str) -> str:
    with pytest.raises(UnusableDatabaseError) as refused:
        await Database.open(url)
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:  # the driver's thread still has a word for the event loop
            await asyncio.to_thread(thread.join, 1)
    return str(refused.value)


@pytest.mark.parametrize("url", ["", "casino.db", "/data/casino.db", "postgresql://u:hush@host:port/casino", "://"])
async def test_invalid_url_is_reported_without_repeating_it(url: str) -> None:
    assert await refusal(url) == "not a database URL such as sqlite:///data/casino.db"


async def test_other_databases_are_refused() -> None:
    assert await refusal("mysql://u:hush@host/casino") == "the database must be SQLite or PostgreSQL, not mysql"


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file::memory:?uri=true",
        "sqlite:///file:kept?mode=memory&uri=true",
    ],
)
async def test_database_in_memory_is_refused_because_it_keeps_nothing(url: str) -> None:
    assert await refusal(url) == "SQLite needs a file: in memory nothing outlives a crash"


async def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where a folder should be")
    assert (
        await refusal(sqlite_url(tmp_path / "data"))
        == f"{tmp_path}/data/casino.db: its folder cannot be made: File exists"
    )
    assert await refusal("sqlite:////proc/data/casino.db") == (
        "/proc/data/casino.db: its folder cannot be made: No such file or directory"
    )


async def test_folder_where_nothing_can_be_written_is_named() -> None:
    assert await refusal("sqlite:////proc/casino.db") == "/proc/casino.db: unable to open database file"


async def test_folder_is_not_taken_for_a_database(tmp_path: Path) -> None:
    assert await refusal(f"sqlite:///{tmp_path}") == f"{tmp_path}: unable to open database file"


async def test_file_that_is_no_database_is_reported_and_left_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "casino.db"
    file.write_bytes(b"Dear diary, " * 1000)
    assert await refusal(sqlite_url(tmp_path)) == f"{file}: file is not a database"
    assert file.read_bytes() == b"Dear diary, " * 1000


async def test_missing_folders_are_made(tmp_path: Path) -> None:
    opened = await Database.open(sqlite_url(tmp_path / "some" / "where"))
    await opened.close()
    assert (tmp_path / "some" / "where" / "casino.db").is_file()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("postgresql://ann:hush@127.0.0.1:1/casino", "PostgreSQL database casino at 127.0.0.1:1: Connect call failed"),
        ("postgresql+psycopg2://ann:hush@127.0.0.1:1/casino", "PostgreSQL database casino at 127.0.0.1:1: Connect"),
        ("postgresql://ann:hush@nowhere.invalid/casino", "PostgreSQL database casino at nowhere.invalid:5432: "),
        ("postgresql://ann:hush@/casino?host=/nowhere", "PostgreSQL database casino at /nowhere:5432: No such file"),
        ("postgresql://127.0.0.1:1/casino?password=hush&ssl=disable", "PostgreSQL database casino at 127.0.0.1:1: "),
        (
            "postgresql://127.0.0.1/casino?password=hush&sslmode=off",
            "the URL has a setting that the driver does not know",
        ),
    ],
)
async def test_unreachable_server_is_named_without_the_password(url: str, sentence: str) -> None:
    message = await refusal(url)
    assert message.startswith(sentence)
    assert "hush" not in message


async def test_server_that_does_not_let_us_in_is_quoted(postgres: PostgresServer) -> None:
    server = make_url(postgres.url)
    missing = server.set(database="elsewhere").render_as_string(hide_password=False)
    assert (await refusal(missing)).endswith('database "elsewhere" does not exist')
    stranger = server.set(username="stranger", password="hush").render_as_string(hide_password=False)  # noqa: S106
    message = await refusal(stranger)
    assert "stranger" in message
    assert "hush" not in message


async def test_silent_server_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casino.storage.engines.CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert await refusal(f"postgresql://127.0.0.1:{port}/casino") == (
            f"PostgreSQL database casino at 127.0.0.1:{port}: no answer in time"
        )


@pytest.mark.req("LED-10")
@pytest.mark.parametrize(("name", "wrong"), [("synchronous", 1), ("foreign_keys", 0), ("recursive_triggers", 0)])
@pytest.mark.parametrize("side", ["reader", "writer"])
async def test_sqlite_with_a_wrong_setting_is_refused(tmp_path: Path, name: str, wrong: object, side: str) -> None:
    database = await Database.open(sqlite_url(tmp_path))
    engine = getattr(database._engines, side)
    await engine.dispose()

    @event.listens_for(engine.sync_engine, "connect")
    def spoil(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA {name} = {wrong}").close()

    with pytest.raises(UnusableDatabaseError, match=f"SQLite has {name} = {wrong} where"):
        await database._check_safety()
    await database.close()


@pytest.mark.req("LED-10")
async def test_sqlite_that_cannot_keep_a_write_ahead_log_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///file:{tmp_path}/casino.db?vfs=unix-dotfile&uri=true"
    assert "SQLite has journal_mode = delete where wal is needed" in await refusal(url)


@pytest.mark.req("LED-10")
async def test_sqlite_is_opened_with_all_its_safety_settings(tmp_path: Path) -> None:
    database = await Database.open(sqlite_url(tmp_path))
    found = []
    for transaction in (database.reading, database.writing):
        async with transaction() as connection:
            names = ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers")
            found.append([(await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in names])
    await database.close()
    assert found == [["wal", 2, 1, 1]] * 2


@pytest.mark.req("LED-10")
async def test_postgresql_that_may_lose_a_commit_is_refused(postgres_url: str) -> None:
    url = make_url(postgres_url)
    engine = create_async_engine(url.set(drivername="postgresql+asyncpg"))
    async with engine.begin() as connection:
        await connection.execute(text(f"ALTER DATABASE {url.database} SET synchronous_commit = off"))
    await engine.dispose()
    assert "synchronous_commit = off, which may lose what was acknowledged" in await refusal(postgres_url)
