"""Expected result of the house: the exact return of each paytable, applied to the bets made under it.

It assumes best play, to the minor unit; players who play worse lose more. The caller provides the returns.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple

from casino.uth.analysis import Analysis
from casino.uth.paytable import Paytable, parse_paytable

ReturnOf = Callable[[Paytable], Analysis | None]
"""Returns the exact return of a paytable; None if it is not computed yet."""


class Bet(NamedTuple):
    """Stakes under one paytable, in minor units, minus reversals."""

    paytable: str
    ante: int
    trips: int


class Margin(NamedTuple):
    """Share of each unit that the house keeps."""

    ante: Fraction
    trips: Fraction


class Margins:
    """Margins by paytable text. Summing an exact return takes milliseconds, and thousands of lines share it."""

    def __init__(self, return_of: ReturnOf) -> None:
        self._return_of = return_of
        self._known: dict[str, Margin | None] = {}

    def of(self, written: str) -> Margin | None:
        if written not in self._known:
            exact = self._return_of(parse_paytable(written))
            self._known[written] = Margin(exact.house_edge, 1 - exact.trips_rtp) if exact else None
        return self._known[written]


def expected_minor(bets: Iterable[Bet], margins: Margins) -> int | None:
    """Returns None if a return is unknown."""
    total = Fraction()
    for bet in bets:
        margin = margins.of(bet.paytable)
        if margin is None:
            return None
        total += bet.ante * margin.ante + bet.trips * margin.trips
    return round(total)


def expected_sum(cells: Iterable[Iterable[Bet]], margins: Margins) -> int | None:
    """Returns the sum of cells that are rounded one by one; None if a return is unknown."""
    total = 0
    for bets in cells:
        expected = expected_minor(bets, margins)
        if expected is None:
            return None
        total += expected
    return total
