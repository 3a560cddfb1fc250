"""Incremental parser for the WebSocket frames of one client.

Accepts masked, uncompressed messages and control frames within the limits; everything else is a `Violation`. Binary
messages are accepted only if the settings say so. The parser checks a frame by its head, before the payload arrives.
"""

from typing import Final, NamedTuple

from casino.socketio.engine_session import Violation
from casino.socketio.limits import Limits

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
_CONTROL: Final = frozenset({CLOSE, PING, PONG})
_CONTROL_BYTES_MAX: Final = 125
_FINAL, _RESERVED, _MASKED = 0x80, 0x70, 0x80
_MASK_BYTES: Final = 4
_NO_MASK: Final = b"\0\0\0\0"


class Frame(NamedTuple):
    """A control frame, a whole message, or (`CONTINUATION`, without payload) a fragment that was stored."""

    opcode: int
    payload: bytes


_FRAGMENT: Final = Frame(CONTINUATION, b"")


class FrameReader:
    __slots__ = ("_buffer", "_limits", "_opcode", "_parts", "_parts_bytes")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buffer = bytearray()
        self._opcode = TEXT  # of the message in fragments
        self._parts: list[bytes] = []
        self._parts_bytes = 0

    def feed(self, data: bytes) -> None:
        self._buffer += data

    @property
    def has_bytes(self) -> bool:
        """Whether bytes of a frame are left, complete or not."""
        return bool(self._buffer)

    def next(self) -> Frame | None:
        """Returns the next frame, None while it is incomplete; raises `Violation`."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        first, second = buffer[0], buffer[1]
        opcode, is_final = first & 0x0F, bool(first & _FINAL)
        size, head = second & 0x7F, 2
        if first & _RESERVED or not second & _MASKED:
            raise Violation("a reserved bit, or a frame without a mask")
        if opcode in _CONTROL:
            if size > _CONTROL_BYTES_MAX or not is_final:
                raise Violation("a control frame that is too large or in fragments")
        else:
            if size > _CONTROL_BYTES_MAX:
                head = 4 if size == 126 else 10
                if len(buffer) < head:
                    return None
                size = int.from_bytes(buffer[2:head], "big")
            self._check_fragment(opcode, size, is_final=is_final)
        end = head + _MASK_BYTES + size
        if len(buffer) < end:
            return None
        start = head + _MASK_BYTES
        payload = _unmasked(bytes(buffer[head:start]), bytes(buffer[start:end]))
        if end == len(buffer):
            buffer.clear()
        else:
            del buffer[:end]
        if opcode in _CONTROL:
            return Frame(opcode, payload)
        return self._take_fragment(opcode, payload, is_final=is_final)

    def _check_fragment(self, opcode: int, size: int, *, is_final: bool) -> None:
        if opcode == CONTINUATION:
            if not self._parts or not size:
                raise Violation("a continuation of nothing, or an empty one")
            if len(self._parts) + 1 > self._limits.fragments_max:
                raise Violation("too many fragments")
        elif self._parts or not (opcode == TEXT or (opcode == BINARY and self._limits.binary)):
            raise Violation("a binary message, an unknown frame, or a message inside another")
        if self._parts_bytes + size > self._limits.message_bytes_max:
            raise Violation("the message is too large")
        if not is_final and len(self._parts) + 1 >= self._limits.fragments_max:
            raise Violation("too many fragments")

    def _take_fragment(self, opcode: int, payload: bytes, *, is_final: bool) -> Frame:
        if not self._parts:
            if is_final:
                return Frame(opcode, payload)
            self._opcode = opcode
        self._parts.append(payload)
        self._parts_bytes += len(payload)
        if not is_final:
            return _FRAGMENT
        whole = b"".join(self._parts)
        self._parts, self._parts_bytes = [], 0
        return Frame(self._opcode, whole)


def _unmasked(mask: bytes, payload: bytes) -> bytes:
    if mask == _NO_MASK:
        return payload
    size = len(payload)
    key = int.from_bytes((mask * (size // _MASK_BYTES + 1))[:size], "little")
    return (int.from_bytes(payload, "little") ^ key).to_bytes(size, "little")
