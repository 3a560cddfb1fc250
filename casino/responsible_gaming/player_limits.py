"""The safeguards of players as they stand at a moment, and how much of each is used up: one query for any number.

A safeguard is a row that is there only if its player has asked for one, so that nobody else costs anything. What is
used is worked out from the books at that moment and kept nowhere, but for the losses of each day.
"""

# ruff: noqa: S608  the statement is put together from constants only

from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.people.protection.periods import Period
from casino.storage.bulk import Rows, many

FOR_EVER_MS: Final = 253_402_300_799_000
"""The last second of the year 9999."""

BREAK_MS: Final = 5 * 60_000
"""Who comes back sooner has not left: the session goes on, and so does its clock."""

MINUTE_MS: Final = 60_000


class Kind(StrEnum):
    DEPOSIT = "deposit"  # minor units
    LOSS = "loss"  # minor units
    SESSION = "session"  # minutes
    REALITY_CHECK = "reality_check"  # minutes between two
    TIME_OUT = "time_out"  # until when
    SELF_EXCLUSION = "self_exclusion"  # until when


LIMITS: Final = (Kind.DEPOSIT, Kind.LOSS, Kind.SESSION)
EXCLUSIONS: Final = (Kind.TIME_OUT, Kind.SELF_EXCLUSION)


class Safeguard(NamedTuple):
    """`next_value` takes the place of `value` at `next_ms`; None as a value is no limit.

    `used` is minor units of a deposit or loss limit, milliseconds of a session limit, and for a reality check the
    milliseconds since the session began or the last one was seen. Losses include the most that open bets can cost.
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
        """What it will become, and when."""
        return (self.next_value, self.next_ms) if self.next_ms is not None and now_ms < self.next_ms else None

    def is_used_up(self, now_ms: int) -> bool:
        value = self.in_force(now_ms)
        if value is None:
            return False
        if self.kind in EXCLUSIONS:
            return value > now_ms
        return self.used >= value * (MINUTE_MS if self.kind in (Kind.SESSION, Kind.REALITY_CHECK) else 1)


async def safeguards_of(
    connection: AsyncConnection,
    players: Sequence[str],
    now_ms: int,
    *,
    lost_ms: int | None = None,
    beside_round: str = "",
) -> dict[str, list[Safeguard]]:
    """By player, of those who have any. Open bets count with the most they can cost, except in `beside_round`.

    Losses are those of the day, week and month of `lost_ms`, when the round in question began, and of now without one:
    a round counts when it began, and whoever bets in it after midnight spends what the day before has left.
    Exact if the players' accounts are locked, because a bet locks the account of its player.
    """
    starts = [period.start_ms(now_ms) for period in Period]
    lost = starts if lost_ms is None else [period.start_ms(lost_ms) for period in Period]
    values = (many(connection, players), now_ms, *starts, beside_round, *lost)
    rows: Rows = (await connection.exec_driver_sql(_QUERY[connection.dialect.name], values)).all()
    found: dict[str, list[Safeguard]] = defaultdict(list)
    for player_id, kind, *fields in rows:
        found[player_id].append(Safeguard(Kind(kind), *fields))
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
