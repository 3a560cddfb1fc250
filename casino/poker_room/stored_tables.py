"""Stored tables: the open cash tables with their seats and chips, as an earlier run of the service left them."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.poker_room.hand_record import Deck
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.poker_schema import poker_seats, poker_tables
from casino.wire.common import Pause


class StoredSeat(NamedTuple):
    player_id: str
    name: str
    seat_no: int
    initial: int
    since_ms: int
    stack: int
    available: int


class StoredTable(NamedTuple):
    table_id: str
    pool_id: str
    currency: str
    hand_no: int
    deck: Deck
    state: str
    paused: Pause | None
    seats: tuple[StoredSeat, ...]


async def stored_tables(database: Database) -> list[StoredTable]:
    async with database.reading(for_table=True) as connection:
        is_cash = (poker_tables.c.status == "open") & poker_tables.c.tournament_id.is_(None)
        tables = (await connection.execute(select(poker_tables).where(is_cash))).all()
        query = select(poker_seats, schema.users.c.name).join(
            schema.users, schema.users.c.id == poker_seats.c.player_id, isouter=True
        )
        seats = (await connection.execute(query.order_by(poker_seats.c.seat_no))).all()
        columns = schema.accounts.c
        wanted = {account for row in seats for account in (_seat_of(row), accounts.player_cash_id(row.player_id))}
        balances: dict[str, int] = {}
        ids = sorted(wanted)
        for first in range(0, len(ids), 500):
            found = await connection.execute(
                select(columns.id, columns.balance, columns.held).where(columns.id.in_(ids[first : first + 500]))
            )
            balances |= {row.id: row.balance - row.held for row in found}
    by_table: defaultdict[str, list[StoredSeat]] = defaultdict(list)
    for row in seats:
        by_table[row.table_id].append(_seat(row, balances))
    return [
        StoredTable(
            row.id,
            row.pool_id,
            row.currency,
            row.hand_no,
            Deck(row.next_root, row.next_sealed),
            row.state,
            _pause(row),
            tuple(by_table[row.id]),
        )
        for row in tables
    ]


async def store_pause(connection: AsyncConnection, table_id: str, paused: Pause | None) -> None:
    """The pause of a table, or that it goes on: after a restart it is the same."""
    changed = {
        "paused_reason": paused and paused["reason"],
        "paused_ms": paused and paused["since"],
        "incident_id": paused and paused["incident_id"],
    }
    await connection.execute(update(poker_tables).where(poker_tables.c.id == table_id).values(changed))


def _pause(row: Row[Any]) -> Pause | None:
    if row.paused_ms is None:
        return None
    return {"reason": row.paused_reason, "since": row.paused_ms, "incident_id": row.incident_id}


def _seat_of(row: Row[Any]) -> str:
    return accounts.seat_id(row.table_id, row.player_id)


def _seat(row: Row[Any], balances: Mapping[str, int]) -> StoredSeat:
    return StoredSeat(
        row.player_id,
        row.name or "",
        row.seat_no,
        row.initial,
        row.since_ms,
        balances.get(_seat_of(row), 0),
        balances.get(accounts.player_cash_id(row.player_id), 0),
    )
