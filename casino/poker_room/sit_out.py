"""Absences of all players: sitting out at one or all tables, coming back, and removal.

`player_tables` decides where an absence begins and ends. This module keeps one value per player, and brings tables in
line with it.
"""

from collections.abc import Callable, Iterable

from casino.poker_room.occupants import DepartureReason
from casino.poker_room.player_tables import PlayerTables, SitOutTerms
from casino.poker_room.table import PokerTable
from casino.refusals import Reason
from casino.wire.poker_events import SatOut as SatOutReply

TableOf = Callable[[str], PokerTable]


class Absences:
    """`table_of` finds a table of this room by its id."""

    def __init__(self, terms: SitOutTerms, table_of: TableOf) -> None:
        self._terms = terms
        self._table_of = table_of
        self._players: dict[str, PlayerTables] = {}

    def tables_of(self, player_id: str) -> tuple[str, ...]:
        return self._of(player_id).tables

    def moved(self, player_id: str, from_table: str, to_table: str) -> None:
        """The player has changed tables: an absence goes on with its deadline, and so does the request to sit out."""
        self._players[player_id] = self._of(player_id).moved(from_table, to_table)
        self._apply(player_id)

    def joined(self, player_id: str, table_id: str, now_ms: int, *, is_absent: bool = False) -> None:
        """The player has sat down; `is_absent` after a restart, for a player who sat out before it."""
        self._players[player_id] = self._of(player_id).joined(table_id)
        if is_absent:
            tables = self._players[player_id].wanting_out_at_big_blind([table_id], on=True)
            self._players[player_id] = tables.passed_by_big_blind(table_id, now_ms)
            self._apply(player_id)

    def left(self, player_id: str, table_id: str) -> None:
        after = self._of(player_id).left(table_id)
        if after.tables:
            self._players[player_id] = after
        else:
            self._players.pop(player_id, None)

    def sit_out(self, player_id: str, table_id: str | None, now_ms: int) -> Iterable[str]:
        """Sits out now, at all tables if there are several. Returns the tables concerned."""
        tables = self._of(player_id).tables
        if not tables or (table_id is not None and table_id not in tables):
            raise Reason.NO_SEAT.refusal()
        self._players[player_id] = self._of(player_id).sat_out(table_id or tables[0], now_ms)
        return self._apply(player_id)

    def sit_out_at_big_blind(self, player_id: str, table_id: str | None, *, is_on: bool) -> Iterable[str]:
        """Sets or clears the request to sit out before the next big blind."""
        own = self._own(player_id, table_id)
        self._players[player_id] = self._of(player_id).wanting_out_at_big_blind(own, on=is_on)
        for table in own:
            self._table_of(table).sit_out_at_big_blind(player_id, is_on=is_on)
        return own

    def back(self, player_id: str, table_id: str | None) -> Iterable[str]:
        """Comes back, and clears the request to sit out. A player who was silent in the running hand goes on, too."""
        own = self._own(player_id, table_id)
        self._players[player_id] = self._of(player_id).back(own)
        for table in own:
            self._table_of(table).sit_out(player_id, None)
        return self._apply(player_id)

    def passed_by_big_blind(self, player_id: str, table_id: str, now_ms: int) -> None:
        tables = self._of(player_id).wanting_out_at_big_blind([table_id], on=True)
        self._players[player_id] = tables.passed_by_big_blind(table_id, now_ms)
        self._apply(player_id)

    def reply(self, player_id: str, table_id: str | None) -> SatOutReply:
        """Where the player sits out, at this table or at the first one of which the seat is lost."""
        tables = self._of(player_id)
        wanted = tables.tables if table_id is None else (table_id,)
        last_moments = [last for table in wanted if (last := tables.last_ms(table, self._terms)) is not None]
        return {"sitting_out": bool(last_moments), "until": min(last_moments, default=None)}

    def due_ms(self, player_id: str) -> int | None:
        return self._of(player_id).due_ms(self._terms)

    def remove(self, player_id: str, now_ms: int) -> list[str]:
        """The player leaves the tables where the time to come back is over; in a hand after it. Returns the tables."""
        removals = self._of(player_id).removals(now_ms, self._terms)
        for table_id in removals:
            table = self._table_of(table_id)
            if table.occupants[player_id].leaving is None:
                table.leave_after_hand(player_id, DepartureReason.REMOVED)
        return [*removals]

    def _of(self, player_id: str) -> PlayerTables:
        return self._players.get(player_id) or PlayerTables()

    def _own(self, player_id: str, table_id: str | None) -> tuple[str, ...]:
        tables = self._of(player_id).tables
        if table_id is None:
            return tables
        if table_id not in tables:
            raise Reason.NO_SEAT.refusal()
        return (table_id,)

    def _apply(self, player_id: str) -> tuple[str, ...]:
        """Brings all tables of the player in line with the absences. Unchanged tables stay untouched."""
        tables = self._of(player_id)
        for table_id in tables.tables:
            table = self._table_of(table_id)
            until_ms = tables.last_ms(table_id, self._terms)
            if table.occupants[player_id].sit_out_until_ms != until_ms:
                table.sit_out(player_id, until_ms)
        return tables.tables
