"""Socket.IO packets as bytes, and WebSocket frames around them.

Decides the form on the wire and refuses what is not in that form. Knows no connection, no client and no event:
it only turns one into the other. Binary attachments do not exist here.
"""

import re
from enum import StrEnum
from typing import Final, NamedTuple

import orjson

PING = b"2"
PROBE_ANSWER = b"3probe"
CLOSE = b"1"
NOOP = b"6"
SEPARATOR = b"\x1e"  # stands between the packets of one polling answer; JSON always escapes it

_HEAD = re.compile(r"([0-4])(?:(/[^,?]*)(?:\?[^,]*)?(?:,|$))?(\d{1,15}(?!\d))?", re.ASCII)
_TEXT, _PING_ANSWER, _CLOSE = 0x81, 0x8A, 0x88


class Kind(StrEnum):
    CONNECT = "0"
    DISCONNECT = "1"
    EVENT = "2"
    ACK = "3"
    CONNECT_ERROR = "4"


class BadPacket(Exception):
    """No Socket.IO packet that this service takes."""


_KINDS: Final = {kind.value: kind for kind in Kind}


class Packet(NamedTuple):
    """The head of a packet is always well formed; its JSON may still turn out not to be."""

    kind: Kind
    namespace: str
    ack_id: int | None
    text: str

    def data(self) -> object:
        if not self.text:
            return None
        try:
            return orjson.loads(self.text)
        except orjson.JSONDecodeError as failure:
            raise BadPacket("the packet's JSON cannot be read") from failure


def decode(text: str) -> Packet:
    """Reads the head of a message; numbers of attachments and kinds with attachments are no packet of ours."""
    head = _HEAD.match(text)
    if head is None:
        raise BadPacket("unknown kind of packet")
    kind, namespace, ack_id = head.groups()
    return Packet(_KINDS[kind], namespace or "/", None if ack_id is None else int(ack_id), text[head.end() :])


def opened(session_id: str, *, upgrades: list[str], ping_ms: int, pong_ms: int, bytes_max: int) -> bytes:
    """The first packet of a session."""
    terms = {"sid": session_id, "upgrades": upgrades, "pingInterval": ping_ms, "pingTimeout": pong_ms}
    return b"0" + orjson.dumps({**terms, "maxPayload": bytes_max})


def connected(namespace: str, sid: str) -> bytes:
    return b"40" + _place(namespace) + orjson.dumps({"sid": sid})


def refused(namespace: str, code: str, message: str) -> bytes:
    return b"44" + _place(namespace) + orjson.dumps({"message": message, "data": {"code": code}})


def disconnected(namespace: str) -> bytes:
    return b"41" + _place(namespace)


def event(namespace: str, name: str, payload: object) -> bytes:
    return b"42" + _place(namespace) + orjson.dumps([name, payload])


def acknowledgement(namespace: str, ack_id: int, answer: object) -> bytes:
    return b"43" + _place(namespace) + str(ack_id).encode() + orjson.dumps([answer])


def _place(namespace: str) -> bytes:
    return b"" if namespace == "/" else namespace.encode() + b","


def text_frame(payload: bytes) -> bytes:
    """One unmasked, uncompressed WebSocket frame: the same bytes serve every client."""
    return _frame(_TEXT, payload)


def pong_frame(payload: bytes) -> bytes:
    return _frame(_PING_ANSWER, payload)


def close_frame(code: int) -> bytes:
    return _frame(_CLOSE, code.to_bytes(2, "big"))


def _frame(first: int, payload: bytes) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 1 << 16:
        return bytes((first, 126)) + size.to_bytes(2, "big") + payload
    return bytes((first, 127)) + size.to_bytes(8, "big") + payload
