"""Money as an integer of minor units, without floats and without rounding."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from casino.errors import Code, Refusal

MINOR_MAX: Final = 10**12
"""Largest single amount: every sum of bets and payouts then stays far below 2^63."""

NO_CURRENCY: Final = "XXX"
"""ISO 4217: no currency is involved. Amounts are tournament chips, which have no value."""

UNUSUAL_DECIMALS: Final = {
    **dict.fromkeys(
        [
            "BIF",
            "CLP",
            "DJF",
            "GNF",
            "ISK",
            "JPY",
            "KMF",
            "KRW",
            "PYG",
            "RWF",
            "UGX",
            "UYI",
            "VND",
            "VUV",
            "XAF",
            "XOF",
            "XPF",
        ],
        0,
    ),
    **dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 3),
    **dict.fromkeys(["CLF", "UYW"], 4),
}
"""ISO 4217 currencies without exactly two decimals. `make protocol` writes the same list for the pages."""
_MAJOR_DIGITS_MAX: Final = 13


def decimals(currency: str) -> int:
    """Returns the decimals of a currency by ISO 4217, usually two."""
    return UNUSUAL_DECIMALS.get(currency, 2)


def parse_amount(text: str, currency: str) -> int:
    """Parses a positive amount in major units, such as `250.00`, into minor units."""
    digits = decimals(currency)
    fraction = rf"(?:\.([0-9]{{1,{digits}}}))?" if digits else "()"
    written = re.fullmatch(rf"([0-9]{{1,{_MAJOR_DIGITS_MAX}}}){fraction}", text)
    if written is None:
        example = format_amount(250 * 10**digits, currency)
        raise Refusal(Code.BAD_REQUEST, f"Write an amount of {currency} like {example}.")
    minor = int(written[1] + (written[2] or "").ljust(digits, "0"))
    if minor < 1:
        raise Refusal(Code.BAD_REQUEST, "The amount must be more than 0.")
    if minor > MINOR_MAX:
        raise Refusal(Code.BAD_REQUEST, f"The amount must not be above {format_amount(MINOR_MAX, currency)}.")
    return minor


def format_amount(minor: int, currency: str) -> str:
    """Formats an amount in major units with all decimals of its currency, such as `-0.05` or `250.00`."""
    digits = decimals(currency)
    whole, fraction = divmod(abs(minor), 10**digits)
    sign = "-" if minor < 0 else ""
    return f"{sign}{whole}.{fraction:0{digits}}" if digits else f"{sign}{whole}"


@dataclass(frozen=True, slots=True)
class Odds:
    """Net odds of a winning bet: `3:2` gains three for every two staked. `0:1` gains nothing, a push."""

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
        """Whether every multiple of the unit is paid without a fraction."""
        return unit_minor * self.gain % self.stake == 0

    def winnings_minor(self, bet_minor: int) -> int:
        winnings, fraction = divmod(bet_minor * self.gain, self.stake)
        if fraction:
            raise Refusal(Code.NOT_A_CHIP_MULTIPLE, f"{self} on a bet of {bet_minor} is not a whole amount.")
        return winnings
