"""Paytables of BLIND and TRIPS, from the table's configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from casino.cards.ranking import CATEGORIES, Category
from casino.money import Odds

NO_GAIN: Final = Odds(0, 1)
_LOSES: Final = "-"
_COLUMN: Final = {category: column for column, category in enumerate(CATEGORIES)}


@dataclass(frozen=True, slots=True)
class Paytable:
    """Odds by category from high card to royal flush. `None` loses the bet, which only TRIPS can do."""

    blind: tuple[Odds, ...]
    trips: tuple[Odds | None, ...]

    def blind_odds(self, category: Category) -> Odds:
        return self.blind[_COLUMN[category]]

    def trips_odds(self, category: Category) -> Odds | None:
        return self.trips[_COLUMN[category]]

    def is_exact_for(self, chip_minor: int) -> bool:
        """True if no bet made of such chips can be paid a fraction of a minor unit."""
        return all(odds is None or odds.is_exact_for(chip_minor) for odds in (*self.blind, *self.trips))

    def __str__(self) -> str:
        """Both columns in one line, from high card up, which `parse_paytable` reads again."""
        return " ".join(",".join(str(odds or _LOSES) for odds in column) for column in (self.blind, self.trips))


BLIND_ODDS: Final[Mapping[Category, Odds]] = {
    Category.ROYAL_FLUSH: Odds(500, 1),
    Category.STRAIGHT_FLUSH: Odds(50, 1),
    Category.FOUR_OF_A_KIND: Odds(10, 1),
    Category.FULL_HOUSE: Odds(3, 1),
    Category.FLUSH: Odds(3, 2),
    Category.STRAIGHT: Odds(1, 1),
}

TRIPS_ODDS: Final[Mapping[Category, Odds | None]] = {
    Category.ROYAL_FLUSH: Odds(50, 1),
    Category.STRAIGHT_FLUSH: Odds(40, 1),
    Category.FOUR_OF_A_KIND: Odds(30, 1),
    Category.FULL_HOUSE: Odds(8, 1),
    Category.FLUSH: Odds(7, 1),
    Category.STRAIGHT: Odds(4, 1),
    Category.THREE_OF_A_KIND: Odds(3, 1),
}


def paytable(
    blind: Mapping[Category, Odds | None] = BLIND_ODDS, trips: Mapping[Category, Odds | None] = TRIPS_ODDS
) -> Paytable:
    """A paytable from what is paid; a hand not named pushes the BLIND and loses the TRIPS.

    A better hand never pays less than a lesser one, or a player would be sorry for a better card.
    """
    blind_column = tuple(blind.get(category) or NO_GAIN for category in CATEGORIES)
    trips_column = tuple(trips.get(category) for category in CATEGORIES)
    for spot, column in (("blind", blind_column), ("trips", trips_column)):
        for (lesser, less), (better, more) in pairwise(zip(CATEGORIES, column, strict=True)):
            if _worth(more) < _worth(less):
                raise ValueError(f"{spot}: {better} pays less than {lesser}")
    return Paytable(blind_column, trips_column)


def parse_paytable(text: str) -> Paytable:
    blind, trips = (tuple(_parse_odds(odds) for odds in column.split(",")) for column in text.split(" "))
    return Paytable(tuple(odds or NO_GAIN for odds in blind), trips)


def _parse_odds(text: str) -> Odds | None:
    if text == _LOSES:
        return None
    gain, stake = text.split(":")
    return Odds(int(gain), int(stake))


def _worth(odds: Odds | None) -> Fraction:
    return odds.ratio if odds else Fraction(-1)


STANDARD: Final = paytable()
