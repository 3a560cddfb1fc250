"""Hosting in one process in which everything crosses the interfaces as bytes, as it does between processes.

Tests run the service this way: what works here depends on no object that gateways and tables share.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Generic, TypeVar, Unpack

from casino.errors import Refusal
from casino.hosting.codec import MessageCodec, decode_payload, decode_reply, encode_payload, encode_reply
from casino.hosting.interfaces import Connection, Publisher, TableClient
from casino.hosting.local import LocalDirectory
from casino.wire.notices import HouseValues
from casino.wire.outbound import OutboundEvent, Payload

M = TypeVar("M")


class EncodedClient(Generic[M]):
    def __init__(self, client: TableClient[M], codec: MessageCodec[M]) -> None:
        self._client = client
        self._codec = codec

    @property
    def table_id(self) -> str:
        return self._client.table_id

    def post(self, message: M, arrived_ms: int) -> asyncio.Future[Payload]:
        received = self._codec.decode(self._codec.encode(message))
        reply: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()
        self._client.post(received, arrived_ms).add_done_callback(partial(_pass_on, reply))
        return reply

    async def ask(self, message: M) -> Payload:
        received = self._codec.decode(self._codec.encode(message))
        try:
            reply = decode_reply(encode_reply(await self._client.ask(received)))
        except Refusal as refusal:
            reply = decode_reply(encode_reply(refusal))
        if isinstance(reply, Refusal):
            raise reply
        return reply


def _pass_on(reply: asyncio.Future[Payload], answered: asyncio.Future[Payload]) -> None:
    if reply.done():
        return
    failure = answered.exception()
    if failure is not None and not isinstance(failure, Refusal):
        reply.set_exception(failure)
        return
    received = decode_reply(encode_reply(failure or answered.result()))
    if isinstance(received, Refusal):
        reply.set_exception(received)
        reply.exception()  # marks it as retrieved: the sender may have left
    else:
        reply.set_result(received)


class EncodedPublisher:
    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher

    def to_table(self, event: OutboundEvent) -> None:
        self._publisher.to_table(_received(event))

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        self._publisher.to_player(decode_payload(encode_payload(player_id)), *map(_received, events))

    def to_hosts(self, event: OutboundEvent) -> None:
        self._publisher.to_hosts(_received(event))

    def to_chat(self, code: str, text: str, at_ms: int, **values: Unpack[HouseValues]) -> None:
        *line, received = decode_payload(encode_payload([code, text, at_ms, values]))
        self._publisher.to_chat(*line, **received)

    def seat_moved(self, connection: Connection) -> None:
        self._publisher.seat_moved(Connection(*decode_payload(encode_payload([*connection]))))


def _received(event: OutboundEvent) -> OutboundEvent:
    name, payload = decode_payload(encode_payload(event))
    return OutboundEvent((name, payload))


class EncodedDirectory(LocalDirectory):
    def publish(self, table_id: str, state: Payload) -> None:
        super().publish(table_id, decode_payload(encode_payload(state)))

    def publish_results(self, table_id: str, results: Sequence[Payload]) -> None:
        super().publish_results(table_id, decode_payload(encode_payload(results)))
