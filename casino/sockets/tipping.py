"""A tip from the socket to the jar of the presenter on shift, and the thanks for it."""

from collections.abc import Mapping

from casino.chat.tips import Tip, TipJar
from casino.money import format_amount
from casino.settings import TableSettings
from casino.sockets import incoming
from casino.sockets.answers import Ack, accepted
from casino.sockets.identity import Visitor
from casino.sockets.talk import Talk
from casino.table import messages
from casino.table.actor import TableActor


class Tipping:
    def __init__(self, jar: TipJar, tables: Mapping[str, TableSettings], talk: Talk, currency: str) -> None:
        """`currency` is the house's; every other is play money."""
        self._jar = jar
        self._tables = tables
        self._talk = talk
        self._currency = currency

    async def give(self, visitor: Visitor, table: TableActor, message: incoming.Tip, at_ms: int) -> Ack:
        settings = self._tables[table.table_id]
        presenter: str | None = None if settings.dealing == "auto" else table.summary["presenter"]
        tip = Tip(table.table_id, visitor.user_id, message.amount, message.key)
        purse, is_repeat = await self._jar.give(tip, presenter, settings, at_ms)
        if not is_repeat:
            is_play_money = purse.currency != self._currency
            table.post(messages.Tipped(visitor.user_id, message.amount, is_play_money), at_ms)
            amount = f"{format_amount(message.amount, purse.currency)} {purse.currency}"
            self._talk.by_table(table.table_id, "tip", f"{visitor.name} tips {presenter} {amount}. Thank you!", at_ms)
        return accepted({"available": purse.available})
