"""Pool service: after every change of a pool its queue is served, tables open, and tables that cannot play close.

One task per pool does this at a time. It reads the facts about waiting players from the database, and decides then
without a pause, so that a decision fits the pool as it is.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Final

import structlog

from casino.clock import Clock
from casino.poker_room.messages import JoinPool, RoomPublisher
from casino.poker_room.occupants import DepartureReason
from casino.poker_room.pool import Draw, Queued, Reserved, Seated, Visitor, Waiting, queued, without_lapsed
from casino.poker_room.pool_changes import close_idle_table, serve_queue
from casino.poker_room.pool_host import CLOSE_RETRY_MS, PoolHost, pool_seat_view
from casino.poker_room.room_tables import RoomTables
from casino.poker_room.seat_desk import SeatDesk
from casino.poker_room.seat_money import Place
from casino.poker_room.table import PokerTable
from casino.poker_room.table_lifecycle import TableLifecycle
from casino.refusals import Reason
from casino.wire.poker_events import POKER_SEAT

_NEVER: Final = 1_000_000
"""Number of players that opens a table once the room has as many tables as it may have."""

Changed = Callable[[PoolHost, PokerTable | None], None]
Spawn = Callable[[Coroutine[Any, Any, None], str], asyncio.Task[None]]
Given = tuple[Seated | Reserved, JoinPool | None]
"""A seat that was given to a player of the queue, and the player's request; none for a player who is moved."""
_log = structlog.get_logger()


class PoolService:
    def __init__(
        self,
        tables: RoomTables,
        desk: SeatDesk,
        lifecycle: TableLifecycle,
        publisher: RoomPublisher,
        clock: Clock,
        *,
        draw: Draw,
        spawn: Spawn,
        changed: Changed,
    ) -> None:
        self._tables = tables
        self._desk = desk
        self._lifecycle = lifecycle
        self._publisher = publisher
        self._clock = clock
        self._draw = draw
        self._spawn = spawn
        self._changed = changed
        self._places: dict[tuple[str, str], Queued] = {}

    def serve(self, host: PoolHost) -> None:
        """Serves the queue soon; several changes at once are served together."""
        host.is_dirty = True
        if host.service is None:
            host.service = self._spawn(self._run(host), "poker pool")

    def lapse(self, host: PoolHost, now_ms: int) -> None:
        """Frees reserved seats whose time is over, and closes a table that cannot play."""
        host.pool, lapsed = without_lapsed(host.pool, now_ms)
        for table_id, player_id in lapsed:
            host.reserved.pop((table_id, player_id), None)
            view = pool_seat_view(host.pool_id, "gone", table_id=table_id, reason=DepartureReason.NOT_BOUGHT_IN.value)
            self._publisher.to_player(player_id, POKER_SEAT(view))
        self._close_idle(host, now_ms)
        self.serve(host)

    def send_places(self, host: PoolHost) -> None:
        """Tells players in the queue their place, if it has changed."""
        now = {waiting.player_id: queued(host.pool, waiting.player_id) for waiting in host.pool.queue}
        for player_id, place in now.items():
            if self._places.get((host.pool_id, player_id)) != place:
                request = host.requests.get(player_id)
                view = pool_seat_view(host.pool_id, "queued", queued=place, request=request)
                self._publisher.to_player(player_id, POKER_SEAT(view))
        others = {key: place for key, place in self._places.items() if key[0] != host.pool_id}
        self._places = others | {(host.pool_id, player_id): place for player_id, place in now.items()}

    async def _run(self, host: PoolHost) -> None:
        try:
            while host.is_dirty:
                host.is_dirty = False
                await self._serve(host)
        except Exception as error:  # noqa: BLE001  the next change of the pool tries again
            _log.warning("poker_queue_not_served", pool_id=host.pool_id, failure=type(error).__name__)
        finally:
            host.service = None

    async def _serve(self, host: PoolHost) -> None:
        if host.pool.queue:
            known = await self._desk.visitors(host)
            visitors = self._desk.counted(host, [self._of_now(host, visitor) for visitor in known.values()])
            terms = host.terms
            if len(self._tables) + len(host.opening) >= self._tables.tables_max:
                host.pool = replace(host.pool, terms=replace(terms, start_min=_NEVER))
            served = serve_queue(
                host.pool, visitors, self._clock(), self._draw, lambda: self._tables.new_table_id(host)
            )
            host.pool = replace(served.pool, terms=terms)
            for table_id in served.opened:
                self._lifecycle.announce(host, table_id)
            given: list[Given] = [(seat, host.requests.pop(seat.player_id, None)) for seat in served.seats]
            for table_id in served.opened:
                if not await self._open(host, table_id):
                    given = self._without_table(host, table_id, given)
            for seat, request in given:
                if isinstance(seat, Reserved):
                    assert request is not None
                    host.reserved[seat.table_id, seat.player_id] = request
                    self._send_reserved(host, seat)
                elif seat.offer is None:
                    self._spawn(self._desk.move(host, seat), "poker move")
                else:
                    assert request is not None
                    self._spawn(self._desk.seat_waiting(host, seat, request), "poker buy-in")
        await self._close_empty(host)
        self.send_places(host)

    def _of_now(self, host: PoolHost, visitor: Visitor) -> Visitor:
        """The player may have another request by now."""
        request = host.requests.get(visitor.player_id)
        return visitor if request is None else replace(visitor, buy_in=request.buy_in)

    async def _open(self, host: PoolHost, table_id: str) -> bool:
        try:
            table = await self._lifecycle.open(host, table_id)
        except Exception as error:  # noqa: BLE001  other tables of the pool are not concerned
            _log.error("poker_table_not_opened", table_id=table_id, exc_info=error)
            return False
        self._changed(host, table)
        return True

    def _without_table(self, host: PoolHost, table_id: str, given: Sequence[Given]) -> list[Given]:
        """Releases players from a table that could not be opened: moved chips go on waiting, others are notified."""
        there = [(seat, request) for seat, request in given if seat.table_id == table_id]
        stacks = {seat.player_id: _moved_stack(seat) for seat, _ in there}
        moved = [Waiting(player, self._clock(), stack) for player, stack in stacks.items() if stack is not None]
        self._lifecycle.give_up(host, table_id)
        host.pool = replace(host.pool, queue=(*moved, *host.pool.queue))
        for seat, request in there:
            if request is not None:
                view = pool_seat_view(host.pool_id, "gone", reason=Reason.TABLE_FAILED.code.value)
                self._publisher.to_player(seat.player_id, POKER_SEAT(view))
        return [one for one in given if one not in there]

    def _send_reserved(self, host: PoolHost, seat: Reserved) -> None:
        view = pool_seat_view(
            host.pool_id,
            "reserved",
            table_id=seat.table_id,
            seat_no=seat.seat_no,
            offer=seat.offer,
            until_ms=seat.until_ms,
        )
        self._publisher.to_player(seat.player_id, POKER_SEAT(view))

    def _close_idle(self, host: PoolHost, now_ms: int) -> None:
        stacks = {table_id: table.stacks for table_id, table in host.tables.items()}
        closed = close_idle_table(host.pool, stacks, now_ms)
        host.close_check_ms = now_ms + CLOSE_RETRY_MS
        if closed is None:
            return
        table = host.tables.pop(closed.table_id)
        if any(occupant.is_moving_money or occupant.leaving for occupant in table.occupants.values()):
            host.tables[closed.table_id] = table  # looked at again once the chips have moved
            return
        table.is_closing = True
        host.closing[closed.table_id] = table
        host.pool = closed.pool
        for player_id in closed.players:
            host.moving_from[player_id] = Place(closed.table_id, host.pool_id, player_id, host.terms.currency)

    async def _close_empty(self, host: PoolHost) -> None:
        for table in [*host.closing.values()]:
            if not table.occupants:
                await self._lifecycle.close(host, table)


def _moved_stack(seat: Seated | Reserved) -> int | None:
    """The chips of a player who is moved; None for others."""
    return seat.amount if isinstance(seat, Seated) and seat.offer is None else None
