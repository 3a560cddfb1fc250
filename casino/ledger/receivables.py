"""Ledger operations of receivables: what a player owes after a correction, and how the debt ends.

A correction takes back money the player may have withdrawn. The receivable account advances the missing amount to the
player's account in the same step. Two people later net it against the player's money or write it off.
"""

from typing import Final, NamedTuple

from casino.ledger import accounts
from casino.ledger.posting import Operation, move

ADVANCE: Final = "receivable"
RECOVERY: Final = "recovery"
WRITE_OFF: Final = "write_off"
KINDS: Final = frozenset({ADVANCE, RECOVERY, WRITE_OFF})
"""Operation kinds, as ledger, audit log and exports name them."""


class Debt(NamedTuple):
    player_id: str
    currency: str
    amount: int


def advance_key(round_id: str, correction: int, player_id: str) -> str:
    return f"{round_id}:{correction}:{player_id}"


def operation(kind: str, key: str, debt: Debt, actor: str, reason: str) -> Operation:
    """Returns the operation of this kind. `key` is the idempotency key without its prefix."""
    owed = accounts.receivable(debt.player_id, debt.currency)
    cash = accounts.player_cash(debt.player_id, debt.currency)
    house = accounts.house(debt.currency)
    source, destination = {ADVANCE: (owed, cash), RECOVERY: (cash, owed), WRITE_OFF: (house, owed)}[kind]
    return Operation(f"{kind}:{key}", kind, (move(debt.amount, source, destination),), actor, reason)
