"""Closing a day: its books are reconciled, and what they say is written into the audit chain, once.

From then on the day is what it was when it was closed: a correction falls into the day it is made, and a change to
the rows of a closed day no longer fits the hashes in the chain, which `casino verify` works out again.
"""

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.finance.asking import Format, What
from casino.finance.expectation import ReturnOf
from casino.finance.export import Order, write_export
from casino.finance.period import Period, parse_day, time_text
from casino.finance.reconciling import differences
from casino.people.roles import Actor
from casino.storage.chain import head_of
from casino.storage.database import Database
from casino.storage.schema import audit, rounds
from casino.verify.findings import Check
from casino.verify.snapshot import Snapshot, snapshot

ACTION: Final = "day_closed"
_TARGET: Final = "day "
SETTLES_MS: Final = 60_000
"""So long after midnight everything that arrived before it is stored."""

DIFFERENCES_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed day as the audit log tells it: of each export rows, hash and totals."""

    day: date
    audit_id: int
    at_ms: int
    by: str
    exports: Mapping[str, Any]


class UnreconciledError(Exception):
    """The day cannot be closed; each difference names its round and account."""

    def __init__(self, day: date, found: list[str]) -> None:
        super().__init__(f"{day} cannot be closed: journal, settlements and ledger differ, in minor units")
        self.found = found


async def close_day(
    database: Database, day: date, *, by: Actor, now_ms: int, return_of: ReturnOf
) -> tuple[Closed, bool]:
    """The closed day, and whether it was closed just now."""
    period = Period.of_day(day)
    if now_ms < period.until_ms + SETTLES_MS:
        from_then_on = time_text(period.until_ms + SETTLES_MS)
        raise Refusal(Code.TOO_LATE, f"{day} is not over: it can be closed from {from_then_on} on.")
    async with snapshot(database) as books:
        known = await _closed(books.connection, day)
        if known:
            return known, False
        found = [difference async for difference in differences(books, period)]
        if found:
            raise UnreconciledError(day, found)
        exports = await day_exports(books, day, return_of)
    entry = audit_log.Entry(by.name, by.role, ACTION, f"{_TARGET}{day}", after=exports)
    async with database.writing() as connection:
        await head_of(connection, audit_log.CHAIN, lock=True)  # nobody closes it meanwhile
        known = await _closed(connection, day)
        if known:
            return known, False
        await audit_log.write(connection, entry, now_ms)
        closed = await _closed(connection, day)
    assert closed is not None
    return closed, True


async def going_on(connection: AsyncConnection, day: date) -> list[str]:
    """Rounds that began by the end of the day and have not ended: what they settle belongs to the day they end."""
    began = rounds.c.started_ms < Period.of_day(day).until_ms
    query = select(rounds.c.id).where(rounds.c.status == "open", began).order_by(rounds.c.started_ms, rounds.c.id)
    return list((await connection.execute(query)).scalars())


async def day_exports(books: Snapshot, day: date, return_of: ReturnOf) -> dict[str, Any]:
    found = {}
    with tempfile.TemporaryDirectory(prefix="casino-close-") as folder:
        for what in What:
            order = Order(what, Format.CSV, Period.of_day(day))
            manifest = await write_export(books, order, Path(folder) / what, return_of)
            found[str(what)] = {"rows": manifest.rows, "sha256": manifest.sha256, "totals": manifest.totals}
    return found


async def closed_days(connection: AsyncConnection) -> list[Closed]:
    rows = await connection.execute(_entries().order_by(audit.c.target, audit.c.id))
    return [_read(row) for row in rows]


async def check_closed_days(books: Snapshot, check: Check, return_of: ReturnOf) -> None:
    """Every closed day against its audit row; the chain proves that the row is as it was written."""
    for row in (await books.connection.execute(_entries().order_by(audit.c.id))).all():
        check.counted += 1
        where = f"audit row {row.id}, {row.target}"
        try:
            closed = _read(row)
        except (ValueError, Refusal):
            check.fault(f"{where}: it does not tell a closed day")
            continue
        now = await day_exports(books, closed.day, return_of)
        for what, told in closed.exports.items():
            if now.get(what) != told:
                check.fault(f"{where}: {what} are no longer what they were when the day was closed")


async def _closed(connection: AsyncConnection, day: date) -> Closed | None:
    row = (await connection.execute(_entries().where(audit.c.target == f"{_TARGET}{day}"))).first()
    return _read(row) if row else None


def _entries() -> Any:  # noqa: ANN401  a query
    return select(audit.c.id, audit.c.at_ms, audit.c.actor, audit.c.target, audit.c.after).where(
        audit.c.action == ACTION
    )


def _read(row: Any) -> Closed:  # noqa: ANN401  a row of the audit log
    day = parse_day(row.target.removeprefix(_TARGET), "day")
    return Closed(day, row.id, row.at_ms, row.actor, json.loads(row.after))
