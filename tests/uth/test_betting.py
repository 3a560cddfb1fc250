"""Betting phase: accepted bets, refusals and their order, and the end of betting."""

from dataclasses import replace

import pytest

from casino.errors import Code, Refusal
from casino.uth.bets import Bets
from casino.uth.commands import PlaceBet, ReportProblem, WithdrawBet
from casino.uth.events import BetPlaced, BettingClosed, BettingVoided, Stake
from casino.uth.phases import Phase
from tests.uth.tabletop import OWN, RICH, SHARED, Tabletop


def refusal_of(table: Tabletop, bet: PlaceBet) -> Code:
    before = table.round
    with pytest.raises(Refusal) as refused:
        table.do(bet)
    assert table.round == before
    return refused.value.code


def test_accepted_bet_is_on_the_table_with_an_equal_blind() -> None:
    table = Tabletop()
    table.bet("ann", 500, 300)
    assert table.round.seats["ann"].bets == Bets(500, 300)
    assert table.round.seats["ann"].bets.blind == 500
    assert table.round.seats["ann"].bets.total == 1300


def test_bet_replaces_the_earlier_one() -> None:
    table = Tabletop()
    table.bet("ann", 500, 300)
    table.bet("ann", 700)
    assert table.round.seats["ann"].bets == Bets(700)


def test_same_bet_again_changes_nothing() -> None:
    table = Tabletop()
    table.bet("ann", 500, 300)
    assert table.bet("ann", 500, 300) == []


def test_nothing_takes_everything_back() -> None:
    table = Tabletop()
    table.bet("ann", 500, 300)
    table.bet("ann", 0, 0)
    assert "ann" not in table.round.seats
    assert table.bet("ann", 0, 0) == []


BAD_BETS = {
    "negative ante": ((-100, 0), Code.BAD_REQUEST),
    "negative trips": ((500, -100), Code.BAD_REQUEST),
    "trips without ante": ((0, 100), Code.TRIPS_WITHOUT_ANTE),
    "ante below minimum": ((100, 0), Code.BELOW_MINIMUM),
    "trips below minimum": ((500, 50), Code.BELOW_MINIMUM),
    "ante above maximum": ((10_100, 0), Code.ABOVE_MAXIMUM),
    "trips above maximum": ((500, 5_100), Code.ABOVE_MAXIMUM),
    "ante no chip multiple": ((550, 0), Code.NOT_A_CHIP_MULTIPLE),
    "trips no chip multiple": ((500, 150), Code.NOT_A_CHIP_MULTIPLE),
    # The order of checks: the earlier reason is reported.
    "below minimum comes before above maximum": ((10_150, 50), Code.BELOW_MINIMUM),
    "above maximum comes before chip multiple": ((550, 5_100), Code.ABOVE_MAXIMUM),
    "huge": ((10**30, 0), Code.ABOVE_MAXIMUM),
}


@pytest.mark.parametrize("case", BAD_BETS)
def test_bad_bet_is_refused_and_changes_nothing(case: str) -> None:
    (ante, trips), code = BAD_BETS[case]
    table = Tabletop()
    assert refusal_of(table, PlaceBet("r1", "ann", ante, trips, RICH)) is code


def test_limits_themselves_are_valid_bets() -> None:
    table = Tabletop()
    table.bet("ann", 200, 100)
    table.bet("bob", 10_000, 5_000)
    assert len(table.round.seats) == 2


def test_bet_for_another_round_is_stale() -> None:
    assert refusal_of(Tabletop(), PlaceBet("r0", "ann", 1, 0, RICH)) is Code.STALE_ROUND


def test_paused_table_takes_no_bet() -> None:
    table = Tabletop()
    table.do(ReportProblem("card dropped", "pia"))
    assert refusal_of(table, PlaceBet("r1", "ann", 1, 0, RICH)) is Code.TABLE_PAUSED


@pytest.mark.req("RND-6")
def test_bet_that_arrives_at_the_deadline_is_late() -> None:
    table = Tabletop()
    table.now_ms = table.opened.due_ms - 1
    table.bet("ann", 500)
    table.now_ms = table.opened.due_ms
    assert refusal_of(table, PlaceBet("r1", "ann", 1, 0, RICH)) is Code.BETTING_CLOSED


def test_bet_after_betting_is_closed_is_refused() -> None:
    table = Tabletop()
    table.bet()
    table.time_out()
    assert refusal_of(table, PlaceBet("r1", "bob", 500, 0, RICH)) is Code.BETTING_CLOSED


def test_balance_must_cover_ante_blind_and_trips() -> None:
    table = Tabletop()
    assert refusal_of(table, PlaceBet("r1", "ann", 500, 300, 1299)) is Code.INSUFFICIENT_FUNDS
    table.do(PlaceBet("r1", "ann", 500, 300, 1300))


def test_stakes_on_the_table_count_as_covered() -> None:
    table = Tabletop()
    table.do(PlaceBet("r1", "ann", 500, 300, 1300))
    table.do(PlaceBet("r1", "ann", 500, 200, 0))
    assert refusal_of(table, PlaceBet("r1", "ann", 600, 200, 199)) is Code.INSUFFICIENT_FUNDS
    table.do(PlaceBet("r1", "ann", 600, 200, 200))


@pytest.mark.req("RGP")
def test_own_limit_counts_the_most_the_round_can_cost() -> None:
    """ANTE, BLIND, TRIPS and a PLAY of four ANTEs; and it is reported before a lack of funds."""
    table = Tabletop()
    assert refusal_of(table, PlaceBet("r1", "ann", 500, 100, 0, allowance_minor=3099)) is Code.LIMIT_REACHED
    table.do(PlaceBet("r1", "ann", 500, 100, RICH, allowance_minor=3100))


def test_taking_bets_back_needs_no_funds_and_no_allowance() -> None:
    table = Tabletop()
    table.bet("ann")
    table.do(PlaceBet("r1", "ann", 0, 0, 0, allowance_minor=0))
    assert not table.round.seats


def test_leaving_while_betting_is_open_returns_the_bet() -> None:
    table = Tabletop()
    table.bet("ann", 500, 300)
    assert table.do(WithdrawBet("ann")) == [BetPlaced("ann", 0, 0, None, table.now_ms)]
    assert table.do(WithdrawBet("ann")) == []


def test_leaving_after_betting_closed_leaves_the_bet_standing() -> None:
    table = Tabletop()
    table.bet("ann")
    table.now_ms = table.opened.due_ms
    assert table.do(WithdrawBet("ann")) == []
    table.time_out()
    assert table.do(WithdrawBet("ann")) == []
    assert "ann" in table.round.seats


def test_leaving_a_paused_table_still_returns_the_open_bet() -> None:
    table = Tabletop()
    table.bet("ann")
    table.do(ReportProblem("card dropped", "pia"))
    table.do(WithdrawBet("ann"))
    assert not table.round.seats


def test_betting_closes_with_all_bets_in_one_event() -> None:
    table = Tabletop()
    table.bet("bob", 1000, 300)
    table.bet("ann", 500)
    assert table.time_out() == [
        BettingClosed((Stake("ann", 500, 0, None), Stake("bob", 1000, 300, None)), table.now_ms)
    ]
    assert table.phase is Phase.DEALING_HOLE


def test_without_a_bet_no_card_is_dealt() -> None:
    table = Tabletop()
    assert table.time_out() == [BettingVoided("no bets", table.now_ms)]
    assert table.phase is Phase.IDLE
    assert table.round.is_over
    assert table.round.expects is None


def test_own_hands_bet_needs_a_free_seat() -> None:
    table = Tabletop(OWN)
    assert refusal_of(table, PlaceBet("r1", "ann", 500, 0, RICH)) is Code.TABLE_FULL
    assert refusal_of(table, PlaceBet("r1", "ann", 500, 0, RICH, seat_no=8)) is Code.TABLE_FULL
    assert refusal_of(table, PlaceBet("r1", "ann", 500, 0, RICH, seat_no=0)) is Code.TABLE_FULL
    table.bet("ann", seat_no=3)
    assert refusal_of(table, PlaceBet("r1", "bob", 500, 0, RICH, seat_no=3)) is Code.TABLE_FULL
    table.bet("bob", seat_no=4)
    table.bet("ann", 700, seat_no=3)
    assert table.round.seat_numbers == (3, 4)


def test_shared_table_has_no_seat_numbers() -> None:
    table = Tabletop(SHARED)
    table.bet("ann", seat_no=3)
    assert table.round.seats["ann"].seat_no is None


def test_own_hands_table_may_have_fewer_seats() -> None:
    table = Tabletop(replace(OWN, seats=3))
    assert refusal_of(table, PlaceBet("r1", "ann", 500, 0, RICH, seat_no=4)) is Code.TABLE_FULL
    table.bet("ann", seat_no=3)
