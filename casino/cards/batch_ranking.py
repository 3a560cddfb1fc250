"""Ranks millions of hands at once, with a compiled version of the `strength` that the live table uses."""

from typing import Final

import numpy as np
import numpy.typing as npt

from casino.cards.numba_cache import compiled, over_arrays
from casino.cards.ranking import CATEGORIES, CATEGORY_SHIFT, Category, strength

Integers = npt.NDArray[np.int64]

bulk_strength: Final = compiled(over_arrays(strength))


@compiled
def rank_masks(masks: Integers, strengths: Integers) -> None:
    """Writes the strength of each hand, a mask of seven cards, into the second array."""
    for i in range(masks.size):
        strengths[i] = bulk_strength(masks[i])


@compiled
def _count_seven_card_hands(lowest: int, counts: Integers) -> None:
    """Count the categories of all seven-card hands whose lowest card has this index."""
    for b in range(lowest + 1, 52):
        two = 1 << lowest | 1 << b
        for c in range(b + 1, 52):
            three = two | 1 << c
            for d in range(c + 1, 52):
                four = three | 1 << d
                for e in range(d + 1, 52):
                    five = four | 1 << e
                    for f in range(e + 1, 52):
                        six = five | 1 << f
                        for g in range(f + 1, 52):
                            counts[bulk_strength(six | 1 << g) >> CATEGORY_SHIFT] += 1


def category_counts(lowest_cards: range = range(46)) -> dict[Category, int]:
    """How many seven-card hands make each category: all 133,784,560 of them, or those with these lowest cards."""
    counts = np.zeros(len(CATEGORIES), dtype=np.int64)
    for lowest in lowest_cards:
        _count_seven_card_hands(lowest, counts)
    return {category: int(count) for category, count in zip(CATEGORIES, counts, strict=True)}
