"""How often something may happen: at most so many times in any stretch of time, counted exactly, in bounded memory.

What is asked by too many different keys to remember forgets the key that was quiet the longest.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Hashable
from typing import Final, NamedTuple

MINUTE_MS: Final = 60_000


def steady_clock() -> int:
    """Milliseconds from any moment on, which nobody can set back."""
    return time.monotonic_ns() // 1_000_000


class Rate(NamedTuple):
    times: int
    per_ms: int


class Window:
    """The last times something happened. Times never go backwards: they come from a monotonic clock."""

    __slots__ = ("_rate", "_times")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._times: deque[int] = deque(maxlen=rate.times)

    def take(self, now_ms: int) -> int:
        """0 if it may happen now, which then counts; else after how many milliseconds it may."""
        if len(self._times) == self._rate.times:
            wait_ms = self._times[0] + self._rate.per_ms - now_ms
            if wait_ms > 0:
                return wait_ms
        self._times.append(now_ms)
        return 0

    def give_back(self) -> None:
        """The last time does not count after all."""
        if self._times:
            self._times.pop()


class Limiter:
    """A window for every key."""

    def __init__(self, rate: Rate, *, keys_max: int = 10_000) -> None:
        self._rate = rate
        self._keys_max = keys_max
        self._windows: OrderedDict[Hashable, Window] = OrderedDict()

    def __len__(self) -> int:
        return len(self._windows)

    def take(self, key: Hashable, now_ms: int) -> int:
        window = self._windows.get(key)
        if window is None:
            window = self._windows[key] = Window(self._rate)
            if len(self._windows) > self._keys_max:
                self._windows.popitem(last=False)
        self._windows.move_to_end(key)
        return window.take(now_ms)

    def give_back(self, key: Hashable) -> None:
        window = self._windows.get(key)
        if window is not None:
            window.give_back()
