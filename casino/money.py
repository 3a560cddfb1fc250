"""Money is an integer of minor units. There is no float and no rounding here, nor anywhere money is moved."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from casino.errors import Code, Refusal

MINOR_MAX: Final = 10**12
"""No single amount may be larger: every sum of bets and pays then stays far below 2^63."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What a winning bet gains: `3:2` gains three for every two staked. `0:1` gains nothing, a push."""

    gain: int
    stake: int

    def __post_init__(self) -> None:
        if self.gain < 0 or self.stake < 1:
            raise ValueError(f"odds must be a whole number to a positive whole number, not {self}")

    def __str__(self) -> str:
        return f"{self.gain}:{self.stake}"

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.gain, self.stake)

    def is_exact_for(self, unit_minor: int) -> bool:
        """True if every multiple of the unit is paid without a fraction."""
        return unit_minor * self.gain % self.stake == 0

    def winnings_minor(self, bet_minor: int) -> int:
        winnings, fraction = divmod(bet_minor * self.gain, self.stake)
        if fraction:
            raise Refusal(Code.NOT_A_CHIP_MULTIPLE, f"{self} on a bet of {bet_minor} is not a whole amount.")
        return winnings
