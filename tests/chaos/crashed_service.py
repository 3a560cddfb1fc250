"""Database of a service that was killed in the middle of two rounds, copied for each test that needs it."""

import asyncio
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import asyncpg
from sqlalchemy import make_url

from casino.hosting.commit_log import Transaction
from casino.live_table import journal
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Request
from casino.storage.database import Database
from casino.uth.commands import Advance, OpenBetting, PlaceBet
from casino.uth.round import open_round
from tests.chaos.books import UNREADABLE
from tests.chaos.durability_checker import DurabilityChecker
from tests.chaos.fork_server import ForkServer
from tests.databases import PostgresServer, sqlite_url
from tests.uth.tabletop import NOON_MS, SHARED

FORFEITED_MS = NOON_MS - 100 * 86_400_000
CRASH_POINT = "batch_committed:55"


@dataclass(frozen=True)
class CrashedService:
    """`copy` gives the URL of a new one; `words` are what was said in it."""

    copy: Callable[[Path], str]
    words: Path

    def checker(self) -> DurabilityChecker:
        checker = DurabilityChecker()
        checker.listen(self.words)
        return checker


def crashed_service(root: Path, postgres: PostgresServer | None, fork_server: ForkServer) -> CrashedService:
    """Which rounds stand open in that moment is also a matter of how quick the database was."""
    for seed in range(7, 17):
        folder = root / str(seed)
        folder.mkdir()
        url = postgres.fresh_database() if postgres else sqlite_url(folder)
        words = folder / "words"
        fork_server.start(words, url, seed, 100, crash_at=CRASH_POINT)
        assert fork_server.wait() == -9
        if asyncio.run(open_rounds(url)) >= 2:
            asyncio.run(leave_unreadable_rounds(url))
            return CrashedService(_copies(url, folder, postgres), words)
    raise AssertionError("no service was killed in the middle of two rounds")


async def open_rounds(url: str) -> int:
    database = await Database.open(url)
    async with database.reading() as connection:
        found: int = (
            await connection.exec_driver_sql("SELECT count(*) FROM rounds WHERE status = 'open'")
        ).scalar_one()
    await database.close()
    return found


async def leave_unreadable_rounds(url: str) -> None:
    """Two rounds of long ago with money in them, whose journals tell nonsense."""
    database = await Database.open(url)
    for round_id in UNREADABLE:
        table_id = round_id.removesuffix("-1")
        keeper = await TableUnitOfWork.of(database, table_id)
        command = OpenBetting(round_id, table_id, SHARED)
        round_ = await keeper.open_round(command, FORFEITED_MS)
        bets = [PlaceBet(round_.round_id, player, 500, 100, 0) for player in ("p5", "p6")]
        round_ = (await keeper.commit(round_, [Request(bet, FORFEITED_MS + 1) for bet in bets])).round
        if table_id == "old-1":  # its bets are in escrow, the others are still held
            assert round_.due_ms is not None
            await keeper.commit(round_, [Request(Advance(), round_.due_ms)])
        async with database.writing() as connection:
            again = open_round(command, FORFEITED_MS + 2)
            page: Transaction[None] = Transaction(connection, journal.chain_name(table_id), keeper.head)
            await journal.append(page, table_id, round_.round_id, [again])
    await database.close()


def _copies(url: str, folder: Path, postgres: PostgresServer | None) -> Callable[[Path], str]:
    if not postgres:
        return lambda target: _copy_sqlite(folder, target)
    return lambda _: _copy_postgres(url, postgres)


def _copy_sqlite(folder: Path, target: Path) -> str:
    for file in folder.glob("casino.db*"):
        shutil.copy(file, target)
    return sqlite_url(target)


def _copy_postgres(url: str, postgres: PostgresServer) -> str:
    asyncio.run(until_alone(url))
    return postgres.fresh_database(template=make_url(url).database)


async def until_alone(url: str) -> None:
    """PostgreSQL may need a moment to notice that its client is dead."""
    if not url.startswith("postgresql"):
        return
    connection = await asyncpg.connect(url)
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    deadline = time.monotonic() + 10
    try:
        while await connection.fetchval(others):
            assert time.monotonic() < deadline, "somebody is still connected"
            await asyncio.sleep(0.01)
    finally:
        await connection.close()
