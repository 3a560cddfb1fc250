"""Buy-ins, returns and top-ups at cash tables: vectors V8.1 to V8.5, Deepstack, Shortstack and Banzai."""

import pytest

from casino.poker.cash import banzai
from casino.poker.cash.buy_in import (
    RETURN_MS,
    auto_top_up,
    buy_in_range,
    is_counted_return,
    is_remembered,
    top_up_range,
)
from casino.settings.poker import PUBLISHED, load_poker

STAKES = load_poker(PUBLISHED).stakes
NL10, DEEP, SHORT, BANZAI = (STAKES[name] for name in ("nl10", "nl100-deep", "pl10-short", "banzai-nl20"))
MINUTE_MS = 60_000


def test_v8_1_a_return_below_the_largest_buy_in_brings_at_least_what_was_taken() -> None:
    assert is_remembered(0, 12 * MINUTE_MS)
    assert buy_in_range(NL10, 735, 0) == (735, 1000)


def test_v8_2_a_return_above_it_may_bring_100_big_blinds_and_is_counted() -> None:
    assert buy_in_range(NL10, 2410, 0) == (1000, 2410)
    assert is_counted_return(NL10, 2410)


def test_v8_3_after_five_returns_a_day_the_whole_stack_comes_back() -> None:
    assert buy_in_range(NL10, 2410, 5) == (2410, 2410)
    assert buy_in_range(NL10, 2410, 4) == (1000, 2410)


def test_v8_4_after_31_minutes_or_elsewhere_everything_is_as_for_a_newcomer() -> None:
    assert not is_remembered(0, 31 * MINUTE_MS)
    assert buy_in_range(NL10, None, 5) == (500, 1000)
    assert not is_counted_return(NL10, None)


def test_v8_5_left_with_exactly_100_big_blinds() -> None:
    assert buy_in_range(NL10, 1000, 0) == (1000, 1000)
    assert is_counted_return(NL10, 1000)


def test_the_thirty_minutes_end_at_their_last_millisecond() -> None:
    left = 7 * MINUTE_MS
    assert [is_remembered(left, left + after) for after in (RETURN_MS - 1, RETURN_MS)] == [True, False]


@pytest.mark.parametrize(("last", "smallest"), [(0, 500), (499, 500), (500, 500), (501, 501), (999, 999)])
def test_a_small_stack_changes_the_range_above_50_big_blinds_only(last: int, smallest: int) -> None:
    assert buy_in_range(NL10, last, 5) == (smallest, 1000)
    assert not is_counted_return(NL10, last)


def test_deep_and_short_stakes_never_take_less_than_a_player_left_with() -> None:
    assert buy_in_range(DEEP, None, 0) == (5_000, 10_000)
    assert buy_in_range(DEEP, 7_000, 9) == (7_000, 10_000)
    assert buy_in_range(DEEP, 12_000, 0) == (12_000, 12_000)
    assert buy_in_range(SHORT, 400, 0) == (500, 1_000)
    assert buy_in_range(SHORT, 1_500, 0) == (1_500, 1_500)


def test_a_banzai_stake_has_no_range() -> None:
    with pytest.raises(AssertionError, match="Banzai"):
        buy_in_range(BANZAI, None, 0)
    with pytest.raises(AssertionError, match="range"):
        banzai.fixed_stack(NL10)


@pytest.mark.parametrize(
    ("stack", "initial", "expected"),
    [
        (0, 500, (500, 1000)),
        (1, 500, (1, 999)),
        (700, 500, (1, 300)),
        (999, 500, (1, 1)),
        (1000, 1000, None),
        (1500, 2410, (1, 910)),
        (2410, 2410, None),
        (3000, 1000, None),
    ],
)
def test_a_top_up_ends_at_the_larger_of_largest_and_initial_buy_in(
    stack: int, initial: int, expected: tuple[int, int] | None
) -> None:
    assert top_up_range(NL10, stack, initial) == expected


@pytest.mark.parametrize(
    ("stack", "available", "added"),
    [
        (300, 5000, 500),
        (800, 5000, 0),
        (900, 5000, 0),
        (300, 500, 500),
        (300, 499, 499),
        (300, 10, 10),
        (300, 9, 0),
        (795, 5, 5),
        (795, 4, 0),
        (0, 0, 0),
    ],
)
def test_auto_top_up_restores_the_initial_buy_in(stack: int, available: int, added: int) -> None:
    """A player who has less adds what there is, but not less than a big blind."""
    assert auto_top_up(NL10, stack, 800, available) == added


def test_banzai_starts_with_ten_big_blinds_or_a_carried_stack() -> None:
    fixed = 10 * BANZAI.big_blind
    assert banzai.fixed_stack(BANZAI) == fixed
    assert banzai.buy_ins(BANZAI, [], 5) == (fixed,)
    assert banzai.buy_ins(BANZAI, [2_500, 9_000, 4_000], 4) == (9_000, fixed)
    assert banzai.buy_ins(BANZAI, [2_500, 9_000], 5) == (9_000,)
    assert [banzai.is_carried(BANZAI, stack) for stack in (fixed, fixed + 1)] == [False, True]


def test_a_banzai_top_up_makes_exactly_ten_big_blinds() -> None:
    fixed = 10 * BANZAI.big_blind
    assert [banzai.top_up(BANZAI, stack) for stack in (0, 1, fixed - 1, fixed, fixed + 1)] == [
        fixed,
        fixed - 1,
        1,
        0,
        0,
    ]
    assert [banzai.auto_top_up(BANZAI, 0, available) for available in (fixed - 1, fixed)] == [0, fixed]
    assert banzai.auto_top_up(BANZAI, fixed, 0) == 0
