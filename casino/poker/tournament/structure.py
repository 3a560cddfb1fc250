"""Blind structures: the levels of a tournament and how long each lasts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from casino.poker.terms import Game, Terms

MINUTE_MS: Final = 60_000
DOUBLING_STEP: Final = 3


@dataclass(frozen=True, slots=True)
class Level:
    small_blind: int
    big_blind: int
    ante: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.small_blind <= self.big_blind or not 0 <= self.ante < self.big_blind:
            raise ValueError("a level has a small blind up to its big blind, and an ante below it")

    def __str__(self) -> str:
        return f"{self.small_blind}/{self.big_blind}" + (f"/{self.ante}" if self.ante else "")

    def terms(self, game: Game) -> Terms:
        """Terms of a hand at this level. Tournament hands are never raked."""
        return Terms(game, self.small_blind, self.big_blind, self.ante)


def parse_level(text: str) -> Level:
    """`50/100/10` or `25/50`: small blind, big blind and ante. Raises `ValueError` if it is no level."""
    parts = text.split("/")
    if len(parts) not in (2, 3) or not all(part.isdecimal() and len(part) <= 12 for part in parts):
        raise ValueError("a level is written 25/50 or 50/100/10")
    return Level(*map(int, parts))


def extended(levels: Sequence[Level], count: int) -> tuple[Level, ...]:
    """The levels up to this number: each further one doubles the level three before it."""
    longer = list(levels)
    while len(longer) < count:
        before = longer[-DOUBLING_STEP]
        longer.append(Level(2 * before.small_blind, 2 * before.big_blind, 2 * before.ante))
    return tuple(longer)


@dataclass(frozen=True, slots=True)
class Structure:
    """`minutes` of running time per level; breaks do not count. The last level stays for the rest of the tournament."""

    name: str
    minutes: int
    levels: tuple[Level, ...]

    @property
    def level_ms(self) -> int:
        return self.minutes * MINUTE_MS

    def number_at(self, running_ms: int) -> int:
        """The number of the level in force, counted from 1, after this much running time."""
        return min(running_ms // self.level_ms + 1, len(self.levels))

    def level(self, number: int) -> Level:
        return self.levels[min(number, len(self.levels)) - 1]


HOUR_MS: Final = 60 * MINUTE_MS
BREAK_AT_MS: Final = 55 * MINUTE_MS


def next_break_ms(now_ms: int) -> int:
    """The next time at 55 minutes past a full hour, this moment included."""
    past = (now_ms - BREAK_AT_MS) % HOUR_MS
    return now_ms if past == 0 else now_ms + HOUR_MS - past


def synchronised_breaks(structure: Structure, started_ms: int, break_ms: int) -> Iterator[int]:
    """The times at which breaks are due, without end. None falls into level 1.

    A break is assumed to begin on time; in play it begins when the last table has finished its hand.
    """
    running_ms = 0
    now_ms = started_ms
    while True:
        due_ms = next_break_ms(now_ms)
        running_ms += due_ms - now_ms
        if running_ms >= structure.level_ms:
            yield due_ms
            now_ms = due_ms + break_ms
        else:
            running_ms += 1
            now_ms = due_ms + 1
