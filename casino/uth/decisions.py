"""The three decision windows: their options, their players, and the default after a timeout."""

from typing import Final

from casino.refusals import Reason
from casino.uth.bets import PLAY_MULTIPLE, Action
from casino.uth.commands import Decide
from casino.uth.events import DecisionMade, Event, WindowClosed, WindowOpened
from casino.uth.phases import OFFERED, Phase
from casino.uth.state import Answer, Round, Seat

_COURSE: Final = tuple(Phase)


def options(round_: Round, player_id: str, available_minor: int) -> tuple[Action, ...]:
    """Returns the options of the player now, without a PLAY that the balance cannot cover."""
    seat = round_.seats.get(player_id)
    if seat is None or round_.paused or _answer_in(seat, round_.phase) or seat.is_done:
        return ()
    offered = OFFERED.get(round_.phase, ())
    return tuple(action for action in offered if _is_covered(seat, action, available_minor))


def covers_largest_play(seat: Seat, available_minor: int) -> bool:
    """Whether the balance left could still pay a PLAY of 4x; if not, the player is warned when the ANTE is placed."""
    return _is_covered(seat, Action.PLAY_4X, available_minor)


def make_decision(round_: Round, command: Decide, now_ms: int) -> list[Event]:
    if command.round_id != round_.round_id:
        raise Reason.STALE_ROUND.refusal()
    seat = round_.seats.get(command.player_id)
    if seat is None:
        raise Reason.NOT_IN_ROUND.refusal()
    if is_repetition(round_, seat, command):
        return []
    verify_decision(round_, seat, command, now_ms)
    made = DecisionMade(command.player_id, round_.phase, command.action, now_ms)
    return [made, WindowClosed(round_.phase, (), now_ms)] if round_.unanswered == 1 else [made]


def verify_decision(round_: Round, seat: Seat, command: Decide, now_ms: int) -> None:
    """Refuse a decision that is not open to this seat now."""
    if round_.paused:
        raise Reason.DECISION_PAUSED.refusal()
    _verify_window(round_, command, now_ms)
    if seat.is_done or _answer_in(seat, round_.phase):
        raise Reason.ALREADY_DECIDED.refusal()
    if command.action not in OFFERED[round_.phase]:
        raise Reason.NOT_OFFERED.refusal()
    if not _is_covered(seat, command.action, command.available_minor):
        raise Reason.INSUFFICIENT_FUNDS.refusal()


def _is_covered(seat: Seat, action: Action, available_minor: int) -> bool:
    """To check or to fold costs nothing."""
    cost = PLAY_MULTIPLE[action] * seat.ante
    return cost == 0 or cost <= available_minor


def _verify_window(round_: Round, command: Decide, now_ms: int) -> None:
    meant = command.phase or max(round_.phase, Phase.DECIDING_PREFLOP, key=_COURSE.index)
    if _COURSE.index(meant) > _COURSE.index(round_.phase):
        raise Reason.NOT_OPEN_YET.refusal()
    is_open = round_.is_deciding and round_.due_ms is not None and now_ms < round_.due_ms
    if not is_open or meant is not round_.phase:
        raise Reason.TOO_LATE.refusal()


def _answer_in(seat: Seat, phase: Phase) -> Answer | None:
    return next((answer for answer in seat.answers if answer.phase is phase), None)


def is_repetition(round_: Round, seat: Seat, command: Decide) -> bool:
    """A stored answer may be sent again at any time, and moves nothing again.

    Without a named window a CHECK is the answer to the open window if there is one for this seat, otherwise the
    last answer again. The default after a timeout is not the player's answer, so it cannot be repeated.
    """
    answer = _answer_in(seat, command.phase) if command.phase else seat.last
    if answer is None or answer.automatic or answer.action is not command.action:
        return False
    is_asked = round_.is_deciding and not seat.is_done and not _answer_in(seat, round_.phase)
    return command.phase is not None or not is_asked


def open_window(round_: Round, phase: Phase, now_ms: int) -> list[Event]:
    """A window without undecided players closes as it opens."""
    opened = WindowOpened(phase, now_ms, now_ms + window_ms(round_, phase))
    return [opened] if round_.undone else [opened, WindowClosed(phase, (), now_ms)]


def close_window(round_: Round, now_ms: int) -> list[Event]:
    silent = (s.player_id for s in round_.seats.values() if not s.is_done and not _answer_in(s, round_.phase))
    return [WindowClosed(round_.phase, tuple(sorted(silent)), now_ms)]


def window_ms(round_: Round, phase: Phase) -> int:
    windows = round_.terms.windows
    return {
        Phase.DECIDING_PREFLOP: windows.decide_preflop_ms,
        Phase.DECIDING_FLOP: windows.decide_flop_ms,
        Phase.DECIDING_RIVER: windows.decide_river_ms,
    }[phase]
