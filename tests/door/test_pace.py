"""How fast somebody may come, and that whoever comes faster waits and does not stop others."""

import pytest

from casino.door.pace import Pacemaker

pytestmark = pytest.mark.req("SEC-4")


def test_a_few_come_at_once_and_the_rest_at_its_pace() -> None:
    pace = Pacemaker(50)
    waits = [pace.take("a", 5_000) for _ in range(15)]
    assert waits[:10] == [0.0] * 10
    assert waits[10:] == [20.0, 40.0, 60.0, 80.0, 100.0]


def test_whatever_the_pace_one_comes_at_once() -> None:
    pace = Pacemaker(1)
    assert [pace.take("a", 0) for _ in range(3)] == [0.0, 1_000.0, 2_000.0]


def test_others_do_not_wait_for_it() -> None:
    pace = Pacemaker(10)
    for _ in range(50):
        pace.take("a", 0)
    assert pace.take("b", 0) == 0.0


def test_what_would_wait_too_long_is_sent_away_and_does_not_count() -> None:
    pace = Pacemaker(10, wait_ms_max=1_000)
    waits = [pace.take("a", 0) for _ in range(100)]
    assert waits.count(None) == 88
    assert pace.take("a", 1_000) == 100.0
    assert pace.take("a", 60_000) == 0.0


def test_looking_costs_nothing() -> None:
    pace = Pacemaker(10)
    assert [pace.wait_ms("a", 0) for _ in range(100)] == [0.0] * 100
    for _ in range(30):
        pace.take("a", 0)
    assert pace.wait_ms("a", 0) == 2_800.0
    assert pace.wait_ms("a", 2_800) == 0.0


def test_so_many_keys_are_remembered_and_no_more() -> None:
    pace = Pacemaker(10, keys_max=3)
    for key in "abcde":
        pace.take(key, 0)
    assert len(pace) == 3
