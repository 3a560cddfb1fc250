"""What a payment does to the ledger. Nothing here knows who pays, or over which provider.

A deposit comes from the outside world once it is certain. A withdrawal first goes to an account of its own, where it
can neither be bet nor be withdrawn again, and from there to the outside world or back to the player.
"""

from typing import Final, Literal, NamedTuple

from casino.ledger import accounts
from casino.ledger.posting import Operation, move

PREFIX: Final = "payment:"
KINDS: Final = frozenset({"deposit", "withdrawal", "payout", "withdrawal_failed"})
"""Of the operations below, as the ledger and its exports call them."""


class Paid(NamedTuple):
    """A payment as far as the ledger needs to know it."""

    id: str
    player_id: str
    kind: Literal["deposit", "withdrawal"]
    amount: int
    currency: str


def deposit(paid: Paid) -> Operation:
    cash = accounts.player_cash(paid.player_id, paid.currency)
    return _operation(paid, "deposit", accounts.cashier(paid.currency), cash)


def withdraw(paid: Paid) -> Operation:
    """Out of the player's hands, and not yet out of the house."""
    cash = accounts.player_cash(paid.player_id, paid.currency)
    return _operation(paid, "withdrawal", cash, accounts.withdrawal(paid.id, paid.currency))


def pay_out(paid: Paid) -> Operation:
    way = accounts.withdrawal(paid.id, paid.currency)
    return _operation(paid, "payout", way, accounts.cashier(paid.currency))


def give_back(paid: Paid) -> Operation:
    """It could not be paid out."""
    way = accounts.withdrawal(paid.id, paid.currency)
    return _operation(paid, "withdrawal_failed", way, accounts.player_cash(paid.player_id, paid.currency))


def demanded(paid: Paid, status: str) -> list[Operation]:
    """What must stand in the ledger of a payment with this status, and nothing else."""
    if paid.kind == "deposit":
        return [deposit(paid)] if status == "succeeded" else []
    ending = {"succeeded": [pay_out(paid)], "failed": [give_back(paid)]}
    return [withdraw(paid), *ending.get(status, [])]


def _operation(paid: Paid, kind: str, source: accounts.Account, destination: accounts.Account) -> Operation:
    return Operation(f"{PREFIX}{paid.id}:{kind}", kind, (move(paid.amount, source, destination),), paid.player_id)
