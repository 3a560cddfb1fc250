"""Ledger operations of deposits and withdrawals, independent of the payment provider.

A deposit is posted once it is certain. A withdrawal first moves to its own account, where it can neither be bet nor
withdrawn again. From there it goes to the outside world, or back to the player.
"""

from typing import Final, Literal, NamedTuple

from casino.ledger import accounts
from casino.ledger.posting import Operation, move

PREFIX: Final = "payment:"
KINDS: Final = frozenset({"deposit", "withdrawal", "payout", "withdrawal_failed"})
"""Operation kinds below, as the ledger and its exports name them."""


class Paid(NamedTuple):
    """The parts of a payment that the ledger needs."""

    id: str
    player_id: str
    kind: Literal["deposit", "withdrawal"]
    amount: int
    currency: str


def deposit(paid: Paid) -> Operation:
    cash = accounts.player_cash(paid.player_id, paid.currency)
    return _operation(paid, "deposit", accounts.cashier(paid.currency), cash)


def withdraw(paid: Paid) -> Operation:
    """Moves a withdrawal from the player's account to its waiting account."""
    cash = accounts.player_cash(paid.player_id, paid.currency)
    return _operation(paid, "withdrawal", cash, accounts.withdrawal(paid.id, paid.currency))


def pay_out(paid: Paid) -> Operation:
    way = accounts.withdrawal(paid.id, paid.currency)
    return _operation(paid, "payout", way, accounts.cashier(paid.currency))


def give_back(paid: Paid) -> Operation:
    """Returns a failed withdrawal to the player."""
    way = accounts.withdrawal(paid.id, paid.currency)
    return _operation(paid, "withdrawal_failed", way, accounts.player_cash(paid.player_id, paid.currency))


def demanded(paid: Paid, status: str) -> list[Operation]:
    """Returns the operations that a payment with this status must have, and no others."""
    if paid.kind == "deposit":
        return [deposit(paid)] if status == "succeeded" else []
    ending = {"succeeded": [pay_out(paid)], "failed": [give_back(paid)]}
    return [withdraw(paid), *ending.get(status, [])]


def _operation(paid: Paid, kind: str, source: accounts.Account, destination: accounts.Account) -> Operation:
    return Operation(f"{PREFIX}{paid.id}:{kind}", kind, (move(paid.amount, source, destination),), paid.player_id)
