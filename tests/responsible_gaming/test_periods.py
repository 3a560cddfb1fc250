"""Periods of limits: days, weeks and months of the calendar, in UTC."""

from datetime import UTC, datetime

import pytest

from casino.responsible_gaming.player_limits import Period, in_words, months_later_ms


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("period", "at", "start", "end"),
    [
        ("day", "2026-11-16T12:30:01.5", "2026-11-16", "2026-11-17"),
        ("day", "2026-12-31T23:59:59.999", "2026-12-31", "2027-01-01"),
        ("day", "2028-02-29", "2028-02-29", "2028-03-01"),
        ("week", "2026-11-16", "2026-11-16", "2026-11-23"),  # a Monday
        ("week", "2026-11-22T23:59:59.999", "2026-11-16", "2026-11-23"),
        ("week", "2027-01-01", "2026-12-28", "2027-01-04"),
        ("month", "2026-11-01", "2026-11-01", "2026-12-01"),
        ("month", "2026-12-31T23:59:59.999", "2026-12-01", "2027-01-01"),
        ("month", "2028-02-29", "2028-02-01", "2028-03-01"),
    ],
)
def test_period_holds_its_first_moment_and_not_the_first_of_the_next(
    period: str, at: str, start: str, end: str
) -> None:
    assert Period(period).start_ms(ms(at)) == ms(start)
    assert Period(period).end_ms(ms(at)) == ms(end)
    assert Period(period).start_ms(ms(end)) == ms(end)


@pytest.mark.parametrize(
    ("at", "months", "later"),
    [
        ("2026-11-16T12:30:01", 6, "2027-05-16T12:30:01"),
        ("2026-08-31", 6, "2027-02-28"),
        ("2027-08-31", 6, "2028-02-29"),
        ("2026-11-16", 60, "2031-11-16"),
    ],
)
def test_months_are_those_of_the_calendar(at: str, months: int, later: str) -> None:
    assert months_later_ms(ms(at), months) == ms(later)


def test_moment_in_words() -> None:
    assert in_words(ms("2026-11-17T09:05")) == "17 November 2026, 09:05 UTC"
