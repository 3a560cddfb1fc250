"""Table priority: other writers and readers hardly delay a table."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.live_table.accounting import TableUnitOfWork
from casino.storage.database import Database
from casino.uth.commands import OpenBetting
from tests.databases import sqlite_url
from tests.live_table.stored_rounds import fill_purses
from tests.uth.tabletop import NOON_MS, SHARED

PATIENCE_SECONDS = 5.0
CONNECTIONS_MAX = 15
"""Of one engine on PostgreSQL; SQLite has fewer."""

Transaction = Callable[[], AbstractAsyncContextManager[AsyncConnection]]


@pytest.fixture
async def serving(database_url: str) -> AsyncIterator[Database]:
    """As the service opens it."""
    opened = await Database.open(database_url, answer_seconds=30.0)
    yield opened
    await opened.close()


@pytest.fixture
async def one_writer(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(sqlite_url(tmp_path))
    yield opened
    await opened.close()


class Crowd:
    """Takes every connection it gets, and as many want one in vain."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._inside = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Crowd":
        self._tasks = [asyncio.create_task(self._hold()) for _ in range(2 * CONNECTIONS_MAX)]
        for _ in range(10):
            before = self._inside
            await asyncio.sleep(0.3)
            if self._inside == before > 0:
                break
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _hold(self) -> None:
        async with self._transaction() as connection:
            await connection.execute(text("SELECT 1"))
            self._inside += 1
            await asyncio.sleep(60)


async def test_table_reads_and_writes_however_many_connections_others_hold(serving: Database) -> None:
    await fill_purses(serving)
    unit_of_work = await TableUnitOfWork.of(serving, "uth-1")
    busy: Transaction = serving.reading if serving.is_sqlite else serving.writing
    async with Crowd(busy), Crowd(lambda: serving.reading(long_running=True)), asyncio.timeout(PATIENCE_SECONDS):
        assert (await unit_of_work.balances(["ann"]))["ann"].balance > 0
        await unit_of_work.open_round(OpenBetting("r1", "uth-1", SHARED), NOON_MS)


async def test_long_running_reads_delay_no_other_transaction(serving: Database) -> None:
    async with Crowd(lambda: serving.reading(long_running=True)), asyncio.timeout(PATIENCE_SECONDS):
        async with serving.reading() as connection:
            await connection.execute(text("SELECT 1"))
        async with serving.writing() as connection:
            await connection.execute(text("SELECT 1"))


async def test_one_other_writer_at_most_is_ahead_of_a_table(one_writer: Database) -> None:
    """Each kind in its order of arrival."""
    bookkeepers = [await TableUnitOfWork.of(one_writer, f"uth-{number}") for number in range(3)]
    order: list[str] = []
    begun = asyncio.Event()

    async def write(name: str, transaction: Transaction) -> None:
        async with transaction():
            order.append(name)
            begun.set()
            await asyncio.sleep(0.001)

    others = [asyncio.create_task(write(f"other {number}", one_writer.writing)) for number in range(50)]
    await begun.wait()
    stored = len(order)
    tables = [write(f"table {number}", unit_of_work.writing) for number, unit_of_work in enumerate(bookkeepers)]
    await asyncio.gather(*tables, *others)
    places = [order.index(f"table {number}") for number in range(3)]
    assert places == sorted(places)
    assert places[-1] < stored + len(bookkeepers) + 1
    assert [name for name in order if name.startswith("other")] == [f"other {number}" for number in range(50)]


async def test_others_are_not_forgotten_while_tables_write(one_writer: Database) -> None:
    unit_of_work = await TableUnitOfWork.of(one_writer, "uth-1")
    is_over = False

    async def play() -> None:
        while not is_over:
            async with unit_of_work.writing():
                await asyncio.sleep(0)

    tables = [asyncio.create_task(play()) for _ in range(4)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        for _ in range(5):
            async with one_writer.writing():
                await asyncio.sleep(0)
    is_over = True
    await asyncio.gather(*tables)


async def test_cancelled_wait_for_the_lock_blocks_no_writer(one_writer: Database) -> None:
    async with one_writer.writing():
        waiting = [asyncio.create_task(_write(one_writer)) for _ in range(3)]
        await asyncio.sleep(0.01)
        for task in waiting[:2]:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    async with asyncio.timeout(PATIENCE_SECONDS):
        await waiting[2]
        await _write(one_writer)


async def _write(database: Database) -> None:
    async with database.writing():
        pass
