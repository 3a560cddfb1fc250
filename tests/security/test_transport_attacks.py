"""Hostile bytes against a real server process: bounded messages, heads, bodies and memory, and others are served."""

import asyncio
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import pytest

from tests.security.attacks import OPENED, Target, closing, read_all, read_until
from tests.service import running_service
from tests.socketio.raw import CLOSE, masked

pytestmark = pytest.mark.req("SEC-5")

MEGABYTE: Final = 1024 * 1024
GET: Final = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
POST: Final = b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
PROTOCOL_ERROR: Final = bytes((0x80 | CLOSE, 2)) + struct.pack("!H", 1002)


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with running_service() as running:
        yield Target(running)
        assert running.process.poll() is None


def in_fragments(text: bytes, count: int) -> bytes:
    """One text message, a byte for each fragment but the last."""
    parts = [text[number : number + 1] for number in range(count - 1)] + [text[count - 1 :]]
    opcodes = [1] + [0] * (count - 1)
    return b"".join(
        masked(part, opcode, final=number == count - 1)
        for number, (part, opcode) in enumerate(zip(parts, opcodes, strict=True))
    )


# WebSocket frames


@pytest.mark.parametrize(
    "frames",
    [
        masked(b"4", final=False) + masked(b"", 0, final=False),
        masked(b"", final=False) + masked(b"", 0, final=False) * 100_000,
        masked(b"4", final=False) + masked(b"x", 0, final=False) * 100_000,
        in_fragments(b"40/nowhere,", 9),
        masked(b"4" + b"x" * 8_000, final=False) + masked(b"x" * 8_500, 0),
        masked(b"40/table,")[:1] + b"\x09" + b"40/table,",
    ],
    ids=["empty continuation", "only empty frames", "endless", "9 fragments", "17 KB in fragments", "unmasked"],
)
def test_a_message_out_of_bounds_closes_the_websocket_with_a_reason(target: Target, frames: bytes) -> None:
    with target.websocket() as one:
        try:
            one.sendall(frames)
        except ConnectionError:
            pass  # it was closed before all was sent
        else:
            assert PROTOCOL_ERROR in read_all(one)
    target.verify_served()


def test_a_message_in_eight_fragments_is_read(target: Target) -> None:
    with target.websocket() as one:
        one.sendall(in_fragments(b"40/nowhere,", 8))
        assert b"Invalid namespace" in read_until(one, b"44/nowhere,")


@pytest.mark.parametrize("size", [1, 1_000])
def test_frames_sent_all_at_once_are_answered_in_their_order(target: Target, size: int) -> None:
    """More than one turn's share of frames, and of bytes."""
    token = target.guest()
    with target.member(token) as one:
        filler = b"x" * size
        sent = [b'42/table,%d["join",{"table_id":"none","more":"%b"}]' % (number, filler) for number in range(60)]
        one.sendall(b"".join(map(masked, sent)))
        got = read_until(one, b"43/table,59[")
        assert [got.index(b"43/table,%d[" % number) for number in range(60)] == sorted(
            got.index(b"43/table,%d[" % number) for number in range(60)
        )


# Heads


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        (b"".join(b"X-%d: a\r\n" % number for number in range(70)), b" 400 "),
        (b"X: " + b"a" * 9_000 + b"\r\n", b" 400 "),
        (b"".join(b"X-%d: %b\r\n" % (number, b"a" * 1_000) for number in range(20)), b" 431 "),
        (b"a:b\r\n" * 400, b" 431 "),
    ],
    ids=["too many fields", "a field too large", "too large in all", "hundreds of lines"],
)
def test_a_head_out_of_bounds_is_refused_and_the_connection_closed(
    target: Target, fields: bytes, status: bytes
) -> None:
    received = target.exchange(GET + fields + b"\r\n" + GET + b"\r\n")
    assert status in received.splitlines()[0]
    assert received.count(b"HTTP/1.") == 1
    target.verify_served()


def test_a_client_that_sends_on_after_a_refusal_is_not_read(target: Target) -> None:
    """It gets its answer, and then it waits: reading on would cost more than the refusal."""
    with target.dial() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16 * 1024)
        one.sendall(GET)
        one.settimeout(0.5)
        sent = 0
        with suppress(TimeoutError, ConnectionError):
            while sent < 4 * MEGABYTE:
                sent += one.send((b"X: " + b"a" * 4_000 + b"\r\n") * 4)
        one.settimeout(30)
        assert b" 431 " in read_all(one).splitlines()[0]
    assert sent < MEGABYTE / 2
    target.verify_served()


async def test_half_sent_requests_take_little_memory(target: Target) -> None:
    before = target.memory_bytes()
    field = b"X: " + b"a" * 4_000 + b"\r\n"

    async def attack() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", target.port)
        writer.write(GET)
        try:
            for _ in range(250):
                writer.write(field)
                await asyncio.wait_for(writer.drain(), 1)
        except (ConnectionError, TimeoutError):
            pass
        opened.append(writer)

    opened: list[asyncio.StreamWriter] = []
    await asyncio.gather(*(attack() for _ in range(500)))
    grown = target.memory_bytes() - before
    await asyncio.to_thread(target.verify_served)
    for writer in opened:
        writer.transport.abort()
    assert grown < 64 * MEGABYTE


def test_the_head_of_a_websocket_is_not_kept() -> None:
    """In a process of its own: memory that an earlier attack left behind would hide what these keep."""
    with running_service() as running:
        target = Target(running)
        target.verify_served()
        before = target.memory_bytes()
        headers = "".join(f"X-{number}: {'a' * 4_700}\r\n" for number in range(3))
        with closing([target.websocket(headers) for _ in range(400)]):
            assert target.memory_bytes() - before < 400 * 20 * 1024
            target.verify_served()


def test_a_second_request_has_a_deadline_for_its_head_too(target: Target) -> None:
    with target.dial() as one:
        one.sendall(GET + b"\r\n")
        read_until(one, b'"ok"')
        begun = time.monotonic()
        one.sendall(GET)
        assert read_all(one) == b""
        assert time.monotonic() - begun < 20


def test_requests_sent_ahead_are_bounded(target: Target) -> None:
    fields = b"".join(b"X-%d: %b\r\n" % (number, b"a" * 1_000) for number in range(14))
    sent = (b"GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\n" + fields + b"\r\n") * 40
    received = target.exchange(sent)
    assert b" 431 " in received
    target.verify_served()


# Bodies


def test_a_body_in_one_byte_chunks_is_refused(target: Target) -> None:
    received = target.exchange(POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 10_000)
    assert b" 431 " in received.splitlines()[0] or b" 400 " in received.splitlines()[0]
    with target.dial() as one:
        one.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(300):
            one.sendall(b"1\r\n \r\n")
        received = read_all(one)
    assert b" 400 " in received.splitlines()[0]
    assert b"Connection: close" in received
    target.verify_served()


def test_a_body_in_a_few_chunks_is_read(target: Target) -> None:
    with target.dial() as one:
        one.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
        assert b" 200 " in read_until(one, b'"token"').splitlines()[0]


def test_response_does_not_wait_for_the_rest_of_a_body(target: Target) -> None:
    with target.dial() as one:
        one.sendall(b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + b"x" * 1_000)
        received = read_all(one)
    assert b" 404 " in received.splitlines()[0]
    assert b"Connection: close" in received


def test_the_answer_to_a_body_too_large_still_arrives(target: Target) -> None:
    with target.dial() as one:
        one.sendall(POST + b"Content-Length: 200000\r\n\r\n" + b" " * 200_000)
        received = read_all(one)
    assert received.splitlines()[0].split()[1] in (b"400", b"413")


def test_a_refused_websocket_handshake_opens_no_session(target: Target) -> None:
    before = target.sockets_open()
    head = b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert b" 400 " in target.exchange(head).splitlines()[0]
    assert target.sockets_open() == before
    assert OPENED not in target.exchange(head)
