"""Money of seats: buying in, topping up, leaving, and moving to another table, each one transaction and idempotent.

Chips at a table are the balance of the account of the seat. A repeated key moves nothing and has the same answer. A
player's own limits are checked after the account is locked, with all chips at tables as money at risk.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.ledger.book import Balance, Book
from casino.ledger.posting import Operation, Posting, move
from casino.observability.crash_points import crash_point
from casino.poker_room.buy_in_offers import Departure
from casino.poker_room.risk import Risk, lock_available, verify_risk
from casino.poker_room.visitor_facts import Facts, facts_of
from casino.storage.bulk import balances_of
from casino.storage.database import Database, retry_lost_races
from casino.storage.poker_schema import poker_seats, poker_sittings
from casino.storage.schema import operations
from casino.storage.schema import postings as ledger_postings
from casino.storage.sqlite_driver import inline_statements

BUY_IN: Final = "poker_buy_in"
TOP_UP: Final = "poker_top_up"
LEAVE: Final = "poker_leave"
MOVE: Final = "poker_move"
KINDS: Final = frozenset({BUY_IN, TOP_UP, LEAVE, MOVE})
"""Operation kinds, as the ledger and its exports name them."""


_NO_CASH: Final = Balance("", 0, 0)


class Place(NamedTuple):
    """A player at a table."""

    table_id: str
    pool_id: str
    player_id: str
    currency: str

    @property
    def cash(self) -> accounts.Account:
        return accounts.player_cash(self.player_id, self.currency)

    @property
    def seat(self) -> accounts.Account:
        return accounts.seat(self.table_id, self.player_id, self.currency)


class BuyIn(NamedTuple):
    """A buy-in for one seat. `resumes` is the departure whose stack it brings back, if any."""

    place: Place
    seat_no: int
    amount: int
    key: str
    counts_as_return: bool = False
    is_reset: bool = False
    resumes: Departure | None = None


class Money(NamedTuple):
    """Chips of the seat and the available balance after the operation."""

    stack: int
    available: int
    is_repeat: bool = False


class Sitting(NamedTuple):
    """A stored sitting, found by the idempotency key of its buy-in."""

    table_id: str
    seat_no: int
    initial: int
    is_over: bool


class SeatMoney:
    """Every method is one transaction, and nothing has happened if it raises."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sitting_of(self, player_id: str, key: str) -> Sitting | None:
        """The sitting that this key has bought, if any."""
        columns = poker_sittings.c
        query = select(columns.table_id, columns.seat_no, columns.initial, columns.until_ms.is_not(None))
        async with self._database.reading(for_table=True) as connection:
            row = (await connection.execute(query.where(columns.player_id == player_id, columns.key == key))).first()
        return Sitting(row[0], row[1], row[2], bool(row[3])) if row else None

    async def buy_in(self, wanted: BuyIn, now_ms: int) -> Money:
        """Moves cash to the seat and sits the player down.

        Refuses `insufficient_funds`, the player's own limits, and `key_reused` for another buy-in with this key.
        """
        place = wanted.place

        async def write(connection: AsyncConnection) -> Money:
            book, operation = Book(connection), _from_cash(place, wanted.amount, BUY_IN, wanted.key)
            available = await self._risk(connection, operation, now_ms)
            await book.open_accounts([place.seat])
            posted = await book.post(operation, now_ms)
            if posted.is_repeat:
                return await _money(book, place, is_repeat=True)
            ids = {"table_id": place.table_id, "player_id": place.player_id, "seat_no": wanted.seat_no}
            amounts = {"initial": wanted.amount}
            await connection.execute(poker_seats.insert().values(ids | amounts | {"since_ms": now_ms}))
            facts = {"counted": int(wanted.counts_as_return), "reset": int(wanted.is_reset)}
            of_pool = {"pool_id": place.pool_id, "key": wanted.key, "from_ms": now_ms}
            await connection.execute(poker_sittings.insert().values(ids | amounts | facts | of_pool))
            if wanted.resumes is not None:
                await _resume(connection, place.player_id, wanted.resumes)
            return Money(wanted.amount, available - wanted.amount)

        return await self._run(write)

    async def top_up(self, place: Place, amount: int, key: str, now_ms: int) -> Money:
        """Moves cash to the seat. Refuses `insufficient_funds` and the player's own limits."""

        async def write(connection: AsyncConnection) -> Money:
            book, operation = Book(connection), _from_cash(place, amount, TOP_UP, key)
            await self._risk(connection, operation, now_ms)
            posted = await book.post(operation, now_ms)
            return await _money(book, place, is_repeat=posted.is_repeat)

        return await self._run(write)

    async def leave(self, place: Place, now_ms: int) -> Money:
        """Moves all chips of the seat back to cash and ends the sitting. A player who has left already gets nothing."""

        async def write(connection: AsyncConnection) -> Money:
            book = Book(connection)
            balances = await book.balances([place.cash.id, place.seat.id])
            stack = balances[place.seat.id].balance
            own = (poker_sittings.c.player_id == place.player_id, poker_sittings.c.table_id == place.table_id)
            is_sitting = (*own, poker_sittings.c.until_ms.is_(None))
            sitting = (await connection.execute(select(poker_sittings.c.key).where(*is_sitting))).scalar()
            if sitting is None:
                return Money(0, balances[place.cash.id].available, is_repeat=True)
            if stack:
                posting = move(stack, place.seat, place.cash)
                operation = Operation(
                    operation_key(LEAVE, place.player_id, sitting), LEAVE, (posting,), place.player_id
                )
                await book.post(operation, now_ms)
            ended = poker_sittings.update().where(*is_sitting).values(until_ms=now_ms, left_with=stack)
            await connection.execute(ended)
            await connection.execute(poker_seats.delete().where(*_own_seat(place)))
            return Money(stack, balances[place.cash.id].available + stack)

        return await self._run(write)

    async def move(self, place: Place, to_table: str, seat_no: int, now_ms: int) -> Money:
        """Moves a player with all chips to another table of the pool, because theirs is closed."""
        there = place._replace(table_id=to_table)
        pot = accounts.pot(place.table_id, place.currency)

        async def write(connection: AsyncConnection) -> Money:
            book = Book(connection)
            balances = await book.balances([place.cash.id, place.seat.id])
            stack = balances[place.seat.id].balance
            own = (poker_sittings.c.player_id == place.player_id, poker_sittings.c.table_id == place.table_id)
            is_sitting = (*own, poker_sittings.c.until_ms.is_(None))
            query = select(poker_sittings.c.key, poker_sittings.c.initial).where(*is_sitting)
            row = (await connection.execute(query)).first()
            if row is None:
                return await _money(book, there, is_repeat=True)
            await book.open_accounts([there.seat])
            if stack:
                postings = (move(stack, place.seat, pot), move(stack, pot, there.seat))
                key = operation_key(MOVE, place.player_id, row.key)
                await book.post(Operation(key, MOVE, postings, place.player_id), now_ms)
            # The old sitting ends without a departure: the chips have not left the pool.
            ended = poker_sittings.update().where(*is_sitting).values(until_ms=now_ms, left_with=stack, resumed=1)
            await connection.execute(ended)
            await connection.execute(poker_seats.delete().where(*_own_seat(place)))
            ids = {"table_id": to_table, "player_id": place.player_id, "seat_no": seat_no, "initial": row.initial}
            await connection.execute(poker_seats.insert().values(ids | {"since_ms": now_ms}))
            of_pool = {"pool_id": place.pool_id, "key": f"move/{to_table}:{now_ms}", "from_ms": now_ms}
            facts = {"counted": 0, "reset": 0, "moved": 1}
            await connection.execute(poker_sittings.insert().values(ids | of_pool | facts))
            return Money(stack, balances[place.cash.id].available)

        return await self._run(write)

    async def available(self, player_id: str) -> int:
        """The player's available balance; 0 without an account."""
        return (await self.cash([player_id])).get(player_id, _NO_CASH).available

    async def cash(self, player_ids: Sequence[str]) -> dict[str, Balance]:
        """The cash accounts of these players; players without one are missing."""
        owners = {accounts.player_cash_id(player_id): player_id for player_id in player_ids}
        async with self._database.reading(for_table=True) as connection:
            with inline_statements(connection):
                rows = await balances_of(connection, [*owners])
        return {owners[id_]: Balance(*amounts) for id_, *amounts in rows}

    async def posted(self, kind: str, player_id: str, key: str) -> Posting | None:
        """The buy-in or top-up that was made under this key, if any."""
        columns = ledger_postings.c
        query = (
            select(columns.source, columns.destination, columns.amount, columns.currency)
            .join(operations, operations.c.id == columns.operation_id)
            .where(operations.c.key == operation_key(kind, player_id, key))
        )
        async with self._database.reading(for_table=True) as connection:
            row = (await connection.execute(query)).first()
        return Posting(*row) if row else None

    async def facts(self, player_ids: Sequence[str], now_ms: int, return_ms: int) -> dict[str, Facts]:
        return await facts_of(self._database, player_ids, now_ms, return_ms)

    async def _risk(self, connection: AsyncConnection, operation: Operation, now_ms: int) -> int:
        """Locks the cash account and returns its available balance, unless the player may not risk this amount."""
        (posting,) = operation.postings
        player_id = operation.actor
        available = await lock_available(connection, player_id, posting.currency)
        if not await _is_posted(connection, operation.key):
            risk = Risk(player_id, posting.amount, posting.currency)
            await verify_risk(connection, risk, available, now_ms)
        return available

    async def _run(self, write: Callable[[AsyncConnection], Awaitable[Money]]) -> Money:
        async def transaction() -> Money:
            async with self._database.writing(for_table=True) as connection:
                money = await write(connection)
                crash_point("poker_chips_moved_not_committed")
            crash_point("poker_chips_moved")
            return money

        return await retry_lost_races(transaction)


def operation_key(kind: str, player_id: str, key: str) -> str:
    """One key is one buy-in or top-up of a player, at whatever table; a sitting ends under the key it began with."""
    return f"{kind}:{player_id}:{key}"


def _from_cash(place: Place, amount: int, kind: str, key: str) -> Operation:
    return Operation(
        operation_key(kind, place.player_id, key), kind, (move(amount, place.cash, place.seat),), place.player_id
    )


async def _is_posted(connection: AsyncConnection, key: str) -> bool:
    return (await connection.execute(select(operations.c.id).where(operations.c.key == key))).first() is not None


async def _money(book: Book, place: Place, *, is_repeat: bool) -> Money:
    balances = await book.balances([place.cash.id, place.seat.id])
    seat = balances.get(place.seat.id)
    return Money(seat.balance if seat else 0, balances[place.cash.id].available, is_repeat)


def _own_seat(place: Place) -> tuple[ColumnElement[bool], ...]:
    return poker_seats.c.player_id == place.player_id, poker_seats.c.table_id == place.table_id


async def _resume(connection: AsyncConnection, player_id: str, departure: Departure) -> None:
    """The player has brought the stack of this departure back."""
    columns = poker_sittings.c
    own = (columns.player_id == player_id, columns.table_id == departure.table_id)
    resumed = poker_sittings.update().where(*own, columns.until_ms == departure.left_ms).values(resumed=1)
    await connection.execute(resumed)
