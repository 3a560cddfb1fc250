"""Ranking of hands: vectors V1 of the rules, and Omaha against all 60 combinations and an independent library."""

import random
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any, cast

import numpy as np
import pytest
from phevaluator import evaluate_omaha_cards

from casino.cards.batch_ranking import Integers
from casino.cards.card import DECK, INDEX, parse_cards
from casino.cards.omaha_batch_ranking import best_of_one_suit, rank_omaha, rank_omaha_by, rank_tables
from casino.cards.ranking import Category, strength_of
from casino.poker.omaha import OmahaBoard, best_omaha_hand, omaha_strength
from casino.poker.showdown import best_of, strengths
from casino.poker.terms import Game


@pytest.mark.parametrize(
    ("hole", "board", "category", "best"),
    [
        pytest.param("Ac Kd Td 8h", "Kc 9c 6c 6h Qc", Category.TWO_PAIR, "Kd Kc 6c 6h Ac", id="V1.1"),
        pytest.param("Th 9h 7c 6c", "Ks Kc Tc Td 5d", Category.THREE_OF_A_KIND, "Th Tc Td Ks 9h", id="V1.2"),
    ],
)
def test_exactly_two_and_exactly_three(hole: str, board: str, category: Category, best: str) -> None:
    hand = best_omaha_hand(parse_cards(hole), parse_cards(board))
    assert (hand.category, hand.cards) == (category, parse_cards(best))
    assert best_of(Game.PLO, parse_cards(hole), parse_cards(board)) == hand


def test_v1_3_the_straight_flush_to_the_six() -> None:
    board = parse_cards("4h 5h 6h Ah Kd")
    best = best_of(Game.NLHE, parse_cards("2h 3h"), board)
    assert best is not None
    assert best.category is Category.STRAIGHT_FLUSH
    assert best.cards == parse_cards("6h 5h 4h 3h 2h")
    assert best.strength > strength_of(parse_cards("Ah 2h 3h 4h 5h"))


def test_v1_4_the_board_plays() -> None:
    hands = {1: parse_cards("2c 3d"), 2: parse_cards("2d 3c")}
    found = strengths(Game.NLHE, hands, parse_cards("Ah Kh Qh Jh Th"))
    assert found[1] == found[2]


def test_an_omaha_hand_has_no_name_before_the_flop() -> None:
    assert best_of(Game.PLO, parse_cards("Ac Kd Td 8h"), ()) is None


def deals(count: int, seed: int) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    chance = random.Random(seed)
    dealt = [chance.sample(DECK, 9) for _ in range(count)]
    return [(tuple(cards[:4]), tuple(cards[4:])) for cards in dealt]


def test_omaha_takes_the_best_of_all_sixty_combinations() -> None:
    for hole, board in deals(1500, 1):
        best = max(
            strength_of(parse_cards("".join(pair + triple)))
            for pair in combinations(hole, 2)
            for triple in combinations(board, 3)
        )
        assert omaha_strength(parse_cards("".join(hole)), parse_cards("".join(board))) == best


def test_omaha_on_flops_and_turns() -> None:
    for hole, board in deals(200, 2):
        for count in (3, 4):
            shown = parse_cards("".join(board[:count]))
            hand = best_omaha_hand(parse_cards("".join(hole)), shown)
            assert hand.strength == OmahaBoard(shown).strength(parse_cards("".join(hole)))
            assert len(set(hand.cards) & set(hole)) == 2


def test_the_order_is_that_of_phevaluator() -> None:
    """The same order for every two neighbours of 3,000 hands sorted by ours."""
    ranked = sorted(
        (omaha_strength(parse_cards("".join(hole)), parse_cards("".join(board))), -evaluate_omaha_cards(*board, *hole))
        for hole, board in deals(3000, 3)
    )
    for (ours, theirs), (better, theirs_better) in pairwise(ranked):
        assert (ours == better) == (theirs == theirs_better)
        assert theirs <= theirs_better


def interpreted(holes: Integers, boards: Integers, strengths_: Integers) -> None:
    """The kernel as Python runs it, line by line."""
    cast("Any", rank_omaha_by).py_func(holes, boards, strengths_, *rank_tables())


@pytest.mark.parametrize(
    ("hole", "best"),
    [("Ac 5c Kc 2d", "Ac 5c 4c 3c 2c"), ("Ac 5d Kd 2d", ""), ("Ad 5d Kc 7c", "Kc 9c 7c 4c 3c")],
)
def test_the_best_of_one_suit_line_by_line(hole: str, best: str) -> None:
    holes = np.array([[INDEX[card] for card in parse_cards(hole)]])
    boards = np.array([[INDEX[card] for card in parse_cards("2c 3c 4c 9c Kh")]])
    found = cast("Any", best_of_one_suit).py_func(holes, boards, 0, 0)
    assert found == (strength_of(parse_cards(best)) if best else 0)


@pytest.mark.parametrize(("rank", "count"), [(rank_omaha, 20_000), (interpreted, 20)])
def test_bulk_ranking_is_the_same(rank: Callable[[Integers, Integers, Integers], None], count: int) -> None:
    dealt = deals(count, 4)
    holes = np.array([[INDEX[card] for card in hole] for hole, _ in dealt], dtype=np.int64)
    boards = np.array([[INDEX[card] for card in board] for _, board in dealt], dtype=np.int64)
    found = np.zeros(len(dealt), dtype=np.int64)
    rank(holes, boards, found)
    alone = [omaha_strength(parse_cards("".join(hole)), parse_cards("".join(board))) for hole, board in dealt]
    assert found.tolist() == alone
