"""Publishes the events of the poker room to the sockets of this gateway.

The room decides which connections hear a table. While a connection joins, its table events wait: they are sent directly
after the snapshot that is the acknowledgement, so that none is missed and none comes before it.
"""

from typing import Final, cast

from casino.gateway.poker_lobby_feed import PokerLobbyFeed
from casino.gateway.rooms import PLAYERS, POKER, chat_room, person_room, room_of
from casino.hosting.interfaces import Connection
from casino.socketio.server import SocketServer
from casino.wire.outbound import OutboundEvent
from casino.wire.player_events import BALANCE, MOVED
from casino.wire.poker_events import PokerLobbyChanges

_ALSO_AT_LIVE_TABLES: Final = BALANCE.name


class PokerPublisher:
    def __init__(self, server: SocketServer, lobby_feed: PokerLobbyFeed) -> None:
        self._server = server
        self._lobby_feed = lobby_feed
        self._tables: dict[str, set[str]] = {}  # by connection
        self._joining: dict[tuple[str, str], list[OutboundEvent]] = {}  # by connection and table, what has to wait
        self._joining_at: dict[str, set[str]] = {}  # by table, the connections that join it now
        self._shows_chat: set[str] = set()

    # The room's side

    def subscribe(self, table_id: str, connection: Connection) -> None:
        sid = connection.sid
        if sid not in self._tables:
            return  # the connection was lost while it joined
        self._tables[sid].add(table_id)
        waiting = self._joining.get((sid, table_id))
        if waiting is None:
            self._enter(table_id, sid)
        else:
            waiting.clear()  # the snapshot has it
            self._joining_at.setdefault(table_id, set()).add(sid)

    def unsubscribe(self, table_id: str, connection: Connection) -> None:
        sid = connection.sid
        self._tables.get(sid, set()).discard(table_id)
        self._stop_waiting(table_id, sid)
        self._server.leave(sid, room_of(table_id))
        self._server.leave(sid, chat_room(table_id))

    def to_table(self, table_id: str, *events: OutboundEvent) -> None:
        self._server.emit_room_together(POKER, room_of(table_id), events)
        for sid in self._joining_at.get(table_id, ()):
            self._joining[sid, table_id] += events

    def to_connection(self, connection: Connection, *events: OutboundEvent) -> None:
        if not self._joining:
            self._server.emit_together(connection.sid, events)
            return
        sent: list[OutboundEvent] = []
        for event in events:
            waiting = self._joining.get((connection.sid, event[1].get("table_id") or ""))
            (sent if waiting is None else waiting).append(event)
        if sent:
            self._server.emit_together(connection.sid, sent)

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        """A balance is shown at live tables, too."""
        for event in events:
            self._server.emit_room(POKER, person_room(player_id), *event)
            if event[0] == _ALSO_AT_LIVE_TABLES:
                self._server.emit_room(PLAYERS, person_room(player_id), *event)

    def to_lobby(self, currency: str, *events: OutboundEvent) -> None:
        for _, payload in events:
            self._lobby_feed.changed(currency, cast(PokerLobbyChanges, payload))

    def seat_moved(self, table_id: str, connection: Connection) -> None:
        self.unsubscribe(table_id, connection)
        self._server.emit(connection.sid, *MOVED({"table_id": table_id}))

    # The gateway's side

    def opened(self, sid: str, *, shows_chat: bool) -> None:
        self._tables[sid] = set()
        self.show_chat(sid, shown=shows_chat)

    def closed(self, sid: str) -> None:
        for table_id in self._tables.pop(sid, ()):
            self._stop_waiting(table_id, sid)
        for key in [key for key in self._joining if key[0] == sid]:
            del self._joining[key]
        self._shows_chat.discard(sid)

    def is_at(self, table_id: str, sid: str) -> bool:
        return table_id in self._tables.get(sid, ())

    def begin_join(self, table_id: str, sid: str) -> None:
        """From now on events of the table wait for the snapshot; a connection that joins again stops hearing it."""
        self._joining.setdefault((sid, table_id), [])
        self._server.leave(sid, room_of(table_id))
        if self.is_at(table_id, sid):
            self._joining_at.setdefault(table_id, set()).add(sid)

    def end_join(self, table_id: str, sid: str) -> None:
        """The snapshot is sent, or refused: what has waited follows."""
        waiting = self._joining.get((sid, table_id), [])
        self._stop_waiting(table_id, sid)
        if self.is_at(table_id, sid):
            self._enter(table_id, sid)
            self._server.emit_together(sid, waiting)

    def show_chat(self, sid: str, *, shown: bool) -> None:
        """The player shows or hides the chat."""
        if shown:
            self._shows_chat.add(sid)
        else:
            self._shows_chat.discard(sid)
        for table_id in self._tables.get(sid, ()):
            self._subscribe_chat(table_id, sid)

    def _enter(self, table_id: str, sid: str) -> None:
        self._server.enter(sid, room_of(table_id))
        self._subscribe_chat(table_id, sid)

    def _subscribe_chat(self, table_id: str, sid: str) -> None:
        if sid in self._shows_chat:
            self._server.enter(sid, chat_room(table_id))
        else:
            self._server.leave(sid, chat_room(table_id))

    def _stop_waiting(self, table_id: str, sid: str) -> None:
        self._joining.pop((sid, table_id), None)
        joining = self._joining_at.get(table_id)
        if joining is not None:
            joining.discard(sid)
            if not joining:
                del self._joining_at[table_id]
