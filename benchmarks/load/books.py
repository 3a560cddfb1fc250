"""Compares the results and balances that each player received with the rows of the ledger.

A difference has one of two meanings. A wrong result or balance is a defect of the service. A missing result may only
be late: the comparison therefore follows after `Crowd.rest`, which waits for it.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks.load.client import Client, RoundResult


class Account(NamedTuple):
    """A player's money by the ledger: the balance now, and stake, return and balance after each settled round."""

    balance: int
    settled: dict[str, RoundResult]


@dataclass
class Comparison:
    """Counts of differences, and the first of them in words."""

    wrong: int = 0  # players who received an amount that differs from the ledger
    missing: int = 0  # connected players without a result
    examples: list[str] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        return not self.wrong and not self.missing

    def __str__(self) -> str:
        counts = f"{self.wrong} players received a wrong amount, {self.missing} never received a result"
        return "; ".join((counts, *self.examples))


def compare(clients: Iterable[Client], accounts: dict[str, Account], examples_max: int = 3) -> Comparison:
    compared = Comparison()
    for client in clients:
        account = accounts[client.id]
        missing = account.settled.keys() - client.results.keys() - client.away
        wrong = {
            round_id: received
            for round_id, received in client.results.items()
            if account.settled.get(round_id) != received
        }
        is_balance_wrong = not missing and client.balance is not None and client.balance != account.balance
        compared.missing += bool(missing)
        compared.wrong += bool(wrong) or is_balance_wrong
        if (missing or wrong or is_balance_wrong) and len(compared.examples) < examples_max:
            compared.examples.append(
                f"{client.id} missed {sorted(missing)}, received {wrong} and balance {client.balance}; stored {account}"
            )
    return compared


def read_accounts(folder: Path) -> dict[str, Account]:
    """Reads all players' accounts, by player, at one moment."""
    raw = sqlite3.connect(f"file:{folder}/casino.db?mode=ro", uri=True)
    try:
        raw.execute("BEGIN")
        balances = raw.execute("SELECT id, balance FROM accounts WHERE kind = 'player'").fetchall()
        settled = _settled(raw)
    finally:
        raw.close()
    players = ((account.split(":")[1], balance) for account, balance in balances)
    return {player: Account(balance, settled[player]) for player, balance in players}


_POSTINGS = "SELECT operation_id, source, destination, amount FROM postings ORDER BY operation_id"
_SETTLED = """
SELECT operation_id, round_id, player_id, 2 * ante + trips + play,
       ante_returned + blind_returned + trips_returned + play_returned
FROM settled_seats JOIN settlements USING (operation_id) ORDER BY operation_id
"""


def _settled(raw: sqlite3.Connection) -> dict[str, dict[str, RoundResult]]:
    """Adds up the postings in order, so that each settlement gets the balance that follows from it."""
    balance: Counter[str] = Counter()
    settled: dict[str, dict[str, RoundResult]] = defaultdict(dict)
    postings = iter(raw.execute(_POSTINGS).fetchall())
    posting = next(postings, None)
    for operation, round_id, player, staked, returned in raw.execute(_SETTLED):
        while posting is not None and posting[0] <= operation:
            _, source, destination, amount = posting
            balance[source] -= amount
            balance[destination] += amount
            posting = next(postings, None)
        settled[player][round_id] = RoundResult(staked, returned, balance[f"player:{player}:cash"])
    return settled
