"""Model of the ledger without a database, and a comparison with the real one."""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import select, text

from casino.ledger import accounts
from casino.ledger.accounts import Account, Kind
from casino.ledger.book import Book, Posted
from casino.ledger.posting import Operation, Posting, net_changes
from casino.storage import schema
from casino.storage.database import Database
from tests.ledger.purses import Ledger

T = TypeVar("T")
CURRENCIES = ("EUR", "FUN")
MAY_OWE = (Kind.HOUSE, Kind.CASHIER)

BROKEN = """
    SELECT 'a balance is not the sum of its postings', accounts.id FROM accounts LEFT JOIN (
        SELECT id, sum(change) AS moved FROM (
            SELECT source AS id, -amount AS change FROM postings
            UNION ALL SELECT destination, amount FROM postings) AS changes GROUP BY id
    ) AS sums ON sums.id = accounts.id WHERE balance <> coalesce(moved, 0)
UNION ALL
    SELECT 'a currency does not add up to zero', currency FROM accounts GROUP BY currency HAVING sum(balance) <> 0
UNION ALL
    SELECT 'what is held is not what the open holds say', accounts.id FROM accounts LEFT JOIN (
        SELECT account, sum(amount) AS open FROM holds WHERE status = 'open' GROUP BY account
    ) AS sums ON sums.account = accounts.id WHERE held <> coalesce(open, 0)
UNION ALL
    SELECT 'more is held than there is', id FROM accounts WHERE held < 0 OR (held > 0 AND held > balance)
UNION ALL
    SELECT 'somebody is overdrawn', id FROM accounts WHERE balance < 0
        AND kind NOT IN ('house', 'cashier', 'credit', 'receivable')
UNION ALL
    SELECT 'a posting touches two currencies or two players', source
    FROM postings JOIN accounts AS s ON s.id = source JOIN accounts AS d ON d.id = destination
    WHERE s.currency <> postings.currency OR d.currency <> postings.currency
    OR (s.kind = 'player' AND d.kind = 'player')
"""
"""Everything that may never be so, each with the row where it is."""


class Bench:
    """One database and one event loop for all examples; each has players and rounds of its own."""

    def __init__(self, url: str) -> None:
        self._runner = asyncio.Runner()
        self.database = self.run(Database.open(url))
        self.ledger = Ledger(self.database)
        self.examples = count()
        self.seen: Counter[str] = Counter()
        outside = [account(currency) for account in (accounts.house, accounts.cashier) for currency in CURRENCIES]
        self.run(self.open_accounts(outside))

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def close(self) -> None:
        self.run(self.database.close())
        self._runner.close()

    async def open_accounts(self, opened: Sequence[Account]) -> None:
        async with self.database.writing() as connection:
            await Book(connection).open_accounts(opened)

    async def read(self) -> "State":
        accounts_, holds_ = schema.accounts, schema.holds
        async with self.database.reading() as connection:
            broken = [tuple(row) for row in await connection.execute(text(BROKEN))]
            rows = await connection.execute(select(accounts_.c.id, accounts_.c.balance, accounts_.c.held))
            balances = {row.id: (row.balance, row.held) for row in rows}
            held = await connection.execute(
                select(holds_.c.round_id, holds_.c.player_id, holds_.c.amount, holds_.c.status)
            )
            holds = {(row.round_id, row.player_id): (row.amount, row.status) for row in held}
        return State(broken, balances, holds)


class State(NamedTuple):
    broken: list[tuple[str, ...]]
    balances: dict[str, tuple[int, int]]  # balance and what of it is held, by account
    holds: dict[tuple[str, str], tuple[int, str]]  # amount and status, by round and player


@dataclass
class Model:
    """The same ledger without a database: balances, holds and what was asked under each key."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    balances: Counter[str] = field(default_factory=Counter)
    holds: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    done: dict[str, tuple[Operation, Posted]] = field(default_factory=dict)

    def held(self, account: str) -> int:
        return sum(
            amount
            for (_, player), (amount, status) in self.holds.items()
            if status == "open" and accounts.player_cash_id(player) == account
        )

    def open_holds(self, round_id: str) -> dict[str, int]:
        return {
            player: amount
            for (of, player), (amount, status) in self.holds.items()
            if of == round_id and status == "open"
        }

    def is_captured(self, round_id: str, player: str) -> bool:
        return self.holds.get((round_id, player), (0, "none"))[1] == "captured"

    def can_post(self, postings: Sequence[Posting]) -> bool:
        return all(
            self.kinds[id_] in MAY_OWE or self.balances[id_] + change >= self.held(id_)
            for id_, change in net_changes(postings).items()
        )

    def post(self, operation: Operation, posted: Posted) -> None:
        self.balances.update(net_changes(operation.postings))
        self.done[operation.key] = (operation, posted)
