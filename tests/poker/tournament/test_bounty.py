"""Order of elimination V9.6, bounties V9.14 to V9.17."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.poker.pots import divide
from casino.poker.state import Award, Seat
from casino.poker.tournament.bounty import BountyKind, BountyPart, BountyTerms, divide_head, eliminators, head_money
from casino.poker.tournament.ranking import Bust, order_of_elimination

PROGRESSIVE = BountyTerms(BountyKind.PROGRESSIVE)


def test_v9_6_the_larger_start_stack_places_higher() -> None:
    assert [*order_of_elimination([Bust("Y", 9000), Bust("X", 4000)], lambda _: 0)] == ["X", "Y"]


def test_equal_start_stacks_are_drawn() -> None:
    busts = [Bust("a", 5), Bust("b", 5), Bust("c", 3)]
    orders = {tuple(order_of_elimination(busts, random.Random(seed).randrange)) for seed in range(20)}
    assert orders == {("c", "a", "b"), ("c", "b", "a")}


def test_v9_14_head_money_of_an_entry() -> None:
    assert head_money(1000, 100, 50) == (450, 450)
    assert head_money(1001, 100, 50) == (450, 451), "the odd unit goes to the pool"


def test_v9_15_a_progressive_head_is_halved() -> None:
    assert divide_head(451, [3], PROGRESSIVE) == [BountyPart(3, 226, 225)]


def test_v9_16_three_winners_share_a_progressive_head() -> None:
    assert divide_head(1000, [1, 4, 5], PROGRESSIVE) == [
        BountyPart(1, 167, 167),
        BountyPart(4, 167, 166),
        BountyPart(5, 167, 166),
    ]


def test_v9_17_the_last_pot_with_chips_of_the_eliminated_player_decides() -> None:
    seats = [Seat(1, "A", 10_000, 5_000, total=5_000), Seat(2, "B", 5_000, 0, total=5_000)]
    seats.append(Seat(3, "C", 1_000, 0, total=1_000))
    main, side = divide(seats)
    assert (main.amount, side.amount) == (3_000, 8_000)
    awards = [
        Award(1, main.amount, 0, main.contenders, ((3, 3_000),)),
        Award(2, side.amount, 0, side.contenders, ((1, 8_000),)),
    ]
    assert eliminators(awards, 2) == (1,)
    assert eliminators(awards, 3) == (3,), "had the main pot gone elsewhere, its winner would have C's head"
    assert eliminators(awards, 6) == ()


def test_a_regular_bounty_is_paid_at_once() -> None:
    assert divide_head(451, [3, 1], BountyTerms()) == [BountyPart(3, 226, 0), BountyPart(1, 225, 0)]


@settings(deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 9), st.sampled_from(BountyKind), st.integers(0, 100))
def test_no_unit_of_a_head_is_lost(head: int, winners: int, kind: BountyKind, to_head: int) -> None:
    parts = divide_head(head, range(1, winners + 1), BountyTerms(kind, 50, to_head))
    assert sum(part.cash + part.to_head for part in parts) == head
    assert all(part.cash >= 0 and part.to_head >= 0 for part in parts)


@pytest.mark.parametrize(("share", "to_head"), [(0, 50), (101, 50), (50, -1), (50, 101)])
def test_impossible_shares_are_refused(share: int, to_head: int) -> None:
    with pytest.raises(ValueError, match="percent"):
        BountyTerms(BountyKind.REGULAR, share, to_head)
