"""Terms of a hand: the game, the blinds, the ante and the rake. A hand keeps the terms it began with."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Game(StrEnum):
    NLHE = "nlhe"  # No-Limit Hold'em
    PLO = "plo"  # Pot-Limit Omaha

    @property
    def hole_cards(self) -> int:
        return HOLE_CARDS[self]


HOLE_CARDS: Final = {Game.NLHE: 2, Game.PLO: 4}

SEATS_MAX: Final = 10
"""Ten players with four cards each and a board of five use 45 of the 52 cards."""


class Showing(StrEnum):
    """Which live hands are shown at the showdown of a hand in which betting was possible on the river."""

    ALL = "all"
    LOSERS_MAY_MUCK = "losers_may_muck"  # cash tables only


@dataclass(frozen=True, slots=True)
class RakeTerms:
    """`permille` is the rake in tenths of a percent, `cap` the most it may be with four or more dealt in."""

    permille: int
    cap: int

    def __post_init__(self) -> None:
        if self.permille < 0 or self.cap < 0:
            raise ValueError("rake and cap must not be negative")


@dataclass(frozen=True, slots=True)
class Terms:
    """All amounts are whole minor units, or tournament chips. `rake` is None in tournaments."""

    game: Game
    small_blind: int
    big_blind: int
    ante: int = 0
    rake: RakeTerms | None = None
    showing: Showing = Showing.ALL

    def __post_init__(self) -> None:
        if self.big_blind < 1:
            raise ValueError("the big blind must be at least 1")
        if not 0 <= self.small_blind <= self.big_blind or self.ante < 0:
            raise ValueError("the small blind must be between 0 and the big blind, and the ante not negative")


class Format(StrEnum):
    """The kind of a cash stake, which decides how players may buy in."""

    REGULAR = "regular"
    DEEP = "deep"
    SHORT = "short"
    BANZAI = "banzai"


@dataclass(frozen=True, slots=True)
class Stake:
    """A cash stake as the lobby offers it. Buy-ins are in big blinds."""

    stake_id: str
    game: Game
    small_blind: int
    big_blind: int
    permille: int
    cap: int
    buy_in_min_bb: int = 50
    buy_in_max_bb: int = 100
    seats: int = 6
    format: Format = Format.REGULAR
    enabled: bool = True

    @property
    def terms(self) -> Terms:
        return Terms(self.game, self.small_blind, self.big_blind, rake=RakeTerms(self.permille, self.cap))
