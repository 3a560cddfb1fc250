"""Calendar of the day close: open days in order, and months that are locked once all their days are closed."""

import json
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.finance.day_close import SETTLES_MS, Closed, closed_days
from casino.finance.period import day_at
from casino.storage.hash_chain import head_of
from casino.storage.schema import audit, operations
from casino.users.roles import Actor

MONTH_ACTION: Final = "month_locked"
_TARGET: Final = "month "


@dataclass(frozen=True, slots=True)
class Locked:
    month: str
    audit_id: int
    at_ms: int
    by: str
    confirmed_by: str | None


@dataclass(frozen=True, slots=True)
class Calendar:
    closed: list[Closed]
    open: list[date]
    """Days that are over and not closed, oldest first. Only the first can be closed."""
    locked: list[Locked]
    lockable: list[str]
    """Months whose days are all closed, oldest first. Only the first can be locked."""

    def verify_next_day(self, day: date) -> None:
        if any(one.day == day for one in self.closed):
            raise Refusal(Code.TOO_LATE, f"{day} is closed already.")
        if day not in self.open:
            raise Refusal(Code.TOO_LATE, f"{day} is not over, or no money has ever moved by then.")
        if day != self.open[0]:
            raise Refusal(Code.TOO_LATE, f"Days close in order. Close {self.open[0]} first.")

    def verify_next_month(self, month: str) -> None:
        if any(one.month == month for one in self.locked):
            raise Refusal(Code.TOO_LATE, f"{month} is locked already.")
        if not self.lockable or month != self.lockable[0]:
            raise Refusal(
                Code.TOO_LATE, f"{month} cannot be locked. Close all its days, and lock earlier months first."
            )


async def calendar(connection: AsyncConnection, now_ms: int) -> Calendar:
    closed = await closed_days(connection)
    first_ms = await connection.scalar(select(func.min(operations.c.at_ms)))
    locked = await _locked(connection)
    if first_ms is None:
        return Calendar(closed, [], locked, [])
    first, known = day_at(first_ms), {one.day for one in closed}
    over = [first + timedelta(days=number) for number in range((day_at(now_ms - SETTLES_MS) - first).days)]
    open_ = [day for day in over if day not in known]
    months = sorted({f"{day:%Y-%m}" for day in over if f"{day + timedelta(days=1):%Y-%m}" != f"{day:%Y-%m}"})
    done = {one.month for one in locked}
    unfinished = {f"{day:%Y-%m}" for day in open_}
    lockable = [month for month in months if month not in done | unfinished]
    return Calendar(closed, open_, locked, lockable)


async def record_lock(connection: AsyncConnection, month: str, *, by: Actor, confirmed_by: str, now_ms: int) -> None:
    """Locks the month: its days are closed, and the audit chain names each by its row."""
    await head_of(connection, audit_log.CHAIN, lock=True)
    found = await calendar(connection, now_ms)
    found.verify_next_month(month)
    rows = {f"{one.day}": one.audit_id for one in found.closed if f"{one.day:%Y-%m}" == month}
    entry = audit_log.Entry(
        by.name, by.role, MONTH_ACTION, f"{_TARGET}{month}", before={"confirmed_by": confirmed_by}, after=rows
    )
    await audit_log.write(connection, entry, now_ms)


def month_of(text: str) -> str:
    try:
        return f"{date.fromisoformat(f'{text}-01'):%Y-%m}"
    except ValueError:
        raise Refusal(Code.BAD_REQUEST, "target: write a month like 2026-11.") from None


async def _locked(connection: AsyncConnection) -> list[Locked]:
    columns = (audit.c.id, audit.c.at_ms, audit.c.actor, audit.c.target, audit.c.before)
    rows = await connection.execute(select(*columns).where(audit.c.action == MONTH_ACTION).order_by(audit.c.target))
    return [
        Locked(row.target.removeprefix(_TARGET), row.id, row.at_ms, row.actor, json.loads(row.before)["confirmed_by"])
        for row in rows
    ]
