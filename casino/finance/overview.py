"""Overview of turnover, payouts and the house's result by day, week, month, table, presenter or player and currency.

Every result has its expected value and standard deviation. Amounts are integers of minor units; every line links to the
rows behind it.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlencode

from sqlalchemy import ColumnElement, Select, String, case, cast, distinct, func, literal, select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.finance.expected_result import Bet, Margins, ReturnOf, expected_sum
from casino.finance.period import DAY_MS, Period, day_at, day_ms
from casino.finance.settlements import RETURNED, STAKED, seats_in
from casino.finance.variance import Deviation, DeviationOf, variance
from casino.storage.schema import operations, postings, settled_seats, settlements, users
from casino.wire.common import Count, Day, Minor

SIGMAS_MAX: Final = 3
"""A result farther away than this many standard deviations is marked."""

_WEEK: Final = 7
_MONDAY: Final = 3  # 1970 began on a Thursday
_seat, _end = settled_seats.c, settlements.c


class By(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    TABLE = "table"
    PRESENTER = "presenter"
    PLAYER = "player"


_PEOPLE: Final = (By.PRESENTER, By.PLAYER)
"""Groups of these are rounded as a whole: a cell for each person, day and table would be too many."""


class Figures(TypedDict):
    """Null values are not computed yet."""

    rounds_ended: Count
    """Rounds settled or cancelled in the period; a correction ends no round."""
    players: Count
    turnover: int
    """Stakes without those of refunded rounds: `staked` less `refunded` of the summary."""
    payout: int
    """Returns without those of refunded rounds: `returned` less `refunded` of the summary."""
    house_result: int
    hold: float | None
    """House result by turnover, in percent; null without turnover."""
    expected_house_result: int | None
    standard_deviation: int | None
    sigmas: float | None
    is_outlier: bool
    tips: Minor
    cancelled: Count
    refunded: Minor
    corrected: Count
    rows_at: str
    """The rows behind these figures."""


class OverviewLine(Figures):
    key: str
    name: str
    currency: str


_Grouped = TypedDict("_Grouped", {"by": By, "from": Day})  # `from` is a keyword


class Overview(_Grouped):
    to: Day
    table: str | None
    rows: list[OverviewLine]
    totals: dict[str, Figures]


@dataclass(slots=True)
class Line:
    """One group in one currency."""

    rounds_ended: int = 0
    players: int = 0
    turnover: int = 0
    payout: int = 0
    cancelled: int = 0
    refunded: int = 0
    corrected: int = 0
    tips: int = 0
    bets: dict[tuple[int, str], list[Bet]] = field(default_factory=lambda: defaultdict(list))
    """By day and table, as the summary has them: each cell is rounded once, so page and export agree."""
    variance: float | None = 0.0

    def view(self, margins: Margins, rows_at: str) -> Figures:
        result, expected = self.turnover - self.payout, expected_sum(self.bets.values(), margins)
        deviation = None if self.variance is None or self.variance < 0 else self.variance**0.5
        away = (result - expected) / deviation if expected is not None and deviation else None
        return {
            "rounds_ended": self.rounds_ended,
            "players": self.players,
            "turnover": self.turnover,
            "payout": self.payout,
            "house_result": result,
            "hold": round(100 * result / self.turnover, 2) if self.turnover > 0 else None,
            "expected_house_result": expected,
            "standard_deviation": None if deviation is None else round(deviation),
            "sigmas": None if away is None else round(away, 2),
            "is_outlier": away is not None and abs(away) > SIGMAS_MAX,
            "tips": self.tips,
            "cancelled": self.cancelled,
            "refunded": self.refunded,
            "corrected": self.corrected,
            "rows_at": rows_at,
        }


async def overview(
    connection: AsyncConnection, period: Period, by: By, return_of: ReturnOf, deviation_of: DeviationOf
) -> Overview:
    lines, margins = await _lines(connection, period, by, deviation_of), Margins(return_of)
    names = await _names(connection) if by is By.PLAYER else {}
    rows: list[OverviewLine] = [
        {
            "key": key,
            "name": names.get(key, key),
            "currency": currency,
            **line.view(margins, rows_at(period, by, key, currency)),
        }
        for (key, currency), line in sorted(lines.items())
    ]
    total = await _lines(connection, period, None, deviation_of)
    totals = {
        currency: line.view(margins, rows_at(period, None, "", currency))
        for (_, currency), line in sorted(total.items())
    }
    return {
        "by": by,
        "from": f"{period.first}",
        "to": f"{period.last}",
        "table": period.table_id,
        "rows": rows,
        "totals": totals,
    }


def rows_at(period: Period, by: By | None, key: str, currency: str) -> str:
    """Returns the URL of the rows behind a line."""
    first, last = _days(by, key, period)
    parameters = {"from": first, "to": last, "table": period.table_id, "currency": currency}
    if by in (By.TABLE, By.PRESENTER, By.PLAYER):
        parameters[by] = key
    return "/api/finance/rows?" + urlencode({name: value for name, value in parameters.items() if value is not None})


def _days(by: By | None, key: str, period: Period) -> tuple[date, date]:
    """Returns the days of a line within the period."""
    match by:
        case By.DAY:
            first = last = date.fromisoformat(key)
        case By.WEEK:
            first = date.fromisoformat(key)
            last = day_at(day_ms(first) + (_WEEK - 1) * DAY_MS)
        case By.MONTH:
            first = date.fromisoformat(f"{key}-01")
            last = day_at(day_ms(date(first.year + first.month // 12, first.month % 12 + 1, 1)) - DAY_MS)
        case _:
            first, last = period.first, period.last
    return max(first, period.first), min(last, period.last)


async def _lines(
    connection: AsyncConnection, period: Period, by: By | None, deviation_of: DeviationOf
) -> dict[tuple[str, str], Line]:
    key = _key(by, is_sqlite=connection.dialect.name == "sqlite")
    found: dict[tuple[str, str], Line] = defaultdict(Line)
    is_refund = _end.status == "cancelled"
    sums = seats_in(
        period,
        key,
        _seat.currency,
        func.count(distinct(case((_end.status.in_(("settled", "cancelled")), _end.round_id)))),
        func.count(distinct(_seat.player_id)),
        func.sum(case((is_refund, 0), else_=STAKED)),
        func.sum(case((is_refund, 0), else_=RETURNED)),
        func.count(distinct(case((is_refund, _end.round_id)))),
        func.sum(case((is_refund, RETURNED), else_=0)),
        func.count(distinct(case((_end.status == "corrected", _end.operation_id)))),
    ).group_by(key, _seat.currency)
    for group, currency, *counted in await connection.execute(sums):
        found[_named(by, group), currency] = Line(*(int(number) for number in counted))  # type: ignore[arg-type]
    cell = (operations.c.at_ms // DAY_MS, _end.table_id) if by not in _PEOPLE else (literal(0), literal(""))
    bets = seats_in(period, key, _seat.currency, *cell, _end.paytable, func.sum(_seat.ante), func.sum(_seat.trips))
    paytables = set()
    columns = key, _seat.currency, *(cell if by not in _PEOPLE else ()), _end.paytable
    for group, currency, day, table_id, paytable, ante, trips in await connection.execute(
        bets.where(~is_refund).group_by(*columns)
    ):
        paytables.add(paytable)
        found[_named(by, group), currency].bets[day, table_id].append(Bet(paytable, int(ante), int(trips)))
    await _add_variance(connection, period, (by, key), (paytables, deviation_of), found)
    if by is not By.PLAYER:
        await _add_tips(connection, period, by, found)
    return found


async def _add_variance(
    connection: AsyncConnection,
    period: Period,
    grouped: tuple[By | None, Any],
    analysis: tuple[set[str], DeviationOf],
    found: dict[tuple[str, str], Line],
) -> None:
    by, key = grouped
    paytables, deviation_of = analysis
    known: dict[str, Deviation] = {}
    for paytable in paytables:
        deviation = deviation_of(paytable)
        if deviation is None:  # then no line has one
            for line in found.values():
                line.variance = None
            return
        known[paytable] = deviation
    for row in await connection.execute(variance(period, key, known)):
        found[_named(by, row.key), row.currency].variance = float(row[2])


async def _add_tips(
    connection: AsyncConnection, period: Period, by: By | None, found: dict[tuple[str, str], Line]
) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    table_id = cast(func.substr(operations.c.reason, 7), String)
    owner = func.replace(func.replace(postings.c.destination, "presenter:", ""), ":tips:" + postings.c.currency, "")
    keys: dict[By | None, Any] = {By.TABLE: table_id, By.PRESENTER: users.c.name}
    key = keys.get(by, _key(by, is_sqlite=is_sqlite))
    query = (
        select(key, postings.c.currency, func.sum(postings.c.amount))
        .select_from(operations)
        .join(postings, postings.c.operation_id == operations.c.id)
        .outerjoin(users, users.c.id == owner)
        .where(operations.c.kind == "tip", operations.c.at_ms >= period.from_ms, operations.c.at_ms < period.until_ms)
        .group_by(key, postings.c.currency)
    )
    if period.table_id is not None:
        query = query.where(table_id == period.table_id)
    for group, currency, amount in await connection.execute(query):
        found[_named(by, group), currency].tips += int(amount)


def _key(by: By | None, *, is_sqlite: bool) -> ColumnElement[Any]:
    day = operations.c.at_ms // DAY_MS  # integer division
    match by:
        case By.DAY:
            return day
        case By.WEEK:
            return (day + _MONDAY) // _WEEK
        case By.MONTH if is_sqlite:
            return func.strftime("%Y-%m", operations.c.at_ms // 1000, "unixepoch")
        case By.MONTH:
            at = func.timezone("UTC", func.to_timestamp(operations.c.at_ms // 1000))
            return func.to_char(at, "YYYY-MM")
        case By.TABLE:
            return _end.table_id
        case By.PRESENTER:
            return _end.presenter
        case By.PLAYER:
            return _seat.player_id
        case None:
            return literal("")


def _named(by: By | None, group: Any) -> str:  # noqa: ANN401  a value of the database
    match by:
        case By.DAY:
            return f"{day_at(group * DAY_MS)}"
        case By.WEEK:
            return f"{day_at((group * _WEEK - _MONDAY) * DAY_MS)}"  # its Monday
        case _:
            return group or ""


async def _names(connection: AsyncConnection) -> dict[str, str]:
    query: Select[Any] = select(users.c.id, users.c.name).where(users.c.role == "player")
    return {row.id: row.name for row in await connection.execute(query)}
