"""Time bank and protection of a lost connection: vectors V7 of the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.clock import (
    BANZAI,
    CASH,
    HEXA_HIGH,
    HEXA_LOW,
    MTT,
    PROTECTION_PER_HAND_MS,
    SIT_AND_GO,
    ClockTerms,
    Stage,
    Timer,
    bank_after_hand,
    start_timer,
)


def timer(*, bank: int = 15, is_connected: bool = True, protection: int | None = 30, terms: ClockTerms = CASH) -> Timer:
    """A decision that begins at 0, in seconds."""
    left = None if protection is None else protection * 1000
    return start_timer(terms, 0, bank * 1000, is_connected=is_connected, protection_ms=left)


def test_v7_1_connected_and_silent() -> None:
    silent = timer(bank=8)
    assert silent.due_ms == 23_000
    assert silent.at(15_000).stage is Stage.BANK
    over = silent.at(23_000)
    assert (over.stage, over.bank_ms) == (Stage.OVER, 0)


def test_v7_2_a_lost_connection_leaves_the_bank_alone() -> None:
    gone = timer(is_connected=False)
    assert gone.due_ms == 35_000
    assert gone.at(35_000).bank_ms == 15_000


def test_v7_3_protection_is_thirty_seconds_for_a_hand() -> None:
    first = timer(is_connected=False).at(35_000)
    assert first.protection_ms == 10_000
    second = start_timer(CASH, 0, first.bank_ms, is_connected=False, protection_ms=first.protection_ms)
    assert second.due_ms == 25_000
    third = start_timer(CASH, 0, 15_000, is_connected=False, protection_ms=second.at(25_000).protection_ms)
    assert third.due_ms == 15_000
    assert third.at(15_000).bank_ms == 15_000


def test_connection_that_comes_and_goes_gets_the_least_time_once() -> None:
    flapping, now = timer(bank=0, is_connected=False).at(15_000), 15_000
    for _ in range(100):
        flapping = flapping.connected(now, is_connected=True)
        now += 100
        flapping = flapping.connected(now, is_connected=False)
        now += 1
    assert flapping.at(now).stage is Stage.OVER
    assert flapping.due_ms <= 15_000 + 5_000 + 100


def test_first_return_gets_the_least_time_however_the_bank_was_used() -> None:
    gone = timer(bank=15).at(28_000).connected(28_000, is_connected=False)
    assert gone.connected(29_000, is_connected=True).due_ms == 34_000


def test_v7_4_back_in_time_with_a_small_bank() -> None:
    back = timer(bank=2, is_connected=False).connected(25_000, is_connected=True)
    assert (back.stage, back.due_ms) == (Stage.BANK, 30_000)
    assert back.protection_ms == 20_000
    assert back.acted(26_000).bank_ms == 1_000
    assert back.acted(29_999).bank_ms == 0


def test_v7_5_fourteen_hands_without_using_the_bank() -> None:
    bank = CASH.bank_start_ms
    for hand in range(1, 15):
        bank = bank_after_hand(CASH, bank, hand)
    assert bank == 20_000


def test_a_bank_grows_to_its_cap() -> None:
    assert bank_after_hand(HEXA_LOW, 18_000, 5) == 20_000
    assert bank_after_hand(HEXA_LOW, 18_000, 4) == 18_000


def test_a_connection_lost_while_the_bank_runs_stops_it() -> None:
    lost = timer(bank=10).connected(18_000, is_connected=False)
    assert (lost.stage, lost.bank_ms, lost.due_ms) == (Stage.PROTECTION, 7_000, 38_000)
    back = lost.connected(23_000, is_connected=True)
    assert (back.stage, back.bank_ms, back.due_ms) == (Stage.BANK, 7_000, 30_000)
    again = back.connected(24_000, is_connected=False)
    assert (again.bank_ms, again.due_ms) == (6_000, 39_000)  # 15 s are left of the 20 s of this decision


def test_a_connection_lost_and_back_within_the_decision_time_changes_nothing() -> None:
    back = timer().connected(3_000, is_connected=False).connected(9_000, is_connected=True)
    assert (back.stage, back.due_ms) == (Stage.DECISION, 30_000)


def test_no_protection_before_the_final_stages() -> None:
    gone = timer(is_connected=False, protection=None, terms=MTT)
    assert gone.due_ms == 30_000
    lost = timer(protection=None).connected(16_000, is_connected=False)
    assert (lost.stage, lost.due_ms) == (Stage.BANK, 30_000)


def test_what_is_used_is_taken_to_the_millisecond() -> None:
    assert timer().acted(14_999).bank_ms == 15_000
    assert timer().acted(15_001).bank_ms == 14_999
    assert timer().acted(15_001).stage is Stage.OVER
    assert timer().acted(15_001).connected(16_000, is_connected=False).stage is Stage.OVER


@pytest.mark.parametrize("terms", [CASH, BANZAI, HEXA_LOW, HEXA_HIGH, MTT, SIT_AND_GO])
def test_published_clocks_are_possible(terms: ClockTerms) -> None:
    assert terms.bank_cap_ms == 2 * terms.bank_start_ms


@pytest.mark.parametrize("wrong", [(0, 1, 1, 1), (1, 2, 1, 1), (1, -1, 1, 1), (1, 1, 1, 0)])
def test_impossible_clocks_are_refused(wrong: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="clock"):
        ClockTerms(*wrong)


@given(
    st.integers(0, 30_000),
    st.lists(st.tuples(st.integers(0, 20_000), st.booleans()), max_size=8),
    st.integers(0, PROTECTION_PER_HAND_MS),
)
def test_decision_time_is_bounded_and_never_negative(
    bank_ms: int, changes: list[tuple[int, bool]], protection_ms: int
) -> None:
    now = 0
    running = start_timer(CASH, now, bank_ms, is_connected=True, protection_ms=protection_ms)
    for after_ms, is_connected in changes:
        now += after_ms
        running = running.connected(now, is_connected=is_connected)
        assert running.bank_ms >= 0
        assert running.protection_ms is not None
        assert running.protection_ms >= 0
        assert running.decision_protection_ms >= 0
    assert running.due_ms <= 15_000 + bank_ms + protection_ms + 5_000 * (len(changes) + 1)
    assert running.at(running.due_ms).stage is Stage.OVER
