"""Buy-in offers: which departures count for each format, and the counters of a UTC day."""

import pytest

from casino.errors import Code, Refusal
from casino.poker.terms import Stake
from casino.poker_room.buy_in_offers import (
    DAY_MS,
    BuyInOffer,
    DayCounters,
    Departure,
    buy_in_offer,
    counters_after_sitting,
)
from casino.settings.poker import PUBLISHED, load_poker

STAKES = load_poker(PUBLISHED).stakes
NL10, DEEP, BANZAI = STAKES["nl10"], STAKES["nl100-deep"], STAKES["banzai-nl1"]
NOW = 20_000 * DAY_MS + DAY_MS // 2
MINUTE = 60_000


def offer(
    stake: Stake, *departures: Departure, counters: DayCounters | None = None, table: str | None = "t1"
) -> BuyInOffer:
    return buy_in_offer(stake, departures, counters or DayCounters(), NOW, pool_id="pool", table_id=table)


def left(table_id: str, stack: int, minutes: int = 12, *, pool_id: str = "pool", resumed: bool = False) -> Departure:
    return Departure(table_id, pool_id, NOW - minutes * MINUTE, stack, resumed)


def today(returns: int = 0, resets: int = 0) -> DayCounters:
    return DayCounters(NOW // DAY_MS, returns, resets)


@pytest.mark.parametrize(
    ("departure", "counters", "expected"),
    [
        (left("t1", 735), today(), (735, 1000)),  # V8.1
        (left("t1", 2410), today(), (1000, 2410)),  # V8.2
        (left("t1", 2410), today(returns=5), (2410, 2410)),  # V8.3
        (left("t1", 2410, 31), today(), (500, 1000)),  # V8.4
        (left("t2", 2410), today(), (500, 1000)),  # V8.4, another table
        (left("t1", 1000), today(), (1000, 1000)),  # V8.5
        (left("t1", 2410), DayCounters(NOW // DAY_MS - 1, 5), (1000, 2410)),  # the counter is yesterday's
    ],
)
def test_vectors_of_a_regular_stake(departure: Departure, counters: DayCounters, expected: tuple[int, int]) -> None:
    found = offer(NL10, departure, counters=counters)
    assert (found.smallest, found.largest) == expected


def test_the_last_departure_from_the_table_counts() -> None:
    assert offer(NL10, left("t1", 2410, 20), left("t1", 735, 5)).smallest == 735


def test_a_return_is_counted_when_the_player_sits_down() -> None:
    found = offer(NL10, left("t1", 2410), counters=today(returns=4))
    assert (found.smallest, counters_after_sitting(found, 1000, today(returns=4), NOW)) == (1000, today(returns=5))
    assert counters_after_sitting(offer(NL10, left("t1", 735)), 735, today(), NOW) == today()
    yesterday = DayCounters(NOW // DAY_MS - 1, returns=5, resets=5)
    assert counters_after_sitting(found, 1000, yesterday, NOW) == today(returns=1)


def test_a_deep_stake_looks_at_the_whole_pool_until_the_stack_is_back() -> None:
    found = offer(DEEP, left("t2", 15_000), left("t3", 12_000))
    assert (found.smallest, found.largest) == (15_000, 15_000)
    assert found.resumes == left("t2", 15_000)
    second = offer(DEEP, left("t2", 15_000, resumed=True), left("t3", 12_000))
    assert second.smallest == 12_000
    assert offer(DEEP, left("t2", 15_000, pool_id="other")).smallest == 5000


def test_banzai_carries_the_largest_stack_and_allows_five_resets() -> None:
    carried = left("t2", 340), left("t3", 520)
    assert offer(BANZAI, *carried).exactly == (520, 100)
    assert offer(BANZAI, *carried, counters=today(resets=5)).exactly == (520,)
    assert offer(BANZAI, left("t2", 100)).exactly == (100,)
    found = offer(BANZAI, *carried)
    assert counters_after_sitting(found, 100, today(), NOW).resets == 1
    assert counters_after_sitting(found, 520, today(), NOW).resets == 0
    assert counters_after_sitting(offer(BANZAI), 100, today(), NOW).resets == 0


@pytest.mark.parametrize(
    ("stake", "amount", "code"),
    [(NL10, 499, Code.BELOW_MINIMUM), (NL10, 1001, Code.ABOVE_MAXIMUM), (BANZAI, 101, Code.ABOVE_MAXIMUM)],
)
def test_an_amount_outside_the_offer_is_refused(stake: Stake, amount: int, code: Code) -> None:
    with pytest.raises(Refusal) as refused:
        offer(stake).check(amount)
    assert refused.value.code is code


def test_an_amount_between_two_banzai_buy_ins_names_the_next_one() -> None:
    with pytest.raises(Refusal) as refused:
        offer(BANZAI, left("t2", 340)).check(200)
    assert (refused.value.code, refused.value.params) == (
        Code.BELOW_MINIMUM,
        {"reason": "buy_in_below_minimum", "minimum": 340},
    )
    offer(BANZAI, left("t2", 340)).check(100)
