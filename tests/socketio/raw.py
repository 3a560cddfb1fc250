"""Raw client: sends any bytes, also those a regular client would not."""

import asyncio
import struct
from typing import ClassVar, Self

import orjson

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
WEBSOCKET = "/socket.io/?EIO=4&transport=websocket"


def masked(payload: bytes, opcode: int = TEXT, *, final: bool = True) -> bytes:
    first = (0x80 if final else 0) | opcode
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, size)
    return head + b"\0\0\0\0" + payload  # a mask of zeros leaves the payload as it is


def handshake(port: int, *, sid: str | None = None, headers: str = "", target: str = WEBSOCKET) -> bytes:
    query = f"&sid={sid}" if sid else ""
    return (
        f"GET {target}{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"{headers}\r\n"
    ).encode()


class Closed(Exception):
    """The server closed the connection."""


class RawClient:
    opened: ClassVar[list["RawClient"]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: bytes) -> None:
        self.reader = reader
        self.writer = writer
        self.head = head

    @classmethod
    async def open(cls, port: int, *, sid: str | None = None, headers: str = "", target: str = WEBSOCKET) -> Self:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(handshake(port, sid=sid, headers=headers, target=target))
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
        client = cls(reader, writer, head)
        cls.opened.append(client)
        return client

    @classmethod
    async def member(cls, port: int, namespace: str = "/table", auth: str = "") -> Self:
        """Opened, and let into the namespace."""
        client = await cls.open(port)
        assert b" 101 " in client.head, client.head
        assert (await client.text()).startswith("0{")
        client.send(f"40{namespace},{auth}")
        answer = await client.text()
        assert answer.startswith(f"40{namespace},"), answer
        return client

    def send(self, text: str) -> None:
        self.writer.write(masked(text.encode()))

    def send_binary(self, data: bytes) -> None:
        self.writer.write(masked(data, BINARY))

    def send_event(self, name: str, data: object, ack_id: int | None = None, namespace: str = "/table") -> None:
        ack = "" if ack_id is None else str(ack_id)
        self.send(f"42{namespace},{ack}{orjson.dumps([name, data]).decode()}")

    async def frame(self, seconds: float = 15.0) -> tuple[int, bytes]:
        try:
            async with asyncio.timeout(seconds):
                first, size = await self.reader.readexactly(2)
                if size == 126:
                    (size,) = struct.unpack("!H", await self.reader.readexactly(2))
                elif size == 127:
                    (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
                assert first & 0x70 == 0, "a reserved bit is set: the frame is compressed"
                return first & 0x0F, await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError) as failure:
            raise Closed from failure

    async def text(self, seconds: float = 15.0) -> str:
        """The next text; Engine.IO pings are answered on the way."""
        while True:
            opcode, payload = await self.frame(seconds)
            if opcode == CLOSE:
                raise Closed(payload)
            if opcode != TEXT:
                continue
            if payload == b"2":
                self.send("3")
                continue
            return payload.decode()

    async def closed(self, seconds: float = 60.0) -> list[str]:
        """Waits until the server has closed the connection; the answer is what it said before."""
        said: list[str] = []
        try:
            async with asyncio.timeout(seconds):
                while True:
                    said.append(await self.text(seconds))
        except Closed:
            return said

    def leave(self) -> None:
        self.writer.transport.abort()

    @classmethod
    async def leave_all(cls) -> None:
        for client in cls.opened:
            client.leave()
        cls.opened.clear()
        await asyncio.sleep(0.01)
