"""Invariants of the books at any moment, read with plain SQL and computed in plain Python."""

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage import schema
from casino.storage.database import Database

MAY_OWE = {"house", "cashier", "credit", "receivable", "promo"}


async def check_books(database: Database) -> None:
    async with database.reading() as connection:
        if not database.is_sqlite:
            await connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        await check_ledger(connection)


async def check_ledger(connection: AsyncConnection) -> None:
    accounts = {row.id: row for row in await connection.execute(select(schema.accounts))}
    postings = (await connection.execute(select(schema.postings))).all()
    holds = (await connection.execute(select(schema.holds))).all()
    moved: Counter[str] = Counter()
    for posting in postings:
        source, destination = accounts[posting.source], accounts[posting.destination]
        assert type(posting.amount) is int
        assert posting.amount > 0
        assert source.currency == posting.currency == destination.currency
        assert {source.kind, destination.kind} != {"player"}, "no money goes from player to player"
        moved[source.id] -= posting.amount
        moved[destination.id] += posting.amount
    held: Counter[str] = Counter()
    for hold in holds:
        assert hold.status in {"open", "captured", "released"}
        held[hold.account] += hold.amount if hold.status == "open" else 0
    for id_, account in accounts.items():
        assert account.balance == moved[id_], f"{id_}: the balance is the sum of the postings"
        assert account.held == held[id_], f"{id_}: what is held is the sum of the open holds"
        assert account.kind in MAY_OWE or 0 <= account.held <= account.balance
    assert not any(totals({id_: (row.currency, row.balance) for id_, row in accounts.items()}).values())


def totals(balances: Mapping[str, tuple[str, int]]) -> Counter[str]:
    """The sum of all accounts by currency."""
    sums: Counter[str] = Counter()
    for currency, balance in balances.values():
        sums[currency] += balance
    return sums
