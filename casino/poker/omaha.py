"""Omaha hands: the best of exactly two hole cards with exactly three board cards.

Of the 60 combinations all are compared by rank alone, with one look-up each; only combinations of one suit are ranked
as flushes. The look-up table is filled by `strength`, so there is still one definition of the order of hands.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final

from casino.cards.card import INDEX, RANKS, Card
from casino.cards.ranking import Hand, best_hand, strength

_RANK_WEIGHT: Final = {card: 5 ** (index % 13) for card, index in INDEX.items()}
"""A rank occurs at most four times, so a sum of weights is a number of base five: it names the ranks of a hand."""
_BIT: Final = {card: 1 << index for card, index in INDEX.items()}


@cache
def _strength_by_ranks() -> dict[int, int]:
    """Strength of every five ranks that are not all of one suit."""
    table = {}
    for ranks in combinations_with_replacement(range(len(RANKS)), 5):
        if ranks[0] != ranks[4]:
            mask = sum(1 << 13 * (place % 4) + rank for place, rank in enumerate(ranks))
            table[sum(5**rank for rank in ranks)] = strength(mask)
    return table


class OmahaBoard:
    """A board of three to five cards, prepared once for all hands of a showdown."""

    def __init__(self, board: Sequence[Card]) -> None:
        self._table = _strength_by_ranks()
        self._triples = {_RANK_WEIGHT[a] + _RANK_WEIGHT[b] + _RANK_WEIGHT[c] for a, b, c in combinations(board, 3)}
        suits = [card[1] for card in board]
        self._suit = next((suit for suit in suits if suits.count(suit) >= 3), "")
        suited = [card for card in board if card[1] == self._suit]
        self._suited_triples = [_BIT[a] | _BIT[b] | _BIT[c] for a, b, c in combinations(suited, 3)]

    def strength(self, hole: Sequence[Card]) -> int:
        table = self._table
        pairs = {_RANK_WEIGHT[a] + _RANK_WEIGHT[b] for a, b in combinations(hole, 2)}
        best = max([table[pair + triple] for pair in pairs for triple in self._triples])
        if self._suit:
            own = [card for card in hole if card[1] == self._suit]
            for a, b in combinations(own, 2):
                best = max(best, *[strength(_BIT[a] | _BIT[b] | triple) for triple in self._suited_triples])
        return best


def omaha_strength(hole: Sequence[Card], board: Sequence[Card]) -> int:
    return OmahaBoard(board).strength(hole)


def best_omaha_hand(hole: Sequence[Card], board: Sequence[Card]) -> Hand:
    """The best hand with the five cards it uses, hole cards before board cards of the same rank."""
    order = omaha_strength(hole, board)
    return next(
        hand
        for pair in combinations(hole, 2)
        for triple in combinations(board, 3)
        if (hand := best_hand((*pair, *triple))).strength == order
    )
