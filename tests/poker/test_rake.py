"""Rake of a cash hand: vectors V5 of the rules, the spread over pots and the contribution of each player."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.rake import cap_for, contributed, rake_of, spread_over_pots
from casino.poker.shares import in_proportion
from casino.poker.terms import Format, Game, RakeTerms, Terms
from casino.settings.poker import PUBLISHED as PUBLISHED_RULES
from casino.settings.poker import load_poker
from tests.poker.table import opened

STAKES = load_poker(PUBLISHED_RULES).stakes

PUBLISHED = """
nl4 nl10 nl25 nl50 nl100 nl200 nl400 pl4 pl10 pl25 pl50 pl100 pl200 pl400 nl100-deep pl10-short banzai-nl1 banzai-nl5
banzai-nl20 banzai-nl50 banzai-nl100 banzai-pl1 banzai-pl5 banzai-pl20 banzai-pl50 banzai-pl100
"""


@pytest.mark.parametrize(
    ("pots", "stake", "dealt_in", "by_pot"),
    [
        pytest.param([8], "nl4", 6, [1], id="V5.1"),
        pytest.param([26], "nl10", 6, [1], id="V5.2"),
        pytest.param([333], "nl25", 6, [15], id="V5.3"),
        pytest.param([4000], "nl10", 6, [100], id="V5.4"),
        pytest.param([4000], "nl10", 3, [50], id="V5.5"),
        pytest.param([2000], "banzai-nl1", 2, [12], id="V5.6"),
        pytest.param([300, 1800], "nl100", 6, [18, 108], id="V5.7"),
        pytest.param([3000, 18000], "nl100", 6, [43, 257], id="V5.8"),
        pytest.param([10000], "nl100", 2, [150], id="V5.10"),
    ],
)
def test_rake_after_a_flop(pots: list[int], stake: str, dealt_in: int, by_pot: list[int]) -> None:
    rake = rake_of(STAKES[stake].terms.rake, sum(pots), dealt_in, flop_dealt=True)
    assert rake == sum(by_pot)
    assert spread_over_pots(rake, pots) == by_pot


@pytest.mark.parametrize("stake", STAKES)
def test_no_flop_no_rake_v5_9(stake: str) -> None:
    assert rake_of(STAKES[stake].terms.rake, 100_000, 6, flop_dealt=False) == 0


def test_tournament_hands_and_empty_pots_are_not_raked() -> None:
    assert rake_of(None, 10_000, 6, flop_dealt=True) == 0
    assert rake_of(RakeTerms(60, 300), 0, 6, flop_dealt=True) == 0


@pytest.mark.parametrize(("pot", "rake"), [(8, 1), (9, 1), (24, 1), (25, 2), (41, 2), (42, 3)])
def test_half_a_unit_is_rounded_up(pot: int, rake: int) -> None:
    assert rake_of(RakeTerms(60, 300), pot, 6, flop_dealt=True) == rake


def test_the_last_unit_below_a_half_is_rounded_down() -> None:
    assert [rake_of(RakeTerms(1, 300), pot, 6, flop_dealt=True) for pot in (1499, 1500)] == [1, 2]


@pytest.mark.parametrize(("dealt_in", "cap"), [(2, 12), (3, 12), (4, 25), (6, 25)])
def test_the_cap_is_halved_for_two_or_three(dealt_in: int, cap: int) -> None:
    assert cap_for(RakeTerms(20, 25), dealt_in) == cap


def test_equal_remainders_go_to_the_lower_pot_and_to_the_earlier_player() -> None:
    assert spread_over_pots(3, [50, 50]) == [2, 1]
    assert contributed(5, [100, 100, 100]) == [2, 2, 1]
    assert contributed(10, [100, 0, 300]) == [3, 0, 7]  # 2.5 and 7.5: the earlier one has the same remainder


def test_dead_money_counts_as_contributed() -> None:
    terms = Terms(Game.NLHE, 50, 100, rake=RakeTerms(60, 300))
    table = opened([1000] * 4, terms=terms, dead={3: 100}).play("3 fold", "4 fold", "1 call", "2 check")
    table.play("1 check", "2 check", "1 check", "2 check", "1 check", "2 check")
    assert (table.hand.rake, table.hand.rake_shares) == (18, ((1, 6), (2, 6), (3, 6), (4, 0)))


def test_dividing_among_no_player_is_refused() -> None:
    assert in_proportion(0, [0, 0]) == [0, 0]
    with pytest.raises(AssertionError):
        in_proportion(1, [0])


@given(st.integers(0, 10**6), st.lists(st.integers(0, 10**6), min_size=1, max_size=10))
def test_parts_add_up_and_none_is_a_whole_unit_off(amount: int, weights: list[int]) -> None:
    whole = sum(weights)
    if not whole:
        return
    parts = in_proportion(amount, weights)
    assert sum(parts) == amount
    assert all(abs(part * whole - amount * weight) < whole for part, weight in zip(parts, weights, strict=True))


def test_every_published_stake_is_there() -> None:
    assert [*STAKES] == PUBLISHED.split()
    for stake in STAKES.values():
        assert stake.terms.rake is not None
        assert cap_for(stake.terms.rake, 2) > 0
        assert stake.buy_in_min_bb * 2 == stake.buy_in_max_bb or stake.format is Format.BANZAI
        largest = "".join(filter(str.isdigit, stake.stake_id))
        assert stake.big_blind * stake.buy_in_max_bb == int(largest) * 100
    assert [stake.stake_id for stake in STAKES.values() if not stake.enabled] == PUBLISHED.split()[-5:]


@pytest.mark.parametrize(("small_blind", "big_blind", "ante"), [(1, 0, 0), (3, 2, 0), (-1, 2, 0), (1, 2, -1)], ids=str)
def test_impossible_terms_are_refused(small_blind: int, big_blind: int, ante: int) -> None:
    with pytest.raises(ValueError, match="blind"):
        Terms(Game.NLHE, small_blind, big_blind, ante)


@pytest.mark.parametrize("rake", [(-1, 100), (20, -1)])
def test_impossible_rake_is_refused(rake: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="negative"):
        RakeTerms(*rake)
