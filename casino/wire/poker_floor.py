"""The floor of the poker room, for managers: its tables, and what voiding a running hand would return."""

from typing import Literal

from typing_extensions import TypedDict

from casino.wire.common import Count, Minor, Moment, Pause
from casino.wire.poker_hands import PokerSeatNo


class PokerFloorTable(TypedDict):
    table_id: str
    name: str
    pool: str
    currency: str
    phase: Literal["waiting", "playing", "storing", "stopped"]
    """`stopped`: a hand could not be stored, and staff decide."""
    players: Count
    present: Count
    seats: PokerSeatNo
    hand_id: str | None
    """Of the running hand."""
    hand_no: Count
    pot: Minor
    chips: Minor
    """All chips of the seats, those of the running hand as at its start."""
    idle_since: Moment | None
    paused: Pause | None


class PokerFloor(TypedDict):
    tables: list[PokerFloorTable]


class ReturnedStack(TypedDict):
    """What a player would have after the hand is voided: the stack from its start."""

    player_id: str
    name: str
    seat_no: PokerSeatNo
    stack: Minor
    """Now, with the bets of the hand gone."""
    start: Minor


class VoidPreview(TypedDict):
    hand_id: str
    returns: list[ReturnedStack]
