"""What the house should have made: the exact return of each paytable, for the bets that were made under it.

It is the result with best play, to the minor unit; players who play worse leave more. How returns are counted and
kept is not known here: whoever asks brings them along.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple

from casino.uth.analysis import Analysis
from casino.uth.paytable import Paytable, parse_paytable

ReturnOf = Callable[[Paytable], Analysis | None]
"""The exact return of a paytable; None where nobody has counted it yet."""


class Bet(NamedTuple):
    """What was staked under one paytable, in minor units; what a reversal took back is taken off."""

    paytable: str
    ante: int
    trips: int


class Margin(NamedTuple):
    """What the house keeps of each unit."""

    ante: Fraction
    trips: Fraction


class Margins:
    """By paytable as it is written. An exact return takes milliseconds to add up, and thousands of lines share it."""

    def __init__(self, return_of: ReturnOf) -> None:
        self._return_of = return_of
        self._known: dict[str, Margin | None] = {}

    def of(self, written: str) -> Margin | None:
        if written not in self._known:
            exact = self._return_of(parse_paytable(written))
            self._known[written] = Margin(exact.house_edge, 1 - exact.trips_rtp) if exact else None
        return self._known[written]


def expected_minor(bets: Iterable[Bet], margins: Margins) -> int | None:
    """None if a return is not known."""
    total = Fraction()
    for bet in bets:
        margin = margins.of(bet.paytable)
        if margin is None:
            return None
        total += bet.ante * margin.ante + bet.trips * margin.trips
    return round(total)
