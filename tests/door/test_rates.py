"""So often and no oftener, exactly, in bounded memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.door.rates import Limiter, Rate, Window

pytestmark = pytest.mark.req("SEC-4")


def test_what_is_too_often_is_told_when_it_may_happen() -> None:
    window = Window(Rate(2, 1000))
    assert [window.take(0), window.take(400), window.take(600)] == [0, 0, 400]
    assert [window.take(999), window.take(1000), window.take(1001)] == [1, 0, 399]


@given(st.lists(st.integers(0, 500), max_size=200), st.integers(1, 5), st.integers(1, 1000))
def test_no_stretch_of_time_ever_sees_more(steps: list[int], times: int, per_ms: int) -> None:
    window = Window(Rate(times, per_ms))
    now, happened = 0, []
    for step in steps:
        now += step
        wait_ms = window.take(now)
        assert 0 <= wait_ms <= per_ms
        if not wait_ms:
            happened.append(now)
    for index in range(times, len(happened)):
        assert happened[index] - happened[index - times] >= per_ms


def test_each_key_has_its_own_count() -> None:
    limiter = Limiter(Rate(1, 1000))
    assert [limiter.take(key, 0) for key in ("a", "b", "a")] == [0, 0, 1000]


def test_what_is_given_back_does_not_count() -> None:
    limiter = Limiter(Rate(1, 1000))
    limiter.take("a", 0)
    limiter.give_back("a")
    limiter.give_back("a")
    limiter.give_back("nobody")
    assert [limiter.take("a", 1), limiter.take("a", 2)] == [0, 999]


def test_memory_is_bounded_and_the_quietest_is_forgotten() -> None:
    limiter = Limiter(Rate(1, 1_000_000), keys_max=3)
    for number in range(1000):
        limiter.take("busy", number)
        limiter.take(number, number)
    assert len(limiter) == 3
    assert limiter.take("busy", 1000) > 0
