"""Rate limits: sliding windows with an exact count, token buckets with a steady pace, and one of either per key.

A sliding window answers whether an event may happen now. A token bucket answers how long an event has to wait. Times
are milliseconds of a monotonic clock, given by the caller. Memory is bounded: with too many different keys, the key
that was idle the longest is forgotten.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from typing import Final, Generic, NamedTuple, TypeVar

MINUTE_MS: Final = 60_000
KEYS_MAX: Final = 10_000
BURST: Final = 10
"""Events that need not wait after a pause. They are processed together, while all other clients wait."""

T = TypeVar("T")


def steady_clock() -> int:
    """Returns milliseconds of a monotonic clock."""
    return time.monotonic_ns() // 1_000_000


class Rate(NamedTuple):
    times: int
    per_ms: int


class SlidingWindow:
    """Times of the last events."""

    __slots__ = ("_rate", "_times")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._times: deque[int] = deque(maxlen=rate.times)

    def acquire(self, now_ms: int) -> int:
        """Returns 0 and counts the event if it is allowed now, else the milliseconds until it is."""
        if self.is_full(now_ms):
            return self._times[0] + self._rate.per_ms - now_ms
        self._times.append(now_ms)
        return 0

    def is_full(self, now_ms: int) -> bool:
        """Whether an event would be refused now."""
        return len(self._times) == self._rate.times and self._times[0] + self._rate.per_ms > now_ms

    def record(self, now_ms: int) -> None:
        """Counts an event that has happened, allowed or not."""
        self._times.append(now_ms)

    def refund(self) -> None:
        """Removes the last event."""
        if self._times:
            self._times.pop()


class TokenBucket:
    """A steady pace after a burst: the events of a fifth of a second up to `BURST`, for a very fast pace of 20 ms."""

    __slots__ = ("_burst_ms", "_due_ms", "_step_ms")

    def __init__(self, per_second: int) -> None:
        self._step_ms = 1000 / per_second
        self._burst_ms = max(1.0, min(BURST, per_second * 0.2), per_second * 0.02) * self._step_ms
        self._due_ms = 0.0

    def wait_ms(self, now_ms: float) -> float:
        """Returns the milliseconds an event would have to wait. Counts nothing."""
        return max(0.0, max(self._due_ms, now_ms) + self._step_ms - now_ms - self._burst_ms)

    def take(self, now_ms: float) -> float:
        """Counts an event and returns the milliseconds it has to wait."""
        wait_ms = self.wait_ms(now_ms)
        self._due_ms = max(self._due_ms, now_ms) + self._step_ms
        return wait_ms


class PerKey(Generic[T]):
    """One value per key, made on demand; the keys that were idle the longest are forgotten."""

    def __init__(self, make: Callable[[], T], *, keys_max: int = KEYS_MAX) -> None:
        self._make = make
        self._keys_max = keys_max
        self._values: OrderedDict[Hashable, T] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def of(self, key: Hashable) -> T:
        value = self._values.get(key)
        if value is None:
            value = self._values[key] = self._make()
            if len(self._values) > self._keys_max:
                self._values.popitem(last=False)
        else:
            self._values.move_to_end(key)
        return value


class RateLimiter:
    """One sliding window per key."""

    def __init__(self, rate: Rate, *, keys_max: int = KEYS_MAX) -> None:
        self._windows = PerKey(lambda: SlidingWindow(rate), keys_max=keys_max)

    def __len__(self) -> int:
        return len(self._windows)

    def acquire(self, key: Hashable, now_ms: int) -> int:
        return self._windows.of(key).acquire(now_ms)

    def refund(self, key: Hashable) -> None:
        self._windows.of(key).refund()
