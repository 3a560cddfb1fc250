"""What is said at the tables: to those who want to read it, and to the consoles, which also hear who said it.

Decides who hears a line. What may be said, and by whom, is the chat's business.
"""

from collections.abc import Mapping
from typing import Final

from casino.chat.conversation import Conversation, Line
from casino.chat.lines import clean_line
from casino.chat.mutes import Muted, Mutes
from casino.errors import Code, Refusal
from casino.people.roles import Actor
from casino.settings import TableSettings
from casino.sockets import incoming
from casino.sockets.asking import Asking
from casino.sockets.identity import Visitor
from casino.sockets.rooms import HOSTS, PLAYERS, chat_room, person_room, room_of
from casino.sockets.transport.server import SocketServer
from casino.table.messages import Payload

_OF_THE_TABLE: Final = "table"


class Talk:
    def __init__(self, server: SocketServer, tables: Mapping[str, TableSettings], mutes: Mutes) -> None:
        self._server = server
        self._tables = tables
        self._mutes = mutes
        self._conversations = {table_id: Conversation() for table_id in tables}

    def for_players(self, table_id: str) -> list[Payload]:
        """What was said last, the newest last."""
        return [line.for_players() for line in self._conversations[table_id].lines]

    def for_hosts(self, table_id: str, now_ms: int) -> Payload:
        """The same, and who may not write."""
        lines = [line.for_hosts() for line in self._conversations[table_id].lines]
        return {"chat": lines, "muted": self._mutes.at(table_id, now_ms)}

    def between(self, table_id: str, from_ms: int, until_ms: int | None) -> list[Payload]:
        conversation = self._conversations.get(table_id)  # a table may be gone, and its rounds still looked at
        return [line.for_hosts() for line in conversation.between(from_ms, until_ms)] if conversation else []

    def by_player(self, visitor: Visitor, asking: Asking, message: incoming.Chat, at_ms: int) -> None:
        """A line that could not be said anyway does not count as one."""
        table_id = message.table_id
        text = clean_line(message.text, self._tables[table_id].language)
        if self._mutes.is_muted(table_id, visitor.user_id, at_ms):
            raise Refusal(Code.MUTED, "You may not write at this table at the moment.")
        asking.verify("chat", at_ms)
        self._tell(Line(table_id, visitor.name, visitor.role, text, at_ms, visitor.user_id))

    def by_host(self, visitor: Visitor, message: incoming.Say, at_ms: int) -> None:
        text = clean_line(message.text, self._tables[message.table_id].language)
        self._tell(Line(message.table_id, visitor.name, visitor.role, text, at_ms))

    def by_table(self, table_id: str, code: str, text: str, at_ms: int) -> None:
        self._tell(Line(table_id, self._tables[table_id].name, _OF_THE_TABLE, text, at_ms, code=code))

    async def mute(self, visitor: Visitor, message: incoming.Mute, at_ms: int) -> None:
        muted = Muted(message.table_id, message.player_id)
        await self._mutes.mute(muted, message.minutes, Actor(visitor.name, visitor.role), message.reason, at_ms)
        length = "until further notice" if message.minutes is None else f"for {message.minutes} min"
        self._notify(muted, "warning", "muted", f"You may not write in the chat of this table {length}.")

    async def unmute(self, visitor: Visitor, message: incoming.Unmute, at_ms: int) -> None:
        muted = Muted(message.table_id, message.player_id)
        was_muted = self._mutes.is_muted(*muted, at_ms)
        await self._mutes.unmute(muted, Actor(visitor.name, visitor.role), message.reason, at_ms)
        if was_muted:
            self._notify(muted, "info", "unmuted", "You may write in the chat of this table again.")

    def _tell(self, line: Line) -> None:
        self._conversations[line.table_id].add(line)
        self._server.emit_room(PLAYERS, chat_room(line.table_id), "chat", line.for_players())
        self._server.emit_room(HOSTS, room_of(line.table_id), "chat", line.for_hosts())

    def _notify(self, muted: Muted, level: str, code: str, text: str) -> None:
        """Wherever the player is; nobody else needs to know."""
        notice = {"table_id": muted.table_id, "level": level, "code": code, "text": text}
        self._server.emit_room(PLAYERS, person_room(muted.player_id), "notice", notice)
