"""Verifies reports of poker players: the rows are those of the audit log, and no entry is without its row.

No chain covers the rows, but every report has been written to the audit log in the same transaction.
"""

import json
from collections import Counter
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.poker_room.reports import ACTION
from casino.storage.poker_schema import poker_reports
from casino.storage.schema import audit, users
from casino.verify.findings import Check


class _Report(NamedTuple):
    at_ms: int
    author: str | None
    target: str
    text: str
    hand_id: str
    seat_no: int


async def check_poker_reports(connection: AsyncConnection, check: Check) -> None:
    entries = await _entries(connection)
    columns = poker_reports.c
    query = select(poker_reports, users.c.name).join(users, users.c.id == columns.author_id, isouter=True)
    for row in await connection.execute(query.order_by(columns.id)):
        check.counted += 1
        report = _Report(row.at_ms, row.name, f"user {row.player_id}", row.text, row.hand_id, row.seat_no)
        if not entries[report] or str(row.hand_id).rpartition("-")[0] != row.table_id:
            check.fault(f"report {row.id}: it is not in the audit log as it is stored")
        entries[report] -= 1
    for report in (+entries).elements():
        check.fault(f"report of {report.target} at {report.at_ms}: the audit log has it, and it is not there")


async def _entries(connection: AsyncConnection) -> Counter[_Report]:
    """Entries that cannot be read are named by the check of the audit log."""
    found: Counter[_Report] = Counter()
    columns = audit.c
    query = select(columns.at_ms, columns.actor, columns.target, columns.reason, columns.after)
    for at_ms, actor, target, reason, after in await connection.execute(query.where(columns.action == ACTION)):
        details = _parsed(after)
        if details is not None:
            found[_Report(at_ms, actor, target, reason, *details)] += 1
    return found


def _parsed(after: str) -> tuple[str, int] | None:
    try:
        details = json.loads(after)
        hand_id, seat_no = details["hand_id"], details["seat_no"]
    except (ValueError, KeyError, TypeError):
        return None
    return (hand_id, seat_no) if isinstance(hand_id, str) and isinstance(seat_no, int) else None
