"""Lobby of the poker room: all pools, own seats and places, and changes at most twice a second."""

from typing import Final

from casino.clock import Clock
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.pool import queued
from casino.poker_room.pool_host import PoolHost, pool_seat_view
from casino.poker_room.room_tables import RoomTables
from casino.poker_room.table_views import own_seat_view
from casino.poker_room.unreadable_tables import UnreadableTables
from casino.wire.poker_events import POKER_LOBBY, PokerLobby, PokerLobbyChanges, PokerPool, PokerSeat

INTERVAL_MS: Final = 500


class LobbyFeed:
    def __init__(
        self, tables: RoomTables, unreadable: UnreadableTables, publisher: RoomPublisher, clock: Clock
    ) -> None:
        self._tables = tables
        self._unreadable = unreadable
        self._publisher = publisher
        self._clock = clock
        self._changed: dict[str, PoolHost] = {}
        self._published: dict[str, PokerPool] = {}
        self._published_ms = 0

    def changed(self, host: PoolHost) -> None:
        self._changed[host.pool_id] = host

    def due_ms(self) -> int | None:
        return self._published_ms + INTERVAL_MS if self._changed else None

    def publish(self, now_ms: int) -> None:
        """Sends the pools that have changed since the last time, by currency."""
        changes: dict[str, list[PokerPool]] = {}
        for pool_id, host in self._changed.items():
            view = host.view(now_ms)
            if self._published.get(pool_id) != view:
                self._published[pool_id] = view
                changes.setdefault(host.terms.currency, []).append(view)
        self._changed.clear()
        self._published_ms = now_ms
        for currency, pools in changes.items():
            self._publisher.to_lobby(currency, POKER_LOBBY({"pools": pools, "lines": [], "tournaments": []}))

    def view(self, currency: str | None) -> PokerLobbyChanges:
        now_ms = self._clock()
        hosts = [host for host in self._tables.hosts.values() if currency in {None, host.terms.currency}]
        return {"pools": [host.view(now_ms) for host in hosts], "lines": [], "tournaments": []}

    def own_view(self, player_id: str, currency: str) -> PokerLobby:
        kept = self._unreadable.kept_for(player_id)
        return {**self.view(currency), "seats": self._own_seats(player_id), "entries": [], "kept": kept}

    def _own_seats(self, player_id: str) -> list[PokerSeat]:
        seats = [own_seat_view(table, player_id) for table in self._tables if player_id in table.occupants]
        for host in self._tables.hosts.values():
            reserved = host.pool_table_of(player_id)
            if reserved is not None:
                kept = next(kept for kept in reserved.reservations if kept.player_id == player_id)
                seats.append(
                    pool_seat_view(
                        host.pool_id,
                        "reserved",
                        table_id=reserved.table_id,
                        seat_no=kept.seat_no,
                        until_ms=kept.until_ms,
                    )
                )
            if host.pool.place_of(player_id) is not None and player_id in host.requests:
                place = queued(host.pool, player_id)
                seats.append(pool_seat_view(host.pool_id, "queued", queued=place, request=host.requests[player_id]))
        return seats
