"""Chips of a seat between hands: top-ups asked for, automatic top-ups, and the time to decide without chips."""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from casino.errors import Code, Refusal
from casino.poker.cash import banzai
from casino.poker.cash.buy_in import BuyInRange, auto_top_up, top_up_range
from casino.poker.terms import Format, Stake

REBUY_MS: Final = 30_000
"""How long a player without chips keeps the seat."""


@dataclass(frozen=True, slots=True)
class SeatStack:
    """A player's chips at one table. `initial` is the buy-in of this sitting.

    `asked` is a top-up asked for during a hand. `rebuy_until_ms` is set while the seat has no chips.
    """

    stack: int
    initial: int
    is_auto: bool = False
    asked: int = 0
    rebuy_until_ms: int | None = None

    def has_expired(self, now_ms: int) -> bool:
        """Whether the player has not brought chips in time and leaves the table."""
        return self.rebuy_until_ms is not None and now_ms > self.rebuy_until_ms


class TopUp(NamedTuple):
    """The seat, and the amount to move from the account to it; 0 if nothing moves."""

    seat: SeatStack
    amount: int


def top_up_offer(stake: Stake, stack: int, initial: int) -> BuyInRange | None:
    """How much may be added between hands; None if nothing. At a Banzai stake it is one amount."""
    if stake.format is not Format.BANZAI:
        return top_up_range(stake, stack, initial)
    missing = banzai.top_up(stake, stack)
    return BuyInRange(missing, missing) if missing else None


def ask_top_up(stake: Stake, seat: SeatStack, amount: int, available: int, *, in_hand: bool) -> TopUp:
    """Add chips now, or after the hand if the player is in one.

    During a hand the stack may still change, so that only the amount itself is checked; `after_hand` decides.
    Refuses `not_offered`, `below_minimum`, `above_maximum`, `insufficient_funds`.
    """
    if amount < 1:
        raise Refusal(Code.BELOW_MINIMUM, "Enter an amount to add.", {"minimum": 1})
    if amount > available:
        raise Refusal(Code.INSUFFICIENT_FUNDS, "That is more than your available balance.")
    if in_hand:
        return TopUp(replace(seat, asked=amount), 0)
    offer = top_up_offer(stake, seat.stack, seat.initial)
    if offer is None:
        raise Refusal(Code.NOT_OFFERED, "You have as many chips as this table allows.")
    if amount < offer.smallest:
        raise Refusal(Code.BELOW_MINIMUM, "That is too little to add.", {"minimum": offer.smallest})
    if amount > offer.largest:
        raise Refusal(Code.ABOVE_MAXIMUM, "That is more than this table allows.", {"maximum": offer.largest})
    return _added(seat, amount)


def after_hand(
    stake: Stake, seat: SeatStack, stack: int, available: int, now_ms: int, *, may_add: bool = True
) -> TopUp:
    """The seat after a hand that ended with this stack: the top-up asked for, else the automatic one.

    A wish above the limit is reduced to it; one that is too small or no longer covered adds nothing. `may_add` is false
    if a limit of the player forbids more money at risk. A seat without chips is kept for 30 seconds.
    """
    asked, seat = seat.asked, replace(seat, stack=stack, asked=0)
    amount = 0
    if may_add:
        offer = top_up_offer(stake, stack, seat.initial)
        if asked and offer is not None:
            wanted = min(asked, offer.largest)
            amount = wanted if offer.smallest <= wanted <= available else 0
        if not amount and seat.is_auto:
            amount = _automatic(stake, seat, available)
    if amount or stack:
        return _added(seat, amount)
    return TopUp(replace(seat, rebuy_until_ms=now_ms + REBUY_MS), 0)


def _automatic(stake: Stake, seat: SeatStack, available: int) -> int:
    if stake.format is Format.BANZAI:
        return banzai.auto_top_up(stake, seat.stack, available)
    return auto_top_up(stake, seat.stack, seat.initial, available)


def _added(seat: SeatStack, amount: int) -> TopUp:
    return TopUp(replace(seat, stack=seat.stack + amount, rebuy_until_ms=None), amount)
