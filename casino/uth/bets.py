"""Betting spots of a player, and the decisions about them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol, TypeVar


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


class _Amount(Protocol):
    """A number of minor units, or a column of them."""

    def __add__(self, other: Any, /) -> Any: ...  # noqa: ANN401  as the number or column defines it
    def __rmul__(self, other: Any, /) -> Any: ...  # noqa: ANN401


_A = TypeVar("_A", bound=_Amount)


def initial_stake(ante: _A, trips: _A) -> _A:
    """Returns the amount a player puts down before the first card: ANTE, the equal BLIND, and TRIPS."""
    stake: _A = 2 * ante + trips
    return stake


class Bets(NamedTuple):
    """Bets of one player, in minor units. BLIND is always equal to ANTE."""

    ante: int
    trips: int = 0
    play: int = 0

    @property
    def blind(self) -> int:
        return self.ante

    @property
    def total(self) -> int:
        return initial_stake(self.ante, self.trips) + self.play

    @property
    def total_max(self) -> int:
        """The most this round can cost: the bets so far and the largest PLAY."""
        return initial_stake(self.ante, self.trips) + PLAY_MULTIPLE_MAX * self.ante


@dataclass(frozen=True, slots=True)
class Limits:
    """Bet limits of a table, in minor units. Every bet is a multiple of the smallest chip."""

    ante_min: int
    ante_max: int
    trips_min: int
    trips_max: int
    smallest_chip: int
