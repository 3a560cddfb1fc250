"""HexaPro, a jackpot Sit & Go: three players at one table, and a prize pool that is a drawn multiple of one buy-in."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Final

from casino.poker.terms import Game
from casino.poker.tournament.prizes import prizes_by_percent
from casino.poker.tournament.structure import Level

DRAW_OF: Final = 100_000
"""A draw is a number from 0 to one below this."""

PLAYERS: Final = 3
LONG_CLOCK_FROM: Final = 25
"""From this multiplier on players have the longer clock."""


@dataclass(frozen=True, slots=True)
class Prize:
    """One multiplier of a product. `chances` of 100,000; `percents` are the shares of the places."""

    multiplier: int
    chances: int
    percents: tuple[int, ...]
    stack: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Draw:
    """The result of a draw. `pool` is the multiple of one buy-in; `fee` is contained in each buy-in.

    The house adds or keeps the difference between the pool and the three buy-ins.
    """

    number: int
    multiplier: int
    pool: int
    fee: int


@dataclass(frozen=True)
class Product:
    """`buy_ins` are offered; `off` are known and not offered. `fee_per_100000` counts only when a game is cancelled."""

    product_id: str
    name: str
    game: Game
    buy_ins: tuple[int, ...]
    off: tuple[int, ...]
    fee_per_100000: int
    levels: tuple[Level, ...]
    prizes: tuple[Prize, ...]

    def __post_init__(self) -> None:
        multipliers = [prize.multiplier for prize in self.prizes]
        if multipliers != sorted(set(multipliers), reverse=True):
            raise ValueError("multipliers are listed once each, from the largest down")
        chances = sum(prize.chances for prize in self.prizes)
        if chances != DRAW_OF:
            raise ValueError(f"the chances must sum to {DRAW_OF}, and they sum to {chances}")

    @cached_property
    def mean(self) -> Fraction:
        """The expected multiplier."""
        return Fraction(sum(prize.multiplier * prize.chances for prize in self.prizes), DRAW_OF)

    @property
    def rake(self) -> Fraction:
        """The part of three buy-ins that is not paid out on average."""
        return 1 - self.mean / PLAYERS

    @property
    def odds(self) -> Mapping[int, int]:
        """Chances of 100,000 by multiplier, the largest first."""
        return {prize.multiplier: prize.chances for prize in self.prizes}

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return tuple(accumulate(prize.chances for prize in self.prizes))

    def prize(self, multiplier: int) -> Prize:
        return next(prize for prize in self.prizes if prize.multiplier == multiplier)

    def drawn(self, number: int) -> Prize:
        """The prize a drawn number leads to: the smallest numbers have the largest multiplier."""
        if not 0 <= number < DRAW_OF:
            raise ValueError(f"a draw is a number from 0 to {DRAW_OF - 1}")
        return next(prize for prize, end in zip(self.prizes, self._ends, strict=True) if number < end)

    def draw(self, number: int, buy_in: int) -> Draw:
        multiplier = self.drawn(number).multiplier
        return Draw(number, multiplier, multiplier * buy_in, self.fee(buy_in))

    def fee(self, buy_in: int) -> int:
        """The fee contained in a buy-in, to the nearest unit, half up."""
        return (buy_in * self.fee_per_100000 + DRAW_OF // 2) // DRAW_OF


def prizes_of(prize: Prize, buy_in: int) -> list[int]:
    """The prizes of a game, the winner's first; they sum to the multiple of one buy-in."""
    return prizes_by_percent(prize.multiplier * buy_in, prize.percents)


def has_long_clock(multiplier: int) -> bool:
    return multiplier >= LONG_CLOCK_FROM


def draw_commitment(secret: str, number: int) -> str:
    """SHA-256, in hexadecimal, of the ASCII text `secret:number`: published before anybody can register."""
    return hashlib.sha256(f"{secret}:{number}".encode()).hexdigest()
