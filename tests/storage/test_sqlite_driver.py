"""SQLite driver: trivial calls bypass the thread, unless a cancelled call still runs in it."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from casino.storage.database import Database
from casino.storage.sqlite_driver import QuickConnection, connect, inline_statements

SLOW = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT count(*) FROM n"


@pytest.fixture
async def connection() -> AsyncIterator[QuickConnection]:
    opened = await connect(":memory:", isolation_level=None, check_same_thread=False)
    assert isinstance(opened, QuickConnection)
    yield opened
    await opened.close()


async def test_cursor_is_made_and_closed_without_the_thread(connection: QuickConnection) -> None:
    cursor = await connection.cursor()
    closing = asyncio.ensure_future(cursor.close())
    await asyncio.sleep(0)
    assert closing.done()


async def test_undoing_nothing_needs_no_thread_and_undoing_something_does(connection: QuickConnection) -> None:
    undoing = asyncio.ensure_future(connection.rollback())
    await asyncio.sleep(0)
    assert undoing.done()
    await connection.execute("CREATE TABLE t (i)")
    await connection.execute("BEGIN")
    await connection.execute("INSERT INTO t VALUES (1)")
    undoing = asyncio.ensure_future(connection.rollback())
    await asyncio.sleep(0)
    assert not undoing.done()
    await undoing
    assert not list(await connection.execute_fetchall("SELECT * FROM t"))


async def test_after_a_cancelled_statement_everything_waits_its_turn(connection: QuickConnection) -> None:
    cursor = await connection.cursor()
    statement = asyncio.ensure_future(cursor.execute(SLOW))
    await asyncio.sleep(0.01)
    statement.cancel()
    closing = asyncio.ensure_future(cursor.close())
    await asyncio.sleep(0)
    assert not closing.done(), "the thread is still in the middle of the statement"
    await closing
    assert list(await connection.execute_fetchall("SELECT 1")) == [(1,)]


async def test_failing_statement_is_reported_and_rolled_back(connection: QuickConnection) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await connection.execute("SELECT * FROM nowhere")
    closing = asyncio.ensure_future((await connection.cursor()).close())
    await asyncio.sleep(0)
    assert closing.done()


async def test_statements_of_a_short_transaction_run_without_the_thread_but_not_its_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = await Database.open(f"sqlite:///{tmp_path}/books.db")
    asked: list[str] = []
    execute = QuickConnection._execute

    async def recorded(driver: QuickConnection, call: Any, *arguments: Any) -> Any:  # noqa: ANN401
        def named(*values: Any) -> Any:  # noqa: ANN401
            if threading.current_thread() is not threading.main_thread():
                asked.append(str(values[0]).partition(" ")[0] if values else call.__name__)
            return call(*values)

        named.__name__, named.__self__ = call.__name__, getattr(call, "__self__", None)  # type: ignore[attr-defined]
        return await execute(driver, named, *arguments)

    monkeypatch.setattr(QuickConnection, "_execute", recorded)
    async with database.writing() as connection:
        with inline_statements(connection):
            await connection.exec_driver_sql("CREATE TABLE t (i INTEGER PRIMARY KEY)")
            await connection.exec_driver_sql("INSERT INTO t VALUES (1)")
            with pytest.raises(Exception, match="UNIQUE"):
                await connection.exec_driver_sql("INSERT INTO t VALUES (1)")
            assert (await connection.exec_driver_sql("SELECT i FROM t")).scalars().all() == [1]
    assert asked == ["BEGIN", "commit"]
    async with database.writing() as connection:
        await connection.exec_driver_sql("INSERT INTO t VALUES (2)")
    assert "INSERT" in asked, "other statements still run in the thread"
    await database.close()
