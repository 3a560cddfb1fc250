"""Rake of a cash hand: the amount, its spread over the pots, and each player's contribution to it."""

from collections.abc import Sequence
from typing import Final

from casino.poker.shares import in_proportion
from casino.poker.terms import RakeTerms

SHORT_HANDED_MAX: Final = 3
"""With at most this many players dealt in, the cap is halved."""


def cap_for(terms: RakeTerms, dealt_in: int) -> int:
    return terms.cap // 2 if dealt_in <= SHORT_HANDED_MAX else terms.cap


def rake_of(terms: RakeTerms | None, pot: int, dealt_in: int, *, flop_dealt: bool) -> int:
    """Rake of a hand: to the nearest unit, at least 1, at most the cap of the hand; 0 without a flop.

    `pot` is the sum of all pots after an uncalled bet has been returned. The cap counts per hand, not per pot.
    """
    if terms is None or not flop_dealt or not pot:
        return 0
    nearest = (pot * terms.permille + 500) // 1000
    return min(max(nearest, 1), cap_for(terms, dealt_in))


def spread_over_pots(rake: int, pots: Sequence[int]) -> list[int]:
    """The part of each pot, by largest remainder; ties go to the lower pot number."""
    return in_proportion(rake, pots)


def contributed(rake: int, totals: Sequence[int]) -> list[int]:
    """Each player's part of the rake for reports.

    `totals` is what each player has put in without the uncalled bet, clockwise from the player left of the button.
    """
    return in_proportion(rake, totals)
