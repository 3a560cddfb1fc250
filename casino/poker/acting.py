"""Actions of players, and of the house for absent players: checked against the options, turned into an event."""

from typing import Final

from casino.poker.betting import Action, Options, options
from casino.poker.commands import Act, Cause, TimeOver
from casino.poker.events import Acted
from casino.poker.state import Hand
from casino.refusals import Reason

_ABSENT: Final = frozenset({Cause.SITTING_OUT, Cause.LEFT})
"""These players fold when their turn comes, even if a check is free."""


def act(hand: Hand, command: Act, now_ms: int) -> Acted:
    """Refuses `not_in_round`, `not_your_turn`, `too_late` for an earlier turn, `not_offered`, and amounts."""
    seat = hand.seat_of(command.player_id)
    if seat is None:
        raise Reason.NOT_IN_HAND.refusal()
    offered = options(hand)
    if command.turn < hand.turn:
        raise Reason.TURN_OVER.refusal()
    if offered is None or offered.seat_no != seat.seat_no or command.turn > hand.turn:
        raise Reason.NOT_YOUR_TURN.refusal()
    return _checked(hand, offered, command, now_ms)


def _checked(hand: Hand, offered: Options, command: Act, now_ms: int) -> Acted:
    seat_no = offered.seat_no
    match command.action:
        case Action.FOLD:
            return Acted(seat_no, Action.FOLD, 0, hand.to, now_ms)
        case Action.CHECK:
            if not offered.check:
                raise Reason.CHECK_NOT_FREE.refusal()
            return Acted(seat_no, Action.CHECK, 0, hand.to, now_ms)
        case Action.CALL:
            if not offered.call:
                raise Reason.NOTHING_TO_CALL.refusal()
            return Acted(seat_no, Action.CALL, offered.call, hand.to, now_ms)
    sizes = offered.sizes
    if sizes is None:
        raise Reason.NO_RAISE.refusal()
    if command.amount < sizes.smallest:
        raise Reason.RAISE_BELOW_MINIMUM.refusal(minimum=sizes.smallest)
    if command.amount > sizes.largest:
        raise Reason.RAISE_ABOVE_MAXIMUM.refusal(maximum=sizes.largest)
    bet = hand.seats[hand.pending[0]].bet
    return Acted(seat_no, Action.RAISE_TO, command.amount - bet, command.amount, now_ms)


def act_for(hand: Hand, command: TimeOver, now_ms: int) -> Acted:
    """Check or fold for the player to act. Refuses `too_late` if that turn is over."""
    offered = options(hand)
    if offered is None or command.turn != hand.turn:
        raise Reason.TURN_OVER.refusal()
    checks = offered.check and command.by not in _ABSENT
    action = Action.CHECK if checks else Action.FOLD
    return Acted(offered.seat_no, action, 0, hand.to, now_ms, command.by)
