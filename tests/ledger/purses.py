"""Ledger with a few players and the house; each step is one transaction."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from sqlalchemy import select

from casino.ledger import accounts
from casino.ledger.accounts import Account
from casino.ledger.book import Balance, Book, Held, Holds, Posted
from casino.ledger.posting import Operation, Posting, move
from casino.storage import schema
from casino.storage.database import Database
from tests.live_table.stored_rounds import PURSE, fill_purses

AT_MS = 1_700_000_000_000
ANN = accounts.player_cash("ann", "EUR")
BOB = accounts.player_cash("bob", "EUR")
GUS = accounts.player_cash("gus", "FUN")
HOUSE = accounts.house("EUR")
HOUSE_FUN = accounts.house("FUN")
CASHIER = accounts.cashier("EUR")


def operation(key: str, *postings: Posting, kind: str = "test", actor: str = "test", reason: str = "") -> Operation:
    return Operation(key, kind, postings, actor, reason)


def bet(key: str, amount: int, source: Account = ANN, destination: Account = HOUSE) -> Operation:
    return operation(key, move(amount, source, destination))


@dataclass
class Ledger:
    database: Database
    numbers: Iterator[int] = field(default_factory=count)

    @classmethod
    async def open(cls, database: Database) -> "Ledger":
        """Ann and Bob have a purse in euros, Gus one in play money."""
        await fill_purses(database)
        async with database.writing() as connection:
            await Book(connection).open_accounts([HOUSE, HOUSE_FUN])
        return cls(database)

    async def post(self, wanted: Operation, at_ms: int = AT_MS) -> Posted:
        async with self.database.writing() as connection:
            return await Book(connection).post(wanted, at_ms)

    async def open_round(self, round_id: str) -> None:
        async with self.database.writing() as connection:
            await Book(connection).open_accounts(accounts.escrow(round_id, currency) for currency in ("EUR", "FUN"))
            await connection.execute(
                schema.rounds.insert().values(
                    id=round_id,
                    table_id="uth-1",
                    day="2026-11-16",
                    game_number=f"{next(self.numbers):06}",
                    status="open",
                    started_ms=AT_MS,
                )
            )

    async def hold(self, round_id: str, totals: dict[str, int]) -> None:
        """Hold so much in all of each player's money for the round."""
        async with self.database.writing() as connection:
            holds = Holds(connection, Book(connection), round_id)
            before = {held.player_id: held.amount for held in await holds.open()}
            changes = {player: total - before.get(player, 0) for player, total in totals.items()}
            await holds.place(totals, totals, changes, AT_MS)

    async def release(self, round_id: str) -> None:
        async with self.database.writing() as connection:
            await Holds(connection, Book(connection), round_id).release()

    async def capture(self, round_id: str) -> list[Held]:
        async with self.database.writing() as connection:
            holds = Holds(connection, Book(connection), round_id)
            held = await holds.open()
            captured = operation(
                f"{round_id}:capture",
                *(
                    move(amount, accounts.player_cash(player, currency), accounts.escrow(round_id, currency))
                    for player, currency, amount in held
                ),
            )
            await holds.capture(held, captured, AT_MS)
        return held

    async def balance(self, account: Account) -> Balance:
        async with self.database.writing() as connection:
            return (await Book(connection).balances([account.id]))[account.id]

    async def hold_states(self) -> dict[tuple[str, str], tuple[int, str]]:
        async with self.database.reading() as connection:
            rows = await connection.execute(select(schema.holds))
            return {(row.round_id, row.player_id): (row.amount, row.status) for row in rows}


__all__ = ["ANN", "AT_MS", "BOB", "CASHIER", "GUS", "HOUSE", "HOUSE_FUN", "PURSE", "Ledger", "bet", "operation"]
