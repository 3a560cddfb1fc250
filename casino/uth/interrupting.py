"""When something goes wrong: pause, correct, resume, cancel, and a server that stops or comes back."""

from casino.cards.card import distinct_cards, parse_card
from casino.errors import Code, Refusal
from casino.uth.betting import close_betting
from casino.uth.commands import CancelRound, Continue, CorrectCard, CorrectRound, ReportProblem, Resume
from casino.uth.dealing import verify_unseen
from casino.uth.deciding import window_ms
from casino.uth.events import (
    BettingVoided,
    CardCorrected,
    Event,
    IncidentClassified,
    RoundCancelled,
    RoundContinued,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
)
from casino.uth.phases import Phase
from casino.uth.state import Resolution, Round


def report_problem(round_: Round, command: ReportProblem, now_ms: int) -> list[Event]:
    """Every timer stops. Reporting again while paused changes nothing but the class, once it is known."""
    _verify_open(round_, command.incident_id)
    _verify_running(round_)
    paused: list[Event] = []
    if not round_.paused:
        paused.append(RoundPaused(_next_incident_id(round_), command.reason, command.by, now_ms))
    if not command.incident_class or (round_.paused and round_.paused.incident_class == command.incident_class):
        return paused
    classified = IncidentClassified(command.incident_class, command.resolutions, command.reason, command.by, now_ms)
    return [*paused, classified]


def correct_card(round_: Round, command: CorrectCard, now_ms: int) -> list[Event]:
    if command.round_id != round_.round_id:
        raise Refusal(Code.STALE_ROUND, "That round is not the one being played.")
    _verify_open(round_, command.incident_id)
    _verify_paused(round_, Resolution.CORRECT_CARD)
    dealt = dict(zip(round_.slots, round_.cards, strict=False))
    if command.slot not in dealt:
        raise Refusal(Code.NOT_EXPECTED, "No card has been dealt there.")
    card = verify_unseen(round_, command.card)
    return [CardCorrected(command.slot, dealt[command.slot], card, command.reason, command.by, now_ms)]


def correct_round(round_: Round, command: CorrectRound, now_ms: int) -> list[Event]:
    """After settlement nothing is edited: the round with the right cards is written behind it and settled anew."""
    if round_.phase is not Phase.SETTLED:
        raise Refusal(Code.NOT_EXPECTED, "Only a settled round can be corrected; before that, pause it.")
    cards = dict(zip(round_.slots, round_.cards, strict=True))
    for slot, text in command.cards:
        if slot not in cards:
            raise Refusal(Code.NOT_EXPECTED, f"No card lies at {slot[:20]}.")
        cards[slot] = parse_card(text)
    corrected = distinct_cards(cards.values())
    if corrected == round_.cards:
        raise Refusal(Code.BAD_REQUEST, "That is how the round was settled already.")
    return [RoundCorrected(corrected, command.reason, command.by, now_ms)]


def resume(round_: Round, command: Resume, now_ms: int) -> list[Event]:
    """Whatever was timed gets its full time again."""
    _verify_open(round_, command.incident_id)
    _verify_paused(round_, Resolution.RESUME)
    return [RoundResumed(command.by, command.reason, now_ms, _full_time(round_, now_ms))]


def cancel_round(round_: Round, command: CancelRound, now_ms: int) -> list[Event]:
    """Open bets are closed first, so that the refund of each stands in the journal and in the player's history."""
    _verify_open(round_, command.incident_id)
    _verify_running(round_)
    closing = close_betting(round_, now_ms) if round_.phase is Phase.BETTING and round_.seats else []
    incident_id = round_.paused.incident_id if round_.paused else _next_incident_id(round_)
    return [*closing, RoundCancelled(incident_id, command.reason, command.by, now_ms)]


def void_betting(round_: Round, reason: str, now_ms: int) -> list[Event]:
    """While betting is open every bet can go back as if there had been no round; afterwards the bets stand."""
    if round_.phase is not Phase.BETTING:
        return []
    return [BettingVoided(reason, now_ms)]


def continue_round(round_: Round, command: Continue, now_ms: int) -> list[Event]:
    """The server was away. Open bets have been returned; closed ones go on with the full time; a pause lasts."""
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
    """What people quote: the game number and a count."""
    return f"{round_.game_number}-{len(round_.incidents) + 1}"


def _verify_open(round_: Round, incident_id: str) -> None:
    """Two people may end an incident at once: the second hears who was first, and does not meet what came after."""
    if not incident_id or (round_.paused and round_.paused.incident_id == incident_id):
        return
    for incident in round_.incidents:
        if incident.incident_id == incident_id:
            how = f"{incident.ended_by} has ended it already" if incident.ended_by else "it has ended already"
            raise Refusal(Code.TOO_LATE, f"Incident {incident_id}: {how} ({incident.outcome}).")
    raise Refusal(Code.TOO_LATE, f"Incident {incident_id[:20]} is over, and so is its round.")


def _verify_running(round_: Round) -> None:
    if round_.is_over:
        raise Refusal(Code.TOO_LATE, "The round is over.")


def _verify_paused(round_: Round, resolution: Resolution) -> None:
    if not round_.paused:
        raise Refusal(Code.NOT_PAUSED, "The round is not paused.")
    if resolution not in round_.paused.resolutions:
        allowed = ", ".join(round_.paused.resolutions).replace("_", " ")
        raise Refusal(Code.NOT_OFFERED, f"For this class of incident the house allows only: {allowed}.")
