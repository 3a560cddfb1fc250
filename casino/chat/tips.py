"""A tip goes from a player's own account to that of the presenter on shift, once for each key.

Who is on shift is the table's business; it is asked before. Guests tip play money, which has accounts of its own.
"""

from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.ledger import accounts
from casino.ledger.book import Balance, Book
from casino.ledger.posting import Operation, move
from casino.people.protection.allowance import verify_not_excluded
from casino.people.protection.safeguards import safeguards_of
from casino.people.users import Users
from casino.settings import TableSettings
from casino.storage import schema
from casino.storage.database import Database

KIND: Final = "tip"


class Tip(NamedTuple):
    table_id: str
    player_id: str
    amount: int
    key: str

    @property
    def operation_key(self) -> str:
        """A player's keys are the player's own."""
        return f"tip:{self.player_id}:{self.key}"

    @property
    def place(self) -> str:
        """As the ledger keeps it: by table, for the exports."""
        return f"table {self.table_id}"


class Given(NamedTuple):
    purse: Balance
    is_repeat: bool


class TipJar:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(self, tip: Tip, presenter: str | None, table: TableSettings, now_ms: int) -> Given:
        """Asked again under the same key for the same, it is the first answer again, whoever is on shift by now."""
        async with self._database.reading() as connection:
            repeated = await _repeated(connection, tip)
        if repeated:
            return repeated
        if presenter is None:
            raise Refusal(Code.NO_PRESENTER, "No presenter is on shift at this table.")
        _verify_amount(tip.amount, table)
        async with self._database.writing() as connection:
            return await _post(connection, tip, presenter, now_ms)


def _verify_amount(amount: int, table: TableSettings) -> None:
    least, most = min(table.chips.values), table.limits.ante_max
    if amount < least:
        raise Refusal(Code.BELOW_MINIMUM, f"A tip is at least the smallest chip, {least}.")
    if amount > most:
        raise Refusal(Code.ABOVE_MAXIMUM, f"A tip at this table is at most {most}.")


async def _post(connection: AsyncConnection, tip: Tip, presenter: str, now_ms: int) -> Given:
    book, cash = Book(connection), accounts.player_cash_id(tip.player_id)
    purse = (await book.balances([cash]))[cash]
    own = (await safeguards_of(connection, [tip.player_id], now_ms)).get(tip.player_id, [])
    verify_not_excluded(own, purse.currency, now_ms)
    if purse.available < tip.amount:
        raise Refusal(Code.INSUFFICIENT_FUNDS, "Your balance does not cover this tip.")
    jar = accounts.tips((await Users(connection).named(presenter)).id, purse.currency)
    await book.open_accounts([jar])
    posting = move(tip.amount, accounts.player_cash(tip.player_id, purse.currency), jar)
    posted = await book.post(Operation(tip.operation_key, KIND, (posting,), tip.player_id, tip.place), now_ms)
    left = purse if posted.is_repeat else purse._replace(balance=purse.balance - tip.amount)
    return Given(left, posted.is_repeat)


async def _repeated(connection: AsyncConnection, tip: Tip) -> Given | None:
    operations, postings, purses = schema.operations, schema.postings, schema.accounts
    query = (
        select(postings.c.amount, operations.c.reason, purses.c.currency, purses.c.balance, purses.c.held)
        .join(postings, postings.c.operation_id == operations.c.id)
        .join(purses, purses.c.id == postings.c.source)
        .where(operations.c.key == tip.operation_key)
    )
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    if (row.amount, row.reason) != (tip.amount, tip.place):
        raise Refusal(Code.KEY_REUSED, "This key was used for another tip.")
    return Given(Balance(row.currency, row.balance, row.held), is_repeat=True)
