"""Rate limits: exact counts in bounded memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.security.rate_limit import PerKey, Rate, RateLimiter, SlidingWindow, TokenBucket

pytestmark = pytest.mark.req("SEC-4")


def test_rate_limit_returns_the_time_to_wait() -> None:
    window = SlidingWindow(Rate(2, 1000))
    assert [window.acquire(0), window.acquire(400), window.acquire(600)] == [0, 0, 400]
    assert [window.acquire(999), window.acquire(1000), window.acquire(1001)] == [1, 0, 399]


@given(st.lists(st.integers(0, 500), max_size=200), st.integers(1, 5), st.integers(1, 1000))
def test_no_stretch_of_time_ever_sees_more(steps: list[int], times: int, per_ms: int) -> None:
    window = SlidingWindow(Rate(times, per_ms))
    now, happened = 0, []
    for step in steps:
        now += step
        wait_ms = window.acquire(now)
        assert 0 <= wait_ms <= per_ms
        if not wait_ms:
            happened.append(now)
    for index in range(times, len(happened)):
        assert happened[index] - happened[index - times] >= per_ms


def test_each_key_has_its_own_count() -> None:
    limiter = RateLimiter(Rate(1, 1000))
    assert [limiter.acquire(key, 0) for key in ("a", "b", "a")] == [0, 0, 1000]


def test_refunds_do_not_count() -> None:
    limiter = RateLimiter(Rate(1, 1000))
    limiter.acquire("a", 0)
    limiter.refund("a")
    limiter.refund("a")
    limiter.refund("nobody")
    assert [limiter.acquire("a", 1), limiter.acquire("a", 2)] == [0, 999]


def test_memory_is_bounded_and_the_quietest_is_forgotten() -> None:
    limiter = RateLimiter(Rate(1, 1_000_000), keys_max=3)
    for number in range(1000):
        limiter.acquire("busy", number)
        limiter.acquire(number, number)
    assert len(limiter) == 3
    assert limiter.acquire("busy", 1000) > 0


def test_recorded_events_count_beyond_the_limit() -> None:
    window = SlidingWindow(Rate(2, 1000))
    assert not window.is_full(0)
    for now_ms in (0, 100, 200):
        window.record(now_ms)
    assert [window.is_full(now_ms) for now_ms in (200, 1099, 1100)] == [True, True, False]


def test_a_few_come_at_once_and_the_rest_at_its_pace() -> None:
    bucket = TokenBucket(50)
    waits = [bucket.take(5_000) for _ in range(15)]
    assert waits[:10] == [0.0] * 10
    assert waits[10:] == [20.0, 40.0, 60.0, 80.0, 100.0]


@pytest.mark.parametrize(("per_second", "at_once"), [(1, 1), (10, 2), (50, 10), (500, 10), (100_000, 2_000)])
def test_a_burst_is_small_whatever_the_pace(per_second: int, at_once: int) -> None:
    bucket = TokenBucket(per_second)
    for now_ms in (0, 60_000):
        waits = [bucket.take(now_ms) for _ in range(at_once + 1)]
        assert waits == pytest.approx([0.0] * at_once + [1000 / per_second], abs=1e-6)


def test_looking_at_a_bucket_costs_nothing() -> None:
    bucket = TokenBucket(10)
    assert [bucket.wait_ms(0) for _ in range(100)] == [0.0] * 100
    for _ in range(30):
        bucket.take(0)
    assert bucket.wait_ms(0) == 2_900.0
    assert bucket.wait_ms(2_900) == 0.0


@given(st.lists(st.integers(0, 300), max_size=200), st.integers(1, 1000))
def test_the_pace_holds_over_every_stretch_of_time(steps: list[int], per_second: int) -> None:
    bucket = TokenBucket(per_second)
    now, happened = 0, []
    for step in steps:
        now += step
        happened.append(now + bucket.take(now))
    burst = max(1.0, min(10, per_second / 5), per_second / 50)
    for first, at in enumerate(happened):
        for last in range(first, len(happened)):
            assert last - first + 1 <= (happened[last] - at) * per_second / 1000 + burst + 1e-6


def test_remembered_keys_are_bounded() -> None:
    buckets = PerKey(lambda: TokenBucket(10), keys_max=3)
    first = buckets.of("a")
    for key in "bacad":
        buckets.of(key)
    assert len(buckets) == 3
    assert buckets.of("a") is first
