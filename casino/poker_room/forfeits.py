"""Forfeits: chips at a table that cannot go on and that staff have not returned for 90 days go to charity.

The time counts from the last thing that is stored of the table: a hand, or a player who sat down.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import func, select, union_all

from casino.audit import log as audit_log
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.poker_room.seat_money import Place, operation_key
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hands, poker_seats, poker_sittings, poker_tables

KIND: Final = "poker_forfeit"
ACTION: Final = "poker_chips_forfeited"
DAYS_MAX: Final = 90
REASON: Final = f"unresolved for {DAYS_MAX} days"
_DAY_MS: Final = 24 * 60 * 60 * 1000
_SYSTEM: Final = "system"


async def is_stale(database: Database, table_id: str, now_ms: int) -> bool:
    """Whether nothing has happened at the table for 90 days."""
    times = union_all(
        select(poker_tables.c.opened_ms.label("at_ms")).where(poker_tables.c.id == table_id),
        select(poker_hands.c.ended_ms).where(poker_hands.c.table_id == table_id),
        select(poker_sittings.c.from_ms).where(poker_sittings.c.table_id == table_id),
    ).subquery()
    async with database.reading() as connection:
        last_ms: int = (await connection.execute(select(func.max(times.c.at_ms)))).scalar_one()
    return now_ms - last_ms > DAYS_MAX * _DAY_MS


async def forfeit(database: Database, places: Sequence[Place], table_id: str, now_ms: int) -> None:
    """Moves the chips of all seats of the table to charity, ends the sittings, and closes the table."""
    amounts: dict[str, int] = {}
    async with database.writing() as connection:
        book = Book(connection)
        for place in places:
            await book.open_accounts([accounts.charity(place.currency)])
            stack = (await book.balances([place.seat.id]))[place.seat.id].balance
            own = (poker_sittings.c.player_id == place.player_id, poker_sittings.c.table_id == table_id)
            is_sitting = (*own, poker_sittings.c.until_ms.is_(None))
            sitting = (await connection.execute(select(poker_sittings.c.key).where(*is_sitting))).scalar_one()
            if stack:
                await book.post(operation_of(place, sitting, stack), now_ms)
            ended = poker_sittings.update().where(*is_sitting).values(until_ms=now_ms, left_with=stack, resumed=1)
            await connection.execute(ended)
            amounts[place.player_id] = stack
        await connection.execute(poker_seats.delete().where(poker_seats.c.table_id == table_id))
        closed = poker_tables.update().where(poker_tables.c.id == table_id)
        await connection.execute(closed.values(status="closed", closed_ms=now_ms))
        entry = audit_log.Entry(_SYSTEM, _SYSTEM, ACTION, table_id, REASON, after={"players": amounts})
        await audit_log.write(connection, entry, now_ms)


def operation_of(place: Place, sitting: str, stack: int) -> Operation:
    """The operation that ends the sitting with this key. Its actor is the table, as that of a hand."""
    pot, charity = accounts.pot(place.table_id, place.currency), accounts.charity(place.currency)
    postings = (move(stack, place.seat, pot), move(stack, pot, charity))
    return Operation(operation_key(KIND, place.player_id, sitting), KIND, postings, place.table_id, REASON)
