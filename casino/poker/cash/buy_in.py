"""Buy-ins and top-ups at a cash table, and protection from ratholing: leaving with many chips, returning with few.

A player who leaves with a large stack and returns with a small one takes chips out of play (ratholing). For 30 minutes
the stack a player left with therefore decides how much the player may bring.
"""

from typing import Final, NamedTuple

from casino.poker.terms import Format, Stake

RETURN_MS: Final = 30 * 60 * 1000
"""How long a table remembers the stack of a player who left."""
FREE_RETURNS: Final = 5
"""How often a day a player may come back to a table with 100 big blinds after leaving it with more."""


class BuyInRange(NamedTuple):
    """Any whole amount from `smallest` to `largest`."""

    smallest: int
    largest: int


def is_remembered(left_ms: int, now_ms: int, return_ms: int = RETURN_MS) -> bool:
    """Whether a player who left then still counts as coming back."""
    return now_ms - left_ms < return_ms


def buy_in_range(stake: Stake, last: int | None, returns_today: int) -> BuyInRange:
    """How much a player may buy in for; Banzai has its own rule in `banzai.py`.

    `last` is the remembered stack the player left with, or None: at a regular stake from this very table, at a deep or
    short stake from any table of the pool. `returns_today` is the player's count of `is_counted_return` before.
    """
    assert stake.format is not Format.BANZAI, "a Banzai buy-in is no range"
    smallest, largest = regular_range(stake)
    if last is None:
        return BuyInRange(smallest, largest)
    if stake.format is not Format.REGULAR:
        return BuyInRange(max(smallest, last), max(largest, last))
    if last < largest:
        return BuyInRange(max(smallest, last), largest)
    return BuyInRange(largest if returns_today < FREE_RETURNS else last, last)


def regular_range(stake: Stake) -> BuyInRange:
    """The range of a player who has not been there before."""
    return BuyInRange(stake.buy_in_min_bb * stake.big_blind, stake.buy_in_max_bb * stake.big_blind)


def is_counted_return(stake: Stake, last: int | None) -> bool:
    """Whether sitting down again counts as a return: the player left this table with 100 big blinds or more."""
    return last is not None and last >= 100 * stake.big_blind


def top_up_range(stake: Stake, stack: int, initial: int) -> BuyInRange | None:
    """How much a player may add between hands; None if nothing.

    `initial` is what the player sat down with. A player without chips must bring at least the smallest buy-in.
    """
    smallest, largest = regular_range(stake)
    most = max(largest, initial) - stack
    if most <= 0:
        return None
    return BuyInRange(smallest if not stack else 1, most)


def auto_top_up(stake: Stake, stack: int, initial: int, available: int) -> int:
    """Returns the top-up after a hand: up to the initial buy-in, or all the player has if that is a big blind."""
    missing = max(initial - stack, 0)
    if available < missing and available < stake.big_blind:
        return 0
    return min(missing, available)
