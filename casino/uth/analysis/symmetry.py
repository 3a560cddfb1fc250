"""Suit symmetry: card sets that differ in suits alone are evaluated once, with a weight.

A set of cards is represented by four masks of thirteen ranks, one per suit. Of the sets that permutations of suits turn
into each other, the canonical one has its suits in descending order, by number of cards and then by mask.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from math import factorial, prod
from typing import Final

import numpy as np
import numpy.typing as npt

from casino.cards.card import DECK
from casino.uth.analysis.starting_hands import STARTING_HANDS, starting_hand_of

Integers = npt.NDArray[np.int64]
Suits = tuple[int, ...]

PERMUTATIONS: Final = tuple(permutations(range(4)))
"""Every way to rename the suits: the suit `s` becomes `permutation[s]`."""

PAIRS: Final = tuple((low, high) for high in range(52) for low in range(high))
"""Two cards as their indices in the deck. The index of a pair here is `high · (high - 1) / 2 + low`."""

TRIPLES: Final = tuple((low, middle, high) for high in range(52) for middle in range(high) for low in range(middle))
"""Three cards; here the index is that of the pair of the two lower ones plus `high · (high - 1) · (high - 2) / 6`."""


PAIR_CLASSES: Final = np.array(
    [STARTING_HANDS.index(starting_hand_of(DECK[low], DECK[high])) for low, high in PAIRS], dtype=np.uint16
)
"""Number of the starting hand of each pair."""


def _falling(masks: Suits) -> tuple[int, ...]:
    """Suits in the order they have in a canonical set."""
    return tuple(sorted(range(4), key=lambda suit: (masks[suit].bit_count(), masks[suit]), reverse=True))


def canonical_sets(size: int) -> Iterator[Suits]:
    """Yields every canonical set of this many cards."""
    for counts in combinations_with_replacement(range(size, -1, -1), 4):
        if sum(counts) == size:
            groups = (combinations_with_replacement(_subsets(count), suits) for count, suits in Counter(counts).items())
            yield from (tuple(chain.from_iterable(group)) for group in product(*groups))


@cache
def _subsets(count: int) -> tuple[int, ...]:
    """Masks of this many ranks, in descending order."""
    return tuple(sorted((sum(1 << rank for rank in ranks) for ranks in combinations(range(13), count)), reverse=True))


def multiplicity(masks: Suits) -> int:
    """Number of sets that permutations of suits turn this one into, itself included."""
    return 24 // prod(factorial(suits) for suits in Counter(masks).values())


def mask_of(masks: Suits) -> int:
    return masks[0] | masks[1] << 13 | masks[2] << 26 | masks[3] << 39


CANONICAL_FLOPS: Final = tuple(canonical_sets(3))


def _moved(card: int, permutation: Suits) -> int:
    suit, rank = divmod(card, 13)
    return permutation[suit] * 13 + rank


def _moved_pairs() -> npt.NDArray[np.uint16]:
    index = {frozenset(pair): number for number, pair in enumerate(PAIRS)}
    rows = (
        [index[frozenset((_moved(low, permutation), _moved(high, permutation)))] for low, high in PAIRS]
        for permutation in PERMUTATIONS
    )
    return np.array(list(rows), dtype=np.uint16)


def _flop_homes() -> npt.NDArray[np.uint16]:
    """Canonical flop of each flop, and the permutation that leads to it."""
    index = {masks: number for number, masks in enumerate(CANONICAL_FLOPS)}
    homes = np.empty((len(TRIPLES), 2), dtype=np.uint16)
    for number, triple in enumerate(TRIPLES):
        masks = tuple(sum(1 << card % 13 for card in triple if card // 13 == suit) for suit in range(4))
        falling = _falling(masks)
        canonical = tuple(masks[suit] for suit in falling)
        homes[number] = index[canonical], PERMUTATIONS.index(tuple(falling.index(suit) for suit in range(4)))
    return homes


MOVED_PAIRS: Final = _moved_pairs()
"""Pair that each permutation turns each pair into."""

FLOP_HOMES: Final = _flop_homes()


def fixed_flops(permutation: Suits) -> Integers:
    """The canonical flops that this permutation turns into themselves."""
    fixed = (all(masks[s] == masks[permutation[s]] for s in range(4)) for masks in CANONICAL_FLOPS)
    return np.flatnonzero(np.fromiter(fixed, dtype=bool)).astype(np.int64)
