"""Amounts and accounts of a round file as people name them."""

from collections.abc import Mapping
from typing import Any

from casino.finance.account_names import owner_id
from casino.finance.html_table import Number
from casino.money import format_amount

_MINUS = "−"


def amount_text(minor: int, seat: Mapping[str, Any]) -> Number:
    """Formats in the currency of the seat or posting; a seat has none before betting closes."""
    currency = seat["currency"]
    if not currency:
        return Number("—")
    return Number(f"{format_amount(minor, currency).replace('-', _MINUS)} {currency}")


def change_text(minor: int, seat: Mapping[str, Any]) -> Number:
    return Number(("+" if minor > 0 else "") + amount_text(minor, seat))


def account_text(account: str, names: Mapping[str, str]) -> str:
    """`names` are those of the players, by id."""
    kind, owner = account.partition(":")[0], owner_id(account)
    who = names.get(owner, "another player")
    match kind:
        case "player":
            return f"Account of {who}"
        case "receivable":
            return f"Owed by {who}"
        case "round":
            return "Stakes of the round"
        case "presenter":
            return "Tips of the presenter"
    return kind.capitalize()
