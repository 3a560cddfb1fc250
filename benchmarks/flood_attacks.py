"""Hostile byte streams for the flood benchmark: each opens connections again as fast as the server closes them."""

import asyncio
import time
from contextlib import suppress

from benchmarks.acks_load import masked
from benchmarks.fanout_load import OPENING

_EMPTY_CONTINUATION = b"\x00\x80\0\0\0\0"
_FRAGMENTS = b"\x01\x80\0\0\0\0" + _EMPTY_CONTINUATION * 40_000
_FIELD = b"X: " + b"a" * 4_000 + b"\r\n"
_HEAD = b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
_CHUNKS = _HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 40_000
_OPTIONS = b"OPTIONS /socket.io/ HTTP/1.1\r\nHost: x\r\n\r\n"
_POLL = b"GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\n\r\n"


async def _attack(port: int, until: float, first: bytes, more: bytes, *, wait_for: bytes = b"") -> int:
    """One connection after the other; how many there were. Nothing is read beyond `wait_for`."""
    count = 0
    while time.monotonic() < until:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                count += 1
                try:
                    writer.write(first)
                    if wait_for:
                        await reader.readuntil(wait_for)
                    while not reader.at_eof():
                        writer.write(more)
                        await writer.drain()
                        if not more or reader.at_eof():
                            await reader.read(-1)
                        await asyncio.sleep(0)
                finally:
                    writer.transport.abort()
    return count


async def _ask_again(port: int, until: float, request: bytes) -> int:
    """Requests on one connection, the next as soon as the last is answered; how many were answered."""
    count = 0
    while time.monotonic() < until:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    while True:
                        writer.write(request)
                        await reader.readuntil(b"\r\n\r\n")
                        count += 1
                finally:
                    writer.transport.abort()
    return count


async def _open_only(port: int, until: float) -> int:
    """Opens connections that say nothing, and keeps the last thousands of them."""
    kept: list[asyncio.StreamWriter] = []
    count = 0
    while time.monotonic() < until:
        with suppress(OSError, TimeoutError):
            _, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 5)
            kept.append(writer)
            count += 1
        if len(kept) > 100:
            kept.pop(0).transport.abort()
    for writer in kept:
        writer.transport.abort()
    return count


async def _together(*attacks: "asyncio.Future[int] | object") -> int:
    return sum(await asyncio.gather(*attacks))  # type: ignore[arg-type]


async def attack(port: int, until: float, way: str) -> int:
    match way:
        case "empty frames":
            return await _attack(port, until, OPENING, _FRAGMENTS, wait_for=b'"maxPayload"')
        case "tiny messages":
            return await _attack(port, until, OPENING, masked(b'42/table,["x"]') * 2_000, wait_for=b'"maxPayload"')
        case "half-sent heads":
            head = b"GET / HTTP/1.1\r\nHost: x\r\n"
            return await _together(*(_attack(port, until, head, _FIELD) for _ in range(50)))
        case "one-byte chunks":
            return await _together(*(_attack(port, until, _CHUNKS, b"1\r\n \r\n" * 1_000) for _ in range(10)))
        case "preflights":
            return await _together(*(_ask_again(port, until, _OPTIONS) for _ in range(50)))
        case "polling opens":
            return await _together(*(_ask_again(port, until, _POLL) for _ in range(50)))
        case "connections":
            return await _together(*(_open_only(port, until) for _ in range(20)))
    raise ValueError(way)


WAYS = (
    "empty frames",
    "tiny messages",
    "half-sent heads",
    "one-byte chunks",
    "preflights",
    "polling opens",
    "connections",
)
