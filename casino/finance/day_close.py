"""Day close: reconciles the books of a day and records the result in the audit chain, once.

A closed day never changes: a correction counts on the day it is made. A change to rows of a closed day breaks the
hashes in the chain, which `casino verify` recomputes.
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
from typing_extensions import TypedDict

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.finance.columns import CurrencyTotals
from casino.finance.expected_result import ReturnOf
from casino.finance.export import Order, write_export
from casino.finance.export_types import ExportKind, Format
from casino.finance.period import Period, parse_day, time_text
from casino.finance.reconciliation import differences
from casino.storage.database import Database
from casino.storage.hash_chain import head_of
from casino.storage.schema import audit, rounds
from casino.users.roles import Actor
from casino.verify.findings import Check
from casino.verify.snapshot import Snapshot, snapshot
from casino.wire.common import Count, Sha256

ACTION: Final = "day_closed"
_TARGET: Final = "day "
SETTLES_MS: Final = 60_000
"""By then everything that arrived before midnight is stored."""

DIFFERENCES_MAX: Final = 100


class ClosedExport(TypedDict):
    rows: Count
    sha256: Sha256
    totals: CurrencyTotals


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed day as recorded in the audit log: rows, hash and totals of each export."""

    day: date
    audit_id: int
    at_ms: int
    by: str
    confirmed_by: str | None
    """The second person; None for a close from the command line."""
    exports: Mapping[str, ClosedExport]


class UnreconciledError(Exception):
    """The day cannot be closed; each difference names its round and account."""

    def __init__(self, day: date, found: list[str]) -> None:
        super().__init__(f"{day} cannot be closed: journal, settlements and ledger differ, in minor units")
        self.found = found


async def close_day(
    database: Database, day: date, *, by: Actor, now_ms: int, return_of: ReturnOf
) -> tuple[Closed, bool]:
    """Returns the closed day, and whether it was closed just now."""
    async with snapshot(database) as books:
        known = await closed_day(books.connection, day)
        if known:
            return known, False
        exports = await reconciled_exports(books, Period.of_day(day), now_ms, return_of)
    async with database.writing() as connection:
        return await record_close(connection, day, exports, by=by, now_ms=now_ms)


async def reconciled_exports(
    books: Snapshot, period: Period, now_ms: int, return_of: ReturnOf
) -> dict[str, ClosedExport]:
    """Returns what a close records; raises `UnreconciledError` if the books of the period differ."""
    if now_ms < period.until_ms + SETTLES_MS:
        from_then_on = time_text(period.until_ms + SETTLES_MS)
        raise Refusal(Code.TOO_LATE, f"{period} is not over. Close it from {from_then_on} on.")
    found = [difference async for difference in differences(books, period)]
    if found:
        raise UnreconciledError(period.last, found)
    return await period_exports(books, period, return_of)


async def record_close(
    connection: AsyncConnection,
    day: date,
    exports: Mapping[str, ClosedExport],
    *,
    by: Actor,
    now_ms: int,
    confirmed_by: str | None = None,
) -> tuple[Closed, bool]:
    """Writes the close into the audit chain, once. `confirmed_by` is the second person."""
    await head_of(connection, audit_log.CHAIN, lock=True)  # prevents a concurrent close
    known = await closed_day(connection, day)
    if known:
        return known, False
    before = {} if confirmed_by is None else {"confirmed_by": confirmed_by}
    entry = audit_log.Entry(by.name, by.role, ACTION, f"{_TARGET}{day}", before=before, after=exports)
    await audit_log.write(connection, entry, now_ms)
    closed = await closed_day(connection, day)
    assert closed is not None
    return closed, True


async def open_rounds(connection: AsyncConnection, day: date) -> list[str]:
    """Returns rounds that began by the end of the day and are still open: they settle on the day they end."""
    began = rounds.c.started_ms < Period.of_day(day).until_ms
    query = select(rounds.c.id).where(rounds.c.status == "open", began).order_by(rounds.c.started_ms, rounds.c.id)
    return list((await connection.execute(query)).scalars())


async def period_exports(books: Snapshot, period: Period, return_of: ReturnOf) -> dict[str, ClosedExport]:
    found = dict[str, ClosedExport]()
    with tempfile.TemporaryDirectory(prefix="casino-close-") as folder:
        for what in ExportKind:
            order = Order(what, Format.CSV, period)
            manifest = await write_export(books, order, Path(folder) / what, return_of)
            found[str(what)] = {"rows": manifest.rows, "sha256": manifest.sha256, "totals": manifest.totals}
    return found


async def closed_days(connection: AsyncConnection) -> list[Closed]:
    rows = await connection.execute(_entries().order_by(audit.c.target, audit.c.id))
    return [_read(row) for row in rows]


async def check_closed_days(books: Snapshot, check: Check, return_of: ReturnOf) -> None:
    """Verifies every closed day against its audit row; the chain proves that the row is unchanged."""
    for row in (await books.connection.execute(_entries().order_by(audit.c.id))).all():
        check.counted += 1
        where = f"audit row {row.id}, {row.target}"
        try:
            closed = _read(row)
        except (ValueError, Refusal):
            check.fault(f"{where}: it does not describe a closed day")
            continue
        now = await period_exports(books, Period.of_day(closed.day), return_of)
        for what, recorded in closed.exports.items():
            if now.get(what) != recorded:
                check.fault(f"{where}: {what} are no longer what they were when the day was closed")


async def closed_day(connection: AsyncConnection, day: date) -> Closed | None:
    row = (await connection.execute(_entries().where(audit.c.target == f"{_TARGET}{day}"))).first()
    return _read(row) if row else None


def _entries() -> Any:  # noqa: ANN401  a query
    columns = (audit.c.id, audit.c.at_ms, audit.c.actor, audit.c.target, audit.c.before, audit.c.after)
    return select(*columns).where(audit.c.action == ACTION)


def _read(row: Any) -> Closed:  # noqa: ANN401  a row of the audit log
    day = parse_day(row.target.removeprefix(_TARGET), "day")
    confirmed_by = json.loads(row.before).get("confirmed_by") if row.before else None
    return Closed(day, row.id, row.at_ms, row.actor, confirmed_by, json.loads(row.after))
