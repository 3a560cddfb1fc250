"""Handles tips: pays the presenter on shift and broadcasts the thanks."""

from collections.abc import Mapping

from casino.chat.tips import Tip, TipService
from casino.gateway.acks import Ack, accepted
from casino.gateway.chat_relay import ChatRelay
from casino.gateway.identity import Identity
from casino.hosting.interfaces import Directory, TableClient
from casino.live_table.messages import Message, TipReceived
from casino.money import format_amount
from casino.settings import TableSettings
from casino.wire import client_events
from casino.wire.player_events import TipGiven


class TipHandler:
    def __init__(
        self, jar: TipService, tables: Mapping[str, TableSettings], chat: ChatRelay, directory: Directory
    ) -> None:
        self._directory = directory
        self._jar = jar
        self._tables = tables
        self._chat = chat

    async def give(self, visitor: Identity, table: TableClient[Message], message: client_events.Tip, at_ms: int) -> Ack:
        settings = self._tables[table.table_id]
        presenter: str | None = None
        if settings.dealing != "auto":
            presenter = self._directory.state(table.table_id)["presenter"]
        tip = Tip(table.table_id, visitor.user_id, message.amount, message.key)
        purse, is_repeat = await self._jar.give(tip, presenter, settings, at_ms)
        if not is_repeat:
            table.post(TipReceived(visitor.user_id, message.amount, visitor.is_play_money), at_ms)
            amount, currency = message.amount, purse.currency
            text = f"{visitor.name} tips {presenter} {format_amount(amount, currency)} {currency}. Thank you!"
            self._chat.by_table(
                table.table_id,
                "tip",
                text,
                at_ms,
                player=visitor.name,
                presenter=presenter or "",
                amount=amount,
                currency=currency,
            )
        return accepted(TipGiven(available=purse.available))
