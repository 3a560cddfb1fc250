"""The journal: every event of every round of a table, numbered without gaps, in the order it happened.

It is written in the transaction that moves the money the events are about, and reading it rebuilds the round.
"""

from collections.abc import AsyncIterator, Iterable, Sequence

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.crash import crash_point
from casino.storage.bulk import insert_rows
from casino.storage.chain import EMPTY, Head, head_of, link, links, move_head
from casino.storage.schema import chains, journal
from casino.uth.events import BetPlaced, BettingOpened, Event, dump_event, load_event
from casino.uth.replay import replay
from casino.uth.state import Round

_COLUMNS = ("table_id", "seq", "round_id", "kind", "version", "at_ms", "data")


class UnreadableRoundError(ValueError):
    """The journal of a round does not tell a round."""


def chain_name(table_id: str) -> str:
    return f"journal:{table_id}"


def stored(events: Iterable[Event]) -> list[Event]:
    """Those the journal keeps. A bet is kept as a hold until betting closes with one event for all."""
    return [event for event in events if not isinstance(event, BetPlaced)]


async def append(connection: AsyncConnection, table_id: str, head: Head, events: Sequence[tuple[str, Event]]) -> Head:
    """Write events, each with its round, after the head; the answer is the new head.

    It moves even if there are none: so a second writer of the same table is found out by the first thing it stores.
    """
    rows = []
    for seq, (round_id, event) in enumerate(events, head.seq + 1):
        data = orjson.dumps(dump_event(event), option=orjson.OPT_SORT_KEYS).decode()
        rows.append((table_id, seq, round_id, event.kind, event.version, event.at_ms, data))
    digests = links(head, rows)
    full = [(*row, digest) for row, digest in zip(rows, digests, strict=True)]
    new = head.moved((rows[-1][1], digests[-1]) if rows else head.end)
    await move_head(connection, chain_name(table_id), head, new)
    crash_point("journal_head_moved")
    await insert_rows(connection, journal, (*_COLUMNS, "digest"), full)
    return new


async def load_round(connection: AsyncConnection, round_id: str) -> Round:
    query = select(journal.c.data).where(journal.c.round_id == round_id).order_by(journal.c.seq)
    return rebuild([row.data for row in await connection.execute(query)])


def rebuild(written: Sequence[str]) -> Round:
    try:
        opened, *events = (load_event(orjson.loads(data)) for data in written)
        if isinstance(opened, BettingOpened):
            return replay(opened, events)
    except (ValueError, KeyError, IndexError) as error:
        raise UnreadableRoundError(str(error)) from error
    raise UnreadableRoundError("the first event of a round opens its betting")


async def rounds(connection: AsyncConnection) -> AsyncIterator[tuple[str, list[str]]]:
    """Every round with its events as written, one at a time."""
    query = select(journal.c.round_id, journal.c.data).order_by(journal.c.round_id, journal.c.seq)
    current, written = None, []
    async for row in await connection.stream(query):
        if row.round_id != current and current is not None:
            yield current, written
            written = []
        current = row.round_id
        written.append(row.data)
    if current is not None:
        yield current, written


async def faults(connection: AsyncConnection) -> AsyncIterator[str]:
    """What is wrong with the journals, each with its row; nothing if they are whole."""
    heads = {row.name: Head(row.seq, row.digest) for row in await connection.execute(select(chains))}
    found: dict[str, Head] = {}
    async for row in await connection.stream(select(journal).order_by(journal.c.table_id, journal.c.seq)):
        *fields, digest = row
        last = found.get(row.table_id, EMPTY)
        if row.seq != last.seq + 1:
            yield f"journal row {row.table_id}/{row.seq}: row {last.seq + 1} should stand here"
        if digest != link(last.digest, fields):
            yield f"journal row {row.table_id}/{row.seq}: its content and its place in the chain disagree"
        found[row.table_id] = Head(row.seq, digest)
    for name, head in heads.items():
        table_id = name.removeprefix("journal:")
        if name.startswith("journal:") and found.pop(table_id, EMPTY) != head:
            yield f"journal row {table_id}/{head.seq}: rows are missing at the end, or the head was changed"
    for table_id, head in found.items():
        yield f"journal row {table_id}/{head.seq}: the head of the chain is missing"


async def locked_head(connection: AsyncConnection, table_id: str) -> Head:
    return await head_of(connection, chain_name(table_id), lock=True)
