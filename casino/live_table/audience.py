"""Derives the audience of each step of a round: the events for all players, for one player, and for consoles.

All players receive changes of phase, cards, pause and deadline. A player also receives changes of their own seat.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from casino.uth.events import (
    BetPlaced,
    BettingClosed,
    BettingVoided,
    CardCorrected,
    CardDealt,
    CardsSwapped,
    CardUndone,
    DecisionMade,
    DecisionsReopened,
    Event,
    ProposalEvent,
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

_PUBLIC_EVENTS: Final = (
    BettingClosed,
    WindowOpened,
    WindowClosed,
    RoundPaused,  # ends all offers
    RoundResumed,
    CardUndone,
    CardCorrected,
    CardsSwapped,
    DecisionsReopened,
    RoundSettled,
    RoundCancelled,
    BettingVoided,
)
_MONEY_EVENTS: Final = (
    BetPlaced,
    DecisionMade,
    DecisionsReopened,
    BettingClosed,
    BettingVoided,
    RoundSettled,
    RoundCancelled,
    RoundCorrected,
)
_ENDINGS: Final = (RoundSettled, RoundCancelled, RoundCorrected)


def is_public(events: Iterable[Event]) -> bool:
    """Whether the events concern all players. Single bets and decisions are private, and too many to broadcast."""
    return any(not isinstance(event, BetPlaced | DecisionMade | ProposalEvent) for event in events)


def is_for_hosts(events: Iterable[Event]) -> bool:
    """Whether consoles need these events at once, although players do not."""
    return any(isinstance(event, ProposalEvent) for event in events)


def affected_players(before: Round, round_: Round, events: Iterable[Event]) -> list[str]:
    """Returns the players whose own seat has changed. Hands are sent street by street, not card by card."""
    players: set[str] = set()
    for event in events:
        if isinstance(event, _PUBLIC_EVENTS) or (isinstance(event, CardDealt) and round_.is_street_complete):
            players.update(before.seats, round_.seats)
        elif isinstance(event, BetPlaced | DecisionMade):
            players.add(event.player_id)
    return sorted(players)


def moves_money(events: Iterable[Event]) -> bool:
    """Whether the events can change a balance or a hold."""
    return any(isinstance(event, _MONEY_EVENTS) for event in events)


def results_of(round_: Round, events: Iterable[Event]) -> Mapping[str, SeatResult]:
    """Returns the result of each participant if the events end the round."""
    return results(round_) if any(isinstance(event, _ENDINGS) for event in events) else {}
