"""Representative hands under suit symmetry, enough to cover all of them."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, groupby, product
from random import Random

from casino.cards.card import RANKS, SUITS, Card

Hands = list[tuple[Card, ...]]

# How many of five cards may be of the first suit, the second, the third and the fourth.
_SIZES_OF_SUITS = [(5, 0, 0, 0), (4, 1, 0, 0), (3, 2, 0, 0), (3, 1, 1, 0), (2, 2, 1, 0), (2, 1, 1, 1)]


@cache
def five_card_hands() -> Hands:
    """Each of the 134,459 hands that differ by more than an exchange of suits: equally long suits in one order."""
    hands = []
    for sizes in _SIZES_OF_SUITS:
        equally_long = [
            combinations_with_replacement(combinations(RANKS, size), len(list(suits))) for size, suits in groupby(sizes)
        ]
        for chosen in product(*equally_long):
            suits = zip(chain.from_iterable(chosen), SUITS, strict=True)
            hands.append(tuple(Card(rank + suit) for ranks, suit in suits for rank in ranks))
    return hands


@cache
def seven_card_hands() -> Hands:
    """Every kind of seven cards: all ranks that can be held without a flush, and all ranks of all flushes."""
    chance = Random(7)
    return [*_without_flush(chance), *_with_flush(chance)]


def _without_flush(chance: Random) -> Iterator[tuple[Card, ...]]:
    """Each of the 49,205 ways to hold seven ranks, in suits drawn until no five are alike."""
    for ranks in combinations_with_replacement(RANKS, 7):
        held = Counter(ranks)
        if max(held.values()) > len(SUITS):
            continue
        while True:
            cards = [Card(rank + suit) for rank, count in held.items() for suit in chance.sample(SUITS, count)]
            if max(Counter(card[1] for card in cards).values()) < 5:
                break
        yield tuple(cards)


def _with_flush(chance: Random) -> Iterator[tuple[Card, ...]]:
    """Each of the 4,719 ways to hold five to seven ranks of one suit, with any cards of other suits."""
    for size in (5, 6, 7):
        for ranks in combinations(RANKS, size):
            suit = chance.choice(SUITS)
            others = [Card(rank + other) for rank in RANKS for other in SUITS if other != suit]
            yield (*(Card(rank + suit) for rank in ranks), *chance.sample(others, 7 - size))
