"""Kernels compared with the settlement, hand by hand; and each kernel interpreted and compiled."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any, TypeVar, cast

import numpy as np
import pytest

from casino.cards.card import DECK, Card, parse_cards
from casino.uth.analysis import kernels
from casino.uth.analysis.kernels import BASE, DEALER_HANDS, HANDS, LEFT, PLAY, PLAYS, PLAYS_BITS, RIVER
from casino.uth.analysis.payoffs import CELLS, payoffs_of
from casino.uth.analysis.symmetry import Integers
from casino.uth.bets import Bets
from casino.uth.paytable import STANDARD
from casino.uth.settlement import OUTCOMES, show_down, verdicts

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

BOARDS = {
    "rainbow": "2c 7d 9h Jc Ks",
    "pair": "2c 2d 9h Jc Ks",
    "three of a suit": "2c 7c 9c Jd Ks",
    "straight on board": "5c 6d 7h 8c 9s",
    "royal flush on board": "Ts Js Qs Ks As",
    "four of a kind on board": "8c 8d 8h 8s 2c",
}
PARTS = payoffs_of(STANDARD, OUTCOMES).parts
GAINS = np.array(payoffs_of(STANDARD, OUTCOMES).by_cell, dtype=np.int64).reshape(10, 12)
FOLDS = np.array(payoffs_of(STANDARD, OUTCOMES).of_fold, dtype=np.int64)


def interpreted(kernel: Kernel) -> Kernel:
    """The kernel's own lines run by Python; the kernels it calls stay compiled."""
    return cast("Kernel", cast("Any", kernel).py_func)


def as_is(kernel: Kernel) -> Kernel:
    return kernel


def mask(cards: tuple[Card, ...]) -> int:
    return sum(1 << DECK.index(card) for card in cards)


def value(board: str, how: Callable[[Any], Any] = as_is) -> tuple[Integers, Integers]:
    """The cards left, and what every hand is worth on this board."""
    cards, hands = np.empty(LEFT, dtype=np.int64), np.empty(HANDS, dtype=np.int64)
    groups, worth = np.zeros((HANDS, 2), dtype=np.int64), np.empty((HANDS, 4), dtype=np.int64)
    how(kernels.cards_left)(mask(parse_cards(board)), cards)
    count = how(kernels.group_hands)(mask(parse_cards(board)), cards, groups, hands)
    how(kernels.value_hands)(groups, count, hands, GAINS, FOLDS, worth)
    return cards, worth


def settled(hole: tuple[Card, Card], board: tuple[Card, ...], multiple: int, *, folded: bool = False) -> int:
    """The gain of an ANTE of as many minor units as it has parts, over all dealer hands, as the service settles it."""
    gain = 0
    bets = Bets(ante=PARTS, play=multiple * PARTS)
    for dealer in combinations([card for card in DECK if card not in (*hole, *board)], 2):
        seat = verdicts(show_down(hole, board, dealer), STANDARD, folded=folded).settle(bets)
        gain += seat.returned - seat.staked
    return gain


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_hands_are_worth_what_the_settlement_pays(board: str) -> None:
    on_board = parse_cards(board)
    cards, worth = value(board)
    for number, (one, other) in list(enumerate(combinations(cards.tolist(), 2)))[::180]:
        hole = (DECK[one], DECK[other])
        played, folded = settled(hole, on_board, 1), settled(hole, on_board, 0, folded=True)
        assert worth[number, BASE] == settled(hole, on_board, 0)
        assert worth[number, BASE] + worth[number, PLAY] == played
        assert worth[number, RIVER] == max(played, folded)
        assert worth[number, PLAYS] == (played > folded)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_showdowns_are_counted_as_the_settlement_sees_them(board: str) -> None:
    on_board = parse_cards(board)
    cards, _ = value(board)
    for one, other in list(combinations(cards.tolist(), 2))[::216]:
        hole, counts = (DECK[one], DECK[other]), np.zeros(6, dtype=np.int64)
        kernels.count_showdowns(mask(hole), mask(on_board), counts)
        dealers = combinations([card for card in DECK if card not in (*hole, *on_board)], 2)
        seen = Counter(
            (showdown.dealer_qualifies, showdown.result)
            for showdown in (show_down(hole, on_board, dealer) for dealer in dealers)
        )
        assert counts.tolist() == [seen[cell] for cell in CELLS]


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_counting_by_groups_equals_counting_one_by_one(board: str) -> None:
    cards, worth = value(board)
    for number, pair in enumerate(combinations(cards.tolist(), 2)):
        counts = np.zeros(6, dtype=np.int64)
        own = sum(1 << card for card in pair)
        category = kernels.count_showdowns(own, mask(parse_cards(board)), counts)
        assert counts.sum() == DEALER_HANDS
        assert worth[number, BASE] == counts @ GAINS[category, 0::2]
        assert worth[number, PLAY] == counts @ GAINS[category, 1::2]


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_interpreted_kernels_agree_on_a_board(board: str) -> None:
    for compiled, by_python in zip(value(board), value(board, interpreted), strict=True):
        assert np.array_equal(compiled, by_python)


def test_interpreted_kernels_agree_on_counts_and_cells() -> None:
    groups = np.array([[5, 1], [6, 2], [1 << 26, HANDS]], dtype=np.int64)
    hands, with_card = np.arange(HANDS), np.zeros(LEFT, dtype=np.int64)
    assert interpreted(kernels.unqualified_hands)(groups, hands, with_card) == 2
    assert with_card.tolist() == [2, 1, 1] + [0] * 44
    assert interpreted(kernels.value_cells)(np.arange(12), 1, 2, 3, 4, 5, 6) == (
        sum(count * 2 * cell for cell, count in enumerate(range(1, 7))),
        sum(count * (2 * cell + 1) for cell, count in enumerate(range(1, 7))),
    )
    for kernel in (kernels.count_showdowns, interpreted(kernels.count_showdowns)):
        counts = np.zeros(6, dtype=np.int64)
        assert kernel(mask(parse_cards("As Kd")), mask(parse_cards(BOARDS["rainbow"])), counts) == 1
        assert counts.sum() == DEALER_HANDS


def test_interpreted_kernels_agree_on_a_walk() -> None:
    boards = np.array([mask(parse_cards(board)) for board in BOARDS.values()][:2], dtype=np.int64)
    weights = np.array([24, 12], dtype=np.int64)
    walks = []
    for kernel in (kernels.walk_boards, interpreted(kernels.walk_boards)):
        cells, sums = np.zeros((1755, 1326), dtype=np.int64), np.zeros((169, 2), dtype=np.int64)
        kernel(boards, weights, GAINS, FOLDS, cells, sums)
        walks.append((cells, sums))
    assert all(np.array_equal(one, other) for one, other in zip(*walks, strict=True))


def test_a_board_is_added_to_ten_flops_and_to_its_starting_hands() -> None:
    board = BOARDS["three of a suit"]
    cards, worth = value(board)
    results = []
    for kernel in (kernels.scatter_hands, interpreted(kernels.scatter_hands)):
        cells, sums = np.zeros((1755, 1326), dtype=np.int64), np.zeros((169, 2), dtype=np.int64)
        kernel(mask(parse_cards(board)), 12, cards, worth, cells, sums)
        results.append((cells, sums))
    assert all(np.array_equal(one, other) for one, other in zip(*results, strict=True))
    cells, sums = results[0]
    leads, plays = cells >> PLAYS_BITS, cells & (1 << PLAYS_BITS) - 1
    assert sums.sum(axis=0).tolist() == (12 * worth[:, [BASE, PLAY]].sum(axis=0)).tolist()
    assert plays.sum() == 10 * 12 * worth[:, PLAYS].sum()
    assert leads.sum() == 10 * 12 * (worth[:, RIVER] - worth[:, BASE] - 2 * worth[:, PLAY]).sum()
    assert np.count_nonzero(np.any(cells, axis=1)) <= 10
