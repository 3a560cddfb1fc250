"""Compiled batch ranking: same results as the live one, and the textbook counts of all seven-card hands."""

from collections.abc import Sequence
from random import Random
from typing import Any, cast

import numpy as np
import pytest

from casino.cards import batch_ranking
from casino.cards.batch_ranking import Integers, category_counts, rank_masks
from casino.cards.card import DECK, INDEX, Card
from casino.cards.numba_cache import Kernel
from casino.cards.ranking import Category, strength
from tests.cards.canonical import seven_card_hands

pytestmark = pytest.mark.req("RND-10")


def interpreted(kernel: Kernel) -> Kernel:
    """The kernel as Python runs it, line by line."""
    return cast("Kernel", cast("Any", kernel).py_func)


def ranked(masks: Integers) -> list[int]:
    strengths = np.zeros_like(masks)
    rank_masks(masks, strengths)
    return [int(strength_) for strength_ in strengths]


def masks_of(hands: Sequence[Sequence[Card]]) -> Integers:
    return np.array([sum(1 << INDEX[card] for card in hand) for hand in hands], dtype=np.int64)


def test_all_133_784_560_hands_make_the_textbook_categories() -> None:
    assert category_counts() == {
        Category.HIGH_CARD: 23_294_460,
        Category.PAIR: 58_627_800,
        Category.TWO_PAIR: 31_433_400,
        Category.THREE_OF_A_KIND: 6_461_620,
        Category.STRAIGHT: 6_180_020,
        Category.FLUSH: 4_047_644,
        Category.FULL_HOUSE: 3_473_184,
        Category.FOUR_OF_A_KIND: 224_848,
        Category.STRAIGHT_FLUSH: 37_260,
        Category.ROYAL_FLUSH: 4_324,
    }


def test_bulk_ranks_random_hands_as_the_live_table_does() -> None:
    chance = Random(3)
    masks = masks_of([chance.sample(DECK, 7) for _ in range(50_000)])
    assert ranked(masks) == [strength(int(mask)) for mask in masks]


def test_bulk_ranks_every_kind_of_hand_as_the_live_table_does() -> None:
    masks = masks_of(seven_card_hands())
    assert ranked(masks) == [strength(int(mask)) for mask in masks]


def test_bulk_ranks_fewer_cards_too() -> None:
    chance = Random(4)
    masks = masks_of([chance.sample(DECK, size) for size in (2, 3, 4, 5, 6) for _ in range(1_000)])
    assert ranked(masks) == [strength(int(mask)) for mask in masks]


def test_no_hands_are_no_strengths() -> None:
    assert ranked(masks_of([])) == []


def test_the_kernels_give_the_same_with_the_compiler_off() -> None:
    masks = masks_of([DECK[start : start + 7] for start in range(46)])
    strengths = np.zeros_like(masks)
    interpreted(rank_masks)(masks, strengths)
    assert [int(strength_) for strength_ in strengths] == ranked(masks)

    counts = np.zeros(len(Category), dtype=np.int64)
    interpreted(batch_ranking._count_seven_card_hands)(
        40, counts
    )  # the 462 hands with the four of spades and better spades
    assert dict(zip(Category, counts, strict=True)) == category_counts(range(40, 41))
    assert counts.sum() == 462
