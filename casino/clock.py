"""The time, as something that is handed over: UTC milliseconds since 1970."""

import time
from collections.abc import Callable

Clock = Callable[[], int]


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


def utc_day(at_ms: int) -> str:
    """The UTC date, such as 2026-11-16."""
    return time.strftime("%Y-%m-%d", time.gmtime(at_ms // 1000))
