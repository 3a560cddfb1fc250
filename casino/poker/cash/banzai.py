"""Banzai stakes: all players sit down with the same stack, and a larger one is carried to the next table."""

from collections.abc import Sequence
from typing import Final

from casino.poker.terms import Format, Stake

RESETS_MAX: Final = 5
"""How often a day a player may start with the fixed stack instead of a carried one."""


def fixed_stack(stake: Stake) -> int:
    assert stake.format is Format.BANZAI, "other stakes have a range of buy-ins"
    return stake.buy_in_max_bb * stake.big_blind


def is_carried(stake: Stake, stack: int) -> bool:
    """Whether a player who leaves with this stack must bring it to the next table of the stake for 30 minutes."""
    return stack > fixed_stack(stake)


def buy_ins(stake: Stake, carried: Sequence[int], resets_today: int) -> tuple[int, ...]:
    """The amounts a player may choose from: the largest carried stack first, then a reset while there is one left."""
    if not carried:
        return (fixed_stack(stake),)
    largest = max(carried)
    return (largest, fixed_stack(stake)) if resets_today < RESETS_MAX else (largest,)


def top_up(stake: Stake, stack: int) -> int:
    """The one amount a rebuy or top-up may have: it makes the stack the fixed one. 0 if the stack is not smaller."""
    return max(fixed_stack(stake) - stack, 0)


def auto_top_up(stake: Stake, stack: int, available: int) -> int:
    """Returns the automatic top-up after a hand: the whole top-up, or nothing if the player has less."""
    missing = top_up(stake, stack)
    return missing if available >= missing else 0
