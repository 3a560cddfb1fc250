"""Compiled kernels per board, for known best decisions: the decision that ends a deal, and its gain.

The kernels know no rule; what showdowns are worth and which hands are played comes in tables.
"""

# ruff: noqa: PLR0917 - compiled functions take their arguments by position

import numpy as np

from casino.cards.numba_cache import compiled
from casino.uth.analysis.kernels import (
    BASE,
    DEALER_HANDS,
    FLOPS,
    HANDS,
    LEFT,
    PLAY,
    PLAYS,
    RIVER,
    SLOTS,
    cards_left,
    group_hands,
    value_hands,
)
from casino.uth.analysis.symmetry import FLOP_HOMES, MOVED_PAIRS, PAIR_CLASSES, Integers

FOUR, TWO, ONE, FOLDED, THREE = range(5)
"""The decisions that end a round. THREE is played with the hands that are worth FOUR."""

COUNT, GAIN, SQUARE, MIXED = range(4)
"""Sums for each: deals, the gain, its square, and its product with the gain on TRIPS."""


@compiled
def count_flops(board: int, pairs: Integers, played: Integers, counts: Integers) -> None:
    """On how many of the board's ten flops each hand is played 2x."""
    on_board = np.empty(5, dtype=np.int64)
    count = 0
    for card in range(52):
        if board >> card & 1:
            on_board[count] = card
            count += 1
    counts[:] = 0
    for flop in range(10):
        low, middle, high = on_board[FLOPS[flop, 0]], on_board[FLOPS[flop, 1]], on_board[FLOPS[flop, 2]]
        triple = high * (high - 1) * (high - 2) // 6 + (middle * (middle - 1) >> 1) + low
        home, moved = played[FLOP_HOMES[triple, 0]], MOVED_PAIRS[FLOP_HOMES[triple, 1]]
        for hand in range(HANDS):
            counts[hand] += home[moved[pairs[hand]]]


@compiled
def add_decision(
    decision: int, multiple: int, times: int, hand: int, worth: Integers, squares: Integers, sums: Integers
) -> None:
    """`squares` has of each hand, summed over the dealer hands: base², play², base · play; and the gain on TRIPS."""
    gain = worth[hand, BASE] + multiple * worth[hand, PLAY]
    square = squares[hand, 0] + multiple * (2 * squares[hand, 2] + multiple * squares[hand, 1])
    sums[decision, COUNT] += times * DEALER_HANDS
    sums[decision, GAIN] += times * gain
    sums[decision, SQUARE] += times * square
    sums[decision, MIXED] += times * gain * squares[hand, 3]


@compiled
def walk_decisions(
    boards: Integers,
    weights: Integers,
    tables: Integers,
    folds: Integers,
    raised: Integers,
    played: Integers,
    sums: Integers,
) -> None:
    """Add every deal of these boards to the decision that ends it.

    `tables` are three tables of gains: the gains themselves; their squares; and their product with the gain on
    TRIPS with it. `raised` says which starting hands are played before the flop, `played` which hands on the flop.
    """
    cards = np.empty(LEFT, dtype=np.int64)
    groups = np.empty((HANDS, 2), dtype=np.int64)
    hands = np.empty(HANDS, dtype=np.int64)
    worth = np.empty((HANDS, 4), dtype=np.int64)
    other = np.empty((HANDS, 4), dtype=np.int64)
    squares = np.empty((HANDS, 4), dtype=np.int64)
    pairs = np.empty(HANDS, dtype=np.int64)
    flops = np.empty(HANDS, dtype=np.int64)
    for i in range(boards.size):
        cards_left(boards[i], cards)
        count = group_hands(boards[i], cards, groups, hands)
        value_hands(groups, count, hands, tables[0], folds, worth)
        for table in range(2):
            value_hands(groups, count, hands, tables[1 + table], folds, other)
            squares[:, 2 * table] = other[:, BASE]
            squares[:, 2 * table + 1] = other[:, PLAY]
        for hand in range(HANDS):
            low, high = cards[SLOTS[hand, 0]], cards[SLOTS[hand, 1]]
            pairs[hand] = (high * (high - 1) >> 1) + low
            squares[hand, 3] //= DEALER_HANDS  # the same against all of them
        count_flops(boards[i], pairs, played, flops)
        for hand in range(HANDS):
            if raised[PAIR_CLASSES[pairs[hand]]]:
                add_decision(FOUR, 4, 10 * weights[i], hand, worth, squares, sums)
                add_decision(THREE, 3, 10 * weights[i], hand, worth, squares, sums)
                continue
            add_decision(TWO, 2, flops[hand] * weights[i], hand, worth, squares, sums)
            left = (10 - flops[hand]) * weights[i]
            if worth[hand, PLAYS]:
                add_decision(ONE, 1, left, hand, worth, squares, sums)
            else:
                fold = worth[hand, RIVER]
                sums[FOLDED, COUNT] += left * DEALER_HANDS
                sums[FOLDED, GAIN] += left * fold
                sums[FOLDED, SQUARE] += left * fold * fold // DEALER_HANDS
                sums[FOLDED, MIXED] += left * fold * squares[hand, 3]
