"""Recovery of cash tables after a stop or a crash.

A hand that was not stored never was: stacks, banks and blinds owed are as at its start. Its deck may have been seen, so
that it is spent with the number of the hand, and the next hand has a new one and the same big blind due. Tables wait
for their players, and those who do not come sit out.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from casino.clock import Clock
from casino.observability.crash_points import crash_point
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.hand_record import unused_deck_record
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.occupants import Occupant
from casino.poker_room.pool import PoolTable
from casino.poker_room.pool_host import PoolHost
from casino.poker_room.room import PokerRoom
from casino.poker_room.stored_tables import StoredSeat, StoredTable, stored_tables
from casino.poker_room.table import PokerTable
from casino.poker_room.table_seats import restored
from casino.poker_room.unreadable_tables import pay_out
from casino.storage.database import Database, is_unavailable

_AT_ONCE: Final = 64
_log = structlog.get_logger()


async def recover(room: PokerRoom, database: Database, publisher: RoomPublisher, clock: Clock) -> None:
    """Brings back all tables with players, and closes those without."""
    stored = await stored_tables(database)
    for first in range(0, len(stored), _AT_ONCE):
        some = stored[first : first + _AT_ONCE]
        await asyncio.gather(*(_recover_or_keep(room, table, publisher, clock) for table in some))


async def _recover_or_keep(room: PokerRoom, stored: StoredTable, publisher: RoomPublisher, clock: Clock) -> None:
    """A table that cannot go on stops neither the start nor other tables: staff decide about its chips."""
    try:
        await _recover_table(room, stored, publisher, clock)
    except Exception as error:
        if is_unavailable(error) or room.tables.find(stored.table_id) is not None:
            raise
        await room.upkeep.unreadable.keep(stored, f"{type(error).__name__}: {error}")


async def _recover_table(room: PokerRoom, stored: StoredTable, publisher: RoomPublisher, clock: Clock) -> None:
    host = room.tables.hosts.get(stored.pool_id)
    if host is None:
        await pay_out(stored, room.money, room.store, clock())
        _log.warning("poker_table_no_longer_offered", table_id=stored.table_id, players=len(stored.seats))
        return
    if not stored.seats:
        await room.store.close_table(stored.table_id, clock())
        return
    terms = room.tables.terms_of(stored.table_id, host)
    occupied = [(seat.player_id, seat.seat_no, seat.stack) for seat in stored.seats]
    seats = restored(stored.state, terms.stake.seats, occupied, terms.clock)
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
    table.paused = stored.paused
    _add(room, host, table, stored.seats, clock())
    _log.info("poker_table_recovered", table_id=stored.table_id, players=len(stored.seats), spent_hand=number)


def _add(room: PokerRoom, host: PoolHost, table: PokerTable, seats: Sequence[StoredSeat], now_ms: int) -> None:
    table_id = table.terms.table_id
    room.tables.add(host, table)
    seated = tuple(sorted((seat.seat_no, seat.player_id) for seat in seats))
    host.pool = host.pool.with_table(PoolTable(table_id, table.terms.stake.seats, seated))
    for seat in seats:
        is_auto = table.seats.seats[seat.player_id].auto_top_up
        table.add_occupant(Occupant(seat.player_id, seat.name, seat.initial, seat.available, seat.since_ms, is_auto))
    for seat in seats:
        is_absent = table.seats.seats[seat.player_id].sits_out
        room.tables.absences.joined(seat.player_id, table_id, now_ms, is_absent=is_absent)
        room.upkeep.watch_absence(seat.player_id)
    table.wait_for_players(now_ms)
    room.upkeep.changed(host, table)
