"""Terms of a round: layout, limits, paytable and times. A round keeps the terms it began with."""

from dataclasses import dataclass
from enum import StrEnum

from casino.uth.bets import Limits
from casino.uth.paytable import Paytable
from casino.uth.phases import SEATS_MAX


class Layout(StrEnum):
    SHARED = "shared"  # one player hand for all, any number of players
    OWN = "own"  # each seat has two cards of its own


@dataclass(frozen=True, slots=True)
class Windows:
    """Times of a round in milliseconds; `confirm` is the time to take back a scanned card."""

    betting_ms: int
    decide_preflop_ms: int
    decide_flop_ms: int
    decide_river_ms: int
    confirm_ms: int = 0


@dataclass(frozen=True, slots=True)
class Terms:
    layout: Layout
    limits: Limits
    paytable: Paytable
    windows: Windows
    seats: int = SEATS_MAX
    """How many may sit at an own-hands table."""
