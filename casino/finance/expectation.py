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


def expected_minor(bets: Iterable[Bet], return_of: ReturnOf) -> int | None:
    """None if a return is not known."""
    total = Fraction()
    for bet in bets:
        exact = return_of(parse_paytable(bet.paytable))
        if exact is None:
            return None
        total += bet.ante * exact.house_edge + bet.trips * (1 - exact.trips_rtp)
    return round(total)
