"""Period of an export: first and last day in UTC, both included, at one table or at all, in some currencies or all."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, false, or_, select

from casino.errors import Code, Refusal
from casino.storage.database import Database
from casino.storage.poker_schema import poker_tables
from casino.storage.schema import rounds, users

DAY_MS: Final = 86_400_000
_FIRST: Final = date(1970, 1, 1)
_LAST: Final = date(9998, 12, 31)
_NEVER: Final = date.min
_TABLE_ID: Final = re.compile("[ -~]{1,40}")
_CURRENCY: Final = re.compile("[A-Z]{3}")
REAL_MONEY: Final = "real"
_WRITTEN: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Period:
    first: date
    last: date
    table_id: str | None = None
    currencies: frozenset[str] | None = None
    """Only these; None: all."""

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise Refusal(
                Code.BAD_REQUEST,
                f"The period ends before it begins: {self.first} is after {self.last}.",
            )

    @classmethod
    def of_day(cls, day: date) -> "Period":
        return cls(day, day)

    @property
    def from_ms(self) -> int:
        return day_ms(self.first)

    @property
    def until_ms(self) -> int:
        """First moment after the period."""
        return day_ms(self.last) + DAY_MS

    def __str__(self) -> str:
        days = f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"
        place = "" if self.table_id is None else f" at table {self.table_id}"
        return f"{days}{place}{'' if self.currencies is None else f' in {self.money}'}"

    @property
    def money(self) -> str | None:
        """Names the currencies; None for all."""
        return None if self.currencies is None else "+".join(sorted(self.currencies)) or "no currency"

    def within(self, currency: ColumnElement[str]) -> ColumnElement[bool]:
        """Condition on the currency of a row, where currencies are limited."""
        return or_(false(), *(currency == one for one in sorted(self.currencies or ())))


async def period_of(
    database: Database,
    first: str,
    last: str,
    table_id: str | None,
    configured: Collection[str],
    *,
    money: str | None = None,
) -> Period:
    """Parses user input. A table is known if it is configured, or if it has ever been played at.

    `money` is `real` or a currency.
    """
    currencies = None if money is None else await _currencies(database, money)
    period = Period(parse_day(first, "from"), parse_day(last, "to"), table_id, currencies)
    if table_id is not None and table_id not in configured:
        if not _TABLE_ID.fullmatch(table_id):
            raise Refusal(Code.NO_SUCH_TABLE, "There is no such table.")
        played = select(rounds.c.id).where(rounds.c.table_id == table_id).limit(1)
        poker = select(poker_tables.c.id).where(poker_tables.c.id == table_id)
        async with database.reading() as connection:
            is_known = (await connection.execute(played)).first() or (await connection.execute(poker)).first()
            if is_known is None:
                raise Refusal(Code.NO_SUCH_TABLE, f"There is no table {table_id!r}.")
    return period


async def _currencies(database: Database, money: str) -> frozenset[str]:
    if money != REAL_MONEY:
        if not _CURRENCY.fullmatch(money):
            raise Refusal(Code.BAD_REQUEST, f"money: write {REAL_MONEY}, or a currency like EUR.")
        return frozenset({money})
    query = select(users.c.currency).distinct().where(users.c.role == "player", users.c.play_money == 0)
    async with database.reading() as connection:
        return frozenset((await connection.execute(query)).scalars())


def parse_day(text: str, called: str) -> date:
    """`called` is the name of the input, such as `from`."""
    if not _WRITTEN.fullmatch(text):
        raise Refusal(Code.BAD_REQUEST, f"{called}: write a day like 2026-11-16.")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = _NEVER
    if not _FIRST <= day <= _LAST:
        raise Refusal(Code.BAD_REQUEST, f"{called}: {text} is not a day the books can hold.")
    return day


def day_ms(day: date) -> int:
    """Returns the first moment of the day."""
    return (day - _FIRST).days * DAY_MS


def day_at(at_ms: int) -> date:
    return _FIRST + timedelta(days=at_ms // DAY_MS)


def time_text(at_ms: int) -> str:
    """Formats as `2026-11-16T09:30:00.125Z`."""
    at = datetime.fromtimestamp(at_ms // 1000, UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at_ms % 1000:03}Z"


def moment(text: str) -> datetime:
    """Parses what `time_text` has formatted."""
    return datetime.fromisoformat(text)
