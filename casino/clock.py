"""Clock interface that is passed in, so that tests control time: UTC milliseconds since 1970."""

import time
from collections.abc import Callable
from typing import Final

Clock = Callable[[], int]

NO_END_MS: Final = 253_402_300_799_000
"""The last second of the year 9999, for periods without an end."""


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


class SteadyClock:
    """Wall-clock time that never goes back.

    If the system clock is set back, this clock continues at its own pace, because a table would otherwise wait until
    that time comes again. It follows a clock that is set forward.
    """

    def __init__(self, wall: Clock = wall_clock, elapsed_ms: Clock = lambda: time.monotonic_ns() // 1_000_000) -> None:
        self._wall = wall
        self._elapsed_ms = elapsed_ms
        self._at_ms, self._since_ms = wall(), elapsed_ms()

    def __call__(self) -> int:
        wall_ms, elapsed_ms = self._wall(), self._elapsed_ms()
        steady_ms = self._at_ms + elapsed_ms - self._since_ms
        if wall_ms <= steady_ms:
            return steady_ms
        self._at_ms, self._since_ms = wall_ms, elapsed_ms
        return wall_ms


def utc_day(at_ms: int) -> str:
    """Returns the UTC date, such as 2026-11-16."""
    return time.strftime("%Y-%m-%d", time.gmtime(at_ms // 1000))
