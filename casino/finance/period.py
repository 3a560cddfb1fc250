"""From which day to which, in UTC, both included; and at one table or at all. Nothing here knows what is exported."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from sqlalchemy import select

from casino.errors import Code, Refusal
from casino.storage.database import Database
from casino.storage.schema import rounds

DAY_MS: Final = 86_400_000
_FIRST: Final = date(1970, 1, 1)
_LAST: Final = date(9998, 12, 31)
_NEVER: Final = date.min
_TABLE_ID: Final = re.compile("[ -~]{1,40}")
_WRITTEN: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Period:
    first: date
    last: date
    table_id: str | None = None

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise Refusal(Code.BAD_REQUEST, f"The period ends before it begins: {self.first} is after {self.last}.")

    @classmethod
    def of_day(cls, day: date) -> "Period":
        return cls(day, day)

    @property
    def from_ms(self) -> int:
        return day_ms(self.first)

    @property
    def until_ms(self) -> int:
        """The first moment after it."""
        return day_ms(self.last) + DAY_MS

    def __str__(self) -> str:
        days = f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"
        return days if self.table_id is None else f"{days} at table {self.table_id}"


async def period_of(
    database: Database, first: str, last: str, table_id: str | None, configured: Collection[str]
) -> Period:
    """As people write it. A table is known if it is configured, or if a round was ever played there."""
    period = Period(parse_day(first, "from"), parse_day(last, "to"), table_id)
    if table_id is not None and table_id not in configured:
        if not _TABLE_ID.fullmatch(table_id):
            raise Refusal(Code.NO_SUCH_TABLE, "There is no such table.")
        played = select(rounds.c.id).where(rounds.c.table_id == table_id).limit(1)
        async with database.reading() as connection:
            if (await connection.execute(played)).first() is None:
                raise Refusal(Code.NO_SUCH_TABLE, f"There is no table {table_id!r}, and never was.")
    return period


def parse_day(text: str, called: str) -> date:
    """`called` is what the asker calls it, such as `from`."""
    if not _WRITTEN.fullmatch(text):
        raise Refusal(Code.BAD_REQUEST, f"{called}: a day is written like 2026-11-16.")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = _NEVER
    if not _FIRST <= day <= _LAST:
        raise Refusal(Code.BAD_REQUEST, f"{called}: there is no day {text} in the books.")
    return day


def day_ms(day: date) -> int:
    """Its first moment."""
    return (day - _FIRST).days * DAY_MS


def day_at(at_ms: int) -> date:
    return _FIRST + timedelta(days=at_ms // DAY_MS)


def time_text(at_ms: int) -> str:
    """`2026-11-16T09:30:00.125Z`."""
    at = datetime.fromtimestamp(at_ms // 1000, UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at_ms % 1000:03}Z"
