"""Holds: money reserved for open bets of a round. It stays the player's, but cannot be spent elsewhere.

Every hold ends in exactly one of two ways: captured when betting closes, or released.
"""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Update, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Book
from casino.ledger.posting import Operation
from casino.storage.bulk import insert_rows
from casino.storage.schema import accounts, holds

_IN_CHUNKS_OF = 30_000  # both databases take at most 32,766 values in one statement

_REPLACE = (
    "ON CONFLICT (round_id, player_id) DO UPDATE SET "
    "amount = excluded.amount, status = excluded.status, at_ms = excluded.at_ms, at_risk = excluded.at_risk"
)


class Held(NamedTuple):
    player_id: str
    currency: str
    amount: int


class Holds:
    """The holds of one round within one transaction."""

    def __init__(self, connection: AsyncConnection, book: Book, round_id: str) -> None:
        self._connection = connection
        self._book = book
        self._round_id = round_id

    async def place(
        self, totals: Mapping[str, int], at_risk: Mapping[str, int], changes: Mapping[str, int], at_ms: int
    ) -> None:
        """Replaces the held total of each player; the change is the difference to the old total.

        `at_risk` is the maximum loss in the round. It is not held, but player limits use it.
        """
        rows = [
            (self._round_id, player_id, player_cash_id(player_id), total, "open", at_ms, at_risk[player_id])
            for player_id, total in sorted(totals.items())
            if total
        ]
        columns = ("round_id", "player_id", "account", "amount", "status", "at_ms", "at_risk")
        await insert_rows(self._connection, holds, columns, rows, or_else=_REPLACE)
        gone = [player_id for player_id, total in totals.items() if not total]
        for start in range(0, len(gone), _IN_CHUNKS_OF):
            leaving = holds.c.player_id.in_(gone[start : start + _IN_CHUNKS_OF])
            await self._connection.execute(self._end("released").where(leaving))
        await self._book.hold({player_cash_id(player_id): change for player_id, change in changes.items()})

    async def open(self) -> list[Held]:
        """Locks the accounts before anything else, since the caller is about to end their holds."""
        query = (
            select(holds.c.player_id, accounts.c.currency, holds.c.amount)
            .join(accounts, accounts.c.id == holds.c.account)
            .where(holds.c.round_id == self._round_id, holds.c.status == "open")
            .order_by(accounts.c.id)
            .with_for_update(of=accounts, key_share=True)
        )
        return [Held(*row) for row in await self._connection.execute(query)]

    async def release(self) -> None:
        held = await self.open()
        await self._book.hold({player_cash_id(player_id): -amount for player_id, _, amount in held})
        await self._connection.execute(self._end("released"))

    async def capture(self, held: list[Held], operation: Operation, at_ms: int) -> None:
        """Moves the held money by the operation and ends the holds."""
        releasing = {player_cash_id(player_id): amount for player_id, _, amount in held}
        posted = await self._book.post(operation, at_ms, releasing=releasing)
        assert not posted.is_repeat, "holds that are open have not been captured"
        await self._connection.execute(self._end("captured"))

    def _end(self, status: str) -> Update:
        is_open = (holds.c.round_id == self._round_id, holds.c.status == "open")
        return update(holds).where(*is_open).values(status=status)
