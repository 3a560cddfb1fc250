"""Pre-actions: the action each becomes at the player's turn, and the events that void it."""

import pytest

from casino.errors import Code, Refusal
from casino.poker.betting import Action
from casino.poker.commands import Act, Entrant, OpenHand
from casino.poker.events import HandOpened
from casino.poker.hand import begin, decide, evolve, open_hand
from casino.poker.positions import Positions
from casino.poker.state import Hand
from casino.poker.terms import Game, Terms
from casino.poker_room.pre_actions import Choice, action_of, is_valid, prepare

NOW = 1_000_000


def opened() -> Hand:
    """Blinds 1 and 2; seat 4 on the button, seat 3 acts first, then 4, 1 and 2."""
    seats = tuple(Entrant(seat, f"p{seat}", 200) for seat in range(1, 5))
    first, *_ = open_hand(OpenHand("h1", "t1", 1, Terms(Game.NLHE, 1, 2), seats, Positions(4, 1, 2)), NOW)
    assert isinstance(first, HandOpened)
    return begin(first)


def acted(hand: Hand, *actions: tuple[Action, int]) -> Hand:
    for action, amount in actions:
        player = hand.seats[hand.pending[0]].player_id
        for event in decide(hand, Act("h1", hand.turn, player, action, amount), NOW):
            hand = evolve(hand, event)
    return hand


CALL, FOLD, RAISE = (Action.CALL, 0), (Action.FOLD, 0), (Action.RAISE_TO, 6)


@pytest.mark.parametrize(
    ("player", "choice", "before", "expected"),
    [
        ("p4", Choice.FOLD, [CALL], Action.FOLD),
        ("p4", Choice.CALL, [CALL], Action.CALL),
        ("p4", Choice.CALL, [RAISE], None),
        ("p4", Choice.CALL_ANY, [RAISE], Action.CALL),
        ("p4", Choice.CHECK_FOLD, [CALL], Action.FOLD),
        ("p2", Choice.CHECK, [CALL, CALL, CALL], Action.CHECK),
        ("p2", Choice.CHECK, [RAISE, CALL, CALL], None),
        ("p2", Choice.CHECK_FOLD, [CALL, CALL, CALL], Action.CHECK),
        ("p2", Choice.CHECK_FOLD, [RAISE, CALL, CALL], Action.FOLD),
        ("p2", Choice.CALL_ANY, [CALL, CALL, CALL], Action.CHECK),
        ("p4", Choice.CALL_ANY, [], None),
    ],
)
def test_the_action_at_the_turn(
    player: str, choice: Choice, before: list[tuple[Action, int]], expected: Action | None
) -> None:
    hand = opened()
    kept = prepare(hand, player, choice)
    assert kept is not None
    after = acted(hand, *before)
    action = action_of(kept, after)
    assert (action and action.action) == expected
    if action is not None:
        assert decide(after, action, NOW)


def test_a_pre_action_ends_with_its_street_and_its_hand() -> None:
    hand = opened()
    kept = prepare(hand, "p2", Choice.CALL_ANY)
    assert kept is not None
    assert is_valid(kept, hand)
    assert not is_valid(kept._replace(hand_id="h0"), hand)
    assert not is_valid(kept, acted(hand, FOLD, FOLD, FOLD))
    assert not is_valid(kept._replace(street=kept.street.__class__("flop")), hand)


@pytest.mark.parametrize(
    ("player", "choice", "price", "before", "code"),
    [
        ("p3", Choice.FOLD, None, [], Code.NOT_OFFERED),
        ("p9", Choice.FOLD, None, [], Code.NOT_IN_ROUND),
        ("p3", Choice.FOLD, None, [FOLD], Code.NOT_IN_ROUND),
        ("p4", Choice.CHECK, None, [], Code.NOT_OFFERED),
        ("p1", Choice.CALL, 2, [RAISE], Code.TOO_LATE),
        ("p2", Choice.FOLD, None, [FOLD, FOLD, FOLD], Code.STALE_ROUND),
    ],
)
def test_refused_pre_actions(
    player: str, choice: Choice, price: int | None, before: list[tuple[Action, int]], code: Code
) -> None:
    with pytest.raises(Refusal) as refused:
        prepare(acted(opened(), *before), player, choice, price)
    assert refused.value.code is code


def test_the_choice_none_clears_a_pre_action() -> None:
    assert prepare(opened(), "p4", Choice.NONE) is None
