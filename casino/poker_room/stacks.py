"""Chips of a seat between hands: top-ups asked for, and automatic top-ups."""

from dataclasses import dataclass

from casino.poker.cash import banzai
from casino.poker.cash.buy_in import BuyInRange, auto_top_up, top_up_range
from casino.poker.terms import Format, Stake
from casino.refusals import Reason


@dataclass(frozen=True, slots=True)
class SeatStack:
    """A player's chips at one table. `initial` is the sitting's buy-in, `requested` a top-up to make after the hand."""

    stack: int
    initial: int
    is_auto: bool = False
    requested: int = 0


def top_up_offer(stake: Stake, stack: int, initial: int) -> BuyInRange | None:
    """How much may be added between hands; None if nothing. At a Banzai stake it is one amount."""
    if stake.format is not Format.BANZAI:
        return top_up_range(stake, stack, initial)
    missing = banzai.top_up(stake, stack)
    return BuyInRange(missing, missing) if missing else None


def verify_top_up(stake: Stake, seat: SeatStack, amount: int, available: int, *, in_hand: bool) -> None:
    """Refuses `not_offered`, `below_minimum`, `above_maximum` or `insufficient_funds` to a player who asks for chips.

    During a hand the stack may still change, so that only the amount itself is checked; `after_hand` decides.
    """
    if amount < 1:
        raise Reason.TOP_UP_BELOW_MINIMUM.refusal(minimum=1)
    if amount > available:
        raise Reason.ABOVE_AVAILABLE.refusal()
    if in_hand:
        return
    offer = top_up_offer(stake, seat.stack, seat.initial)
    if offer is None:
        raise Reason.STACK_FULL.refusal()
    if amount < offer.smallest:
        raise Reason.TOP_UP_BELOW_MINIMUM.refusal(minimum=offer.smallest)
    if amount > offer.largest:
        raise Reason.TOP_UP_ABOVE_MAXIMUM.refusal(maximum=offer.largest)


def after_hand(stake: Stake, seat: SeatStack, available: int) -> int:
    """Returns the chips to add to the seat after a hand: the top-up asked for, else the automatic one.

    A request above the limit is reduced to it; one that is too small or no longer covered adds nothing.
    """
    offer = top_up_offer(stake, seat.stack, seat.initial)
    if seat.requested and offer is not None:
        wanted = min(seat.requested, offer.largest)
        if offer.smallest <= wanted <= available:
            return wanted
    return _automatic(stake, seat, available) if seat.is_auto else 0


def _automatic(stake: Stake, seat: SeatStack, available: int) -> int:
    if stake.format is Format.BANZAI:
        return banzai.auto_top_up(stake, seat.stack, available)
    return auto_top_up(stake, seat.stack, seat.initial, available)
