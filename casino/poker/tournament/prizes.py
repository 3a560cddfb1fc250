"""Places paid and prizes of a tournament, for any number of entries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from functools import lru_cache
from itertools import accumulate, count
from typing import Final

SINGLE_PLACES: Final = 9
FIRST_BANDS: Final = (*range(1, SINGLE_PLACES + 1), 12, 15, 18, 27, 36, 45, 54)
"""Last places of the first bands: places 1 to 9 stand alone, later ones share a prize."""


@dataclass(frozen=True, slots=True)
class PayoutTerms:
    """`share_percent` of the field is paid; a place's weight is place ** -exponent.

    More than `by_table_above` places are rounded up to full tables, `by_three_from` or more to a multiple of three.
    """

    share_percent: int = 15
    exponent: Decimal = Decimal("0.85")
    by_three_from: int = 10
    by_table_above: int = 18
    bands: tuple[int, ...] = field(default=FIRST_BANDS)


STANDARD: Final = PayoutTerms()


def places_paid(entries: int, seats: int, terms: PayoutTerms = STANDARD, *, players_left: int | None = None) -> int:
    """How many places are paid for this many entries, re-entries counted.

    `players_left` bounds it where prizes are played for by survivors only, as in the second phase of flights.
    """
    if entries < 1 or seats < 2:
        raise ValueError("prizes need at least one entry and two seats per table")
    least = 1 if entries <= 4 else 2 if entries <= 8 else 3
    places = max(least, -(-terms.share_percent * entries // 100))
    if places > terms.by_table_above:
        places = _up_to_multiple(places, seats)
    elif places >= terms.by_three_from:
        places = _up_to_multiple(places, 3)
    return min(places, entries if players_left is None else players_left)


def _up_to_multiple(number: int, of: int) -> int:
    return -(-number // of) * of


def prizes_by_weight(pool: int, places: int, terms: PayoutTerms = STANDARD) -> list[int]:
    """The prize of each place, falling; units that are left go to the first place."""
    weights = _weights(places, terms)
    whole = sum(weights)
    prizes = [pool * weight // whole for weight in weights]
    prizes[0] += pool - sum(prizes)
    return prizes


def prizes_by_percent(pool: int, percents: Sequence[int], players: int | None = None) -> list[int]:
    """Fixed shares, such as 65 and 35 percent; units that are left go to the first place.

    So do the shares of places that fewer `players` cannot reach.
    """
    assert sum(percents) == 100, "shares are percentages of the whole pool"
    prizes = [pool * percent // 100 for percent in percents[:players]]
    prizes[0] += pool - sum(prizes)
    return prizes


@lru_cache(maxsize=64)
def _weights(places: int, terms: PayoutTerms) -> tuple[int, ...]:
    weights: list[int] = []
    ends = _band_ends(terms.bands)
    while len(weights) < places:
        end = min(next(ends), places)
        weights += [_weight(end, terms.exponent)] * (end - len(weights))
    return tuple(weights)


def _weight(place: int, exponent: Decimal) -> int:
    with localcontext() as context:
        context.prec = 40
        return int((Decimal(10) ** 12 * Decimal(place) ** -exponent).to_integral_value())


def _band_ends(first: tuple[int, ...]) -> Iterator[int]:
    """The last place of each band: the given ones, then three bands each of 18, 36, 72 … places."""
    yield from first[:-1]
    sizes = (2 * SINGLE_PLACES * 2**doubled for doubled in count() for _ in range(3))
    yield from accumulate(sizes, initial=first[-1])
