"""Player limits in force at a moment, and how much of each is used: one query for any number of players.

Limits count calendar days, weeks that begin on Monday, and months, all in UTC. These periods follow the calendar
instead of a rolling window, so that players know when a limit resets.

Only players with a limit have rows, so others cost nothing. The used amount is computed from the books; only daily
losses are stored.
"""

# ruff: noqa: S608  the statement is put together from constants only

import calendar
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final, Literal, NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.bulk import Rows, many

BREAK_MS: Final = 5 * 60_000
"""A shorter absence does not end the session or reset its clock."""

MINUTE_MS: Final = 60_000
DAY_MS: Final = 86_400_000


class Kind(StrEnum):
    DEPOSIT = "deposit"  # minor units
    LOSS = "loss"  # minor units
    SESSION = "session"  # minutes
    REALITY_CHECK = "reality_check"  # minutes between two
    TIME_OUT = "time_out"  # end time
    SELF_EXCLUSION = "self_exclusion"  # end time


LimitKind = Literal[Kind.DEPOSIT, Kind.LOSS, Kind.SESSION]
LIMITS: Final[tuple[LimitKind, ...]] = (Kind.DEPOSIT, Kind.LOSS, Kind.SESSION)
EXCLUSIONS: Final = (Kind.TIME_OUT, Kind.SELF_EXCLUSION)


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


class PlayerLimit(NamedTuple):
    """`next_value` replaces `value` at `next_ms`; a value of None is no limit.

    `used` is in minor units for deposit and loss limits, in milliseconds for session limits. For a reality check it is
    the milliseconds since the session began or the last one was seen. Losses include the maximum loss of open bets,
    all chips at poker tables, and tournament entries that have not ended.
    """

    kind: Kind
    period: str
    value: int | None
    next_value: int | None
    next_ms: int | None
    used: int

    def in_force(self, now_ms: int) -> int | None:
        is_changed = self.next_ms is not None and now_ms >= self.next_ms
        return self.next_value if is_changed else self.value

    def pending(self, now_ms: int) -> tuple[int | None, int] | None:
        """Returns the pending value and its time."""
        return (self.next_value, self.next_ms) if self.next_ms is not None and now_ms < self.next_ms else None

    def is_used_up(self, now_ms: int) -> bool:
        value = self.in_force(now_ms)
        if value is None:
            return False
        if self.kind in EXCLUSIONS:
            return value > now_ms
        return self.used >= value * (MINUTE_MS if self.kind in (Kind.SESSION, Kind.REALITY_CHECK) else 1)


async def player_limits_of(
    connection: AsyncConnection,
    players: Sequence[str],
    now_ms: int,
    *,
    lost_ms: int | None = None,
    except_round: str = "",
) -> dict[str, list[PlayerLimit]]:
    """Returns limits by player. Open bets count with their maximum loss, except in `except_round`.

    Losses are those of the day, week and month of `lost_ms`, the start of the round in question, or else of now. A
    round counts when it began, so a bet after midnight uses the allowance of the day before. The result is exact if the
    accounts are locked, because a bet locks its player's account.
    """
    starts = [period.start_ms(now_ms) for period in Period]
    lost = starts if lost_ms is None else [period.start_ms(lost_ms) for period in Period]
    values = (many(connection, players), now_ms, *starts, except_round, *lost)
    rows: Rows = (await connection.exec_driver_sql(_QUERY[connection.dialect.name], values)).all()
    found: dict[str, list[PlayerLimit]] = defaultdict(list)
    for player_id, kind, *fields in rows:
        found[player_id].append(PlayerLimit(Kind(kind), *fields))
    return found


_START: Final = "CASE s.period WHEN 'day' THEN ?3 WHEN 'week' THEN ?4 ELSE ?5 END"
_LOST_START: Final = "CASE s.period WHEN 'day' THEN ?7 WHEN 'week' THEN ?8 ELSE ?9 END"
_LATER: Final = "CASE WHEN {0} > {1} THEN {0} ELSE {1} END"
_USED: Final = {
    Kind.DEPOSIT: (
        "(SELECT coalesce(sum(p.amount), 0) FROM payments p WHERE p.player_id = s.player_id"
        f" AND p.kind = 'deposit' AND p.status <> 'failed' AND p.asked_ms >= {_START})"
    ),
    Kind.LOSS: (
        "(SELECT coalesce(sum(d.staked - d.returned), 0) FROM play_days d"
        f" WHERE d.player_id = s.player_id AND d.day_ms >= {_LOST_START})"
        " + (SELECT coalesce(sum(h.at_risk), 0) FROM rounds r"
        " JOIN holds h ON h.round_id = r.id AND h.player_id = s.player_id"
        " WHERE r.status = 'open' AND h.status <> 'released' AND r.id <> ?6)"
        " + (SELECT coalesce(sum(a.balance), 0) FROM poker_seats k"
        " JOIN accounts a ON a.id = 'seat:' || k.table_id || ':' || k.player_id WHERE k.player_id = s.player_id)"
        " + (SELECT coalesce(sum(e.risked), 0) FROM tournament_entries e"
        " WHERE e.player_id = s.player_id AND e.status IN ('waiting', 'open'))"
    ),
    Kind.SESSION: (
        f"(SELECT coalesce(sum(v.until_ms - {_LATER.format('v.from_ms', f'({_START})')}), 0) FROM visits v"
        f" WHERE v.player_id = s.player_id AND v.until_ms > {_START})"
    ),
    Kind.REALITY_CHECK: (
        f"coalesce((SELECT ?2 - {_LATER.format('v.from_ms', 's.at_ms')} FROM visits v"
        f" WHERE v.player_id = s.player_id AND v.until_ms > ?2 - {BREAK_MS}"
        " ORDER BY v.until_ms DESC LIMIT 1), 0)"
    ),
}
_SELECT: Final = (
    "SELECT s.player_id, s.kind, s.period, s.value, s.next_value, s.next_ms, CAST(CASE s.kind "
    + " ".join(f"WHEN '{kind}' THEN {used}" for kind, used in _USED.items())
    + " ELSE 0 END AS BIGINT) FROM safeguards s WHERE s.player_id "
)
_QUERY: Final = {
    "sqlite": _SELECT + "IN (SELECT value FROM json_each(?1))",
    "postgresql": (_SELECT + "= ANY(?1::text[])")
    .replace("?2", "$2::bigint")
    .replace("?3", "$3::bigint")
    .replace("?4", "$4::bigint")
    .replace("?5", "$5::bigint")
    .replace("?6", "$6::text")
    .replace("?7", "$7::bigint")
    .replace("?8", "$8::bigint")
    .replace("?9", "$9::bigint")
    .replace("?1", "$1"),
}
