"""Unreadable tables: tables of an earlier run that cannot go on. Their chips stay in the accounts of the seats.

The start goes on without them. Managers see them on the floor, with every player's chips, and return the chips. What
nobody has returned for 90 days goes to charity.
"""

from typing import Final

import structlog

from casino.audit import log as audit_log
from casino.clock import Clock
from casino.poker_room.forfeits import forfeit, is_stale
from casino.poker_room.hand_store import HandStore
from casino.poker_room.messages import ReturnChips
from casino.poker_room.seat_money import Place, SeatMoney
from casino.poker_room.stored_tables import StoredSeat, StoredTable
from casino.poker_room.table_views import table_name
from casino.refusals import Reason
from casino.storage.database import Database
from casino.wire.poker_events import KeptChips
from casino.wire.poker_floor import UnreadablePokerTable

WHY: Final = "The stored state of this table can't be read."
TO_DO: Final = (
    "No hand can be played here. Return the chips: each player gets the amount shown, and the table closes. "
    "The players may sit down at other tables. Until then the chips are safe in the accounts of the seats."
)
_log = structlog.get_logger()


class UnreadableTables:
    def __init__(self, database: Database, money: SeatMoney, store: HandStore, clock: Clock) -> None:
        self._database = database
        self._money = money
        self._store = store
        self._clock = clock
        self._tables: dict[str, StoredTable] = {}

    async def keep(self, stored: StoredTable, failure: str) -> None:
        """Keeps the chips for staff to decide, unless they have had 90 days."""
        _log.error("poker_table_unreadable", table_id=stored.table_id, players=len(stored.seats), failure=failure)
        now_ms = self._clock()
        if await is_stale(self._database, stored.table_id, now_ms):
            places = [_place(stored, seat) for seat in stored.seats]
            await forfeit(self._database, places, stored.table_id, now_ms)
            _log.warning("poker_chips_forfeited", table_id=stored.table_id, players=len(stored.seats))
        else:
            self._tables[stored.table_id] = stored

    def views(self) -> list[UnreadablePokerTable]:
        return [_view(stored) for stored in self._tables.values()]

    def kept_for(self, player_id: str) -> list[KeptChips]:
        """Chips of this player at such tables."""
        return [
            {"table_id": stored.table_id, "pool": stored.pool_id, "chips": seat.stack}
            for stored in self._tables.values()
            for seat in stored.seats
            if seat.player_id == player_id
        ]

    async def return_chips(self, message: ReturnChips) -> list[str]:
        """Returns all chips to the accounts of their players, and closes the table. May be repeated after a failure.

        Returns the players. Refuses `no_such_table` for any other table.
        """
        stored = self._tables.get(message.table_id)
        if stored is None:
            raise Reason.NO_SUCH_TABLE.refusal()
        after = {"players": {seat.name: seat.stack for seat in stored.seats}, "currency": stored.currency}
        by = message.by
        entry = audit_log.Entry(by.name, by.role, "poker_chips_returned", stored.table_id, message.reason, after=after)
        async with self._database.writing() as connection:
            await audit_log.write(connection, entry, self._clock())
        await pay_out(stored, self._money, self._store, self._clock())
        self._tables.pop(stored.table_id, None)
        return [seat.player_id for seat in stored.seats]


async def pay_out(stored: StoredTable, money: SeatMoney, store: HandStore, now_ms: int) -> None:
    """All chips go back to the accounts of their players, and the table closes."""
    for seat in stored.seats:
        await money.leave(_place(stored, seat), now_ms)
    await store.close_table(stored.table_id, now_ms)


def _place(stored: StoredTable, seat: StoredSeat) -> Place:
    return Place(stored.table_id, stored.pool_id, seat.player_id, stored.currency)


def _view(stored: StoredTable) -> UnreadablePokerTable:
    return {
        "table_id": stored.table_id,
        "name": table_name(stored.table_id),
        "pool": stored.pool_id,
        "currency": stored.currency,
        "hand_no": stored.hand_no,
        "chips": sum(seat.stack for seat in stored.seats),
        "players": [
            {"player_id": seat.player_id, "name": seat.name, "seat_no": seat.seat_no, "chips": seat.stack}
            for seat in stored.seats
        ],
        "why": WHY,
        "to_do": TO_DO,
    }
