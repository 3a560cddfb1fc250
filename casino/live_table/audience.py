"""What a step of the round means for everybody who listens: built once, sent by the table.

Everybody hears when phase, cards, pause or deadline change. One player hears when the own seat changes.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from casino.table.messages import Payload
from casino.uth.events import (
    BetPlaced,
    BettingClosed,
    BettingVoided,
    CardCorrected,
    CardDealt,
    CardUndone,
    DecisionMade,
    Event,
    RoundCancelled,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
    RoundSettled,
    WindowClosed,
    WindowOpened,
)
from casino.uth.results import results
from casino.uth.settlement import SeatResult
from casino.uth.state import Round
from casino.uth.views import result_view, seat_view

_WHOLE_TABLE: Final = (
    BettingClosed,
    WindowOpened,
    WindowClosed,
    RoundPaused,  # nothing is offered any more
    RoundResumed,
    CardUndone,
    CardCorrected,
    RoundSettled,
    RoundCancelled,
    BettingVoided,
)
_OF_MONEY: Final = (
    BetPlaced,
    DecisionMade,
    BettingClosed,
    BettingVoided,
    RoundSettled,
    RoundCancelled,
    RoundCorrected,
)
_ENDINGS: Final = (RoundSettled, RoundCancelled, RoundCorrected)


def is_for_everybody(events: Iterable[Event]) -> bool:
    """A single bet or decision is nobody else's business, and would be too much to tell."""
    return any(not isinstance(event, BetPlaced | DecisionMade) for event in events)


def concerned(before: Round, round_: Round, events: Iterable[Event]) -> list[str]:
    """The players whose own seat has changed. A hand is told street by street, not card by card."""
    players: set[str] = set()
    for event in events:
        if isinstance(event, _WHOLE_TABLE) or (isinstance(event, CardDealt) and round_.is_street_complete):
            players.update(before.seats, round_.seats)
        elif isinstance(event, BetPlaced | DecisionMade):
            players.add(event.player_id)
    return sorted(players)


def moves_money(events: Iterable[Event]) -> bool:
    """Whether anybody's balance, or what is held of it, can be another one now."""
    return any(isinstance(event, _OF_MONEY) for event in events)


def seat_news(round_: Round, players: Iterable[str], available: Mapping[str, int]) -> dict[str, Payload]:
    return {player_id: seat_view(round_, player_id, available.get(player_id, 0)) for player_id in players}


def results_of(round_: Round, events: Iterable[Event]) -> Mapping[str, SeatResult]:
    """How the round ended for each who took part, if it has."""
    return results(round_) if any(isinstance(event, _ENDINGS) for event in events) else {}


def result_news(round_: Round, result: SeatResult, balance: int) -> Payload:
    return result_view(round_, result) | {"balance": balance}
