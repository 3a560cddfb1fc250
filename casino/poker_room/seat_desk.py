"""Seat desk: players come to tables, bring more chips, and leave. Everything here waits for the database.

The seat in the pool is taken before the money moves, and freed if it does not. A transaction whose outcome is in doubt
is repeated under its key until the database answers, so that it happens once. Moves of one player follow one another.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from weakref import WeakValueDictionary

import structlog

from casino.clock import Clock
from casino.errors import Refusal
from casino.ledger.posting import Posting
from casino.poker_room.messages import JoinPool, Leave, LeavePool, RoomPublisher, Sit, TopUp
from casino.poker_room.occupants import DepartureReason, Occupant
from casino.poker_room.pool import (
    Draw,
    Joined,
    Queued,
    Reserved,
    Seated,
    Visitor,
    join,
    leave_queue,
    offer_at,
    take_reserved,
)
from casino.poker_room.pool_host import PoolHost, pool_seat_view
from casino.poker_room.pool_replies import repeated_seat, reserved_reply
from casino.poker_room.room_tables import RoomTables
from casino.poker_room.seat_money import TOP_UP, BuyIn, Place, SeatMoney
from casino.poker_room.senders import Sender
from casino.poker_room.stacks import after_hand
from casino.poker_room.table import PokerTable
from casino.poker_room.table_lifecycle import TableLifecycle
from casino.poker_room.transaction_retry import until_known
from casino.refusals import Reason
from casino.wire.player_events import BALANCE
from casino.wire.poker_events import POKER_SEAT, PoolJoined, SatDown, SeatLeft, ToppedUp

_log = structlog.get_logger()


class SeatDesk:
    """`changed` is called with a table or pool after every change, `serve` when a queue may be served."""

    def __init__(
        self,
        tables: RoomTables,
        money: SeatMoney,
        lifecycle: TableLifecycle,
        publisher: RoomPublisher,
        *,
        clock: Clock,
        draw: Draw,
        changed: Callable[[PoolHost, PokerTable | None], None],
    ) -> None:
        self._tables = tables
        self._money = money
        self._lifecycle = lifecycle
        self._publisher = publisher
        self._clock = clock
        self._draw = draw
        self._changed = changed
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of moves under way

    async def join_pool(self, message: JoinPool) -> PoolJoined:
        """Gives the player a seat, reserves one, or gives a place in the queue. A repeated key has the same answer."""
        host, player_id = self._tables.host(message.pool_id), message.sender.player_id
        if message.sender.currency != host.terms.currency:
            raise Reason.OTHER_CURRENCY.refusal()
        async with self._lock(player_id):
            repeated = await self._sitting(message.sender, message.key, message.buy_in)
            if repeated is not None:
                if repeated["pool"] != host.pool_id:
                    raise Reason.KEY_REUSED.refusal()
                return repeated
            reserved = host.pool_table_of(player_id)
            visitor = await self._visitor(host, message)
            if reserved is not None:
                kept = next(kept for kept in reserved.reservations if kept.player_id == player_id)
                offer = offer_at(host.terms, visitor, reserved.table_id, self._clock())
                joined: Joined = Reserved(player_id, reserved.table_id, kept.seat_no, kept.until_ms, offer)
            else:
                host.pool, joined = join(host.pool, visitor, self._clock(), self._draw)
            return await self._place(host, message, joined)

    async def sit(self, message: Sit) -> SatDown:
        """Buys in at the reserved seat."""
        player_id = message.sender.player_id
        async with self._lock(player_id):
            repeated = await self._sitting(message.sender, message.key, message.amount)
            if repeated is not None:
                if repeated["table_id"] != message.table_id:
                    raise Reason.KEY_REUSED.refusal()
                return repeated_seat(repeated)
            host = self._tables.host_of(message.table_id)
            request = host.reserved.get((message.table_id, player_id))
            if request is None:
                raise Reason.SEAT_LAPSED.refusal()
            visitor = await self._visitor(host, request)
            offer = offer_at(host.terms, visitor, message.table_id, self._clock())
            if message.resume and offer.is_reset(message.amount):
                raise Reason.NOT_THE_STACK.refusal()
            host.pool, seated = take_reserved(host.pool, visitor, message.table_id, message.amount, self._clock())
            host.reserved.pop((message.table_id, player_id), None)
            return await self._buy_in(host, seated, request, message.key)

    async def leave_pool(self, message: LeavePool) -> None:
        """Gives up the place in the queue, and seats that are reserved in the pool."""
        await self.give_up(self._tables.host(message.pool_id), message.sender.player_id)

    async def give_up(self, host: PoolHost, player_id: str) -> None:
        host.requests.pop(player_id, None)
        reserved = host.pool_table_of(player_id)
        if reserved is not None:
            host.free(reserved.table_id, player_id)
        place = host.moving_from.get(player_id)
        host.pool, waiting = leave_queue(host.pool, player_id)
        if waiting is not None and place is not None:
            await self.depart(host.closing[place.table_id], player_id, DepartureReason.LEFT)
        self._changed(host, None)

    async def leave(self, message: Leave) -> SeatLeft:
        """Leaves at once if no hand of the player is running, else after it."""
        table, player_id = self._tables.table(message.table_id), message.sender.player_id
        host, occupant = self._tables.host_of(message.table_id), table.occupant(message.sender)
        stack = table.public_stack(player_id)
        is_now = table.leave(player_id, DepartureReason.LEFT, self._clock())
        self._changed(host, table)
        if not is_now:
            return {"stack": stack, "available": occupant.available, "after_hand": True}
        await self.depart(table, player_id, DepartureReason.LEFT)
        available = await self._money.available(player_id)
        return {"stack": stack, "available": available, "after_hand": False}

    async def depart(self, table: PokerTable, player_id: str, reason: DepartureReason) -> None:
        """Returns the player's chips to the account, and frees the seat."""
        host = self._tables.host_of(table.terms.table_id)
        async with self._lock(player_id):
            if player_id not in table.occupants:
                return
            place = self._place_at(table, player_id)
            await until_known(lambda: self._money.leave(place, self._clock()))
            self._tables.absences.left(player_id, place.table_id)
            table.stand_up(player_id, reason, self._clock())
            if host.moving_from.pop(player_id, None) is not None:
                host.pool = host.pool.without_waiting([player_id])
            host.free(place.table_id, player_id)
            self._changed(host, table)
        await self.send_balance(player_id)

    async def top_up(self, message: TopUp) -> ToppedUp:
        """Adds chips now, or notes the request for after the hand. A repeated key has the same answer."""
        table, player_id = self._tables.table(message.table_id), message.sender.player_id
        async with self._lock(player_id):
            available = await self._money.available(player_id)
            posted = await self._money.posted(TOP_UP, player_id, message.key)
            occupant = table.occupant(message.sender)
            _verify_key(occupant, message, posted, self._place_at(table, player_id))
            if posted is not None:
                return {"stack": table.public_stack(player_id), "after_hand": False, "available": available}
            if occupant.leaving is not None:
                raise Reason.LEAVING_TABLE.refusal()
            is_now = table.request_top_up(player_id, message.amount, message.key, available)
            if is_now:
                await self._add(table, player_id, message.amount, message.key)
            occupant.last_top_up = message.key, message.amount
            if not is_now:
                stack = table.public_stack(player_id) + message.amount
                return {"stack": stack, "after_hand": True, "available": available}
            stack, available = table.public_stack(player_id), occupant.available
        await self.send_balance(player_id)
        return {"stack": stack, "after_hand": False, "available": available}

    async def add_chips(self, table: PokerTable, player_id: str) -> None:
        """After a hand: the top-up that was asked for, else the automatic one."""
        async with self._lock(player_id):
            if player_id not in table.occupants:
                return
            occupant, seat = table.occupants[player_id], table.seats.seats[player_id]
            available = await until_known(lambda: self._money.available(player_id))
            wanted = after_hand(table.terms.stake, occupant.stack_of(seat), available)
            key = (
                occupant.requested_key or f"auto/{table.terms.table_id}-{table.hand_no}"
            )  # no key of a player has a slash
            try:
                await self._add(table, player_id, wanted, key)
            except Refusal as refusal:
                _log.info("poker_top_up_refused", table_id=table.terms.table_id, code=refusal.code)
        await self.send_balance(player_id)

    async def move(self, host: PoolHost, seated: Seated) -> None:
        """A player of a closed table comes to another one with all chips."""
        player_id = seated.player_id
        async with self._lock(player_id):
            place = host.moving_from.get(player_id)
            if place is None:  # has left in the meantime
                host.free(seated.table_id, player_id)
                self._changed(host, None)
                return
            old = host.closing[place.table_id]
            table = await self._lifecycle.opened(host, seated.table_id)
            occupant, now_ms = old.occupants[player_id], self._clock()
            try:
                to = (seated.table_id, seated.seat_no)
                moved = await until_known(lambda: self._money.move(place, *to, now_ms))
            except BaseException:
                host.free(seated.table_id, player_id)
                raise
            seat = old.seats.seats[player_id]
            old.stand_up(player_id, DepartureReason.TABLE_CLOSED, self._clock())
            del host.moving_from[player_id]
            sender = Sender(player_id, occupant.name, host.terms.currency)
            table.sit_down(
                sender,
                seated.seat_no,
                moved.stack,
                self._clock(),
                initial=occupant.initial,
                available=moved.available,
                waits_for_bb=seat.waits_for_bb,
                is_auto=occupant.is_auto,
                moved_with=seat,
            )
            self._tables.absences.moved(player_id, place.table_id, seated.table_id)
            if occupant.leaving is not None:  # asked to leave while the chips moved
                table.leave(player_id, occupant.leaving, self._clock())
            self._changed(host, table)
            self._changed(host, old)

    async def seat_waiting(self, host: PoolHost, seated: Seated, request: JoinPool) -> None:
        """A player of the queue sits down. If the buy-in is refused, the player is notified that the place is lost."""
        async with self._lock(seated.player_id):
            try:
                await self._buy_in(host, seated, request, request.key)
            except Refusal as refusal:
                view = pool_seat_view(host.pool_id, "gone", reason=refusal.code.value)
                self._publisher.to_player(seated.player_id, POKER_SEAT(view))

    def _lock(self, player_id: str) -> asyncio.Lock:
        return self._locks.setdefault(player_id, asyncio.Lock())

    async def visitors(self, host: PoolHost) -> dict[str, Visitor]:
        """The facts about all players of the queue. `counted` completes them."""
        moved = {
            waiting.player_id: Visitor(waiting.player_id, 0, stack=waiting.stack)
            for waiting in host.pool.queue
            if waiting.player_id in host.moving_from
        }
        asking = [waiting.player_id for waiting in host.pool.queue if waiting.player_id in host.requests]
        requests = [host.requests[player_id] for player_id in asking if player_id not in moved]
        return moved | {visitor.player_id: visitor for visitor in await self._facts(host, requests)}

    async def _place(self, host: PoolHost, message: JoinPool, joined: Joined) -> PoolJoined:
        player_id, pool_id = message.sender.player_id, host.pool_id
        if isinstance(joined, Seated):
            seat = await self._buy_in(host, joined, message, message.key)
            return {
                "status": "seated",
                "pool": pool_id,
                "table_id": joined.table_id,
                "seat_no": seat["seat_no"],
                "stack": seat["stack"],
                "available": seat["available"],
            }
        if isinstance(joined, Queued):
            host.requests[player_id] = message
            self._changed(host, None)
            return {"status": "queued", "pool": pool_id, "place": joined.place, "missing": joined.missing}
        host.reserved[joined.table_id, player_id] = message
        self._changed(host, None)
        return reserved_reply(pool_id, joined)

    async def _buy_in(self, host: PoolHost, seated: Seated, request: JoinPool, key: str) -> SatDown:
        """The seat is taken in the pool; it is freed again if the money does not move."""
        player_id, table_id, offer = seated.player_id, seated.table_id, seated.offer
        assert offer is not None
        place = Place(table_id, host.pool_id, player_id, host.terms.currency)
        wanted = BuyIn(
            place,
            seated.seat_no,
            seated.amount,
            key,
            counts_as_return=offer.counts_as_return,
            is_reset=offer.is_reset(seated.amount),
            resumes=offer.resumes,
        )
        try:
            table = await self._lifecycle.opened(host, table_id)
            money = await until_known(lambda: self._money.buy_in(wanted, self._clock()))
        except BaseException:
            host.free(table_id, player_id)
            self._changed(host, None)
            raise
        table.sit_down(
            request.sender,
            seated.seat_no,
            money.stack,
            self._clock(),
            available=money.available,
            waits_for_bb=request.wait_for_bb,
            is_auto=request.auto_top_up,
        )
        self._tables.absences.joined(player_id, table_id, self._clock())
        self._changed(host, table)
        await self.send_balance(player_id)
        return {"seat_no": seated.seat_no, "stack": money.stack, "available": money.available}

    async def _add(self, table: PokerTable, player_id: str, amount: int, key: str) -> None:
        """Moves chips to the seat; the table waits with its next hand until this is known."""
        stack, available = None, None
        host = self._tables.host_of(table.terms.table_id)
        try:
            if amount:
                place = self._place_at(table, player_id)
                money = await until_known(lambda: self._money.top_up(place, amount, key, self._clock()))
                stack, available = money.stack, money.available
        finally:
            table.chips_added(player_id, stack, available)
            self._changed(host, table)

    async def _sitting(self, sender: Sender, key: str, amount: int) -> PoolJoined | None:
        """The seat that this key has bought already, if the player still has it. 0 stands for any amount.

        Refuses `key_reused` if the key has bought another one.
        """
        sitting = await self._money.sitting_of(sender.player_id, key)
        if sitting is None:
            return None
        table = self._tables.find(sitting.table_id)
        is_other = amount not in {0, sitting.initial}
        if is_other or sitting.is_over or table is None or sender.player_id not in table.occupants:
            raise Reason.KEY_REUSED.refusal()
        return {
            "status": "seated",
            "pool": table.terms.pool_id,
            "table_id": sitting.table_id,
            "seat_no": sitting.seat_no,
            "stack": table.public_stack(sender.player_id),
            "available": table.occupants[sender.player_id].available,
        }

    async def _visitor(self, host: PoolHost, request: JoinPool) -> Visitor:
        (visitor,) = await self._facts(host, [request])
        (counted,) = self.counted(host, [visitor]).values()
        return counted

    async def _facts(self, host: PoolHost, requests: Sequence[JoinPool]) -> list[Visitor]:
        """Without the tables of each player, which may change while this is read."""
        player_ids = [request.sender.player_id for request in requests]
        facts = await self._money.facts(player_ids, self._clock(), host.terms.return_ms) if requests else {}
        return [
            Visitor(player_id, known.available, request.buy_in, known.departures, known.counters)
            for player_id, request in zip(player_ids, requests, strict=True)
            for known in [facts[player_id]]
        ]

    def counted(self, host: PoolHost, visitors: Iterable[Visitor]) -> dict[str, Visitor]:
        """The visitors with their tables of this moment: other pools give seats as well."""
        in_all, of_stake = self._tables.counts(host.terms.stake.stake_id)
        return {
            visitor.player_id: replace(
                visitor, tables=in_all[visitor.player_id], tables_of_stake=of_stake[visitor.player_id]
            )
            for visitor in visitors
        }

    async def send_balance(self, player_id: str) -> None:
        try:
            cash = (await self._money.cash([player_id])).get(player_id)
        except Exception as error:  # noqa: BLE001  the next message has it
            _log.warning("poker_balance_not_sent", failure=type(error).__name__)
            return
        if cash is not None:
            self._publisher.to_player(player_id, BALANCE({"balance": cash.balance, "available": cash.available}))

    def _place_at(self, table: PokerTable, player_id: str) -> Place:
        return Place(table.terms.table_id, table.terms.pool_id, player_id, table.terms.currency)


def _verify_key(occupant: Occupant, message: TopUp, posted: Posting | None, place: Place) -> None:
    """Refuses `key_reused` for another top-up under a key. After a hand less may have been added than was asked for."""
    last_key, last_amount = occupant.last_top_up
    is_other = message.key == last_key and message.amount != last_amount
    if is_other or (posted is not None and (posted.destination != place.seat.id or posted.amount > message.amount)):
        raise Reason.KEY_REUSED.refusal()
