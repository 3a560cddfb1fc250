"""Times of the schedule, compared with a calendar."""

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest

from casino.poker.tournament.schedule import starts_after

NOW = datetime(2026, 11, 19, 16, 4, 30, tzinfo=UTC)
"""A Thursday."""


def starts(every: str, at: datetime = NOW, count: int = 3) -> list[str]:
    found = islice(starts_after(every, round(at.timestamp() * 1000)), count)
    return [f"{datetime.fromtimestamp(ms / 1000, UTC):%a %d.%m. %H:%M:%S}" for ms in found]


@pytest.mark.parametrize(
    ("every", "expected"),
    [
        ("day 19:00", ["Thu 19.11. 19:00:00", "Fri 20.11. 19:00:00", "Sat 21.11. 19:00:00"]),
        ("day 16:04", ["Fri 20.11. 16:04:00", "Sat 21.11. 16:04:00", "Sun 22.11. 16:04:00"]),
        ("sunday 19:00", ["Sun 22.11. 19:00:00", "Sun 29.11. 19:00:00", "Sun 06.12. 19:00:00"]),
        ("thursday 16:00", ["Thu 26.11. 16:00:00", "Thu 03.12. 16:00:00", "Thu 10.12. 16:00:00"]),
        ("monday 00:00", ["Mon 23.11. 00:00:00", "Mon 30.11. 00:00:00", "Mon 07.12. 00:00:00"]),
        ("hour :30", ["Thu 19.11. 16:30:00", "Thu 19.11. 17:30:00", "Thu 19.11. 18:30:00"]),
    ],
)
def test_next_starts_of_a_schedule_entry(every: str, expected: list[str]) -> None:
    assert starts(every) == expected


def test_the_next_start_is_after_the_given_time() -> None:
    at = datetime(2026, 11, 19, 19, 0, tzinfo=UTC)
    assert starts("day 19:00", at, 1) == ["Fri 20.11. 19:00:00"]
    assert starts("day 19:00", at - timedelta(milliseconds=1), 1) == ["Thu 19.11. 19:00:00"]
