"""Phases of a round, and the cards dealt in each.

Cards are always dealt in one order: the player hand (seat by seat at an own-hands table), the board, the dealer.
The dealer's two come last, so that not even the round knows them before the last decision is closed.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from casino.uth.bets import Action


class Phase(StrEnum):
    IDLE = "idle"  # ended without a bet
    BETTING = "betting"
    DEALING_HOLE = "dealing_hole"
    DECIDING_PREFLOP = "deciding_preflop"
    DEALING_FLOP = "dealing_flop"
    DECIDING_FLOP = "deciding_flop"
    DEALING_RIVER = "dealing_river"  # turn and river, together
    DECIDING_RIVER = "deciding_river"
    SHOWDOWN = "showdown"
    SETTLED = "settled"
    CANCELLED = "cancelled"


AFTER: Final = {
    Phase.BETTING: Phase.DEALING_HOLE,
    Phase.DEALING_HOLE: Phase.DECIDING_PREFLOP,
    Phase.DECIDING_PREFLOP: Phase.DEALING_FLOP,
    Phase.DEALING_FLOP: Phase.DECIDING_FLOP,
    Phase.DECIDING_FLOP: Phase.DEALING_RIVER,
    Phase.DEALING_RIVER: Phase.DECIDING_RIVER,
    Phase.DECIDING_RIVER: Phase.SHOWDOWN,
    Phase.SHOWDOWN: Phase.SETTLED,
}

OVER: Final = frozenset({Phase.IDLE, Phase.SETTLED, Phase.CANCELLED})

CANCELLABLE: Final = tuple(phase for phase in Phase if phase not in OVER)
"""The phases a round can be cancelled in, in their order."""

OFFERED: Final[dict[Phase, tuple[Action, ...]]] = {
    Phase.DECIDING_PREFLOP: (Action.PLAY_4X, Action.PLAY_3X, Action.CHECK),
    Phase.DECIDING_FLOP: (Action.PLAY_2X, Action.CHECK),
    Phase.DECIDING_RIVER: (Action.PLAY_1X, Action.FOLD),
}
"""The decision windows in their order, and what each offers to those who have not played yet."""

UNANSWERED: Final = {phase: offered[-1] for phase, offered in OFFERED.items()}
"""Default actions after a timeout: CHECK, CHECK, FOLD."""

SEATS_MAX: Final = 7
"""At an own-hands table: seven hands, the board and the dealer use 21 cards."""

BOARD_SLOTS: Final = ("flop_1", "flop_2", "flop_3", "turn", "river")
DEALER_SLOTS: Final = ("dealer_1", "dealer_2")
_SHARED_SLOTS: Final = ("player_1", "player_2")

# How many cards, beyond all player hands, are out when the dealing phase is complete.
_CARDS_AFTER_HANDS: Final = {
    Phase.DEALING_HOLE: 0,
    Phase.DEALING_FLOP: 3,
    Phase.DEALING_RIVER: 5,
    Phase.SHOWDOWN: 7,
}
DEALING: Final = frozenset(_CARDS_AFTER_HANDS)


def slots(seat_numbers: Sequence[int]) -> tuple[str, ...]:
    """Every card of the round by name, in dealing order. No seat numbers: the hand is shared."""
    hands = tuple(f"seat_{seat}_card_{card}" for seat in seat_numbers for card in (1, 2)) or _SHARED_SLOTS
    return hands + BOARD_SLOTS + DEALER_SLOTS


def slot_name(slot: str) -> str:
    """The position as staff and players say it: `FLOP 1`, `SEAT 3 CARD 1`."""
    return slot.replace("_", " ").upper()


def deck_places(*, is_shared: bool) -> Mapping[str, int]:
    """The fixed place of every card in the deck of a machine-dealt round, by slot, whichever seats have bet.

    Shared hand: player 0-1, board 2-6, dealer 7-8. Own hands: seat n at 2n-2 and 2n-1, board 14-18, dealer 19-20.
    """
    return _SHARED_PLACES if is_shared else _OWN_PLACES


def cards_due(phase: Phase, hands: int) -> int:
    """How many cards are on the table once this dealing phase is complete."""
    return 2 * hands + _CARDS_AFTER_HANDS[phase]


_SHARED_PLACES: Final = {slot: place for place, slot in enumerate(slots(()))}
_OWN_PLACES: Final = {slot: place for place, slot in enumerate(slots(range(1, SEATS_MAX + 1)))}
