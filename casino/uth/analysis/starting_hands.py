"""The 169 starting hands: two cards, suited or not, such as `AA`, `AKs`, `K5o`."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Final

from casino.cards.card import DECK, RANKS, Card


def starting_hand_of(first: Card, second: Card) -> str:
    """Returns the starting hand of two cards in any order."""
    high, low = sorted((first, second), key=lambda card: RANKS.index(card[0]), reverse=True)
    if high[0] == low[0]:
        return high[0] + low[0]
    return high[0] + low[0] + ("s" if high[1] == low[1] else "o")


def _in_order() -> tuple[str, ...]:
    """Pairs first, then by the high card; suited before offsuit; always from the ace down."""
    down = RANKS[::-1]
    pairs = tuple(rank + rank for rank in down)
    others = (high + low + kind for high in down for kind in "so" for low in down[down.index(high) + 1 :])
    return (*pairs, *others)


STARTING_HANDS: Final = _in_order()

COMBINATIONS: Final[Mapping[str, int]] = Counter(starting_hand_of(*pair) for pair in combinations(DECK, 2))
"""Number of the 1,326 pairs of cards that make each starting hand."""
