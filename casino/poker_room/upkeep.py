"""Upkeep of the room after a message or a deadline: carries out effects, broadcasts changes and sets deadlines.

A failure concerns one table: its hand is void, and it pauses with an incident.
"""

from collections.abc import Coroutine, Iterable
from typing import Any, Final

import structlog

from casino.clock import Clock
from casino.poker.state import Status
from casino.poker_room.background_tasks import BackgroundTasks
from casino.poker_room.balances import Balances
from casino.poker_room.deadlines import Deadlines
from casino.poker_room.decks import Decks
from casino.poker_room.effects import AddChips, Depart, Effect, PassedByBigBlind, SatOut, StoreHand, StoreShownCards
from casino.poker_room.hand_record import HandRecord
from casino.poker_room.hand_store import HandStore
from casino.poker_room.lobby import LobbyFeed
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.pool import Draw
from casino.poker_room.pool_host import PoolHost
from casino.poker_room.pool_service import PoolService
from casino.poker_room.room_tables import RoomTables
from casino.poker_room.seat_desk import SeatDesk
from casino.poker_room.seat_money import SeatMoney
from casino.poker_room.table import PokerTable
from casino.poker_room.table_lifecycle import TableLifecycle
from casino.poker_room.table_storage import TableStorage
from casino.poker_room.unreadable_tables import UnreadableTables
from casino.settings.poker import PokerSettings
from casino.storage.database import Database

_log = structlog.get_logger()
_LOBBY: Final = "lobby"
_ABSENT: Final = "absent:"
_POOL: Final = "pool:"
_QUEUES: Final = "queues:"
QUEUE_KEPT_MS: Final = 20_000
"""How long a player whose last connection is lost keeps places in queues: a page is reloaded in this time."""


class Upkeep:
    def __init__(
        self,
        settings: PokerSettings,
        database: Database,
        publisher: RoomPublisher,
        clock: Clock,
        *,
        decks: Decks,
        draw: Draw,
        store: HandStore,
    ) -> None:
        self._clock = clock
        self.is_draining = False
        self.tasks: Final = BackgroundTasks()
        self.tables: Final = RoomTables(settings)
        self.money: Final = SeatMoney(database)
        self._storage = TableStorage(database, store, Balances(self.money), clock, self.tasks)
        self.deadlines: Final = Deadlines(clock, self._run_due, self.postpone)
        self.unreadable: Final = UnreadableTables(database, self.money, store, clock)
        self.lobby: Final = LobbyFeed(self.tables, self.unreadable, publisher, clock)
        lifecycle = TableLifecycle(self.tables, store, publisher, clock, decks=decks, draw=draw)
        self.desk: Final = SeatDesk(
            self.tables, self.money, lifecycle, publisher, clock=clock, draw=draw, changed=self.changed
        )
        self._service = PoolService(
            self.tables,
            self.desk,
            lifecycle,
            publisher,
            clock,
            draw=draw,
            spawn=self.tasks.spawn,
            changed=self.changed,
        )

    def changed(self, host: PoolHost, table: PokerTable | None) -> None:
        """Carries out the effects of the table, publishes what has changed, and sets the next deadlines.

        Actions within a hand change nothing for the pool, which is therefore left alone.
        """
        if table is None:
            self._service.serve(host)
        else:
            if self.is_draining:
                table.drain()
            while effects := table.take_effects():
                for effect in effects:
                    self._carry_out(host, table, effect)
            is_changed = table.publish_changes(self._clock())
            is_known = self.tables.find(table.terms.table_id) is not None
            self.deadlines.set(table.terms.table_id, table.due_ms if is_known else None)
            if not is_changed:
                return
            if host.mirror(table) or table.is_closing:
                self._service.serve(host)
        self.deadlines.set(_POOL + host.pool_id, host.due_ms())
        self.lobby.changed(host)
        self.deadlines.set(_LOBBY, self.lobby.due_ms())

    def _carry_out(
        self,
        host: PoolHost,
        table: PokerTable,
        effect: Effect,
    ) -> None:
        match effect:
            case StoreHand(record):
                self.tasks.spawn(self._store(host, table, record), "poker hand")
            case StoreShownCards():
                self.tasks.spawn(self._storage.store_shown(effect), "poker shown cards")
            case Depart(player_id, reason):
                self.tasks.spawn(self._moving(table, self.desk.depart(table, player_id, reason)), "poker departure")
            case AddChips(player_id):
                self.tasks.spawn(self._moving(table, self.desk.add_chips(table, player_id)), "poker top-up")
            case SatOut(player_id):
                if player_id in table.occupants:
                    affected = self.tables.absences.sit_out(player_id, table.terms.table_id, self._clock())
                    self.publish_tables(set(affected) - {table.terms.table_id})
                    self.watch_absence(player_id)
            case PassedByBigBlind(player_id):
                self.tables.absences.passed_by_big_blind(player_id, table.terms.table_id, self._clock())
                self.watch_absence(player_id)

    def publish_tables(self, table_ids: Iterable[str]) -> None:
        players: set[str] = set()
        for table_id in table_ids:
            table = self.tables.find(table_id)
            if table is not None:
                players.update(table.occupants)
                self.changed(self.tables.host_of(table_id), table)
        for player_id in players:
            self.watch_absence(player_id)

    def watch_absence(self, player_id: str) -> None:
        due_ms = self.tables.absences.due_ms(player_id)
        is_past = due_ms is not None and due_ms <= self._clock()
        self.deadlines.set(_ABSENT + player_id, None if is_past else due_ms)

    def connection_lost(self, player_id: str, now_ms: int) -> None:
        """The player has no connection to the room any more."""
        if self._waits_for_seat(player_id):
            self.deadlines.set(_QUEUES + player_id, now_ms + QUEUE_KEPT_MS)

    def connection_restored(self, player_id: str) -> None:
        self.deadlines.set(_QUEUES + player_id, None)

    def leave_queues(self, player_id: str) -> None:
        """Gives up places in queues and reserved seats."""
        self.connection_restored(player_id)
        for host in self._waits_for_seat(player_id):
            self.tasks.spawn(self.desk.give_up(host, player_id), "poker queue")

    def _waits_for_seat(self, player_id: str) -> list[PoolHost]:
        return [host for host in self.tables.hosts.values() if host.waits_for_seat(player_id)]

    async def _store(self, host: PoolHost, table: PokerTable, record: HandRecord) -> None:
        if await self._storage.store_hand(table, record) and record.status == Status.SETTLED:
            host.played(record.ended_ms, record.pot)
        self.changed(host, table)

    async def _moving(self, table: PokerTable, chips: Coroutine[Any, Any, None]) -> None:
        """A table whose chips cannot be moved pauses with an incident, instead of waiting for them without a word."""
        try:
            await chips
        except Exception as error:  # noqa: BLE001  other tables go on, and staff see this one
            self.fail(table, error)

    # Time

    def _run_due(self, name: str, now_ms: int) -> None:
        if name == _LOBBY:
            self.lobby.publish(now_ms)
        elif name.startswith(_POOL):
            host = self.tables.hosts[name.removeprefix(_POOL)]
            self._service.lapse(host, now_ms)
            self.deadlines.set(name, host.due_ms())
        elif name.startswith(_QUEUES):
            self.leave_queues(name.removeprefix(_QUEUES))
        elif name.startswith(_ABSENT):
            self._remove_absent(name.removeprefix(_ABSENT), now_ms)
        else:
            self._tick(name, now_ms)

    def _tick(self, table_id: str, now_ms: int) -> None:
        table = self.tables.find(table_id)
        if table is None:
            return
        try:
            table.tick(now_ms)
            self.changed(self.tables.host_of(table_id), table)
        except Exception as error:  # noqa: BLE001  other tables go on
            self.fail(table, error)

    def _remove_absent(self, player_id: str, now_ms: int) -> None:
        removed = self.tables.absences.remove(player_id, now_ms)
        for table_id in removed:
            self.changed(self.tables.host_of(table_id), self.tables.table(table_id))
        self.watch_absence(player_id)

    def postpone(self, late_ms: int) -> None:
        _log.warning("poker_room_was_late", late_ms=late_ms)
        for table in self.tables:
            table.postpone(late_ms)
            self.deadlines.set(table.terms.table_id, table.due_ms)

    def fail(self, table: PokerTable, error: Exception) -> None:
        """The hand is void and the table pauses; other tables are not concerned."""
        self._storage.fail(table, error, lambda: self.changed(self.tables.host_of(table.terms.table_id), table))
