"""Prices, multi-buy-ins (§9.11), satellites and tickets (§9.12, V9.18), flights (§9.13)."""

import pytest

from casino.errors import Code, Refusal
from casino.poker.tournament.entries import (
    DAY_MS,
    Lapse,
    MultiBuyIn,
    Origin,
    Price,
    SatellitePrizes,
    Survivor,
    Ticket,
    phase_two,
    satellite_prizes,
    usual_fee,
)


def test_the_fee_is_ten_percent_half_up() -> None:
    assert [usual_fee(total) for total in (1000, 104, 105, 5)] == [100, 10, 11, 1]
    assert Price(450, 100, 450).total == 1000
    with pytest.raises(ValueError, match="negative"):
        Price(-1)


def test_v9_18_satellite_prizes_and_the_rest() -> None:
    assert satellite_prizes(25 * 2700, 10_900) == SatellitePrizes(6, 2100, 0)


def test_guaranteed_seats_are_paid_for_by_the_house() -> None:
    assert satellite_prizes(20_000, 10_900, seats_guaranteed=3) == SatellitePrizes(3, 0, 12_700)
    with pytest.raises(ValueError, match="price"):
        satellite_prizes(1, 0)


MULTI = MultiBuyIn(1000, 5000, 1000)
PRICE = Price(900, 100)


def test_a_multi_buy_in_is_in_proportion() -> None:
    assert MULTI.priced(PRICE, 5000, 1000) == (PRICE, 5000)
    assert MULTI.priced(PRICE, 5000, 3000) == (Price(2700, 300), 15_000)
    assert MULTI.priced(Price(333, 33, 634), 5001, 3000) == (Price(999, 99, 1902), 15_003)


@pytest.mark.parametrize(
    ("chosen", "code"), [(999, Code.BELOW_MINIMUM), (6000, Code.ABOVE_MAXIMUM), (1500, Code.NOT_A_CHIP_MULTIPLE)]
)
def test_totals_that_are_not_offered_are_refused(chosen: int, code: Code) -> None:
    with pytest.raises(Refusal) as refused:
        MULTI.priced(PRICE, 5000, chosen)
    assert refused.value.code is code


@pytest.mark.parametrize(("least", "most", "step"), [(0, 5, 1), (6, 5, 1), (1, 5, 0), (1, 5, 3)])
def test_impossible_steps_are_refused(least: int, most: int, step: int) -> None:
    with pytest.raises(ValueError, match="steps"):
        MultiBuyIn(least, most, step)


TICKET = Ticket("t", 1000, "EUR", Origin.SATELLITE, issued_ms=0)


def test_a_ticket_is_for_exactly_its_value_or_its_event() -> None:
    assert TICKET.is_usable("any", 1000, "EUR", 0)
    assert not TICKET.is_usable("any", 1001, "EUR", 0)
    assert not TICKET.is_usable("any", 1000, "FUN", 0)
    named = Ticket("t", 1000, "EUR", Origin.PROMOTION, 0, event="main")
    assert named.is_usable("main", 500, "EUR", 0)
    assert not named.is_usable("other", 1000, "EUR", 0)


def test_a_ticket_expires_after_a_year() -> None:
    assert TICKET.is_usable("any", 1000, "EUR", 365 * DAY_MS - 1)
    assert not TICKET.is_usable("any", 1000, "EUR", 365 * DAY_MS)
    assert TICKET.lapse is Lapse.MONEY
    assert Ticket("t", 1, "EUR", Origin.PROMOTION, 0).lapse is Lapse.NOTHING


def test_a_survivor_of_several_flights_brings_the_largest_stack() -> None:
    survivors = [Survivor("a", "a1", 5), Survivor("b", "b1", 3), Survivor("a", "a2", 9), Survivor("a", "a3", 9)]
    assert phase_two(survivors) == [Survivor("a", "a2", 9), Survivor("b", "b1", 3)]
