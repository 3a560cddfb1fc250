"""How each event changes a round. Nothing is checked here: what is in the journal has happened."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from casino.uth.bets import Action
from casino.uth.events import (
    BetPlaced,
    BettingClosed,
    BettingOpened,
    BettingVoided,
    CardCorrected,
    CardDealt,
    CardUndone,
    DecisionMade,
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
from casino.uth.phases import AFTER, UNANSWERED, Phase
from casino.uth.state import NO_SEATS, Answer, Incident, Pause, Round, Seat


def begin(event: BettingOpened) -> Round:
    return Round(
        round_id=event.round_id,
        table_id=event.table_id,
        game_number=event.game_number,
        started_ms=event.at_ms,
        terms=event.terms,
        commitment=event.commitment,
        phase=Phase.BETTING,
        due_ms=event.due_ms,
    )


def evolve(round_: Round, event: Event) -> Round:
    """The round after the event."""
    match event:
        case BetPlaced():
            return _with_bet(round_, event)
        case BettingVoided():
            incidents = _closed(round_.incidents, "void", event.reason) if round_.paused else round_.incidents
            return replace(round_, phase=Phase.IDLE, seats=NO_SEATS, due_ms=None, paused=None, incidents=incidents)
        case BettingClosed():
            seats = NO_SEATS.update({stake.player_id: Seat(*stake) for stake in event.stakes})
            return replace(round_, phase=Phase.DEALING_HOLE, seats=seats, undone=len(seats), due_ms=None)
        case CardDealt():
            return replace(round_, cards=(*round_.cards, event.card), due_ms=event.due_ms)
        case CardUndone():
            return replace(round_, cards=round_.cards[:-1], due_ms=None)
        case WindowOpened():
            return replace(round_, phase=event.phase, due_ms=event.due_ms, unanswered=round_.undone)
        case DecisionMade():
            return with_decisions(round_, (event,))
        case WindowClosed():
            return _with_silence(round_, event)
        case RoundSettled():
            return replace(round_, phase=Phase.SETTLED, due_ms=None)
        case RoundContinued():
            return replace(round_, due_ms=event.due_ms)
        case RoundCorrected():
            return replace(round_, cards=event.cards)
        case _:
            return _interrupted(round_, event)


def replay(opened: BettingOpened, events: Iterable[Event]) -> Round:
    return reduce(evolve, events, begin(opened))


def _with_bet(round_: Round, event: BetPlaced) -> Round:
    if not event.ante:
        return round_.with_seats(round_.seats.delete(event.player_id))
    seat = Seat(event.player_id, event.ante, event.trips, event.seat_no)
    return round_.with_seats(round_.seats.set(event.player_id, seat))


def with_decisions(round_: Round, events: Iterable[DecisionMade]) -> Round:
    """Decisions of one window, one or many; many at once cost far less than one after the other."""
    done = answered = 0
    with round_.seats.mutate() as draft:
        for event in events:
            answer = Answer(event.phase, event.action, automatic=False)
            draft[event.player_id] = _answered(draft[event.player_id], answer)
            done += event.action is not Action.CHECK
            answered += 1
        seats = draft.finish()
    return round_.with_seats(seats, undone=round_.undone - done, unanswered=round_.unanswered - answered)


def _with_silence(round_: Round, event: WindowClosed) -> Round:
    silence = Answer(event.phase, UNANSWERED[event.phase], automatic=True)
    with round_.seats.mutate() as draft:
        for player_id in event.automatic:
            draft[player_id] = _answered(round_.seats[player_id], silence)
        seats = draft.finish()
    folded = len(event.automatic) if silence.action is Action.FOLD else 0
    return replace(
        round_, phase=AFTER[event.phase], due_ms=None, seats=seats, undone=round_.undone - folded, unanswered=0
    )


def _answered(seat: Seat, answer: Answer) -> Seat:
    return Seat(seat.player_id, seat.ante, seat.trips, seat.seat_no, (*seat.answers, answer))


def _interrupted(round_: Round, event: Event) -> Round:
    match event:
        case RoundPaused():
            return replace(
                round_,
                due_ms=None,
                paused=Pause(event.reason, event.at_ms, event.incident_id),
                incidents=(*round_.incidents, Incident(event.incident_id, event.reason, event.at_ms)),
            )
        case IncidentClassified():
            return _with_class(round_, event)
        case CardCorrected():
            index = round_.slots.index(event.slot)
            return replace(round_, cards=(*round_.cards[:index], event.card, *round_.cards[index + 1 :]))
        case RoundResumed():
            incidents = _closed(round_.incidents, "resumed", event.reason, event.by)
            return replace(round_, paused=None, due_ms=event.due_ms, incidents=incidents)
        case RoundCancelled():
            incidents = round_.incidents
            if not round_.paused:
                incidents = (*incidents, Incident(event.incident_id, event.reason, event.at_ms))
            incidents = _closed(incidents, "cancelled", event.reason, event.by)
            return replace(round_, phase=Phase.CANCELLED, paused=None, due_ms=None, incidents=incidents)
    raise ValueError(f"{type(event).__name__} cannot follow in a round that has begun")


def _with_class(round_: Round, event: IncidentClassified) -> Round:
    assert round_.paused, "only what is open can be classified"
    name, reason = event.incident_class, event.reason
    incident = replace(round_.incidents[-1], incident_class=name, reason=reason)
    return replace(
        round_,
        paused=replace(round_.paused, incident_class=name, reason=reason, resolutions=event.resolutions),
        incidents=(*round_.incidents[:-1], incident),
    )


def _closed(incidents: tuple[Incident, ...], outcome: str, resolution: str, by: str = "") -> tuple[Incident, ...]:
    return (*incidents[:-1], replace(incidents[-1], outcome=outcome, resolution=resolution, ended_by=by))
