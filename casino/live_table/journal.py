"""Journal: every event of every round of a table, in order and numbered without gaps.

Events are written in the transaction that moves their money. `journal_replay` rebuilds the round from them.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import TypeVar

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.hosting.commit_log import Transaction
from casino.storage.hash_chain import EMPTY, Head, link
from casino.storage.schema import chains, journal
from casino.uth.events import BetPlaced, Event, dump_event

_COLUMNS = ("table_id", "seq", "round_id", "kind", "version", "at_ms", "data")
R = TypeVar("R")


def chain_name(table_id: str) -> str:
    return f"journal:{table_id}"


def stored(events: Iterable[Event]) -> list[Event]:
    """Returns the events that the journal stores. A bet is a hold until betting closes with one event for all."""
    return [event for event in events if not isinstance(event, BetPlaced)]


async def append(transaction: Transaction[R], table_id: str, round_id: str, events: Sequence[Event]) -> None:
    """Appends events of one round to the table's chain."""
    rows = []
    for seq, event in enumerate(events, transaction.head.seq + 1):
        data = orjson.dumps(dump_event(event), option=orjson.OPT_SORT_KEYS).decode()
        rows.append((table_id, seq, round_id, event.kind, event.version, event.at_ms, data))
    await transaction.append(journal, _COLUMNS, rows)


async def verify_sequence(connection: AsyncConnection) -> AsyncIterator[str]:
    """Yields every fault of the journals with its row."""
    heads = {row.name: Head(row.seq, row.digest) for row in await connection.execute(select(chains))}
    found: dict[str, Head] = {}
    async for row in await connection.stream(select(journal).order_by(journal.c.table_id, journal.c.seq)):
        *fields, digest, _ = row
        last = found.get(row.table_id, EMPTY)
        if row.seq != last.seq + 1:
            yield f"journal row {row.table_id}/{row.seq}: row {last.seq + 1} should be here"
        if digest != link(last.digest, fields):
            yield f"journal row {row.table_id}/{row.seq}: its content and its place in the chain disagree"
        found[row.table_id] = Head(row.seq, digest)
    for name, head in heads.items():
        table_id = name.removeprefix("journal:")
        if name.startswith("journal:") and found.pop(table_id, EMPTY) != head:
            yield f"journal row {table_id}/{head.seq}: rows are missing at the end, or the head was changed"
    for table_id, head in found.items():
        yield f"journal row {table_id}/{head.seq}: the head of the chain is missing"
