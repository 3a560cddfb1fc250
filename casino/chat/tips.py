"""Tips from a player's account to the presenter on shift, with an idempotency key.

The table determines the presenter beforehand. Guests tip play money, which has its own accounts.
"""

from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.ledger.accounts import Kind
from casino.ledger.book import Balance, Book
from casino.ledger.posting import Operation, move
from casino.refusals import Reason
from casino.responsible_gaming.allowance import verify_not_excluded
from casino.responsible_gaming.player_limits import player_limits_of
from casino.settings import TableSettings
from casino.storage import schema
from casino.storage.database import Database
from casino.users.users import Users

KIND: Final = "tip"


class Tip(NamedTuple):
    table_id: str
    player_id: str
    amount: int
    key: str

    @property
    def operation_key(self) -> str:
        """Includes the player, so that keys of different players never collide."""
        return f"tip:{self.player_id}:{self.key}"

    @property
    def place(self) -> str:
        """Reason in the ledger: the table, for the exports."""
        return f"table {self.table_id}"


class Given(NamedTuple):
    purse: Balance
    is_repeat: bool


class TipService:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(self, tip: Tip, presenter: str | None, table: TableSettings, now_ms: int) -> Given:
        """A repetition with the same key and content returns the first result, also after a change of shift."""
        async with self._database.reading() as connection:
            repeated = await _repeated(connection, tip)
        if repeated:
            return repeated
        if presenter is None:
            raise Reason.NO_PRESENTER.refusal()
        _verify_amount(tip.amount, table)
        async with self._database.writing() as connection:
            return await _post(connection, tip, presenter, now_ms)


async def tips_received(connection: AsyncConnection, presenter_id: str, from_ms: int, until_ms: int) -> dict[str, int]:
    """Sums what a presenter was given in this time, by currency."""
    operations, postings, jars = schema.operations.c, schema.postings.c, schema.accounts.c
    jar_prefix = accounts.tips(presenter_id, "").id
    own = select(jars.id).where(jars.kind == Kind.TIPS, jars.id.startswith(jar_prefix, autoescape=True))
    query = (
        select(postings.currency, func.sum(postings.amount))
        .join_from(schema.postings, schema.operations, operations.id == postings.operation_id)
        .where(postings.destination.in_(own), operations.kind == KIND)
        .where(operations.at_ms >= from_ms, operations.at_ms < until_ms)
        .group_by(postings.currency)
    )
    return {currency: int(amount) for currency, amount in await connection.execute(query)}


def _verify_amount(amount: int, table: TableSettings) -> None:
    least, most = min(table.chips.values), table.limits.ante_max
    if amount < least:
        raise Reason.TIP_BELOW_MINIMUM.refusal(minimum=least)
    if amount > most:
        raise Reason.TIP_ABOVE_MAXIMUM.refusal(maximum=most)


async def _post(connection: AsyncConnection, tip: Tip, presenter: str, now_ms: int) -> Given:
    book, cash = Book(connection), accounts.player_cash_id(tip.player_id)
    purse = (await book.balances([cash]))[cash]
    own = (await player_limits_of(connection, [tip.player_id], now_ms)).get(tip.player_id, [])
    verify_not_excluded(own, purse.currency, now_ms)
    if purse.available < tip.amount:
        raise Reason.INSUFFICIENT_FUNDS.refusal()
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
        raise Reason.KEY_REUSED.refusal()
    return Given(Balance(row.currency, row.balance, row.held), is_repeat=True)
