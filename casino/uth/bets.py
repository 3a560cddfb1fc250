"""The four spots and what a player may do about them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple


class Action(StrEnum):
    """A decision. PLAY puts a multiple of the ANTE on the PLAY spot, once per round."""

    PLAY_4X = "play_4x"
    PLAY_3X = "play_3x"
    PLAY_2X = "play_2x"
    PLAY_1X = "play_1x"
    CHECK = "check"
    FOLD = "fold"


PLAY_MULTIPLE: Final = {
    Action.PLAY_4X: 4,
    Action.PLAY_3X: 3,
    Action.PLAY_2X: 2,
    Action.PLAY_1X: 1,
    Action.CHECK: 0,
    Action.FOLD: 0,
}

PLAY_MULTIPLE_MAX: Final = max(PLAY_MULTIPLE.values())


class Bets(NamedTuple):
    """What one player has on the table, in minor units. BLIND is always equal to ANTE."""

    ante: int
    trips: int = 0
    play: int = 0

    @property
    def blind(self) -> int:
        return self.ante

    @property
    def total(self) -> int:
        return 2 * self.ante + self.trips + self.play

    @property
    def total_max(self) -> int:
        """The most this round can cost: the bets so far and the largest PLAY."""
        return (2 + PLAY_MULTIPLE_MAX) * self.ante + self.trips


@dataclass(frozen=True, slots=True)
class Limits:
    """What a table takes on a spot, in minor units. Every bet is a multiple of the smallest chip."""

    ante_min: int
    ante_max: int
    trips_min: int
    trips_max: int
    smallest_chip: int
