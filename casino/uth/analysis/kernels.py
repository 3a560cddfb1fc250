"""Compiled kernels per board: the value of every hand against every dealer hand.

The kernels take what showdowns are worth as a table of whole numbers and know no other rule than that the better
hand wins and that the dealer qualifies with a pair.
"""

# ruff: noqa: PLR0917 - compiled functions take their arguments by position

from itertools import combinations
from typing import Final

import numpy as np

from casino.cards.batch_ranking import bulk_strength
from casino.cards.numba_cache import compiled
from casino.cards.ranking import CATEGORY_SHIFT, PAIR
from casino.uth.analysis.symmetry import FLOP_HOMES, MOVED_PAIRS, PAIR_CLASSES, Integers

LEFT: Final = 47  # cards not on the board
HANDS: Final = 1081  # pairs of those
DEALER_HANDS: Final = 990  # pairs of the 45 cards that are neither on the board nor the player's

BASE, PLAY, RIVER, PLAYS = range(4)
"""Values of a hand on a board: its gain on ANTE and BLIND, its gain on PLAY for each ANTE staked there,
its gain with the better of play_1x and fold, and whether that is play_1x."""

PLAYS_BITS: Final = 15
"""A cell holds two sums in one number: the lead of a check, and in these lowest bits how often the river is played.
At most 24 · 1,081 boards are added to a cell, which 15 bits can count. The walk is bound by memory: this halves it."""

SLOTS: Final = np.array(list(combinations(range(LEFT), 2)), dtype=np.uint8)
_TABLE_SIZE: Final = 2048  # more than there are hands, and a power of two
FLOPS: Final = np.array(list(combinations(range(5), 3)), dtype=np.int16)


@compiled
def cards_left(board: int, cards: Integers) -> None:
    """The indices of the cards that are not on the board, rising."""
    count = 0
    for card in range(52):
        if not board >> card & 1:
            cards[count] = card
            count += 1


@compiled
def group_hands(board: int, cards: Integers, groups: Integers, hands: Integers) -> int:
    """Sort the hands by strength: groups of equal ones, rising, as rows of strength and end, and the hands in order.

    There are far fewer strengths than hands. They are gathered in a hash table, and only they are sorted.
    """
    table = np.zeros((_TABLE_SIZE, 2), dtype=np.int64)  # strength + 1, how many hands, later where they go
    slots = np.empty(HANDS, dtype=np.int64)
    count = 0
    for hand in range(HANDS):
        strength = bulk_strength(board | 1 << cards[SLOTS[hand, 0]] | 1 << cards[SLOTS[hand, 1]])
        slot = (strength * 2654435761 >> 20) % _TABLE_SIZE
        while table[slot, 0] != strength + 1 and table[slot, 0] != 0:
            slot = (slot + 1) % _TABLE_SIZE
        if table[slot, 0] == 0:
            table[slot, 0] = strength + 1
            place = count
            while place > 0 and groups[place - 1, 0] > strength:
                groups[place, 0] = groups[place - 1, 0]
                groups[place, 1] = groups[place - 1, 1]
                place -= 1
            groups[place, 0] = strength
            groups[place, 1] = slot
            count += 1
        table[slot, 1] += 1
        slots[hand] = slot
    end = 0
    for group in range(count):
        slot = groups[group, 1]
        start, end = end, end + table[slot, 1]
        table[slot, 1] = start
        groups[group, 1] = end
    for hand in range(HANDS):
        hands[table[slots[hand], 1]] = hand
        table[slots[hand], 1] += 1
    return count


@compiled
def unqualified_hands(groups: Integers, hands: Integers, with_card: Integers) -> int:
    """How many hands do not qualify, in all and with each card."""
    end = 0
    group = 0
    while groups[group, 0] < PAIR:
        end = groups[group, 1]
        group += 1
    for place in range(end):
        with_card[SLOTS[hands[place], 0]] += 1
        with_card[SLOTS[hands[place], 1]] += 1
    return end


@compiled
def value_hands(
    groups: Integers, count: int, hands: Integers, gains: Integers, folds: Integers, worth: Integers
) -> None:
    """Returns the value of every hand, summed over the 990 dealer hands.

    Going up through the groups, the dealer hands below a group are all hands seen so far, less those that share a
    card with the player. `gains` has a row for each category: the two gains of each of the six cells in turn.
    """
    seen = np.zeros(LEFT, dtype=np.int64)
    unqualified_with = np.zeros(LEFT, dtype=np.int64)
    unqualified = unqualified_hands(groups, hands, unqualified_with)
    end = 0
    for group in range(count):
        start, end = end, groups[group, 1]
        category = groups[group, 0] >> CATEGORY_SHIFT
        by_cell, fold = gains[category], folds[category] * DEALER_HANDS
        qualified = groups[group, 0] >= PAIR
        for place in range(start, end):
            one, other = SLOTS[hands[place], 0], SLOTS[hands[place], 1]
            worth[hands[place], BASE] = start - seen[one] - seen[other]  # for a moment, the dealer hands below
        for place in range(start, end):
            seen[SLOTS[hands[place], 0]] += 1
            seen[SLOTS[hands[place], 1]] += 1
        for place in range(start, end):
            hand = hands[place]
            one, other = SLOTS[hand, 0], SLOTS[hand, 1]
            below = worth[hand, BASE]
            equal = end - seen[one] - seen[other] + 1 - below  # the player's own hand was taken off twice
            weak = unqualified - unqualified_with[one] - unqualified_with[other]
            if qualified:
                base, play = value_cells(by_cell, weak, 0, 0, below - weak, equal, DEALER_HANDS - below - equal)
            else:
                weak += 1  # here too
                base, play = value_cells(by_cell, below, equal, weak - below - equal, 0, 0, DEALER_HANDS - weak)
            plays = base + play > fold
            worth[hand, BASE] = base
            worth[hand, PLAY] = play
            worth[hand, RIVER] = base + play if plays else fold
            worth[hand, PLAYS] = plays


@compiled
def value_cells(
    gains: Integers, weak_win: int, weak_tie: int, weak_lose: int, win: int, tie: int, lose: int
) -> tuple[int, int]:
    """The gains on ANTE and BLIND and on PLAY, over the number of dealer hands in each of the six cells."""
    base = weak_win * gains[0] + weak_tie * gains[2] + weak_lose * gains[4]
    base += win * gains[6] + tie * gains[8] + lose * gains[10]
    play = weak_win * gains[1] + weak_tie * gains[3] + weak_lose * gains[5]
    play += win * gains[7] + tie * gains[9] + lose * gains[11]
    return base, play


@compiled
def scatter_hands(board: int, weight: int, cards: Integers, worth: Integers, cells: Integers, sums: Integers) -> None:
    """Add the board to its ten flops: by how much a check beats play_2x there, and how often the river is played.

    Before the flop only the sums of each starting hand are needed; they are added to directly.
    """
    pairs = np.empty(HANDS, dtype=np.uint16)
    leads = np.empty(HANDS, dtype=np.int64)
    for hand in range(HANDS):
        low, high = cards[SLOTS[hand, 0]], cards[SLOTS[hand, 1]]
        pair = (high * (high - 1) >> 1) + low
        pairs[hand] = pair
        base, play = worth[hand, BASE], worth[hand, PLAY]
        leads[hand] = weight * (worth[hand, RIVER] - base - 2 * play << PLAYS_BITS | worth[hand, PLAYS])
        sums[PAIR_CLASSES[pair], BASE] += weight * base
        sums[PAIR_CLASSES[pair], PLAY] += weight * play
    on_board = np.empty(5, dtype=np.int64)
    count = 0
    for card in range(52):
        if board >> card & 1:
            on_board[count] = card
            count += 1
    for flop in range(10):
        low, middle, high = on_board[FLOPS[flop, 0]], on_board[FLOPS[flop, 1]], on_board[FLOPS[flop, 2]]
        triple = high * (high - 1) * (high - 2) // 6 + (middle * (middle - 1) >> 1) + low
        home, moved = cells[FLOP_HOMES[triple, 0]], MOVED_PAIRS[FLOP_HOMES[triple, 1]]
        for hand in range(HANDS):
            home[moved[pairs[hand]]] += leads[hand]


@compiled
def walk_boards(
    boards: Integers, weights: Integers, gains: Integers, folds: Integers, cells: Integers, sums: Integers
) -> None:
    """Add all these boards to the cells of their flops and to the sums of the starting hands."""
    cards = np.empty(LEFT, dtype=np.int64)
    groups = np.empty((HANDS, 2), dtype=np.int64)
    hands = np.empty(HANDS, dtype=np.int64)
    worth = np.empty((HANDS, 4), dtype=np.int64)
    for i in range(boards.size):
        cards_left(boards[i], cards)
        count = group_hands(boards[i], cards, groups, hands)
        value_hands(groups, count, hands, gains, folds, worth)
        scatter_hands(boards[i], weights[i], cards, worth, cells, sums)


@compiled
def count_showdowns(hole: int, board: int, counts: Integers) -> int:
    """Count the six ways all dealer hands can end against this one, one by one; the answer is its category."""
    own = bulk_strength(hole | board)
    left = ~(hole | board)
    for low in range(52):
        if left >> low & 1:
            for high in range(low + 1, 52):
                if left >> high & 1:
                    dealer = bulk_strength(board | 1 << low | 1 << high)
                    counts[3 * (dealer >= PAIR) + (dealer >= own) + (dealer > own)] += 1
    return own >> CATEGORY_SHIFT
