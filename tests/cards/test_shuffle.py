"""Shuffle: its source of randomness, and the distribution of a large sample.

A statistical test holds if one of two fresh samples is within the 99% an honest shuffle stays in: an honest one
fails once in ten thousand runs, a crooked one always.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from inspect import signature
from itertools import pairwise, permutations, product
from math import comb, factorial

import numpy as np
import pytest
from scipy import stats

from casino.cards import shuffle
from casino.cards.card import DECK, INDEX, Card
from casino.cards.ranking import CATEGORIES, CATEGORY_SHIFT, strength_of
from casino.cards.seeded_shuffle import Contribution, seeded_deck
from casino.cards.shuffle import new_server_seed, shuffled_deck

pytestmark = pytest.mark.req("RNG")

Deck = tuple[Card, ...]
Shuffle = Callable[[], Deck]
Likelihood = Callable[[list[Deck]], float]
SHUFFLES = 20_000
CONFIDENCE = 0.99
EXPECTED_MIN = 5  # the least count per cell a chi-square test is trusted with
CHANCE = np.random.default_rng()


def committed_deck() -> Deck:
    """A round without contributed seeds: the server seed alone decides."""
    return seeded_deck(new_server_seed(), "uth-1", "r1", [])


ONE_SERVER_SEED = new_server_seed()


def contributed_deck() -> Deck:
    """The server seed stays the same, and only one player's seed is new."""
    return seeded_deck(ONE_SERVER_SEED, "uth-1", "r1", [Contribution("p", secrets.token_hex(8))])


def naive_shuffle() -> Deck:
    """The well-known mistake: every card is exchanged with any card, so that some orders are likelier."""
    deck = list(DECK)
    for place, other in enumerate(CHANCE.integers(52, size=52).tolist()):
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def mere_cut() -> Deck:
    """Every card is equally likely in every place, and yet nothing is mixed."""
    place = int(CHANCE.integers(52))
    return DECK[place:] + DECK[:place]


def chi_square_p(counts: Sequence[int], chances: Sequence[float]) -> float:
    """How likely an honest shuffle strays this far, or comes this close; thin cells are joined with the next."""
    observed, expected = [0.0], [0.0]
    for count, chance in zip(counts, chances, strict=True):
        if expected[-1] >= EXPECTED_MIN:
            observed.append(0)
            expected.append(0)
        observed[-1] += count
        expected[-1] += chance * SHUFFLES
    if expected[-1] < EXPECTED_MIN:
        observed[-2:], expected[-2:] = [sum(observed[-2:])], [sum(expected[-2:])]
    return float(stats.chisquare(observed, expected).pvalue)


def positions(decks: list[Deck]) -> float:
    """Every card in every place. A deck fills each row and each column once, hence 51/52 and 51² degrees."""
    table = np.zeros((52, 52))
    for deck in decks:
        table[np.arange(52), [INDEX[card] for card in deck]] += 1
    expected = len(decks) / 52
    statistic = 51 / 52 * ((table - expected) ** 2 / expected).sum()
    return float(stats.chi2.sf(statistic, 51 * 51))


def adjacent_pairs(decks: list[Deck]) -> float:
    """How many cards still lie directly behind the one they lay behind in the unshuffled deck."""
    stayed = Counter(sum(INDEX[b] - INDEX[a] == 1 for a, b in pairwise(deck)) for deck in decks)
    without = [_orders_without_neighbours(size) for size in range(53)]
    chances = [comb(51, kept) * without[52 - kept] / factorial(52) for kept in range(52)]
    return chi_square_p([stayed[kept] for kept in range(52)], chances)


def _orders_without_neighbours(size: int) -> int:
    """In how many orders of 1…n no number is directly followed by the next one, by inclusion and exclusion."""
    return sum((-1) ** k * comb(size - 1, k) * factorial(size - k) for k in range(size)) if size else 0


def runs(decks: list[Deck]) -> float:
    """How many rising runs a deck falls into: Eulerian numbers."""
    falls = Counter(sum(INDEX[b] < INDEX[a] for a, b in pairwise(deck)) for deck in decks)
    eulerian = [1]
    for size in range(2, 53):
        above, below = [*eulerian, 0], [0, *eulerian]
        eulerian = [(k + 1) * above[k] + (size - k) * below[k] for k in range(size)]
    return chi_square_p([falls[k] for k in range(52)], [count / factorial(52) for count in eulerian])


def gaps_between_aces(decks: list[Deck]) -> float:
    """How many cards lie before, between and behind the aces: one of the five gaps of each deck, in turn."""
    gaps: Counter[int] = Counter()
    for number, deck in enumerate(decks):
        aces = [-1, *(place for place, card in enumerate(deck) if card[0] == "A"), 52]
        gaps[aces[number % 5 + 1] - aces[number % 5] - 1] += 1
    return chi_square_p([gaps[gap] for gap in range(49)], [comb(51 - gap, 3) / comb(52, 4) for gap in range(49)])


def first_five(decks: list[Deck]) -> float:
    """Which hand the first five cards make, best first."""
    hands = Counter(CATEGORIES[strength_of(deck[:5]) >> CATEGORY_SHIFT] for deck in decks)
    ways = [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]
    return chi_square_p([hands[category] for category in CATEGORIES[::-1]], [count / comb(52, 5) for count in ways])


@cache
def sample(shuffle_: Shuffle, _run: int) -> list[Deck]:
    return [shuffle_() for _ in range(SHUFFLES)]


def holds(likelihood: Likelihood, shuffle_: Shuffle) -> bool:
    """True if one of two fresh samples is what chance gives in 99 of 100 cases; too good is suspicious too."""
    tail = (1 - CONFIDENCE) / 2
    return any(tail <= likelihood(sample(shuffle_, run)) <= 1 - tail for run in range(2))


ALL_TESTS = [positions, adjacent_pairs, runs, gaps_between_aces, first_five]


@pytest.mark.parametrize("shuffle_", [shuffled_deck, committed_deck, contributed_deck])
@pytest.mark.parametrize("likelihood", ALL_TESTS)
def test_the_shuffle_looks_like_chance_in(likelihood: Likelihood, shuffle_: Shuffle) -> None:
    assert holds(likelihood, shuffle_)


def test_a_naive_shuffle_is_found_out() -> None:
    assert not holds(positions, naive_shuffle)


@pytest.mark.parametrize("likelihood", [adjacent_pairs, runs, gaps_between_aces, first_five])
def test_a_mere_cut_is_found_out_by(likelihood: Likelihood) -> None:
    assert not holds(likelihood, mere_cut)


def test_a_shuffled_deck_is_the_whole_deck() -> None:
    assert sorted(shuffled_deck()) == sorted(DECK)


def test_two_shuffles_differ_and_the_new_deck_order_stays() -> None:
    before = tuple(DECK)
    assert shuffled_deck() != shuffled_deck()
    assert before == DECK


def test_shuffle_takes_no_input() -> None:
    assert not signature(shuffled_deck).parameters
    assert not signature(new_server_seed).parameters


def test_the_draws_are_exactly_one_of_52_then_of_51_down_to_2(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def highest(below: int) -> int:
        asked.append(below)
        return below - 1

    monkeypatch.setattr(secrets, "randbelow", highest)
    assert shuffled_deck() == DECK  # each card exchanged with itself
    assert asked == list(range(52, 1, -1))


def test_every_order_comes_from_exactly_one_series_of_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    small_deck = DECK[:5]
    monkeypatch.setattr(shuffle, "DECK", small_deck)
    orders = []
    for draws in product(range(5), range(4), range(3), range(2)):
        series = iter(draws)
        monkeypatch.setattr(secrets, "randbelow", lambda _below, series=series: next(series))
        orders.append(shuffled_deck())
    assert sorted(orders) == sorted(permutations(small_deck))


def test_a_server_seed_is_256_bits_in_hexadecimal_and_never_the_same() -> None:
    drawn = {new_server_seed().hex for _ in range(1_000)}
    assert len(drawn) == 1_000
    assert all(len(seed) == 64 and set(seed) <= set("0123456789abcdef") for seed in drawn)
