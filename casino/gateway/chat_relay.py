"""Broadcasts chat messages to subscribed players, and to consoles together with the author.

One relay serves the tables of one namespace. It decides who receives a message; the chat package decides who may write
what, and stores it.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, NamedTuple, Unpack

from casino.chat.archive import ChatArchive
from casino.chat.message_filter import clean_line
from casino.chat.message_log import Line, MessageLog
from casino.chat.mutes import Muted, Mutes
from casino.errors import Refusal
from casino.gateway.account_limits import AccountLimits
from casino.gateway.identity import Identity
from casino.gateway.rooms import HOSTS, PLAYERS, chat_room, person_room, room_of
from casino.refusals import Reason
from casino.socketio.server import SocketServer
from casino.users.roles import Actor
from casino.wire import client_events
from casino.wire.host_events import HOST_CHAT, HostTalk
from casino.wire.notices import ChatLine, HouseValues, Level, Notice
from casino.wire.player_events import CHAT, NOTICE

_OF_THE_TABLE: Final = "table"
_UNITS: Final = {"day": 1440, "hour": 60, "minute": 1}  # in minutes
CONVERSATIONS_MAX: Final = 10_000
"""Tables whose recent messages are kept; poker tables come and go."""


class Venue(NamedTuple):
    """Chat settings of a table: its name, and the language of its word filter."""

    name: str
    language: str


class ChatRelay:
    def __init__(
        self,
        server: SocketServer,
        venue_of: Callable[[str], Venue],
        mutes: Mutes,
        archive: ChatArchive,
        *,
        namespace: str = PLAYERS,
    ) -> None:
        self._server = server
        self._archive = archive
        self._venue_of = venue_of
        self._mutes = mutes
        self._namespace = namespace
        self._conversations: OrderedDict[str, MessageLog] = OrderedDict()

    def for_players(self, table_id: str, most: int | None = None) -> list[ChatLine]:
        """Returns the recent messages, newest last: all that are kept, or this many."""
        lines = [line.for_players() for line in self._conversation(table_id).lines]
        return lines if most is None else lines[-most:]

    def has_conversation(self, table_id: str) -> bool:
        """Whether a message was written at this table, or its chat was read."""
        return table_id in self._conversations

    def for_hosts(self, table_id: str, now_ms: int) -> HostTalk:
        """Returns the recent messages and the muted players."""
        lines = [line.for_hosts() for line in self._conversation(table_id).lines]
        return {"chat": lines, "muted": self._mutes.at(table_id, now_ms)}

    def by_player(self, visitor: Identity, asking: AccountLimits, message: client_events.Chat, at_ms: int) -> None:
        """Cheap checks run before filtering. A filtered message counts as an attempt, not as a message.

        The archive keeps refused messages, too, as far as the rate of attempts allows.
        """
        line = Line(message.table_id, visitor.name, visitor.role, message.text, at_ms, visitor.user_id)
        if self._mutes.is_muted(line.table_id, visitor.user_id, at_ms):
            if asking.counts_attempt(at_ms):
                self._archive.keep(line, str(Reason.MUTED))
            raise Reason.MUTED.refusal()
        asking.verify_attempt(at_ms)
        with self._kept_if_refused(line):
            clean = self._cleaned(line)
            asking.verify("chat", at_ms)
            self._broadcast(clean)

    def by_host(self, visitor: Identity, message: client_events.Say, at_ms: int) -> None:
        line = Line(message.table_id, visitor.name, visitor.role, message.text, at_ms)
        with self._kept_if_refused(line):
            self._broadcast(self._cleaned(line))

    def by_table(self, table_id: str, code: str, text: str, at_ms: int, **values: Unpack[HouseValues]) -> None:
        """`values` are those in the text."""
        self._broadcast(
            Line(table_id, self._venue_of(table_id).name, _OF_THE_TABLE, text, at_ms, code=code, values=values)
        )

    async def mute(self, visitor: Identity, message: client_events.Mute, at_ms: int) -> None:
        """The audit log gets the message the mute is about: that of `at`, or the player's last one."""
        muted = Muted(message.table_id, message.player_id)
        about = await self._archive.last_of(*muted, message.at)
        by = Actor(visitor.name, visitor.role)
        await self._mutes.mute(muted, message.minutes, by, message.reason, at_ms, about=about)
        length = "until further notice" if message.minutes is None else f"for {_length(message.minutes)}"
        text = f"You have been muted at this table {length}."
        self._notify(muted, "warning", "muted", text, minutes=message.minutes)

    async def unmute(self, visitor: Identity, message: client_events.Unmute, at_ms: int) -> None:
        muted = Muted(message.table_id, message.player_id)
        was_muted = self._mutes.is_muted(*muted, at_ms)
        await self._mutes.unmute(muted, Actor(visitor.name, visitor.role), message.reason, at_ms)
        if was_muted:
            self._notify(muted, "info", "unmuted", "You can write in the chat of this table again.")

    def _cleaned(self, line: Line) -> Line:
        return replace(line, text=clean_line(line.text, self._venue_of(line.table_id).language))

    def _conversation(self, table_id: str) -> MessageLog:
        if table_id not in self._conversations:
            self._conversations[table_id] = MessageLog()
            if len(self._conversations) > CONVERSATIONS_MAX:
                self._conversations.popitem(last=False)
        return self._conversations[table_id]

    @contextmanager
    def _kept_if_refused(self, line: Line) -> Iterator[None]:
        try:
            yield
        except Refusal as refusal:
            self._archive.keep(line, str(refusal.params.get("reason", refusal.code)))
            raise

    def _broadcast(self, line: Line) -> None:
        """The time of a line names it at its table, so two lines never share one."""
        conversation = self._conversation(line.table_id)
        if conversation.lines:
            line = replace(line, at_ms=max(line.at_ms, conversation.lines[-1].at_ms + 1))
        conversation.add(line)
        self._archive.keep(line)
        self._server.emit_room(self._namespace, chat_room(line.table_id), *CHAT(line.for_players()))
        self._server.emit_room(HOSTS, room_of(line.table_id), *HOST_CHAT(line.for_hosts()))

    def _notify(self, muted: Muted, level: Level, code: str, text: str, **values: Unpack[HouseValues]) -> None:
        """Informs the muted player on all devices, and no others."""
        notice: Notice = {"table_id": muted.table_id, "level": level, "code": code, "text": text, **values}
        self._server.emit_room(self._namespace, person_room(muted.player_id), *NOTICE(notice))


def _length(minutes: int) -> str:
    """Names the largest unit that fits, such as `1 day`."""
    unit, size = next((unit, size) for unit, size in _UNITS.items() if minutes % size == 0)
    count = minutes // size
    return f"1 {unit}" if count == 1 else f"{count} {unit}s"
