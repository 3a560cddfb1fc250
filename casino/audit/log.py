"""Writes the audit log and checks its hash chain.

An edit, a deletion, an insertion or a change of order is found. Secrets, tokens and hidden cards are never written.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.observability.crash_points import crash_point
from casino.storage.hash_chain import EMPTY, Head, head_of, link, move_head, row_signatures
from casino.storage.schema import audit

CHAIN: Final = "audit"
current_request: Final = ContextVar("current_request", default="")
"""Id of the current request; audit entries written while it is answered carry it."""

_COLUMNS: Final = tuple(column.name for column in audit.columns if column.name not in ("digest", "signature"))


@dataclass(frozen=True, slots=True)
class Entry:
    actor: str
    role: str
    action: str
    target: str
    reason: str = ""
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    request_id: str = ""


async def write(connection: AsyncConnection, entry: Entry, at_ms: int) -> None:
    """Append the entry in the caller's transaction."""
    head = await head_of(connection, CHAIN, lock=True)
    fields = (
        head.seq + 1,
        at_ms,
        entry.actor,
        entry.role,
        entry.action,
        entry.target,
        _plain(entry.before),
        _plain(entry.after),
        entry.reason,
        entry.request_id or current_request.get(),
    )
    digest = link(head.digest, fields)
    (signature,) = row_signatures(connection, CHAIN, [(head.seq + 1, digest)])
    proof = {"digest": digest, "signature": signature}
    await connection.execute(audit.insert(), dict(zip(_COLUMNS, fields, strict=True)) | proof)
    crash_point("audit_row_written")
    await move_head(connection, CHAIN, head, head.moved((head.seq + 1, digest)))


async def faults(connection: AsyncConnection) -> AsyncIterator[str]:
    """Yields every fault of the log with its row; nothing if it is complete."""
    found = EMPTY
    rows = await connection.stream(select(audit).order_by(audit.c.id))
    async for row in rows:
        *fields, digest, _ = row
        if row.id != found.seq + 1:
            yield f"audit row {row.id}: row {found.seq + 1} should be here"
        if digest != link(found.digest, fields):
            yield f"audit row {row.id}: its content and its place in the chain disagree"
        found = Head(row.id, digest)
    if found.end != (await head_of(connection, CHAIN)).end:
        yield f"audit row {found.seq + 1}: rows are missing at the end, or the head of the chain was changed"


def _plain(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True, default=str) if values else ""
