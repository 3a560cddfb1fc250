"""Encodes and decodes Engine.IO and Socket.IO packets, and encodes WebSocket frames.

An encoded packet is `bytes` in the form for polling and WebSocket text frames. A binary packet is followed by its
`Attachment`s: base64 text while the client polls, binary frames on a WebSocket.
"""

import base64
import re
import struct
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import orjson

PING = b"2"
PROBE_ANSWER = b"3probe"
CLOSE = b"1"
NOOP = b"6"
SEPARATOR = b"\x1e"  # between the packets of one polling payload; JSON always escapes it

_HEAD = re.compile(r"(?:([0-4])|([56])(\d{1,4})-)(?:(/[^,?]*)(?:\?[^,]*)?(?:,|$))?(\d{1,15}(?!\d))?", re.ASCII)
_TEXT, _BINARY, _PING_ANSWER, _CLOSE = 0x81, 0x82, 0x8A, 0x88
_SHORT, _MIDDLE, _LONG = (struct.Struct(head).pack for head in (">BB", ">BBH", ">BBQ"))
"""Heads of frames, by the length of the payload."""


class Kind(StrEnum):
    CONNECT = "0"
    DISCONNECT = "1"
    EVENT = "2"
    ACK = "3"
    CONNECT_ERROR = "4"
    BINARY_EVENT = "5"
    BINARY_ACK = "6"


class BadPacket(Exception):
    """The text is no valid Socket.IO packet."""


class Attachment(bytes):
    """Binary part of a packet. Sent in the order of its number, directly after the packet."""

    __slots__ = ()


Encoded: TypeAlias = Sequence[bytes]
"""One packet and its attachments, in the order of sending."""

_KINDS: Final = {kind.value: kind for kind in Kind}


class Packet(NamedTuple):
    """A packet with a valid head. Its JSON is not parsed yet."""

    kind: Kind
    namespace: str
    ack_id: int | None
    text: str
    attachments: int = 0

    def data(self) -> object:
        if not self.text:
            return None
        try:
            return orjson.loads(self.text)
        except orjson.JSONDecodeError as failure:
            raise BadPacket("the packet's JSON cannot be read") from failure


def decode(text: str) -> Packet:
    """Parses the head of a Socket.IO packet; raises `BadPacket`."""
    head = _HEAD.match(text)
    if head is None:
        raise BadPacket("unknown packet type")
    kind, binary_kind, attachments, namespace, ack_id = head.groups()
    return Packet(
        _KINDS[kind or binary_kind],
        namespace or "/",
        None if ack_id is None else int(ack_id),
        text[head.end() :],
        int(attachments or 0),
    )


def opened(session_id: str, *, upgrades: list[str], ping_ms: int, pong_ms: int, bytes_max: int) -> bytes:
    """Encodes the handshake, the first packet of an Engine.IO session."""
    terms = {"sid": session_id, "upgrades": upgrades, "pingInterval": ping_ms, "pingTimeout": pong_ms}
    return b"0" + orjson.dumps({**terms, "maxPayload": bytes_max})


def connected(namespace: str, sid: str) -> bytes:
    return b"40" + _place(namespace) + orjson.dumps({"sid": sid})


def connect_error(namespace: str, message: str, data: object = None) -> bytes:
    content = {"message": message} if data is None else {"message": message, "data": data}
    return b"44" + _place(namespace) + orjson.dumps(content)


def disconnected(namespace: str) -> bytes:
    return b"41" + _place(namespace)


def event(
    namespace: str, name: str, args: Sequence[object] = (), *, ack_id: int | None = None, binary: bool = False
) -> Encoded:
    """Raises TypeError for what JSON does not have; bytes become attachments if `binary` is set."""
    place = _place(namespace) if ack_id is None else _place(namespace) + str(ack_id).encode()
    if binary:
        return _with_attachments(Kind.BINARY_EVENT, b"42", place, (name, *args))
    return (b"42" + place + orjson.dumps((name, *args)),)


def acknowledgement(namespace: str, ack_id: int, args: Sequence[object] = (), *, binary: bool = False) -> Encoded:
    """Raises TypeError as `event` does."""
    place = _place(namespace) + str(ack_id).encode()
    if binary:
        return _with_attachments(Kind.BINARY_ACK, b"43", place, tuple(args))
    return (b"43" + place + orjson.dumps(tuple(args)),)


def _with_attachments(kind: Kind, plain_head: bytes, place: bytes, data: tuple[object, ...]) -> Encoded:
    found: list[bytes] = []

    def attach(value: object) -> object:
        if not isinstance(value, bytes | bytearray | memoryview):
            raise TypeError(f"{type(value).__name__} is neither JSON nor binary")
        found.append(Attachment(value))
        return {"_placeholder": True, "num": len(found) - 1}

    body = orjson.dumps(data, default=attach)
    if not found:
        return (plain_head + place + body,)
    return (b"4" + kind.encode() + str(len(found)).encode() + b"-" + place + body, *found)


@lru_cache(maxsize=64)  # clients may name any number of namespaces
def _place(namespace: str) -> bytes:
    return b"" if namespace == "/" else namespace.encode() + b","


# Forms of an encoded packet on the wire


def polling_form(packet: bytes) -> bytes:
    return b"b" + base64.b64encode(packet) if type(packet) is Attachment else packet


def frame(packet: bytes) -> bytes:
    """Encodes one unmasked, uncompressed WebSocket frame; the same bytes serve every client."""
    return _frame(_BINARY if type(packet) is Attachment else _TEXT, packet)


def pong_frame(payload: bytes) -> bytes:
    return _frame(_PING_ANSWER, payload)


def close_frame(code: int) -> bytes:
    return _frame(_CLOSE, code.to_bytes(2, "big"))


def _frame(first: int, payload: bytes) -> bytes:
    size = len(payload)
    if size < 126:
        return _SHORT(first, size) + payload
    if size < 1 << 16:
        return _MIDDLE(first, 126, size) + payload
    return _LONG(first, 127, size) + payload
