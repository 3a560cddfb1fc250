"""Database failures: full disk, locked file, lost server. A clear error, no partial writes, then recovery."""

import asyncio
import resource
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

import asyncpg
import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

from casino.storage.database import Database
from casino.uth.phases import Phase
from tests.chaos.books import check_books, contents
from tests.chaos.crashed_service import until_alone
from tests.chaos.script import opened
from tests.chaos.traps import Snap, commit_trap, statement_trap
from tests.databases import PostgresServer, sqlite_url
from tests.live_table.stored_rounds import BookedTable, fill_purses

PAGES_MAX = 1_000_000


@asynccontextmanager
async def open_database(url: str, *, busy_seconds: float = 10) -> AsyncIterator[Database]:
    database = await Database.open(url, busy_seconds=busy_seconds)
    await fill_purses(database)
    try:
        yield database
    finally:
        await database.close()


async def limit_pages(database: Database, pages: int) -> None:
    async with database.writing() as connection:
        await connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


@pytest.mark.req("LED-6")
async def test_full_database_file_pauses_the_service_until_there_is_space(tmp_path: Path) -> None:
    async with open_database(sqlite_url(tmp_path)) as database:
        script = await opened(database)
        full = 0
        async for step in script.steps():
            before = await contents(database)
            await limit_pages(database, 1)  # it means: as many as there are
            try:
                await step()
            except OperationalError as error:
                assert "disk is full" in str(error)
                full += 1
                assert await contents(database) == before
                await limit_pages(database, PAGES_MAX)
                await step()
            await check_books(database)
        assert full >= 2


@contextmanager
def no_file_may_grow(size: int) -> Iterator[None]:
    """As if the disk had no room: the operating system itself refuses to write beyond this size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.req("LED-6")
async def test_failing_disk_writes_pause_the_service_until_there_is_space(tmp_path: Path) -> None:
    """The log of transactions cannot grow by more than a part of what a batch needs, whichever part that is."""
    async with open_database(sqlite_url(tmp_path)) as database:
        table = await BookedTable.open(database)
        await table.do(table.bet("ann", 500))
        before = await contents(database)
        log = tmp_path / "casino.db-wal"
        for room in range(0, 60_000, 2_000):
            with no_file_may_grow(log.stat().st_size + room):
                try:
                    await table.do(table.bet("ann", 700), table.bet("bob", 300), table.bet("gus", 400))
                except DBAPIError as error:
                    assert "disk" in str(error)
                else:
                    break
            assert await contents(database) == before
            await check_books(database)
        assert room > 0
        await table.time_out()
        await check_books(database)
        assert table.round.phase is Phase.DEALING_HOLE


@contextmanager
def locked_by_another_process(file: Path) -> Iterator[subprocess.Popen[str]]:
    program = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN IMMEDIATE');"
        "print('locked', flush=True); sys.stdin.readline(); c.execute('ROLLBACK')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        yield process
        process.communicate("\n")


async def test_database_locked_for_too_long_is_an_error_and_unlocked_goes_on(tmp_path: Path) -> None:
    async with open_database(sqlite_url(tmp_path), busy_seconds=0.1) as database:
        table = await BookedTable.open(database)
        before = await contents(database)
        with locked_by_another_process(tmp_path / "casino.db"):
            with pytest.raises(OperationalError, match="database is locked"):
                await table.do(table.bet("ann", 500))
            assert await contents(database) == before, "reading goes on"
        await table.do(table.bet("ann", 500))
        await check_books(database)


async def test_database_locked_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    async with open_database(sqlite_url(tmp_path), busy_seconds=10) as database:
        table = await BookedTable.open(database)
        with locked_by_another_process(tmp_path / "casino.db") as process:
            bet = asyncio.create_task(table.do(table.bet("ann", 500)))
            await asyncio.sleep(0.2)
            assert not bet.done()
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
            await bet
        await check_books(database)


def terminate_all_others(url: str) -> None:
    async def terminate() -> None:
        connection = await asyncpg.connect(url)
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        await connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608
        await connection.close()
        await until_alone(url)

    elsewhere(lambda: asyncio.run(terminate()))


def elsewhere(work: Callable[[], None]) -> None:
    """In a thread, because this one has a loop already; and wait for it."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


async def strike_in_the_middle(database: Database, strike: Callable[[], None], chance: Random, strikes: int) -> None:
    """Somewhere within a step, again and again; the same unit of work does the step again and goes on."""
    failures = 0
    with statement_trap(database, Snap.ELSEWHERE) as trap:
        trap.then = strike
        script = await opened(database)
        async for step in script.steps():
            before = await contents(database)
            if failures < strikes:
                trap.set(chance.randint(1, 4))
                try:
                    await step()
                    trap.set(0)
                    continue
                except DBAPIError:
                    failures += 1
                assert await contents(database) == before
            await step()
            await check_books(database)
    assert failures >= strikes


@pytest.mark.req("LED-6")
async def test_postgresql_connections_killed_in_the_middle_of_a_step(postgres_url: str) -> None:
    async with open_database(postgres_url) as database:
        await strike_in_the_middle(database, lambda: terminate_all_others(postgres_url), Random(1), strikes=12)


@pytest.mark.req("LED-6")
async def test_postgresql_restarted_in_the_middle_of_a_step(postgres_url: str, postgres: PostgresServer) -> None:
    async with open_database(postgres_url) as database:
        await strike_in_the_middle(database, lambda: elsewhere(postgres.restart), Random(2), strikes=2)


@pytest.mark.req("LED-5")
async def test_postgresql_connection_killed_at_the_commit(postgres_url: str) -> None:
    """Whether it was stored is looked up, on a new connection."""
    async with open_database(postgres_url) as database:
        script = await opened(database)
        with commit_trap(database, Snap.ELSEWHERE) as trap:
            trap.then = lambda: terminate_all_others(postgres_url)
            async for step in script.steps():
                before = await contents(database)
                trap.set(1)
                with pytest.raises(DBAPIError):
                    await step()
                assert await contents(database) == before
                await step()
                await check_books(database)


async def test_lost_postgresql_is_an_error_until_it_is_back(postgres_url: str, postgres: PostgresServer) -> None:
    async with open_database(postgres_url) as database:
        table = await BookedTable.open(database)
        await table.do(table.bet("ann", 500))
        before = await contents(database)
        postgres.stop()
        try:
            with pytest.raises((DBAPIError, OSError)):
                await table.do(table.bet("bob", 500))
        finally:
            postgres.start()
        assert await contents(database) == before
        await table.do(table.bet("bob", 500))
        await table.time_out()
        await check_books(database)
