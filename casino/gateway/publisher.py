"""Publishes the events of one table to the sockets of this gateway."""

from typing import Final, Unpack

from casino.gateway.chat_relay import ChatRelay
from casino.gateway.player_namespace import PlayerNamespace
from casino.gateway.rooms import HOSTS, PLAYERS, room_of
from casino.hosting.interfaces import Connection, Directory
from casino.socketio.server import SocketServer
from casino.wire.notices import HouseValues
from casino.wire.outbound import OutboundEvent
from casino.wire.player_events import BALANCE, RESULT

_ON_EVERY_DEVICE: Final = frozenset({RESULT.name, BALANCE.name})


class TablePublisher:
    def __init__(
        self, table_id: str, directory: Directory, server: SocketServer, players: PlayerNamespace, chat: ChatRelay
    ) -> None:
        self._table_id = table_id
        self._room = room_of(table_id)
        self._directory = directory
        self._server = server
        self._players = players
        self._chat = chat

    def to_table(self, event: OutboundEvent) -> None:
        self._server.emit_room(PLAYERS, self._room, *event)

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        """Sends events to the connection that controls the seat; results and balances to the other devices, too."""
        holder = self._directory.seat_holder(self._table_id, player_id)
        seat_sid = holder.connection.sid if holder else None
        if seat_sid:
            self._players.to_seat(self._table_id, seat_sid, *events)
        self._players.to_other_devices(player_id, seat_sid, [one for one in events if one[0] in _ON_EVERY_DEVICE])

    def to_hosts(self, event: OutboundEvent) -> None:
        self._server.emit_room(HOSTS, self._room, *event)

    def to_chat(self, code: str, text: str, at_ms: int, **values: Unpack[HouseValues]) -> None:
        self._chat.by_table(self._table_id, code, text, at_ms, **values)

    def seat_moved(self, connection: Connection) -> None:
        self._players.seat_moved(self._table_id, connection.sid)
