"""Queries of the audit log for staff: newest first, with pagination, filtered by actor, action, target and time."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.storage.schema import audit
from casino.wire.common import Count, Moment


class AuditRow(TypedDict):
    id: Count
    at: Moment
    actor: str
    role: str
    action: str
    target: str
    before: dict[str, Any]
    """Depends on the action."""
    after: dict[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """Filters; None does not filter. `from_ms` is included, `until_ms` is not."""

    actor: str | None = None
    action: str | None = None
    target: str | None = None
    from_ms: int | None = None
    until_ms: int | None = None
    before: int | None = None  # the number of a row


async def page_of_audit(
    connection: AsyncConnection, wanted: Wanted, limit: int, conditions: Sequence[ColumnElement[bool]] = ()
) -> list[AuditRow]:
    query = select(audit).where(*conditions)
    for column, value in ((audit.c.actor, wanted.actor), (audit.c.action, wanted.action)):
        if value is not None:
            query = query.where(column == value)
    if wanted.target is not None:
        query = query.where(audit.c.target.contains(wanted.target, autoescape=True))
    if wanted.from_ms is not None:
        query = query.where(audit.c.at_ms >= wanted.from_ms)
    if wanted.until_ms is not None:
        query = query.where(audit.c.at_ms < wanted.until_ms)
    if wanted.before is not None:
        query = query.where(audit.c.id < wanted.before)
    rows = await connection.execute(query.order_by(audit.c.id.desc()).limit(limit))
    return [_view(row) for row in rows]


def _view(row: Row[Any]) -> AuditRow:
    return {
        "id": row.id,
        "at": row.at_ms,
        "actor": row.actor,
        "role": row.role,
        "action": row.action,
        "target": row.target,
        "before": json.loads(row.before) if row.before else {},
        "after": json.loads(row.after) if row.after else {},
        "reason": row.reason,
    }
