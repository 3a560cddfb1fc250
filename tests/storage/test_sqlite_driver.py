"""SQLite driver: trivial calls bypass the thread, unless a cancelled call still runs in it."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator

import pytest

from casino.storage.sqlite_driver import QuickConnection, connect

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
