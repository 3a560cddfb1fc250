"""Steps of a round for its replay: event, time, and the changes for one player only."""

from casino.uth.events import (
    BettingClosed,
    BettingOpened,
    CardCorrected,
    CardDealt,
    CardsSwapped,
    CardUndone,
    DecisionMade,
    DecisionsReopened,
    Event,
    IncidentClassified,
    RoundCancelled,
    RoundContinued,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
    RoundSettled,
    WindowClosed,
    WindowOpened,
)
from casino.uth.results import results
from casino.uth.state import Round
from casino.wire.past_rounds import Step, StepDetails
from casino.wire.round_views import bets_view, spots_view


def step_view(event: Event, after: Round, player_id: str) -> Step:
    """`after` is the round after the event."""
    return {"kind": event.kind, "at": event.at_ms, **_said(event, after, player_id)}


def _said(event: Event, after: Round, player_id: str) -> StepDetails:
    match event:
        case CardDealt() | CardUndone():
            return {"slot": event.slot, "card": event.card}
        case WindowOpened():
            return {"phase": event.phase, "deadline": event.due_ms}
        case BettingOpened() | RoundContinued():
            return {"phase": after.phase, "deadline": event.due_ms}
        case RoundResumed():
            return {"phase": after.phase, "deadline": event.due_ms, "reason": event.reason}
        case BettingClosed():
            return {"bets": bets_view(after.seats[player_id].bets)}
        case DecisionMade():
            return {
                "phase": event.phase,
                "action": event.action,
                "automatic": False,
                "bets": bets_view(after.seats[player_id].bets),
            }
        case WindowClosed():
            silence = after.seats[player_id].last if event.automatic else None
            return {
                "phase": event.phase,
                "action": silence.action if silence else None,
                "automatic": silence is not None,
            }
        case _:
            return _of_an_end(event, after, player_id)


def _of_an_end(event: Event, after: Round, player_id: str) -> StepDetails:
    match event:
        case IncidentClassified():
            return {"reason": event.reason}
        case RoundPaused():
            return {"reason": event.reason, "incident_id": event.incident_id}
        case CardCorrected():
            return {"slot": event.slot, "was": event.was, "card": event.card, "reason": event.reason}
        case CardsSwapped():
            return {
                "slot": event.slot,
                "card": event.card,
                "other_slot": event.other_slot,
                "other_card": event.other_card,
                "reason": event.reason,
            }
        case DecisionsReopened():
            return {"phase": event.phase, "reason": event.reason, "bets": bets_view(after.seats[player_id].bets)}
        case RoundSettled():
            return _result(after, player_id)
        case RoundCancelled():
            return {"reason": event.reason, "incident_id": event.incident_id, **_result(after, player_id)}
        case RoundCorrected():
            return {"cards": list(event.cards), "reason": event.reason, **_result(after, player_id)}
    return {}


def _result(after: Round, player_id: str) -> StepDetails:
    result = results(after)[player_id]
    spots = spots_view(result)
    return {"result": result.result, "spots": spots, "staked": result.staked, "returned": result.returned}
