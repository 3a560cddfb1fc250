"""Compiled batch ranking of Omaha hands: the best of exactly two hole cards with exactly three board cards.

Every pair of ranks meets every three ranks in a table that `strength` has filled, so the 60 combinations of a hand
cost one look-up each. Combinations of one suit are ranked by `strength` itself.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from casino.cards.batch_ranking import Integers, bulk_strength
from casino.cards.numba_cache import compiled
from casino.cards.ranking import strength

Strengths = npt.NDArray[np.int32]
"""Half the size of `Integers`, so that the table stays in the processor's cache."""


def rank_omaha(holes: Integers, boards: Integers, strengths: Integers) -> None:
    """Write the strength of each hand into `strengths`.

    `holes` has a row of four card indexes for each hand, `boards` a row of five.
    """
    rank_omaha_by(holes, boards, strengths, *rank_tables())


@cache
def rank_tables() -> tuple[Integers, Integers, Strengths]:
    """A number for every two ranks, one for every three, and the strength of both together if the suits differ."""
    pairs = [*combinations_with_replacement(range(13), 2)]
    triples = [*combinations_with_replacement(range(13), 3)]
    pair_number = np.zeros((13, 13), dtype=np.int64)
    for number, (a, b) in enumerate(pairs):
        pair_number[a, b] = pair_number[b, a] = number
    triple_number = np.zeros((13, 13, 13), dtype=np.int64)
    for number, (a, b, c) in enumerate(triples):
        for x, y, z in ((a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
            triple_number[x, y, z] = number
    by_ranks = np.zeros((len(triples), len(pairs)), dtype=np.int32)
    for number, triple in enumerate(triples):
        by_ranks[number] = [_strength_of_ranks((*triple, *pair)) for pair in pairs]
    return pair_number, triple_number, by_ranks


def _strength_of_ranks(ranks: Sequence[int]) -> int:
    """The strength of five ranks in mixed suits; 0 for five of one rank, which no deck holds."""
    if len(set(ranks)) == 1:
        return 0
    return strength(sum(1 << 13 * (place % 4) + rank for place, rank in enumerate(sorted(ranks))))


@compiled
def best_of_one_suit(holes: Integers, boards: Integers, i: int, suit: int) -> int:
    """The best hand of row `i` in this suit, with exactly two hole cards; 0 if there is none."""
    best = 0
    for a in range(3):
        for b in range(a + 1, 4):
            if holes[i, a] // 13 == suit and holes[i, b] // 13 == suit:
                two = 1 << holes[i, a] | 1 << holes[i, b]
                for c in range(3):
                    for d in range(c + 1, 4):
                        for e in range(d + 1, 5):
                            three = 1 << boards[i, c] | 1 << boards[i, d] | 1 << boards[i, e]
                            if three >> 13 * suit < 1 << 13 and three & ((1 << 13 * suit) - 1) == 0:
                                best = max(best, bulk_strength(two | three))
    return best


@compiled
def rank_omaha_by(  # noqa: PLR0917
    holes: Integers,
    boards: Integers,
    strengths: Integers,
    pair_number: Integers,
    triple_number: Integers,
    by_ranks: Strengths,
) -> None:
    pairs, own, ranks = np.empty(6, np.int64), np.empty(4, np.int64), np.empty(5, np.int64)
    for i in range(strengths.size):
        for a in range(4):
            own[a] = holes[i, a] % 13
        suits = 0  # four bits count the board cards of each suit
        for c in range(5):
            suit = boards[i, c] // 13
            ranks[c] = boards[i, c] - 13 * suit
            suits += 1 << 4 * suit
        count = 0
        for a in range(3):
            for b in range(a + 1, 4):
                pairs[count] = pair_number[own[a], own[b]]
                count += 1
        best = 0
        for c in range(3):
            for d in range(c + 1, 4):
                for e in range(d + 1, 5):
                    triple = triple_number[ranks[c], ranks[d], ranks[e]]
                    for pair in pairs:
                        best = max(best, by_ranks[triple, pair])
        for suit in range(4):
            if suits >> 4 * suit & 0b1111 >= 3:
                best = max(best, best_of_one_suit(holes, boards, i, suit))
        strengths[i] = best
