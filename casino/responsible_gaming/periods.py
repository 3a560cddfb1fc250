"""Calendar periods of limits in UTC: days, weeks that begin on Monday, and months.

Periods follow the calendar instead of a rolling window, so that players know when a limit resets.
"""

import calendar
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

DAY_MS: Final = 86_400_000


class Period(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    def start_ms(self, at_ms: int) -> int:
        """Returns the start of the day, week or month that contains this moment."""
        return _ms(self._start(_date(at_ms)))

    def end_ms(self, at_ms: int) -> int:
        """Returns the start of the next period."""
        start = self._start(_date(at_ms))
        if self is Period.MONTH:
            return _ms(_months_later(start, 1))
        return _ms(start + timedelta(days=7 if self is Period.WEEK else 1))

    def _start(self, at: datetime) -> datetime:
        day = at.replace(hour=0, minute=0, second=0, microsecond=0)
        if self is Period.DAY:
            return day
        return day.replace(day=1) if self is Period.MONTH else day - timedelta(days=day.weekday())


def months_later_ms(at_ms: int, months: int) -> int:
    """Returns the same time of day some months later, on the last day of a shorter month."""
    return _ms(_months_later(_date(at_ms), months))


def in_words(at_ms: int) -> str:
    """Formats such as `17 November 2026, 00:00 UTC`."""
    at = _date(at_ms)
    return f"{at.day} {calendar.month_name[at.month]} {at.year}, {at:%H:%M} UTC"


def _months_later(at: datetime, months: int) -> datetime:
    years, month = divmod(at.month - 1 + months, 12)
    year = at.year + years
    return at.replace(year=year, month=month + 1, day=min(at.day, calendar.monthrange(year, month + 1)[1]))


def _date(at_ms: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at_ms)


def _ms(at: datetime) -> int:
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
