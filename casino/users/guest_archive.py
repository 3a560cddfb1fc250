"""Archives guests who cannot return: closes their balance through the ledger and deletes personal data.

A guest has no password, so an account without a session is never used again. Money history and the generated name stay,
because exports of closed days contain them. Sessions, settings, limits, mutes and play times are deleted.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import structlog
from sqlalchemy import ColumnElement, Select, delete, exists, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.clock import Clock, wall_clock
from casino.ledger.accounts import credit, player_cash, player_cash_id
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.observability.crash_points import crash_point
from casino.settings.service import PRACTICE_CURRENCY
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_seats
from casino.storage.schema import users
from casino.users.guests import GUESTS

GUESTS_AT_ONCE: Final = 20
"""Guests archived per transaction: few enough that no table waits noticeably."""

BATCH_PAUSE_SECONDS: Final = 1.0
LOOK_SECONDS: Final = 600.0
DAY_MS: Final = 86_400_000

_log = structlog.get_logger()


class GuestArchive:
    def __init__(self, database: Database, keep_days: int, clock: Clock = wall_clock) -> None:
        self._database = database
        self._keep_ms = keep_days * DAY_MS
        self._clock = clock

    async def run(self) -> None:
        """Runs until cancelled."""
        while True:
            archived = 0
            try:
                archived = await self.archive_some()
            except Exception as error:  # noqa: BLE001  the database may be away for a moment; the next attempt follows
                _log.warning("guest_archive_failed", exc_info=error)
            await asyncio.sleep(BATCH_PAUSE_SECONDS if archived else LOOK_SECONDS)

    async def archive_some(self) -> int:
        """Archives at most `GUESTS_AT_ONCE` guests in one transaction; returns their number."""
        now_ms = self._clock()
        inactive = _inactive(now_ms - self._keep_ms, now_ms)
        async with self._database.reading(long_running=True) as connection:  # may scan many guests
            ids = (await connection.execute(inactive)).scalars().all()
        if not ids:
            return 0

        async def archive(connection: AsyncConnection) -> int:
            await Book(connection).balances([player_cash_id(id_) for id_ in ids])  # locks the balances
            found = await connection.execute(inactive.where(users.c.id.in_(ids)))
            return await _archive(connection, {row.id: row.currency for row in found}, now_ms)

        return await self._database.run_transaction(archive)


async def _archive(connection: AsyncConnection, guests: Mapping[str, str], now_ms: int) -> int:
    """`guests` come with their currency; their accounts are locked."""
    if not guests:
        return 0
    book, ids = Book(connection), sorted(guests)
    balances = await book.balances([player_cash_id(id_) for id_ in ids])
    await book.open_accounts(credit(currency) for currency in set(guests.values()))
    for id_ in ids:
        await _close(book, id_, guests[id_], balances[player_cash_id(id_)].balance, now_ms)
    crash_point("guests_closed")
    await _forget(connection, ids, now_ms)
    after = {"guests": ids}
    entry = audit_log.Entry(GUESTS.name, GUESTS.role, "guests_archived", "guests", "inactive", after=after)
    await audit_log.write(connection, entry, now_ms)
    return len(ids)


async def _close(book: Book, user_id: str, currency: str, balance: int, now_ms: int) -> None:
    """Returns the remaining play money to its source, once."""
    if balance:
        posting = move(balance, player_cash(user_id, currency), credit(currency))
        operation = Operation(f"guest-closed:{user_id}", "guest_closed", (posting,), GUESTS.name, "inactive guest")
        await book.post(operation, now_ms)


async def _forget(connection: AsyncConnection, ids: list[str], now_ms: int) -> None:
    for owner in (
        schema.sessions.c.user_id,
        schema.profiles.c.user_id,
        schema.mutes.c.player_id,
        schema.safeguards.c.player_id,
        schema.play_days.c.player_id,
        schema.visits.c.player_id,
    ):
        await connection.execute(delete(owner.table).where(owner.in_(ids)))
    await connection.execute(update(users).where(users.c.id.in_(ids)).values(disabled=1, archived_ms=now_ms))


def _inactive(before_ms: int, now_ms: int) -> Select[Any]:
    """Selects guests older than this, without session, recent play, pending money or chips at a poker table."""
    sessions, seats, payments, wallets = schema.sessions, schema.seats, schema.payments, schema.accounts

    def none(*condition: ColumnElement[bool]) -> ColumnElement[bool]:
        return ~exists().where(*condition)

    return (
        select(users.c.id, users.c.currency)
        .where(
            users.c.play_money == 1,
            users.c.archived_ms.is_(None),
            users.c.created_ms < before_ms,
            users.c.role == "player",
            users.c.currency != PRACTICE_CURRENCY,
            none(sessions.c.user_id == users.c.id, sessions.c.expires_ms > now_ms),
            none(seats.c.player_id == users.c.id, seats.c.started_ms >= before_ms),
            none(poker_hand_players.c.player_id == users.c.id, poker_hand_players.c.ended_ms >= before_ms),
            none(poker_seats.c.player_id == users.c.id),
            none(payments.c.player_id == users.c.id, payments.c.status == "pending"),
            exists().where(wallets.c.id == "player:" + users.c.id + ":cash", wallets.c.held == 0),
        )
        .order_by(users.c.created_ms)
        .limit(GUESTS_AT_ONCE)
    )
