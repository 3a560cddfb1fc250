"""Entry point to a round: `decide` turns a command into events, `evolve` applies an event.

    open_round(command, now)      -> the round's first event
    decide(round, command, now)   -> events, or a Refusal with a code, and nothing has changed
    unfold(round, command, now)   -> the same, each event with the round after it
    evolve(round, event)          -> the next round

Time is an argument in milliseconds since 1970, and it is the time the command arrived, not the time it is handled.
"""

from functools import reduce

from casino.uth import betting, dealing, decisions, incidents, proposals
from casino.uth.commands import (
    Advance,
    ApproveProposal,
    CancelRound,
    Command,
    ConfirmCards,
    Continue,
    CorrectCard,
    CorrectRound,
    DealCard,
    Decide,
    OpenBetting,
    PlaceBet,
    RejectProposal,
    ReportProblem,
    Resume,
    SwapCards,
    UndoCard,
    VoidBetting,
    WithdrawBet,
)
from casino.uth.events import BettingOpened, Event
from casino.uth.phases import Phase
from casino.uth.replay import begin, evolve, replay
from casino.uth.state import Round

__all__ = ["begin", "decide", "evolve", "game_number", "open_round", "replay", "unfold"]


def open_round(command: OpenBetting, now_ms: int) -> BettingOpened:
    due_ms = now_ms + command.terms.windows.betting_ms
    return BettingOpened(
        command.round_id,
        command.table_id,
        game_number(now_ms),
        command.terms,
        command.commitment,
        now_ms,
        due_ms,
        command.commitment_version,
    )


def game_number(started_ms: int) -> str:
    """Returns the UTC start time of the round, which people see and quote."""
    seconds = started_ms // 1000 % 86_400
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def decide(round_: Round, command: Command, now_ms: int) -> list[Event]:
    """Returns the events of the command, with all immediate consequences."""
    return [event for event, _ in unfold(round_, command, now_ms)]


def unfold(round_: Round, command: Command, now_ms: int) -> list[tuple[Event, Round]]:
    """Returns the same, each event with the round after it."""
    steps = []
    for event in _answer(round_, command, now_ms):
        round_ = evolve(round_, event)
        steps.append((event, round_))
    for event in _advance(round_, now_ms) if steps else ():
        round_ = evolve(round_, event)
        steps.append((event, round_))
    return steps


def _answer(round_: Round, command: Command, now_ms: int) -> list[Event]:
    match command:
        case PlaceBet():
            return betting.place_bet(round_, command, now_ms)
        case WithdrawBet():
            return betting.withdraw_bet(round_, command.player_id, now_ms)
        case Decide():
            return decisions.make_decision(round_, command, now_ms)
        case DealCard():
            return dealing.deal_card(round_, command, now_ms)
        case UndoCard():
            return dealing.undo_card(round_, command, now_ms)
        case ConfirmCards():
            return dealing.confirm_cards(round_, command, now_ms)
        case Advance():
            return _advance(round_, now_ms)
        case _:
            return _interrupt(round_, command, now_ms)


def _interrupt(round_: Round, command: Command, now_ms: int) -> list[Event]:
    match command:
        case ReportProblem():
            # A pause must not reopen a window that the clock has closed already.
            due = _advance(round_, now_ms)
            return [*due, *incidents.report_problem(reduce(evolve, due, round_), command, now_ms)]
        case CancelRound() if proposals.is_cancelling_for_two(round_) and not command.automatic:
            due = _advance(round_, now_ms)
            return [*due, *proposals.propose_cancel(reduce(evolve, due, round_), command, now_ms)]
        case CancelRound():
            return incidents.cancel_round(round_, command, now_ms)
        case CorrectCard() | SwapCards():
            return proposals.correct_or_propose(round_, command, now_ms)
        case ApproveProposal():
            return proposals.approve(round_, command, now_ms)
        case RejectProposal():
            return proposals.reject(round_, command, now_ms)
        case _:
            return _go_on(round_, command, now_ms)


def _go_on(round_: Round, command: Command, now_ms: int) -> list[Event]:
    match command:
        case Resume():
            return incidents.resume(round_, command, now_ms)
        case CorrectRound():
            return incidents.correct_round(round_, command, now_ms)
        case VoidBetting():
            return incidents.void_betting(round_, command.reason, now_ms)
        case Continue():
            return incidents.continue_round(round_, command, now_ms)
    raise TypeError(f"not a command: {command!r}")


def _advance(round_: Round, now_ms: int) -> list[Event]:
    """Returns the events that are due. A paused round has none."""
    if round_.due_ms is None or now_ms < round_.due_ms:
        return []
    if round_.phase is Phase.BETTING:
        return betting.close_betting(round_, now_ms)
    if round_.is_deciding:
        return decisions.close_window(round_, now_ms)
    return dealing.finish_street(round_, now_ms)
