"""Recovery of cash tables after a stop or a crash.

A hand that was not stored never was: stacks, banks and blinds owed are as at its start. Its deck may have been seen, so
that it is spent with the number of the hand, and the next hand has a new one and the same big blind due. Tables wait
for their players, and those who do not come sit out.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import structlog
from sqlalchemy import Row, select

from casino.clock import Clock
from casino.ledger import accounts
from casino.observability.crash_points import crash_point
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.hand_record import Deck, unused_deck_record
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.occupants import Occupant
from casino.poker_room.pool import PoolTable
from casino.poker_room.pool_host import PoolHost
from casino.poker_room.room import PokerRoom
from casino.poker_room.seat_money import Place
from casino.poker_room.table import PokerTable
from casino.poker_room.table_seats import restored
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.poker_schema import poker_seats, poker_tables

_AT_ONCE: Final = 64
_log = structlog.get_logger()


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
    seats: tuple[StoredSeat, ...]


async def recover(room: PokerRoom, database: Database, publisher: RoomPublisher, clock: Clock) -> None:
    """Brings back all tables with players, and closes those without."""
    stored = await _stored(database)
    for first in range(0, len(stored), _AT_ONCE):
        some = stored[first : first + _AT_ONCE]
        await asyncio.gather(*(_recover_table(room, table, publisher, clock) for table in some))


async def _recover_table(room: PokerRoom, stored: StoredTable, publisher: RoomPublisher, clock: Clock) -> None:
    host = room.tables.hosts.get(stored.pool_id)
    if host is None:
        await _pay_out(room, stored, clock())
        return
    if not stored.seats:
        await room.store.close_table(stored.table_id, clock())
        return
    terms = room.tables.terms_of(stored.table_id, host)
    occupied = [(seat.player_id, seat.seat_no, seat.stack) for seat in stored.seats]
    try:
        seats = restored(stored.state, terms.stake.seats, occupied, terms.clock)
    except (ValueError, AssertionError) as error:
        # The chips stay in the accounts of the seats until staff have decided.
        _log.error("poker_table_unreadable", table_id=stored.table_id, failure=str(error))
        return
    await room.store.adopt(stored.table_id)
    deck = room.decks.prepare()
    number = stored.hand_no + 1
    spent = unused_deck_record(
        stored.table_id,
        number,
        stored.currency,
        clock(),
        deck=stored.deck,
        next_deck=deck.stored,
        state=stored.state,
    )
    await room.store.store(spent)
    crash_point("poker_deck_spent")
    broadcaster = TableBroadcaster(stored.table_id, publisher)
    table = PokerTable(
        terms, seats, deck=deck, decks=room.decks, broadcaster=broadcaster, draw=room.draw, hand_no=number
    )
    _add(room, host, table, stored.seats, clock())
    _log.info("poker_table_recovered", table_id=stored.table_id, players=len(stored.seats), spent_hand=number)


def _add(room: PokerRoom, host: PoolHost, table: PokerTable, seats: Sequence[StoredSeat], now_ms: int) -> None:
    table_id = table.terms.table_id
    room.tables.add(host, table)
    seated = tuple(sorted((seat.seat_no, seat.player_id) for seat in seats))
    host.pool = host.pool.with_table(PoolTable(table_id, table.terms.stake.seats, seated))
    for seat in seats:
        is_auto = table.seats.seats[seat.player_id].auto_top_up
        table.welcome(Occupant(seat.player_id, seat.name, seat.initial, seat.available, seat.since_ms, is_auto))
    for seat in seats:
        is_absent = table.seats.seats[seat.player_id].sits_out
        room.tables.absences.joined(seat.player_id, table_id, now_ms, is_absent=is_absent)
        room.upkeep.watch_absence(seat.player_id)
    table.wait_for_players(now_ms)
    room.upkeep.changed(host, table)


async def _pay_out(room: PokerRoom, stored: StoredTable, now_ms: int) -> None:
    """The stake is no longer offered: all chips go back to the accounts."""
    for seat in stored.seats:
        await room.money.leave(Place(stored.table_id, stored.pool_id, seat.player_id, stored.currency), now_ms)
    await room.store.close_table(stored.table_id, now_ms)
    _log.warning("poker_table_no_longer_offered", table_id=stored.table_id, players=len(stored.seats))


async def _stored(database: Database) -> list[StoredTable]:
    async with database.reading(for_table=True) as connection:
        tables = (await connection.execute(select(poker_tables).where(poker_tables.c.status == "open"))).all()
        query = select(poker_seats, schema.users.c.name).join(
            schema.users, schema.users.c.id == poker_seats.c.player_id, isouter=True
        )
        seats = (await connection.execute(query)).all()
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
            tuple(by_table[row.id]),
        )
        for row in tables
    ]


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
