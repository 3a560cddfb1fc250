"""Strategies of poker bots: only offered options, each strategy in its own way."""

from random import Random
from typing import Any

import pytest

from casino.client.poker.options import PokerStrategy
from casino.client.poker.strategy import Spot, strategy_of

RANGE = {"min": 20, "max": 1000, "presets": [{"name": "3x", "amount": 30}, {"name": "all_in", "amount": 1000}]}
FREE = {"fold": True, "check": True, "call": None, "raise": RANGE}
PRICED = {"fold": True, "check": False, "call": {"amount": 40}, "raise": RANGE}
LAST = {"fold": True, "check": False, "call": {"amount": 40}, "raise": None}


def spot(options: dict[str, Any], cards: str = "7h 2c", category: str = "high_card", board: str = "") -> Spot:
    return Spot(options, cards.split(), category, board.split(), pot=100)


@pytest.mark.parametrize("name", PokerStrategy)
@pytest.mark.parametrize("options", [FREE, PRICED, LAST])
def test_every_answer_was_offered(name: PokerStrategy, options: dict[str, Any]) -> None:
    decide = strategy_of(name, Random(1))
    for cards, category, board in (("As Ah", "pair", ""), ("7h 2c", "high_card", ""), ("As Ah", "flush", "2s 3s 4s")):
        for _ in range(200):
            answer = decide(spot(options, cards, category, board))
            if name is PokerStrategy.NEVER:
                assert answer is None
                continue
            assert answer is not None
            action, amount = answer
            if action == "raise_to":
                assert options["raise"] is not None
                assert amount is not None
                assert options["raise"]["min"] <= amount <= options["raise"]["max"]
            else:
                assert options[action]
                assert amount is None


def test_random_bots_fold_call_and_raise() -> None:
    decide = strategy_of(PokerStrategy.RANDOM, Random(1))
    assert {answer[0] for _ in range(100) if (answer := decide(spot(PRICED)))} == {"fold", "call", "raise_to"}
    assert "fold" not in {answer[0] for _ in range(100) if (answer := decide(spot(FREE)))}


def test_tight_bots_play_good_starting_hands_only() -> None:
    decide = strategy_of(PokerStrategy.TIGHT, Random(1))
    assert decide(spot(PRICED, "As Ah", "pair")) == ("raise_to", 30)
    assert decide(spot(PRICED, "7h 2c")) == ("fold", None)
    assert decide(spot(FREE, "7h 2c")) == ("check", None)
    assert decide(spot(LAST, "Kd Qd")) == ("call", None)
    assert decide(spot(PRICED, "Ks 9d", "pair", "Kd 2c 3h")) == ("call", None)
    assert decide(spot({**PRICED, "call": {"amount": 80}}, "Ks 9d", "pair", "Kd 2c 3h")) == ("fold", None)


def test_callers_never_fold() -> None:
    decide = strategy_of(PokerStrategy.CALLER, Random(1))
    assert decide(spot(PRICED)) == ("call", None)
    assert decide(spot(FREE)) == ("check", None)
