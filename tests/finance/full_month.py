"""A month of 2,000 players and 100,000 rounds, and everything it must prove: `python -m tests.finance.full_month`.

Day by day, so that no day needs more memory than the busiest: all formats are read back and must be equal to each
other, to the ledger and to the recount; every day is closed; at the end the books are verified and a row is changed.
"""

import asyncio
import sys
import tempfile
from collections import defaultdict
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select, update

from casino.finance.asking import Format, What
from casino.finance.closing import check_closed_days, close_day
from casino.finance.period import Period, day_at
from casino.people.roles import Actor
from casino.storage.database import Database
from casino.storage.schema import accounts, settled_seats
from casino.verify.findings import Check
from casino.verify.snapshot import snapshot
from casino.verify.verifier import verify
from tests.databases import postgres_server, sqlite_url
from tests.finance.agreement import check_recount, check_settlements, check_summary
from tests.finance.month import DAYS, FIRST_MS, build_month
from tests.finance.readers import exported, return_of
from tests.finance.recount import Counted, recount
from tests.tampering import unguarded

BOSS = Actor("boss", "operator")


async def prove(url: str, players: int, rounds: int) -> None:
    database = await Database.open(url)
    await build_month(database, players=players, rounds=rounds)
    _say(f"{rounds:,} rounds are played")
    counted: dict[int, list[Counted]] = defaultdict(list)
    for row in await recount(database):
        counted[row[3]].append(row)
    net: dict[str, int] = defaultdict(int)
    seats = 0
    for number in range(DAYS + 1):
        day = day_at(FIRST_MS) + timedelta(days=number)
        seats += await prove_day(database, Period.of_day(day), counted, net)
        await close_day(database, day, by=BOSS, now_ms=FIRST_MS * 2, return_of=return_of)
    assert seats == sum(len(rows) for rows in counted.values()), "no row lies outside the month"
    async with database.reading() as connection:
        balances = {row.id: row.balance for row in await connection.execute(select(accounts)) if row.balance}
    assert {account: amount for account, amount in net.items() if amount} == balances
    _say(f"{seats:,} settled seats agree in every format, day by day; every day is closed")
    findings = await verify(database)
    assert findings.is_ok, [check.lines for check in findings.checks if not check.is_ok]
    async with unguarded(database) as connection:
        some = select(settled_seats.c.operation_id).limit(1).scalar_subquery()
        await connection.execute(
            update(settled_seats)
            .where(settled_seats.c.operation_id == some)
            .values(automatic=1 - settled_seats.c.automatic)
        )
    assert not (await verify(database)).is_ok
    check = Check("closed days", "")
    async with snapshot(database) as books:
        await check_closed_days(books, check, return_of)
    assert len(check.faults) == 1
    _say("the books are verified, and a changed row is found twice")
    await database.close()


async def prove_day(database: Database, period: Period, counted: dict[int, list[Counted]], net: dict[str, int]) -> int:
    with tempfile.TemporaryDirectory(prefix="casino-month-") as folder:
        told = {}
        for what in What:
            files = [await exported(database, Path(folder), what, format_, period) for format_ in Format]
            told[what], *others = (file.rows for file in files)
            assert all(rows == told[what] for rows in others)
    check_recount(told, counted[period.from_ms // 86_400_000])
    check_settlements(told)
    check_summary(told)
    for row in told[What.LEDGER]:
        net[row["source"]] -= row["amount"]
        net[row["destination"]] += row["amount"]
    return len(told[What.SETTLEMENTS])


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201  it is a program


def main(players: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="casino-month-") as folder, postgres_server() as server:
        for url in (sqlite_url(Path(folder)), server.fresh_database()):
            _say(url.partition(":")[0])
            asyncio.run(prove(url, players, rounds))


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:] or ("2000", "100000")))
