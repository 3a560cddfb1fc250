"""Views of a poker hand: public, of one player, and the steps between."""

from typing import Any

import pytest

from casino.cards.card import parse_cards
from casino.poker.betting import Action
from casino.poker.clock import CASH, start_timer
from casino.poker.commands import Cause
from casino.poker.events import Acted
from casino.poker.terms import Game, RakeTerms, Terms
from casino.wire.poker_hands import PokerHandView
from casino.wire.poker_views import (
    best_view,
    cards_view,
    clock_step,
    hand_view,
    no_options,
    player_options,
    steps_of,
    turn_view,
)
from tests.poker.table import opened
from tests.wire.validation import holds

NAMES = {"p1": "Ann", "p2": "Bob"}
NOW_MS = 1_000_000


def timer(**line: Any) -> Any:  # noqa: ANN401
    return start_timer(CASH, NOW_MS, 8_000, **{"is_connected": True, "protection_ms": 30_000} | line)


def test_the_public_view_during_a_hand() -> None:
    table = opened([200, 200, 200]).play("3 raise_to 6", "1 call")
    view = hand_view(table.hand, NAMES)
    holds(PokerHandView, dict(view) | {"root": None})
    assert (view["pot"], view["price"], view["street"], view["awards"]) == (14, 6, "preflop", [])
    assert view["pots"] == [{"amount": 14, "contenders": [1, 2, 3]}]
    assert view["posts"] == [{"seat": 1, "kind": "sb", "amount": 1}, {"seat": 2, "kind": "bb", "amount": 2}]
    assert view["seats"][0] == {
        "seat_no": 1,
        "name": "Ann",
        "start": 200,
        "stack": 194,
        "bet": 6,
        "folded": False,
        "all_in": False,
        "cards": [],
    }


def test_the_public_view_after_a_hand() -> None:
    terms = Terms(Game.NLHE, 1, 2, rake=RakeTerms(60, 300))
    table = opened([100, 200, 200], terms=terms).with_cards("2c 3d 4h 8s 9c", {1: "As Ah", 2: "Kc Kd"})
    table.play("3 fold", "1 raise_to 100", "2 call")
    view = hand_view(table.hand, NAMES)
    assert (view["pot"], view["pots"], view["status"], view["rake"]) == (0, [], "settled", 12)
    award = {"number": 1, "amount": 200, "rake": 12, "contenders": [1, 2], "winners": [{"seat": 1, "amount": 188}]}
    assert view["awards"] == [award | {"hand": {"category": "pair", "cards": ["As", "Ah", "9c", "8s", "4h"]}}]
    assert [seat["cards"] for seat in view["seats"]] == [["As", "Ah"], ["Kc", "Kd"], []]


def test_hand_that_nobody_had_to_show_is_not_named_with_its_pot() -> None:
    table = opened([200, 200, 200], terms=Terms(Game.NLHE, 1, 2))
    table.play("3 fold", "1 fold")
    (award,) = hand_view(table.hand, NAMES)["awards"]
    assert award["hand"] is None


def test_posts_are_at_most_the_stack_and_antes_come_first() -> None:
    terms = Terms(Game.NLHE, 50, 100, ante=10)
    view = hand_view(opened([30, 105, 500], terms=terms).hand, {})
    posts = [(post["seat"], post["kind"], post["amount"]) for post in view["posts"]]
    assert posts == [(1, "ante", 10), (1, "sb", 20), (2, "ante", 10), (2, "bb", 95), (3, "ante", 10)]


@pytest.mark.parametrize(
    ("line", "times"),
    [
        ({}, (15_000, 23_000, None)),
        ({"is_connected": False}, (15_000, None, 35_000)),
        ({"is_connected": False, "protection_ms": None}, (15_000, 23_000, None)),
    ],
)
def test_the_turn_tells_its_deadlines(line: Any, times: tuple[int | None, ...]) -> None:  # noqa: ANN401
    hand = opened([200] * 3).hand
    turn = turn_view(hand, timer(**line))
    assert turn is not None
    shown = (turn["deadline"], turn["bank_until"], turn["protection_until"])
    assert shown == tuple(None if after is None else NOW_MS + after for after in times)
    assert (turn["no"], turn["seat"]) == (1, 3)
    assert turn_view(hand, None) is None
    assert turn_view(hand, timer().acted(NOW_MS)) is None


def test_the_turn_in_its_bank_and_under_protection() -> None:
    hand = opened([200] * 3).hand
    banked = turn_view(hand, timer().at(NOW_MS + 16_000))
    assert banked is not None
    assert (banked["deadline"], banked["bank_until"]) == (NOW_MS + 15_000, NOW_MS + 23_000)
    protected = turn_view(hand, timer(is_connected=False).at(NOW_MS + 16_000))
    assert protected is not None
    assert (protected["bank_until"], protected["protection_until"]) == (None, NOW_MS + 35_000)


def test_only_the_player_to_act_has_options_with_legal_presets() -> None:
    table = opened([200] * 3)
    own = player_options(table.hand, 3, timer())
    assert (own["fold"], own["check"], own["call"]) == (True, False, {"amount": 2})
    presets = [(preset["name"], preset["amount"]) for preset in own["raise"]["presets"]] if own["raise"] else []
    assert presets == [("2.2x", 4), ("2.5x", 5), ("3x", 6), ("pot", 7), ("all_in", 200)]
    assert player_options(table.hand, 1, timer()) == no_options("table", table.hand.hand_id) | {
        "table_id": table.hand.table_id
    }
    flop = table.with_cards("2c 3d 4h 8s 9c", {}).play("3 call", "1 call", "2 check")
    first = player_options(flop.hand, 1, timer())
    sizes = [(preset["name"], preset["amount"]) for preset in first["raise"]["presets"]] if first["raise"] else []
    assert sizes == [("1/3", 2), ("1/2", 3), ("2/3", 4), ("pot", 6), ("all_in", 198)]
    assert (first["check"], first["call"]) == (True, None)


def test_options_without_a_raise() -> None:
    asked = player_options(opened([200, 200, 200, 5]).play("3 raise_to 20").hand, 4, timer())
    assert (asked["call"], asked["raise"]) == ({"amount": 5}, None)


def test_own_cards_have_a_name_and_an_omaha_hand_only_from_the_flop_on() -> None:
    table = opened([200] * 2, game=Game.PLO)
    hole = parse_cards("As Ah Kd Kc")
    assert cards_view(table.hand, 1, hole)["hand"] is None
    table.with_cards("2c 3d 4h 8s 9c", {1: "As Ah Kd Kc"}).play("1 call", "2 check")
    named = cards_view(table.hand, 1, hole)["hand"]
    assert named is not None
    assert named["category"] == "pair"
    best = best_view(Game.NLHE, parse_cards("As Ah"), ())
    assert best is not None
    assert best["category"] == "pair"


def test_automatic_action_has_a_reason() -> None:
    hand = opened([200] * 3).play("3 fold").hand
    (step,) = steps_of(Acted(3, Action.FOLD, 0, 2, NOW_MS, Cause.CLOCK), hand)
    assert (step["kind"], step["seat"], step["automatic"], step["all_in"]) == ("acted", 3, "clock", False)
    (plain,) = steps_of(Acted(3, Action.FOLD, 0, 2, NOW_MS), hand)
    assert "automatic" not in plain
    assert clock_step(hand, NOW_MS)["kind"] == "clock"
