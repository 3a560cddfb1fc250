"""Pre-actions: decisions that players make before their turn. The table keeps them and shows them to no other player.

A pre-action counts for one street of one hand. `check` and `call` mean the price the player saw: if the price has
changed, they are void and the player is asked. `fold`, `check_fold` and `call_any` mean any price.
"""

from enum import StrEnum
from typing import NamedTuple

from casino.poker.betting import Action, options
from casino.poker.commands import Act
from casino.poker.state import Hand
from casino.poker.streets import Street
from casino.refusals import Reason


class Choice(StrEnum):
    NONE = "none"
    FOLD = "fold"
    CHECK_FOLD = "check_fold"
    CHECK = "check"
    CALL = "call"
    CALL_ANY = "call_any"


class PreAction(NamedTuple):
    """`price` is the street bet every player had to match when the player chose."""

    hand_id: str
    street: Street
    player_id: str
    choice: Choice
    price: int


def prepare(hand: Hand, player_id: str, choice: Choice, price: int | None = None) -> PreAction | None:
    """The pre-action to keep; None clears an earlier one. `price` is the one the player saw, if the player named it.

    Refuses `stale_round` after the hand, `not_in_round` for a player without live cards, `not_offered` for a player
    who is all-in or whose turn it is, and `too_late` if the price is another one by now.
    """
    if hand.is_over:
        raise Reason.HAND_OVER.refusal()
    seat = hand.seat_of(player_id)
    if seat is None or not seat.is_live:
        raise Reason.NOT_IN_HAND.refusal()
    if choice is Choice.NONE:
        return None
    offered = options(hand)
    if not seat.stack or (offered is not None and offered.seat_no == seat.seat_no):
        raise Reason.NOTHING_IN_ADVANCE.refusal()
    if choice in {Choice.CHECK, Choice.CALL} and price is not None and price != hand.to:
        raise Reason.PRICE_CHANGED.refusal()
    if choice is Choice.CHECK and seat.bet < hand.to:
        raise Reason.CHECK_NOT_FREE.refusal()
    return PreAction(hand.hand_id, hand.street, player_id, choice, hand.to)


def action_of(pre_action: PreAction, hand: Hand) -> Act | None:
    """The action that the pre-action becomes at the player's turn; None if it is void or it is not the turn."""
    offered = options(hand)
    seat = hand.seat_of(pre_action.player_id)
    if offered is None or seat is None or offered.seat_no != seat.seat_no or not is_valid(pre_action, hand):
        return None
    match pre_action.choice:
        case Choice.FOLD:
            action = Action.FOLD
        case Choice.CHECK_FOLD:
            action = Action.CHECK if offered.check else Action.FOLD
        case _:
            action = Action.CHECK if offered.check else Action.CALL
    return Act(hand.hand_id, hand.turn, pre_action.player_id, action)


def is_valid(pre_action: PreAction, hand: Hand) -> bool:
    """Whether the hand is still on its street, and the price is the one that was chosen."""
    if pre_action.hand_id != hand.hand_id or pre_action.street is not hand.street or hand.is_over:
        return False
    return pre_action.choice not in {Choice.CHECK, Choice.CALL} or pre_action.price == hand.to
