"""Receivables of a correction: amounts that players no longer have and owe from then on."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from casino.audit import log as audit_log
from casino.ledger import receivables
from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Balance
from casino.ledger.posting import Operation
from casino.ledger.receivables import Debt
from casino.uth.events import RoundCorrected


class Advance(NamedTuple):
    """The missing amount of one player, and the operation that advances it."""

    key: str
    debt: Debt
    operation: Operation

    def audit_entry(self, round_id: str, event: RoundCorrected) -> audit_log.Entry:
        after = {
            "amount_minor": self.debt.amount,
            "currency": self.debt.currency,
            "key": self.key,
            "round_id": round_id,
        }
        target = f"user {self.debt.player_id}"
        return audit_log.Entry(event.by, "staff", receivables.ADVANCE, target, event.reason, after=after)


def missing(balance: Balance, change: int) -> int:
    """Returns how much of a loss the available balance does not cover. Money held by open bets stays untouched."""
    return max(0, -change - balance.available)


def advances(
    event: RoundCorrected,
    place: tuple[str, int],
    net: Mapping[str, int],
    balances: Mapping[str, Balance],
    currencies: Mapping[str, str],
) -> Iterator[Advance]:
    """Yields an advance for every player who cannot cover the loss; `place` is the round and its correction."""
    round_id, correction = place
    for player_id in sorted(currencies):
        account = player_cash_id(player_id)
        short = missing(balances[account], net[account]) if account in net else 0
        if short:
            debt = Debt(player_id, currencies[player_id], short)
            key = receivables.advance_key(round_id, correction, player_id)
            made = receivables.operation(receivables.ADVANCE, key, debt, event.by, event.reason)
            yield Advance(key, debt, made)
