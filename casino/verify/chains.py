"""The two kinds of chains, row by row: every number follows the one before, every link is the hash it should be.

What the rows say is not looked at here.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from sqlalchemy import select

from casino.audit import log as audit_log
from casino.storage.chain import EMPTY, link
from casino.storage.schema import audit, chains, journal
from casino.table.journal import chain_name
from casino.verify.findings import Check, Findings
from casino.verify.snapshot import Rows, Snapshot

End = tuple[int, str]


async def check_chains(snapshot: Snapshot, findings: Findings, step: Callable[[int], None]) -> None:
    heads: dict[str, End] = {}
    for row in await snapshot.connection.execute(select(chains.c.name, chains.c.seq, chains.c.digest)):
        heads[row.name] = (row.seq, row.digest)
    tables = snapshot.partitions(select(journal).order_by(journal.c.table_id, journal.c.seq))
    for (table_id,), end in (await _follow(tables, 1, "journal row", findings.journal, step)).items():
        _compare(findings.journal, f"journal row {table_id}/{end[0]}", end, heads.pop(chain_name(table_id), None))
    log = snapshot.partitions(select(audit).order_by(audit.c.id))
    end = (await _follow(log, 0, "audit row", findings.audit, step)).get((), EMPTY.end)
    _compare(findings.audit, f"audit row {end[0]}", end, heads.pop(audit_log.CHAIN, EMPTY.end))
    for name, head in heads.items():
        if head != EMPTY.end or not name.startswith(chain_name("")):
            findings.journal.fault(f"chain {name}: its head stands at {head[0]}, and it has no rows")


async def _follow(
    rows: AsyncIterator[Rows], seq_at: int, called: str, check: Check, step: Callable[[int], None]
) -> dict[tuple[Any, ...], End]:
    """Where each chain ends. The columns before the number name the chain; the last column is the link."""
    ends: dict[tuple[Any, ...], End] = {}
    async for some in rows:
        check.counted += len(some)
        step(len(some))
        for row in some:
            chain, seq, digest = row[:seq_at], row[seq_at], row[-1]
            last_seq, last_digest = ends.get(chain, EMPTY.end)
            if seq != last_seq + 1:
                check.fault(f"{called} {_named(row, seq_at)}: row {last_seq + 1} should stand here")
            if digest != _link(last_digest, row[:-1]):
                check.fault(f"{called} {_named(row, seq_at)}: it is not as it was written where it stands")
            ends[chain] = (seq if isinstance(seq, int) else last_seq + 1, digest)
    return ends


def _named(row: Sequence[Any], seq_at: int) -> str:
    return "/".join(str(part) for part in row[: seq_at + 1])


def _link(previous: str, fields: Sequence[Any]) -> str | None:
    """None for what no row can hold, such as bytes where a text should be."""
    try:
        return link(previous, fields)
    except (TypeError, ValueError, AttributeError):
        return None


def _compare(check: Check, where: str, end: End, head: End | None) -> None:
    if head is None:
        check.fault(f"{where}: the head of the chain is missing")
    elif head != end:
        check.fault(f"{where}: the chain ends here, and its head stands at {head[0]}")
