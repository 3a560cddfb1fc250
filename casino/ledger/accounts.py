"""Which accounts there are, and what they are called. The name of an account says what it is for."""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    PLAYER = "player"
    ESCROW = "escrow"
    TIPS = "tips"
    CHARITY = "charity"
    HOUSE = "house"
    WITHDRAWAL = "withdrawal"
    CASHIER = "cashier"  # the outside world: deposits come from it, withdrawals go to it


class Account(NamedTuple):
    id: str
    kind: Kind
    currency: str


def player_cash_id(player_id: str) -> str:
    return f"player:{player_id}:cash"


def player_cash(player_id: str, currency: str) -> Account:
    return Account(player_cash_id(player_id), Kind.PLAYER, currency)


def escrow(round_id: str, currency: str) -> Account:
    """Where the stakes of a round lie until it is settled or refunded."""
    return Account(f"round:{round_id}:escrow:{currency}", Kind.ESCROW, currency)


def house(currency: str) -> Account:
    return Account(f"house:{currency}", Kind.HOUSE, currency)


def tips(presenter_id: str, currency: str) -> Account:
    return Account(f"presenter:{presenter_id}:tips:{currency}", Kind.TIPS, currency)


def charity(currency: str) -> Account:
    """Where stakes go that could neither be settled nor refunded for 90 days. It should stay empty."""
    return Account(f"charity:{currency}", Kind.CHARITY, currency)


def withdrawal(payment_id: str, currency: str) -> Account:
    """Where money waits that is on its way out of the house."""
    return Account(f"withdrawal:{payment_id}:{currency}", Kind.WITHDRAWAL, currency)


def cashier(currency: str) -> Account:
    return Account(f"cashier:{currency}", Kind.CASHIER, currency)
