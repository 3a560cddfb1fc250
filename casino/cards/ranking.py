"""Hand ranking: the best five of up to seven cards, its category, and a total order over all hands.

There is one definition, `strength`, in whole-number operations only. The live table runs it unchanged; bulk
work (see `bulk.py`) compiles the very same function. A hand is a mask of 52 bits, thirteen to a suit, so the
ranks of each suit are a 13-bit number with the ace on top.

A strength is `category · 2^26 + main ranks · 2^13 + kickers`, the latter two again as 13-bit masks. Comparing
two strengths as integers compares category, then pair or triplet or straight, then kickers, as the rules say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from casino.cards.card import INDEX, RANKS, Card
from casino.errors import Code, Refusal


class Category(StrEnum):
    """From low to high."""

    HIGH_CARD = "high_card"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"


CATEGORIES: Final = tuple(Category)
CATEGORY_SHIFT: Final = 26
_MAIN_SHIFT: Final = 13
_SUIT_RANKS: Final = 0x1FFF

# The least strength of each category.
PAIR: Final = 1 << CATEGORY_SHIFT
_THREE_OF_A_KIND: Final = 3 << CATEGORY_SHIFT
_STRAIGHT: Final = 4 << CATEGORY_SHIFT
_FLUSH: Final = 5 << CATEGORY_SHIFT
_FULL_HOUSE: Final = 6 << CATEGORY_SHIFT
_FOUR_OF_A_KIND: Final = 7 << CATEGORY_SHIFT
_STRAIGHT_FLUSH: Final = 8 << CATEGORY_SHIFT
_ROYAL_FLUSH: Final = 9 << CATEGORY_SHIFT

_ACE: Final = 1 << 12
_WHEEL: Final = _ACE | 0b1111  # 5-4-3-2-A, the one straight in which the ace is low

_SUITED: Final = frozenset({Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH})
_RUNNING: Final = frozenset({Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH})


def _run_of(top: int) -> int:
    """The five ranks of the straight with this top rank."""
    return _WHEEL if top == 0b1000 else top * 0b11111 >> 4


def _top_of_straight(ranks: int) -> int:
    down_to_one = ranks << 1 | ranks >> 12  # the ace at both ends
    lowest = down_to_one & down_to_one >> 1 & down_to_one >> 2 & down_to_one >> 3 & down_to_one >> 4
    return 1 << lowest.bit_length() + 2 if lowest else 0


def _one_more(tops: Sequence[int]) -> tuple[int, ...]:
    """From a table of the n highest ranks, that of the n + 1 highest."""
    return tuple(top | tops[ranks ^ top] for ranks, top in enumerate(TOP_1))


# Answers about the 8,192 masks of ranks, looked up instead of counted.
_ALL_RANKS: Final = range(1 << 13)
TOP_1: Final[Sequence[int]] = tuple(1 << ranks.bit_length() >> 1 for ranks in _ALL_RANKS)
TOP_2: Final[Sequence[int]] = _one_more(TOP_1)
_TOP_3: Final = _one_more(TOP_2)
_TOP_5: Final = _one_more(_one_more(_TOP_3))
PAIR_COUNT: Final[Sequence[int]] = tuple(pairs.bit_count() for pairs in TOP_2)
KICKERS: Final[Sequence[int]] = (*_TOP_5, *_TOP_3, *TOP_1)  # with no pair, with one, with two
STRAIGHT_TOP: Final[Sequence[int]] = tuple(map(_top_of_straight, _ALL_RANKS))
FLUSH_RANKS: Final[Sequence[int]] = tuple(top if top.bit_count() == 5 else 0 for top in _TOP_5)


def strength(mask: int) -> int:
    """The order of a hand of at most seven different cards. Higher wins, equal ties."""
    clubs, diamonds = mask & _SUIT_RANKS, mask >> 13 & _SUIT_RANKS
    hearts, spades = mask >> 26 & _SUIT_RANKS, mask >> 39
    flush = FLUSH_RANKS[clubs] | FLUSH_RANKS[diamonds] | FLUSH_RANKS[hearts] | FLUSH_RANKS[spades]
    if flush:
        # Seven cards with a flush hold no second one, no four of a kind and no full house.
        for suited in (clubs, diamonds, hearts, spades):
            top = STRAIGHT_TOP[suited]
            if top == _ACE:
                return _ROYAL_FLUSH | top << _MAIN_SHIFT
            if top:
                return _STRAIGHT_FLUSH | top << _MAIN_SHIFT
        return _FLUSH | flush
    ranks = clubs | diamonds | hearts | spades
    paired = (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
    tripled = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    straight = STRAIGHT_TOP[ranks]
    if tripled:
        quads = clubs & diamonds & hearts & spades
        if quads:
            return _FOUR_OF_A_KIND | quads << _MAIN_SHIFT | TOP_1[ranks ^ quads]
        triplet = TOP_1[tripled]
        if paired != triplet:
            return _FULL_HOUSE | triplet << _MAIN_SHIFT | TOP_1[paired ^ triplet]
        if not straight:
            return _THREE_OF_A_KIND | triplet << _MAIN_SHIFT | TOP_2[ranks ^ triplet]
    if straight:
        return _STRAIGHT | straight << _MAIN_SHIFT
    # The number of pairs is the category. A table lookup costs less than an unpredictable branch.
    count, pairs = PAIR_COUNT[paired], TOP_2[paired]
    return count << CATEGORY_SHIFT | pairs << _MAIN_SHIFT | KICKERS[count << 13 | ranks ^ pairs]


_RANK_BIT_OF: Final = {card: 1 << RANKS.index(card[0]) for card in INDEX}.__getitem__
_BIT_OF: Final = {card: 1 << index for card, index in INDEX.items()}.__getitem__


def strength_of(cards: Sequence[Card]) -> int:
    """The order of these cards' best five, after checking that they are two to seven different cards."""
    mask = sum(map(_BIT_OF, cards))
    if mask.bit_count() != len(cards) or not 2 <= len(cards) <= 7:  # a repeated card carries, and leaves fewer bits
        raise Refusal(Code.BAD_REQUEST, "A hand is ranked from two to seven different cards.")
    return strength(mask)


@dataclass(frozen=True, slots=True, order=True)
class Hand:
    """A ranked hand. Hands compare by strength alone, so suits never break a tie."""

    strength: int
    category: Category = field(compare=False)
    cards: tuple[Card, ...] = field(compare=False)


def best_hand(cards: Sequence[Card]) -> Hand:
    """The best five of these cards (all of them while there are fewer), strongest group first."""
    order = strength_of(cards)
    category = CATEGORIES[order >> CATEGORY_SHIFT]
    return Hand(order, category, _cards_used(cards, category, order))


def _cards_used(cards: Sequence[Card], category: Category, order: int) -> tuple[Card, ...]:
    main, kickers = order >> _MAIN_SHIFT & _SUIT_RANKS, order & _SUIT_RANKS
    highest_first = sorted(cards, key=_RANK_BIT_OF, reverse=True)
    if category in _SUITED:
        suits = [card[1] for card in cards]
        highest_first = [card for card in highest_first if suits.count(card[1]) >= 5]
    if category in _RUNNING:
        return _straight_down(highest_first, _run_of(main))
    used = [card for card in highest_first if main & _RANK_BIT_OF(card)]
    used += [card for card in highest_first if kickers & _RANK_BIT_OF(card)]
    return tuple(used[:5])  # a kicker, or the pair of a full house, may be there once too often


def _straight_down(highest_first: Sequence[Card], run: int) -> tuple[Card, ...]:
    """One card of each rank from the top down; in 5-4-3-2-A the ace comes last."""
    by_rank = {card[0]: card for card in highest_first if run & _RANK_BIT_OF(card)}
    used = tuple(by_rank.values())
    return (*used[1:], used[0]) if run == _WHEEL else used
