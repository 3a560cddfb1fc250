"""Bets: the initial stake before the first card, and the maximum cost of a round."""

from casino.storage.schema import settled_seats
from casino.uth.bets import Bets, initial_stake


def test_the_initial_stake_is_ante_blind_and_trips() -> None:
    assert initial_stake(500, 100) == 1_100
    assert initial_stake(0, 0) == 0
    assert Bets(500, 100).total == Bets(500, 100).ante + Bets(500, 100).blind + Bets(500, 100).trips


def test_the_initial_stake_of_columns_is_an_expression_over_them() -> None:
    seat = settled_seats.c
    assert str(initial_stake(seat.ante, seat.trips)) == ":ante_1 * settled_seats.ante + settled_seats.trips"


def test_a_round_costs_at_most_the_initial_stake_and_the_largest_play() -> None:
    assert Bets(500, 100).total_max == 3_100
    assert Bets(500, 100, play=500).total == 1_600
