"""Publisher of the poker room that sends everything as bytes, as between processes. Tests run the service this way."""

from casino.hosting.codec import decode_payload, encode_payload
from casino.hosting.interfaces import Connection
from casino.poker_room.messages import RoomPublisher
from casino.wire.outbound import OutboundEvent


class EncodedRoomPublisher:
    def __init__(self, publisher: RoomPublisher) -> None:
        self._publisher = publisher

    def subscribe(self, table_id: str, connection: Connection) -> None:
        self._publisher.subscribe(_text(table_id), _connection(connection))

    def unsubscribe(self, table_id: str, connection: Connection) -> None:
        self._publisher.unsubscribe(_text(table_id), _connection(connection))

    def to_table(self, table_id: str, *events: OutboundEvent) -> None:
        self._publisher.to_table(_text(table_id), *map(_event, events))

    def to_connection(self, connection: Connection, *events: OutboundEvent) -> None:
        self._publisher.to_connection(_connection(connection), *map(_event, events))

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        self._publisher.to_player(_text(player_id), *map(_event, events))

    def to_lobby(self, currency: str, *events: OutboundEvent) -> None:
        self._publisher.to_lobby(_text(currency), *map(_event, events))

    def seat_moved(self, table_id: str, connection: Connection) -> None:
        self._publisher.seat_moved(_text(table_id), _connection(connection))


def _text(text: str) -> str:
    return str(decode_payload(encode_payload(text)))


def _connection(connection: Connection) -> Connection:
    return Connection(*decode_payload(encode_payload([*connection])))


def _event(event: OutboundEvent) -> OutboundEvent:
    name, payload = decode_payload(encode_payload(event))
    return OutboundEvent((name, payload))
