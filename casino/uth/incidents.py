"""Incidents: pause, correct, resume and cancel a round, and a server that stops or restarts."""

from functools import reduce
from typing import Final

from casino.cards.card import Card, distinct_cards, parse_card
from casino.errors import Code, Refusal
from casino.uth.betting import close_betting
from casino.uth.commands import CancelRound, Continue, CorrectCard, CorrectRound, ReportProblem, Resume, SwapCards
from casino.uth.dealing import verify_unseen
from casino.uth.decisions import window_ms
from casino.uth.events import (
    BettingVoided,
    CardCorrected,
    CardsSwapped,
    DecisionsReopened,
    Event,
    IncidentClassified,
    RoundCancelled,
    RoundContinued,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
)
from casino.uth.phases import AFTER, OFFERED, Phase, cards_due
from casino.uth.replay import evolve
from casino.uth.state import Resolution, Round

_WINDOW_BEFORE: Final = {AFTER[window]: window for window in OFFERED}
"""By dealing phase, the decision window that ended before it."""
_DEALT_BEFORE: Final = {window: dealing for dealing, window in AFTER.items() if window in OFFERED}
"""By decision window, the dealing phase before it."""
COMMITTED: Final = "The cards of a machine-dealt round are fixed before betting. Cancel the round instead."


def report_problem(round_: Round, command: ReportProblem, now_ms: int) -> list[Event]:
    """Stops all timers. Reporting again while paused only sets the class, once it is known."""
    verify_open(round_, command.incident_id)
    verify_running(round_)
    paused: list[Event] = []
    if not round_.paused:
        paused.append(RoundPaused(_next_incident_id(round_), command.reason, command.by, now_ms, command.presenter))
    if not command.incident_class or (round_.paused and round_.paused.incident_class == command.incident_class):
        return paused
    name, resolutions, is_changed = command.incident_class, command.resolutions, command.change_presenter
    classified = IncidentClassified(name, resolutions, command.reason, command.by, now_ms, is_changed)
    return [*paused, classified]


def correct_card(round_: Round, command: CorrectCard, now_ms: int) -> CardCorrected:
    dealt = _correctable(round_, command)
    if command.slot not in dealt:
        raise Refusal(Code.NOT_EXPECTED, "No card has been dealt at this position.")
    card = verify_unseen(round_, command.card)
    return CardCorrected(command.slot, dealt[command.slot], card, command.reason, command.by, now_ms)


def swap_cards(round_: Round, command: SwapCards, now_ms: int) -> CardsSwapped:
    """Exchanges two dealt cards. Two corrections could not: the first would name a card that is on the table."""
    dealt = _correctable(round_, command)
    slot, other = command.slot, command.other_slot
    if slot not in dealt or other not in dealt:
        raise Refusal(Code.NOT_EXPECTED, "No card has been dealt at one of these positions.")
    if slot == other:
        raise Refusal(Code.BAD_REQUEST, "other_slot: choose another position.")
    return CardsSwapped(slot, dealt[other], other, dealt[slot], command.reason, command.by, now_ms)


def _correctable(round_: Round, command: CorrectCard | SwapCards) -> dict[str, Card]:
    """Returns the dealt cards by slot, if they may be corrected now."""
    verify_not_committed(round_)
    if command.round_id != round_.round_id:
        raise Refusal(Code.STALE_ROUND, "That round is over. Reload the table.")
    verify_open(round_, command.incident_id)
    _verify_paused(round_, Resolution.CORRECT_CARD)
    return dict(zip(round_.slots, round_.cards, strict=False))


def correct_round(round_: Round, command: CorrectRound, now_ms: int) -> list[Event]:
    """Edits nothing after settlement: appends the round with the right cards, and settles it again."""
    verify_not_committed(round_)
    if round_.phase is not Phase.SETTLED:
        raise Refusal(Code.NOT_EXPECTED, "Pause the round to correct it; this form is for settled rounds.")
    cards = dict(zip(round_.slots, round_.cards, strict=True))
    for slot, text in command.cards:
        if slot not in cards:
            raise Refusal(Code.NOT_EXPECTED, f"No card has been dealt at {slot[:20]}.")
        cards[slot] = parse_card(text)
    corrected = distinct_cards(cards.values())
    if corrected == round_.cards:
        raise Refusal(Code.BAD_REQUEST, "The round was settled with these cards. Change at least one.")
    return [RoundCorrected(corrected, command.reason, command.by, now_ms)]


def resume(round_: Round, command: Resume, now_ms: int) -> list[Event]:
    """Restarts running windows with their full time.

    After an incident that takes the presenter off the table, a colleague must be on shift first. The class of the
    incident limits what people may choose. It does not bind the table itself, which would otherwise have to cancel a
    round that only two people may cancel.
    """
    verify_open(round_, command.incident_id)
    _verify_paused(round_, None if command.automatic else Resolution.RESUME)
    if not command.automatic:
        _verify_relieved(round_, command.presenter)
    reopened = [_reopen(round_, command, now_ms)] if command.reopen else []
    following = reduce(evolve, reopened, round_)
    return [*reopened, RoundResumed(command.by, command.reason, now_ms, _full_time(following, now_ms))]


def _reopen(round_: Round, command: Resume, now_ms: int) -> DecisionsReopened:
    phase = reopenable(round_)
    if phase is None:
        raise Refusal(Code.NOT_OFFERED, "Decisions are reopened only after a correction, before the next card is out.")
    return DecisionsReopened(phase, command.reason, command.by, now_ms)


def reopenable(round_: Round) -> Phase | None:
    """Returns the decision window with answers on a card that was corrected in this pause.

    None once a later card is out: players would decide again knowing it. Such a round is resumed or cancelled.
    """
    if round_.paused is None or not round_.paused.is_corrected:
        return None
    is_first_card = round_.phase in _WINDOW_BEFORE and len(round_.cards) == _cards_before(round_)
    phase = round_.phase if round_.is_deciding else _WINDOW_BEFORE[round_.phase] if is_first_card else None
    is_answered = any(seat.last and seat.last.phase is phase for seat in round_.seats.values())
    return phase if is_answered else None


def _cards_before(round_: Round) -> int:
    """How many cards are out when the first one of this dealing phase is due."""
    earlier = _DEALT_BEFORE[_WINDOW_BEFORE[round_.phase]]
    return cards_due(earlier, len(round_.seat_numbers) or 1)


def cancel_round(round_: Round, command: CancelRound, now_ms: int) -> list[Event]:
    """Closes open bets first, so that journal and player history contain each refund.

    A cancellation by the service names the manager whose proposal lapses with it.
    """
    verify_open(round_, command.incident_id)
    verify_running(round_)
    closing = close_betting(round_, now_ms) if round_.phase is Phase.BETTING and round_.seats else []
    incident_id = round_.paused.incident_id if round_.paused else _next_incident_id(round_)
    lapsed = round_.proposal if command.automatic else None
    proposed_by = lapsed.by if lapsed else None
    return [*closing, RoundCancelled(incident_id, command.reason, command.by, now_ms, round_.phase, proposed_by)]


def void_betting(round_: Round, reason: str, now_ms: int) -> list[Event]:
    """Returns every bet while betting is open; later bets stay."""
    if round_.phase is not Phase.BETTING:
        return []
    return [BettingVoided(reason, now_ms)]


def continue_round(round_: Round, command: Continue, now_ms: int) -> list[Event]:
    """Continues after a server outage: open bets are returned, closed ones continue with full time, a pause stays."""
    if round_.phase is Phase.BETTING and not command.are_here:
        return void_betting(round_, "the server was interrupted", now_ms)
    if round_.is_over or round_.paused:
        return []
    return [RoundContinued(now_ms, _full_time(round_, now_ms))]


def _full_time(round_: Round, now_ms: int) -> int | None:
    if round_.phase is Phase.BETTING:
        return now_ms + round_.terms.windows.betting_ms
    if round_.is_deciding:
        return now_ms + window_ms(round_, round_.phase)
    return now_ms + round_.terms.windows.confirm_ms if round_.is_street_complete else None


def _next_incident_id(round_: Round) -> str:
    """Returns the game number and a counter, for people to quote."""
    return f"{round_.game_number}-{len(round_.incidents) + 1}"


def verify_not_committed(round_: Round) -> None:
    """Refuses to change cards that were committed to before betting."""
    if round_.commitment is not None:
        raise Refusal(Code.FORBIDDEN, COMMITTED)


def verify_open(round_: Round, incident_id: str) -> None:
    """Refuses the second of two people who end an incident at once, and names the first."""
    if not incident_id or (round_.paused and round_.paused.incident_id == incident_id):
        return
    for incident in round_.incidents:
        if incident.incident_id == incident_id:
            how = f"{incident.ended_by} has ended it already" if incident.ended_by else "it has ended already"
            raise Refusal(Code.TOO_LATE, f"Incident {incident_id}: {how} ({incident.outcome}).")
    raise Refusal(Code.TOO_LATE, f"Incident {incident_id[:20]} and its round have ended.")


def verify_running(round_: Round) -> None:
    if round_.is_over:
        raise Refusal(Code.TOO_LATE, "The round is over.")


def _verify_paused(round_: Round, resolution: Resolution | None) -> None:
    if not round_.paused:
        raise Refusal(Code.NOT_PAUSED, "The round is not paused.")
    if resolution is not None and resolution not in round_.paused.resolutions:
        allowed = ", ".join(round_.paused.resolutions).replace("_", " ")
        raise Refusal(Code.NOT_OFFERED, f"This class of incident allows only: {allowed}.")


def _verify_relieved(round_: Round, presenter: str) -> None:
    paused = round_.paused
    assert paused, "only a paused round is resumed"
    if not paused.change_presenter or presenter not in ("", paused.presenter):
        return
    who = paused.presenter or "The presenter"
    raise Refusal(Code.NO_PRESENTER, f"{who} cannot go on. Another presenter must take over the table first.")
