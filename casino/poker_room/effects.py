"""Effects: what a table asks the room to do after it has handled a message or a deadline."""

from typing import NamedTuple

from casino.poker.state import Hand
from casino.poker_room.hand_record import HandRecord
from casino.poker_room.occupants import DepartureReason


class StoreHand(NamedTuple):
    """Store the hand, then call `stored` or `not_stored` of the table."""

    record: HandRecord


class StoreShownCards(NamedTuple):
    """Cards that a player has shown voluntarily."""

    hand_id: str
    player_id: str
    cards: tuple[str, ...]
    at_ms: int


class Depart(NamedTuple):
    """Return the player's chips to the account, then call `stand_up` of the table."""

    player_id: str
    reason: DepartureReason


class AddChips(NamedTuple):
    """Add the chips that were asked for, or the automatic top-up, then call `chips_added` of the table."""

    player_id: str


class SatOut(NamedTuple):
    """The house has acted for a silent player, who sits out from now on; at other tables, too."""

    player_id: str


class PassedByBigBlind(NamedTuple):
    """The big blind has come to a player who wanted to sit out before it."""

    player_id: str


class ReportHand(NamedTuple):
    """A hand of a tournament table is stored: its director decides what follows."""

    hand: Hand


Effect = StoreHand | StoreShownCards | Depart | AddChips | SatOut | PassedByBigBlind | ReportHand
