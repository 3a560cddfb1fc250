"""ICM: vectors V12.1 to V12.3, PokerKit side by side, symmetry and monotony."""

import random
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import calculate_icm

from casino.poker.tournament.icm import PLAYERS_MAX, icm, icm_shares
from tests.deep import DEEP

TABLES = 400 if DEEP else 40


def test_v12_1_icm_of_three_players() -> None:
    prizes = [5000, 3000, 2000]
    assert icm(prizes, prizes) == [Fraction(26875, 7), 3275, Fraction(20200, 7)]
    assert icm_shares(10_000, prizes, prizes) == [3839, 3275, 2886]


def test_v12_2_icm_of_three_unequal_stacks() -> None:
    stacks, prizes = [900, 400, 200], [8000, 1200, 800]
    assert icm(stacks, prizes) == [Fraction(749920, 143), Fraction(112960, 39), Fraction(61360, 33)]
    assert icm_shares(10_000, stacks, prizes) == [5244, 2897, 1859]


def test_v12_3_icm_of_four_players_and_three_prizes() -> None:
    assert icm_shares(10_000, [4500, 3000, 1500, 1000], [5000, 3000, 2000]) == [3564, 3002, 2013, 1421]


def test_icm_of_two_players_equals_the_calculation_by_hand() -> None:
    """The first place is won with the share of the chips."""
    assert icm([3, 1], [100, 20]) == [Fraction(3, 4) * 100 + Fraction(1, 4) * 20, Fraction(1, 4) * 100 + 15]


def test_a_winner_takes_all_prize_follows_the_chips() -> None:
    assert icm([900, 400, 200], [7000]) == [4200, Fraction(5600, 3), Fraction(2800, 3)]


def test_no_prize_is_worth_nothing() -> None:
    assert icm([5, 5], []) == [0, 0]
    assert icm_shares(0, [5, 5], [0]) == [0, 0]


def by_definition(stacks: list[int], prizes: list[int]) -> list[Fraction]:
    """The sum over every order of the places, straight from the definition."""
    values = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks)), len(prizes)):
        chance, left = Fraction(1), sum(stacks)
        for player in order:
            chance *= Fraction(stacks[player], left)
            left -= stacks[player]
        for player, prize in zip(order, prizes, strict=True):
            values[player] += chance * prize
    return values


@settings(deadline=None)
@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=5), st.lists(st.integers(0, 10**6), max_size=5))
def test_equals_the_sum_over_all_orders(stacks: list[int], prizes: list[int]) -> None:
    prizes = prizes[: len(stacks)]
    values = icm(stacks, prizes)
    assert values == by_definition(stacks, prizes)
    assert sum(values) == sum(prizes)
    shares = icm_shares(sum(prizes), stacks, prizes)
    assert sum(shares) == sum(prizes)
    assert all(abs(share - value) < 1 for share, value in zip(shares, values, strict=True))


@settings(deadline=None)
@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=9), st.integers(1, 9))
def test_more_chips_are_worth_more_and_equal_stacks_the_same(stacks: list[int], places: int) -> None:
    prizes = sorted(range(100, 100 + 10 * min(places, len(stacks)), 10), reverse=True)
    values = dict(zip(stacks, icm(stacks, prizes), strict=True))
    for stack, value in zip(stacks, icm(stacks, prizes), strict=True):
        assert values[stack] == value
    in_order = [values[stack] for stack in sorted(values)]
    assert all(less < more or prizes[0] == prizes[-1] for less, more in pairwise(in_order))


def test_agrees_with_pokerkit() -> None:
    chance = random.Random(20)
    for _ in range(TABLES):
        stacks = [chance.randint(1, 200_000) for _ in range(chance.randint(2, 7))]
        prizes = sorted((chance.randint(1, 50_000) for _ in range(chance.randint(1, len(stacks)))), reverse=True)
        for ours, theirs in zip(icm(stacks, prizes), calculate_icm(prizes, stacks), strict=True):
            assert float(ours) == pytest.approx(theirs, rel=1e-9, abs=1e-6)


def test_equal_remainders_go_to_the_larger_stack_then_in_order() -> None:
    assert icm_shares(1, [5, 5], [10, 10]) == [1, 0]
    assert icm_shares(1, [5, 6], [10, 10]) == [0, 1]


@pytest.mark.parametrize(
    ("stacks", "prizes", "reason"),
    [
        ([], [], "1 to"),
        ([1] * (PLAYERS_MAX + 1), [1], "1 to"),
        ([1, 0], [1], "at least 1"),
        ([1], [1, 1], "more prizes"),
    ],
)
def test_impossible_tables_are_refused(stacks: list[int], prizes: list[int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        icm(stacks, prizes)
