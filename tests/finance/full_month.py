"""Full month of 2,000 players and 100,000 rounds, with all checks: `python -m tests.finance.full_month`.

Day by day, so that no day needs more memory than the busiest: all formats are read back and must be equal to each
other, to the ledger and to the recount; every day is closed; at the end the books are verified and a row is changed.
A month that was built before (`python -m tests.finance.month URL PLAYERS ROUNDS`) is proved by giving its URL.
"""

import asyncio
import pickle
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO

from sqlalchemy import select, update

from casino.finance.day_close import check_closed_days, close_day
from casino.finance.export_types import ExportKind, Format
from casino.finance.period import Period, day_at
from casino.storage.database import Database
from casino.storage.schema import accounts, settled_seats
from casino.users.roles import Actor
from casino.verify.findings import Check
from casino.verify.snapshot import snapshot
from casino.verify.verifier import verify
from tests.databases import postgres_server, sqlite_url
from tests.finance.agreement import check_recount, check_settlements, check_summary
from tests.finance.month import DAYS, FIRST_MS, Course, build_month
from tests.finance.readers import exported, return_of
from tests.finance.recount import Counted, recounted
from tests.tampering import unguarded

BOSS = Actor("boss", "operator")


class Recounted:
    """The recount of the month, a file for each day: so it is never in memory as a whole."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.rows = 0

    async def write(self, rounds: AsyncIterator[list[Counted]]) -> None:
        with ExitStack() as opened:
            files: dict[int, IO[bytes]] = {}
            async for rows in rounds:
                for row in rows:
                    if row[3] not in files:
                        files[row[3]] = opened.enter_context(self._of_day(row[3]).open("wb"))
                    pickle.dump(row, files[row[3]])
                    self.rows += 1

    def of(self, day: int) -> list[Counted]:
        return list(self._read(self._of_day(day))) if self._of_day(day).exists() else []

    def _of_day(self, day: int) -> Path:
        return self._folder / f"recount-{day}"

    def _read(self, path: Path) -> Iterator[Counted]:
        with path.open("rb") as file:
            while file.peek(1):
                yield pickle.load(file)  # noqa: S301  we wrote it ourselves


async def prove(database: Database, folder: Path) -> None:
    counted = Recounted(folder)
    with _timed("recounted from the journal"):
        await counted.write(recounted(database))
    net: dict[str, int] = defaultdict(int)
    seats, course = 0, Course("days proved")
    with _timed("all formats read back and compared, every day closed"):
        for number in range(DAYS + 1):
            day = day_at(FIRST_MS) + timedelta(days=number)
            seats += await prove_day(database, folder, Period.of_day(day), counted, net)
            await close_day(database, day, by=BOSS, now_ms=FIRST_MS * 2, return_of=return_of)
            course(number + 1, DAYS + 1)
        assert seats == counted.rows, "no row lies outside the month"
        async with database.reading() as connection:
            balances = {row.id: row.balance for row in await connection.execute(select(accounts)) if row.balance}
        assert {account: amount for account, amount in net.items() if amount} == balances
    _say(f"{seats:,} settled seats agree in every format, to the minor unit")
    with _timed("the books verified"):
        findings = await verify(database, Course("rows verified", every=4))
        assert findings.is_ok, [check.lines for check in findings.checks if not check.is_ok]
    with _timed("closed days hashed again"):
        assert await _changed_days(database) == []
    await _tamper(database)
    with _timed("a changed row found"):
        assert not (await verify(database)).is_ok
        assert len(await _changed_days(database)) == 1


async def prove_day(database: Database, folder: Path, period: Period, counted: Recounted, net: dict[str, int]) -> int:
    totals = {}
    for what in ExportKind:
        files = [await exported(database, folder, what, format_, period) for format_ in Format]
        totals[what], *others = (file.rows for file in files)
        assert all(rows == totals[what] for rows in others)
    check_recount(totals, counted.of(period.from_ms // 86_400_000))
    check_settlements(totals)
    check_summary(totals)
    for row in totals[ExportKind.LEDGER]:
        net[row["source"]] -= row["amount"]
        net[row["destination"]] += row["amount"]
    return len(totals[ExportKind.SETTLEMENTS])


async def _changed_days(database: Database) -> list[str]:
    check = Check("closed days", "")
    async with snapshot(database) as books:
        await check_closed_days(books, check, return_of)
    return check.faults


async def _tamper(database: Database) -> None:
    async with unguarded(database) as connection:
        some = select(settled_seats.c.operation_id).limit(1).scalar_subquery()
        await connection.execute(
            update(settled_seats)
            .where(settled_seats.c.operation_id == some)
            .values(automatic=1 - settled_seats.c.automatic)
        )


@contextmanager
def _timed(what: str) -> Iterator[None]:
    began, used = time.monotonic(), time.process_time()
    yield
    spent, used = time.monotonic() - began, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    _say(f"{what}: {spent:,.0f} s, {used:,.0f} s of them computing, at most {peak:,} MB so far")


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201  it is a program


async def _run(url: str, size: tuple[int, int] | None) -> None:
    _say(url.partition(":")[0])
    database = await Database.open(url)
    if size is not None:
        with _timed(f"{size[1]:,} rounds of {size[0]:,} players played"):
            await build_month(database, players=size[0], rounds=size[1], progress=Course("rounds played"))
    with tempfile.TemporaryDirectory(prefix="casino-month-") as folder:
        await prove(database, Path(folder))
    await database.close()


def main(players: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="casino-month-") as folder, postgres_server() as server:
        for url in (sqlite_url(Path(folder)), server.fresh_database()):
            asyncio.run(_run(url, (players, rounds)))


if __name__ == "__main__":
    match sys.argv[1:]:
        case [url]:
            asyncio.run(_run(url, None))
        case sizes:
            main(*(int(number) for number in sizes or ("2000", "100000")))
