"""Total order of hands, compared with the slow reference and with two independent libraries."""

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from random import Random

import pytest
from phevaluator import evaluate_cards
from pokerkit import StandardHighHand

from casino.cards.card import DECK, RANKS, SUITS, Card
from casino.cards.ranking import CATEGORIES, CATEGORY_SHIFT, Category, best_hand, strength, strength_of
from tests.cards.canonical import five_card_hands, seven_card_hands
from tests.cards.slow_oracle import Order, order_of_five

pytestmark = pytest.mark.req("RND-10")


def one_to_one(pairs: Iterable[tuple[Order, int]]) -> dict[Order, int]:
    """The strengths by the judge's order; each must have exactly one, and better must be stronger."""
    strengths: dict[Order, int] = {}
    for order, strength_ in pairs:
        assert strengths.setdefault(order, strength_) == strength_, order
    in_order = [strengths[order] for order in sorted(strengths)]
    assert all(lower < higher for lower, higher in pairwise(in_order))
    return strengths


def test_the_canonical_hands_are_complete() -> None:
    assert len(five_card_hands()) == len(set(five_card_hands())) == 134_459
    assert len(seven_card_hands()) == 49_205 + 1_287 + 1_716 + 1_716


def test_all_five_card_hands_are_in_the_order_of_the_rules() -> None:
    strengths = one_to_one((order_of_five(cards), strength_of(cards)) for cards in five_card_hands())
    assert len(strengths) == 7_462
    assert all(order[0] == value >> CATEGORY_SHIFT for order, value in strengths.items())


def test_seven_cards_are_exactly_as_strong_as_their_best_five() -> None:
    strengths = {cards: strength_of(cards) for cards in seven_card_hands()}
    assert len(set(strengths.values())) == 4_824
    for cards in seven_card_hands()[::4]:
        assert max(map(strength_of, combinations(cards, 5))) == strengths[cards], cards


def test_all_seven_card_hands_are_in_the_order_of_phevaluator() -> None:
    one_to_one(((-evaluate_cards(*cards),), strength_of(cards)) for cards in seven_card_hands())


def random_pairs(count: int, seed: int) -> list[tuple[Sequence[Card], Sequence[Card]]]:
    """Two hands over one board, as at the table, so that close and equal hands are frequent."""
    chance = Random(seed)
    deals = (chance.sample(DECK, 9) for _ in range(count))
    return [(deal[:7], deal[2:]) for deal in deals]


PHEVALUATOR_ID = {card: 4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in DECK}


def phevaluator_rank(cards: Sequence[Card]) -> int:
    """Their numbers are taken instead of their names, because that is four times faster. Low is strong."""
    return int(evaluate_cards(*map(PHEVALUATOR_ID.__getitem__, cards)))


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def test_winners_of_100_000_deals_equal_those_of_phevaluator() -> None:
    differences = [
        (player, dealer)
        for player, dealer in random_pairs(100_000, seed=1)
        if sign(strength_of(player) - strength_of(dealer)) != sign(phevaluator_rank(dealer) - phevaluator_rank(player))
    ]
    assert differences == []


def test_winner_and_category_equal_those_of_pokerkit() -> None:
    names = {category: category.replace("_", " ") for category in CATEGORIES} | {
        Category.PAIR: "one pair",
        Category.ROYAL_FLUSH: "straight flush",
    }
    for player, dealer in random_pairs(1_000, seed=2):
        ours = [best_hand(hand) for hand in (player, dealer)]
        theirs = [StandardHighHand.from_game("".join(hand)) for hand in (player, dealer)]
        assert (ours[0] > ours[1], ours[0] < ours[1]) == (theirs[0] > theirs[1], theirs[0] < theirs[1])
        assert [names[hand.category] for hand in ours] == [hand.entry.label.value.lower() for hand in theirs]


def test_strength_is_the_same_for_a_mask_as_for_its_cards() -> None:
    for cards in seven_card_hands()[::50]:
        assert strength(sum(1 << DECK.index(card) for card in cards)) == strength_of(cards)
