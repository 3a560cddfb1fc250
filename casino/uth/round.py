"""The one door to a round: `decide` says what a command makes happen, `evolve` makes it so.

    open_round(command, now)      -> the round's first event
    decide(round, command, now)   -> events, or a Refusal with a code, and nothing has changed
    unfold(round, command, now)   -> the same, each event with the round after it
    evolve(round, event)          -> the next round

Time is an argument in milliseconds since 1970, and it is the time the command arrived, not the time it is handled.
"""

from functools import reduce

from casino.uth import betting, dealing, deciding, interrupting
from casino.uth.commands import (
    Advance,
    CancelRound,
    Command,
    Continue,
    CorrectCard,
    CorrectRound,
    DealCard,
    Decide,
    OpenBetting,
    PlaceBet,
    ReportProblem,
    Resume,
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
        command.round_id, command.table_id, game_number(now_ms), command.terms, command.commitment, now_ms, due_ms
    )


def game_number(started_ms: int) -> str:
    """The GMT time the round began, which is what people see and quote."""
    seconds = started_ms // 1000 % 86_400
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def decide(round_: Round, command: Command, now_ms: int) -> list[Event]:
    """What the command makes happen, with everything that follows from it at once."""
    return [event for event, _ in unfold(round_, command, now_ms)]


def unfold(round_: Round, command: Command, now_ms: int) -> list[tuple[Event, Round]]:
    """The same, each event with the round after it."""
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
            return deciding.make_decision(round_, command, now_ms)
        case DealCard():
            return dealing.deal_card(round_, command, now_ms)
        case UndoCard():
            return dealing.undo_card(round_, command, now_ms)
        case Advance():
            return _advance(round_, now_ms)
        case _:
            return _interrupt(round_, command, now_ms)


def _interrupt(round_: Round, command: Command, now_ms: int) -> list[Event]:
    match command:
        case ReportProblem():
            # A pause must not reopen what the clock has closed already.
            due = _advance(round_, now_ms)
            return [*due, *interrupting.report_problem(reduce(evolve, due, round_), command, now_ms)]
        case CorrectCard():
            return interrupting.correct_card(round_, command, now_ms)
        case Resume():
            return interrupting.resume(round_, command, now_ms)
        case CancelRound():
            return interrupting.cancel_round(round_, command, now_ms)
        case CorrectRound():
            return interrupting.correct_round(round_, command, now_ms)
        case VoidBetting():
            return interrupting.void_betting(round_, command.reason, now_ms)
        case Continue():
            return interrupting.continue_round(round_, command, now_ms)
    raise TypeError(f"not a command: {command!r}")


def _advance(round_: Round, now_ms: int) -> list[Event]:
    """What the clock makes happen. A paused round has nothing due."""
    if round_.due_ms is None or now_ms < round_.due_ms:
        return []
    if round_.phase is Phase.BETTING:
        return betting.close_betting(round_, now_ms)
    if round_.is_deciding:
        return deciding.close_window(round_, now_ms)
    return dealing.finish_street(round_, now_ms)
