"""Minimal WebSocket client of the load generator, cheap enough for thousands on one core."""

import socket
from collections.abc import Iterator

OPENING = (
    b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
_HEAD_END = b"\r\n\r\n"


class WebSocket:
    __slots__ = ("_is_speaking", "_rest", "socket")

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._rest = b""
        self._is_speaking = False

    def connect(self, port: int) -> None:
        self.forget()
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(OPENING)
        self.socket.setblocking(False)  # noqa: FBT003 - the name of the argument is positional

    def frames(self, data: bytes) -> Iterator[bytes]:
        """The texts that are complete now."""
        buffer = self._rest + data if self._rest else data
        place, end = 0, len(buffer)
        if not self._is_speaking:
            place = buffer.find(_HEAD_END) + len(_HEAD_END)
            if place < len(_HEAD_END):
                self._rest = buffer
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(buffer[:200])
            self._is_speaking = True
        while place + 2 <= end:
            size, head = buffer[place + 1], 2
            if size == 126:
                size, head = int.from_bytes(buffer[place + 2 : place + 4], "big"), 4
            elif size == 127:
                size, head = int.from_bytes(buffer[place + 2 : place + 10], "big"), 10
            stop = place + head + size
            if stop > end:
                break
            yield buffer[place + head : stop]
            place = stop
        self._rest = buffer[place:]

    def say(self, text: bytes) -> None:
        """A frame under a mask that changes nothing."""
        size = len(text)
        head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self.socket.send(head + b"\0\0\0\0" + text)
