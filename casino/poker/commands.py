"""Commands to a hand. The rules elsewhere decide whether a command is allowed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from casino.poker.betting import Action
from casino.poker.positions import Positions
from casino.poker.terms import Terms


class Entrant(NamedTuple):
    """A player who is dealt in. `dead` is paid into the pot before anything else, and is no bet."""

    seat_no: int
    player_id: str
    stack: int
    dead: int = 0


@dataclass(frozen=True, slots=True)
class OpenHand:
    """Begin a hand with these players. `root` is the published commitment to the deck, if there is one."""

    hand_id: str
    table_id: str
    number: int
    terms: Terms
    seats: tuple[Entrant, ...]
    positions: Positions
    root: str | None = None


class Act(NamedTuple):
    """A player's answer to the question with this `turn` number. `amount` is a raise's total for the street."""

    hand_id: str
    turn: int
    player_id: str
    action: Action
    amount: int = 0


class Cause(StrEnum):
    """Why the house acts for a player."""

    CLOCK = "clock"  # time is over
    LINE = "line"  # the connection was lost for too long
    SITTING_OUT = "sitting_out"
    LEFT = "left"


class TimeOver(NamedTuple):
    """Act for the silent player: check if that is free, else fold. Absent players always fold."""

    hand_id: str
    turn: int
    by: Cause


class DealBoard(NamedTuple):
    """The board cards the hand wants, from the shoe or from a scanner."""

    hand_id: str
    cards: tuple[str, ...]


class Reveal(NamedTuple):
    """The hole cards of exactly those seats the hand wants to see."""

    hand_id: str
    hands: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Show:
    """A player shows own cards after the hand. The dealer has checked that they are that player's."""

    hand_id: str
    player_id: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VoidHand:
    """Rolls the hand back: every player has the stack from its start."""

    hand_id: str
    reason: str
    by: str


Command = Act | TimeOver | DealBoard | Reveal | Show | VoidHand
