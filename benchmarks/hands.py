"""Random hands for the ranking benchmarks, converted to the input format of each library."""

from collections.abc import Callable, Iterable
from random import Random

from phevaluator import evaluate_cards
from treys import Card as TreysCard
from treys import Evaluator

from benchmarks.measurement import Work
from casino.cards.card import DECK, RANKS, SUITS, Card

HANDS = 10_000
SEVENS: list[list[Card]] = [Random(number).sample(DECK, 7) for number in range(HANDS)]  # noqa: S311

_PHEVALUATOR_ID = {card: 4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in DECK}
_NUMBERED = [[_PHEVALUATOR_ID[card] for card in hand] for hand in SEVENS]
_TREYS = [[TreysCard.new(card) for card in hand] for hand in SEVENS]


def _each(rank: Callable[..., object], hands: Iterable[Iterable[object]]) -> None:
    for hand in hands:
        rank(*hand)


def phevaluator_on_names() -> Work:
    return Work(lambda: _each(evaluate_cards, SEVENS), HANDS)


def phevaluator_on_numbers() -> Work:
    """Its own numbers for cards: no text to read."""
    return Work(lambda: _each(evaluate_cards, _NUMBERED), HANDS)


def treys_on_numbers() -> Work:
    evaluate = Evaluator().evaluate
    split = [(hand[:2], hand[2:]) for hand in _TREYS]
    return Work(lambda: _each(evaluate, split), HANDS)
