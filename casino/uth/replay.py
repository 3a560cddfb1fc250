"""Applies events to a round. It checks nothing: a journaled event has happened."""

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
    CardsSwapped,
    CardUndone,
    DecisionMade,
    DecisionsReopened,
    Event,
    IncidentClassified,
    ProposalApproved,
    ProposalMade,
    ProposalRejected,
    RoundCancelled,
    RoundContinued,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
    RoundSettled,
    ShoeRevealed,
    Stake,
    WindowClosed,
    WindowOpened,
)
from casino.uth.phases import AFTER, UNANSWERED, Phase
from casino.uth.state import NO_SEATS, Answer, Incident, IncidentOutcome, Pause, Proposal, Round, Seat


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
        commitment_version=event.commitment_version,
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
            seats = NO_SEATS.update({stake.player_id: _staked(stake) for stake in event.stakes})
            return replace(round_, phase=Phase.DEALING_HOLE, seats=seats, undone=len(seats), due_ms=None)
        case CardDealt():
            dealt_by = (*round_.dealt_by, event.by)
            return replace(round_, cards=(*round_.cards, event.card), dealt_by=dealt_by, due_ms=event.due_ms)
        case CardUndone():
            return replace(round_, cards=round_.cards[:-1], dealt_by=round_.dealt_by[:-1], due_ms=None)
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
    seat = Seat(event.player_id, event.ante, event.trips, event.seat_no, seed=event.seed)
    return round_.with_seats(round_.seats.set(event.player_id, seat))


def _staked(stake: Stake) -> Seat:
    return Seat(stake.player_id, stake.ante, stake.trips, stake.seat_no, seed=stake.seed)


def with_decisions(round_: Round, events: Iterable[DecisionMade]) -> Round:
    """Applies decisions of one window; many at once cost far less than one after the other."""
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
    return Seat(seat.player_id, seat.ante, seat.trips, seat.seat_no, (*seat.answers, answer), seat.seed)


def _interrupted(round_: Round, event: Event) -> Round:
    match event:
        case RoundPaused():
            return replace(
                round_,
                due_ms=None,
                paused=Pause(event.reason, event.at_ms, event.incident_id, presenter=event.presenter, by=event.by),
                incidents=(*round_.incidents, Incident(event.incident_id, event.reason, event.at_ms)),
            )
        case IncidentClassified():
            return _with_class(round_, event)
        case CardCorrected() | CardsSwapped():
            return _corrected(round_, event)
        case DecisionsReopened():
            return _with_open_decisions(round_, event.phase)
        case RoundResumed():
            incidents = _closed(round_.incidents, "resumed", event.reason, event.by)
            proposals = _answered_proposals(round_, "lapsed", event.by)
            return replace(round_, paused=None, due_ms=event.due_ms, incidents=incidents, proposals=proposals)
        case RoundCancelled():
            incidents = round_.incidents
            if not round_.paused:
                incidents = (*incidents, Incident(event.incident_id, event.reason, event.at_ms))
            incidents = _closed(incidents, "cancelled", event.reason, _cancelled_by(round_, event))
            proposals = _answered_proposals(round_, "lapsed", event.by)
            ended = replace(round_, phase=Phase.CANCELLED, paused=None, due_ms=None)
            return replace(ended, incidents=incidents, proposals=proposals)
        case ProposalMade():
            made = Proposal(
                event.proposal_id,
                event.proposes,
                event.reason,
                event.by,
                event.at_ms,
                event.slot,
                event.card,
                event.other_slot,
            )
            return replace(round_, proposals=(*round_.proposals, made))
        case ProposalApproved():
            return replace(round_, proposals=_answered_proposals(round_, "approved", event.by))
        case ProposalRejected():
            return replace(round_, proposals=_answered_proposals(round_, "rejected", event.by))
        case ShoeRevealed():
            return replace(round_, server_seed=event.server_seed)
    raise ValueError(f"{type(event).__name__} cannot follow in a round that has begun")


def _corrected(round_: Round, event: CardCorrected | CardsSwapped) -> Round:
    changed = {event.slot: event.card}
    if isinstance(event, CardsSwapped):
        changed[event.other_slot] = event.other_card
    cards = tuple(changed.get(slot, card) for slot, card in zip(round_.slots, round_.cards, strict=False))
    paused = replace(round_.paused, is_corrected=True) if round_.paused else None
    return replace(round_, cards=cards, paused=paused)


def _with_open_decisions(round_: Round, phase: Phase) -> Round:
    """Only the answers of this window are void: a PLAY or CHECK of an earlier one stays."""
    with round_.seats.mutate() as draft:
        for player_id, seat in round_.seats.items():
            if seat.last and seat.last.phase is phase:
                draft[player_id] = replace(seat, answers=seat.answers[:-1])
        seats = draft.finish()
    undone = sum(not seat.is_done for seat in seats.values())
    voided = round_.with_seats(seats, undone=undone, unanswered=undone)
    return replace(voided, phase=phase, due_ms=None, reopened=round_.reopened + 1)


def _with_class(round_: Round, event: IncidentClassified) -> Round:
    assert round_.paused, "only what is open can be classified"
    name, reason = event.incident_class, event.reason
    incident = replace(round_.incidents[-1], incident_class=name, reason=reason)
    paused = replace(round_.paused, incident_class=name, reason=reason, resolutions=event.resolutions)
    return replace(
        round_,
        paused=replace(paused, change_presenter=event.change_presenter),
        incidents=(*round_.incidents[:-1], incident),
    )


def _answered_proposals(round_: Round, outcome: str, by: str) -> tuple[Proposal, ...]:
    if round_.proposal is None:
        return round_.proposals
    return (*round_.proposals[:-1], replace(round_.proposal, outcome=outcome, answered_by=by))


def _cancelled_by(round_: Round, event: RoundCancelled) -> str:
    """Returns both people if a second one has approved the cancellation, or the proposer without an answer."""
    if event.proposed_by:
        return f"{event.by} (proposed by {event.proposed_by})"
    last = round_.proposals[-1] if round_.proposals else None
    is_approved = last is not None and (last.outcome, last.proposes) == ("approved", "cancel_round")
    return f"{event.by} and {last.answered_by}" if last and is_approved else event.by


def _closed(
    incidents: tuple[Incident, ...], outcome: IncidentOutcome, resolution: str, by: str = ""
) -> tuple[Incident, ...]:
    return (*incidents[:-1], replace(incidents[-1], outcome=outcome, resolution=resolution, ended_by=by))
