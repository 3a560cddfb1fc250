"""Lifecycle of tables: opened, given up, closed. A table takes players once the root of its first deck is stored."""

import asyncio

from casino.clock import Clock
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.decks import Decks
from casino.poker_room.hand_store import HandStore, NewTable
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.pool import Draw
from casino.poker_room.pool_host import PoolHost
from casino.poker_room.room_tables import RoomTables
from casino.poker_room.table import PokerTable
from casino.poker_room.table_seats import TableSeats
from casino.poker_room.transaction_retry import until_known
from casino.refusals import Reason


class TableLifecycle:
    def __init__(
        self, tables: RoomTables, store: HandStore, publisher: RoomPublisher, clock: Clock, *, decks: Decks, draw: Draw
    ) -> None:
        self._tables = tables
        self._store = store
        self._publisher = publisher
        self._clock = clock
        self._decks = decks
        self._draw = draw

    def announce(self, host: PoolHost, table_id: str) -> None:
        """Players may be given seats at the table from now on; `opened` waits for it."""
        host.opening[table_id] = asyncio.Event()

    async def open(self, host: PoolHost, table_id: str) -> PokerTable:
        deck = self._decks.prepare()
        terms = self._tables.terms_of(table_id, host)
        seats = TableSeats(terms.stake.seats)
        new = NewTable(table_id, host.pool_id, terms.currency, deck.stored, seats.dump())
        now_ms = self._clock()
        await until_known(lambda: self._store.open_or_adopt(new, now_ms))
        broadcaster = TableBroadcaster(table_id, self._publisher)
        table = PokerTable(terms, seats, deck=deck, decks=self._decks, broadcaster=broadcaster, draw=self._draw)
        self._tables.add(host, table)
        host.opening.pop(table_id).set()
        return table

    def give_up(self, host: PoolHost, table_id: str) -> None:
        """The table could not be opened: those who wait for it are refused."""
        host.pool = host.pool.without_table(table_id)
        host.opening.pop(table_id).set()

    async def opened(self, host: PoolHost, table_id: str) -> PokerTable:
        """Waits for the table while it is being opened; refuses `no_such_table` if that has failed."""
        if table_id in host.opening:
            await host.opening[table_id].wait()
        if table_id not in host.tables:
            raise Reason.TABLE_GONE.refusal()
        return host.tables[table_id]

    async def close(self, host: PoolHost, table: PokerTable) -> None:
        await until_known(lambda: self._store.close_table(table.terms.table_id, self._clock()))
        self._tables.remove(host, table)
