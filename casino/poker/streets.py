"""The four betting rounds of a hand, and how many board cards each begins with."""

from enum import StrEnum
from typing import Final


class Street(StrEnum):
    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


NEXT: Final = {Street.PREFLOP: Street.FLOP, Street.FLOP: Street.TURN, Street.TURN: Street.RIVER}
NEW_CARDS: Final = {Street.FLOP: 3, Street.TURN: 1, Street.RIVER: 1}
BOARD_CARDS: Final = 5
