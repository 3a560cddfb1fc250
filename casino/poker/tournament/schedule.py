"""Times of the schedule: when the tournaments of a template start, in UTC.

A template names `day 19:00`, `monday 19:00` or `hour :30`.
"""

from collections.abc import Iterator
from typing import Final

from casino.poker.tournament.structure import HOUR_MS, MINUTE_MS

DAY_MS: Final = 24 * HOUR_MS
WEEK_MS: Final = 7 * DAY_MS
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_EPOCH_WEEKDAY: Final = 3
"""1 January 1970 was a Thursday."""


def starts_after(every: str, after_ms: int) -> Iterator[int]:
    """All starts later than this time, in order and without end."""
    day, _, clock = every.partition(" ")
    hours, minutes = clock.split(":")
    if day == "hour":
        period_ms, offset_ms = HOUR_MS, int(minutes) * MINUTE_MS
    else:
        period_ms, offset_ms = DAY_MS, int(hours) * HOUR_MS + int(minutes) * MINUTE_MS
        if day != "day":
            period_ms = WEEK_MS
            offset_ms += (_WEEKDAYS.index(day) - _EPOCH_WEEKDAY) % len(_WEEKDAYS) * DAY_MS
    start_ms = after_ms + 1 + (offset_ms - after_ms - 1) % period_ms
    while True:
        yield start_ms
        start_ms += period_ms
