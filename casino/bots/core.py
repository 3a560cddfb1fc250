"""Core of every bot: when it acts, what it bets, how it decides and how long it thinks.

A bot knows no socket and no table. Its callers show it windows of a round and send what it answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TypeVar

from casino.uth.phases import OFFERED, Phase

Stakes = tuple[int, int]
"""ANTE and TRIPS in minor units."""
ActionT = TypeVar("ActionT", bound=str)


@dataclass(frozen=True, slots=True)
class Habits:
    """Amounts and probabilities a bot plays by."""

    stakes: Sequence[Stakes]
    """All equally likely; repeat one to make it more likely."""
    play_rates: Mapping[Phase, float] | None = None
    """Probability of the largest PLAY instead of CHECK or FOLD. Without rates all options are equally likely."""
    silence: float = 0.0
    """Probability of no decision."""
    thinking: tuple[float, float] = (0.0, 0.0)
    """The least and the largest part of a window that passes before the bot acts."""


class BotCore:
    __slots__ = ("_acted_in", "_habits", "_random")

    def __init__(self, habits: Habits, random: Random) -> None:
        self._habits = habits
        self._random = random
        self._acted_in: tuple[str, str] | None = None

    def may_act(self, round_id: str, phase: str) -> bool:
        """Whether the window takes bets or decisions and the bot has not acted in it."""
        return (phase == Phase.BETTING or phase in OFFERED) and self._acted_in != (round_id, phase)

    def act(self, round_id: str, phase: str) -> None:
        """Records that the bot acts in this window. A bot acts once per window."""
        self._acted_in = (round_id, phase)

    def retry(self) -> None:
        """Lets the bot act in the same window again: the table was paused, or the bet was returned."""
        self._acted_in = None

    def stakes(self) -> Stakes:
        return self._random.choice(self._habits.stakes)

    def decide(self, phase: str, options: Sequence[ActionT]) -> ActionT | None:
        """Returns one of the options, of which the largest PLAY is the first; None for no decision."""
        habits, random = self._habits, self._random
        if habits.silence and random.random() < habits.silence:
            return None
        if habits.play_rates is None:
            return random.choice(options)
        return options[0] if random.random() < habits.play_rates[Phase(phase)] else options[-1]

    def delay(self, window_seconds: float) -> float:
        return window_seconds * self._random.uniform(*self._habits.thinking)


def all_stakes(antes: Sequence[int], trips: Sequence[int]) -> tuple[Stakes, ...]:
    """Every ANTE with every TRIPS."""
    return tuple(product(antes, trips))


def chips_up(minor: int, chip: int) -> int:
    """The least multiple of the chip that is no less than the amount."""
    return -(-minor // chip) * chip


def chips_down(minor: int, chip: int) -> int:
    return minor // chip * chip
