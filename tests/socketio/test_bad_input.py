"""Bad input to the transport: a clear error or a closed socket, without effect on other clients."""

import asyncio
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import aiohttp
import orjson
import pytest

from casino.socketio import Limits
from tests.socketio.raw import BINARY, PING, PONG, Closed, RawClient, masked
from tests.socketio.serving import Running, serving, until

pytestmark = pytest.mark.req("SEC-5")

_ACK = b'42/table,1["echo",'

CLOSING: dict[str, Callable[[RawClient], bytes]] = {
    "no Engine.IO type": lambda _: masked(b"x"),
    "empty text": lambda _: masked(b""),
    "unknown Engine.IO type": lambda _: masked(b"7"),
    "OPEN from a client": lambda _: masked(b'0{"sid":"me"}'),
    "ping from a client": lambda _: masked(b"2"),
    "unasked pong": lambda _: masked(b"3"),
    "upgrade without polling": lambda _: masked(b"5"),
    "probe without polling": lambda _: masked(b"2probe"),
    "base64 binary": lambda _: masked(b"bAQID"),
    "message without a type": lambda _: masked(b"4"),
    "unknown Socket.IO type": lambda _: masked(b"49/table,"),
    "two CONNECTs": lambda _: masked(b"40/table,"),
    "CONNECT_ERROR from a client": lambda _: masked(b'44/table,{"message":"no"}'),
    "acknowledgement of nothing": lambda _: masked(b"43/table,1[1]"),
    "binary event whose attachments never come": lambda _: masked(b'451-/table,["echo",{"_placeholder":true,"num":0}]'),
    "binary event without attachments": lambda _: masked(b'450-/table,["echo"]'),
    "binary acknowledgement": lambda _: masked(b"461-/table,1[]"),
    "binary frame": lambda _: masked(b"\0\1\2", BINARY),
    "event that is no JSON, no acknowledgement asked": lambda _: masked(b"42/table,[nonsense"),
    "invalid UTF-8": lambda _: masked(b'42/table,["echo","\xff"]'),
    "NUL bytes": lambda _: masked(b"\0\0\0\0"),
    "a message of 16 KB and one byte": lambda _: masked(b"4" + b"x" * 16 * 1024),
    "a message of 10 MB": lambda _: masked(_ACK + b'"' + b"x" * 10_000_000 + b'"]'),
    "fragments that add up": lambda _: masked(b"4" + b"x" * 9_000, final=False) + masked(b"x" * 9_000, 0),
    "a head that promises 2^62 bytes": lambda _: struct.pack("!BBQ", 0x81, 0xFF, 1 << 62) + b"\0" * 4,
    "an unmasked frame with a reserved bit": lambda _: b"\xc1\x05hello",
    "a reserved opcode": lambda _: masked(b"", 3),
    "a control frame of 126 bytes": lambda _: masked(b"x" * 126, PING),
    "a fragmented ping": lambda _: masked(b"", PING, final=False),
    "ping flood": lambda _: masked(b"hi", PING) * 31,
    "pong flood": lambda _: masked(b"hi", PONG) * 31,
    "event to a namespace without CONNECT": lambda _: masked(b'42/host,1["watch",{}]'),
    "DISCONNECT of a namespace without CONNECT": lambda _: masked(b"41/host,"),
    "DISCONNECT with data": lambda _: masked(b'41/table,["bye"]'),
    "namespaces tried one after the other": lambda _: b"".join(masked(b"40/n%d," % n) for n in range(11)),
}

ANSWERED: dict[str, bytes] = {
    "array for object": b"42/table,1[]",
    "no array": b'42/table,1{"a":1}',
    "no name": b"42/table,1[17]",
    "three arguments": b'42/table,1["echo",1,2]',
    "NaN": b'42/table,1["echo",NaN]',
    "half JSON": b'42/table,1["echo",{"a":',
    "lone surrogate": b'42/table,1["echo","\\ud800"]',
    "nothing": b"42/table,1",
    "attachment count on a plain event": b'42/table,1-["echo"]',
}


@asynccontextmanager
async def scene() -> AsyncIterator[tuple[Running, RawClient]]:
    """A bystander gets his broadcasts and answers before, during and after."""
    async with serving(Limits(ping_s=60, arguments_max=1)) as running:
        bystander = await RawClient.member(running.port)
        offender = await RawClient.member(running.port)
        yield running, offender
        offender.leave()
        await until(lambda: running.server.sockets_open == 1)
        running.server.emit_room("/table", "all", "news", "after")
        bystander.send_event("echo", "still here", 5)
        assert {await bystander.text(), await bystander.text()} == {
            '42/table,["news","after"]',
            '43/table,5[{"ok":true,"data":"still here"}]',
        }
        assert len(running.handler.disconnects) == 1


@pytest.mark.parametrize("what", CLOSING)
async def test_a_broken_protocol_closes_the_connection(what: str) -> None:
    async with scene() as (running, offender):
        offender.writer.write(CLOSING[what](offender))
        await offender.closed()
        await until(lambda: running.handler.disconnects)
        assert running.handler.disconnects[0][1] == "protocol error"
        assert not running.handler.events


@pytest.mark.parametrize("what", ANSWERED)
async def test_an_event_that_cannot_be_read_is_answered_with_an_error(what: str) -> None:
    async with scene() as (running, offender):
        offender.writer.write(masked(ANSWERED[what]))
        head, _, body = (await offender.text()).partition("[")
        assert head == "43/table,1"
        assert orjson.loads("[" + body)[0]["error"]["code"] == "bad_request"
        offender.send_event("echo", "better", 2)
        assert "better" in await offender.text()
        assert len(running.handler.events) == 1


async def test_repeated_messages_are_refused_in_the_end() -> None:
    async with scene() as (_running, offender):
        for _ in range(11):
            offender.send('42/table,1["echo",NaN]')
        assert len([said for said in await offender.closed() if said.startswith("43")]) == 10


async def test_an_unknown_namespace_is_refused_and_the_connection_stays() -> None:
    async with scene() as (running, offender):
        offender.send("40/nowhere,")
        assert await offender.text() == '44/nowhere,{"message":"Invalid namespace"}'
        offender.send("40")
        assert await offender.text() == '44{"message":"Invalid namespace"}'
        offender.send_event("echo", 2, 2)
        assert (await offender.text()).startswith("43/table,2")
        assert len(running.handler.events) == 1


async def test_repeated_reconnects_are_looked_up_at_a_limited_rate() -> None:
    """Each time costs a question to the database, and others wait for their turn to be let in."""
    async with serving(Limits(connects_max=5)) as running:
        client = await RawClient.member(running.port)
        for _ in range(50):
            client.send("41/table,")
            client.send("40/table,")
        await client.closed()
        await until(lambda: len(running.handler.disconnects) == 5)
        assert len(running.handler.connects) == 5


@pytest.mark.parametrize(
    "flood",
    [masked(b'42/table,1["x"]') * 300, masked(b'42/table,1["x","' + b"x" * 15_000 + b'"]') * 140],
    ids=["messages", "bytes"],
)
async def test_packets_to_a_namespace_that_the_client_has_left_are_ignored_and_counted(flood: bytes) -> None:
    async with serving(Limits(ping_s=60, close_timeout_s=60)) as running:
        client = await RawClient.member(running.port)
        client.writer.write(masked(b"41/table,") + masked(b'42/table,1["x"]') + masked(b"41/table,"))
        client.writer.write(masked(b"43/table,0[]") + masked(b"40/table,"))
        assert (await client.text()).startswith("40/table,")
        client.writer.write(masked(b"41/table,") + flood)
        await client.closed()
        assert running.server.counters.ended == {"protocol error": 1}
        assert not running.handler.events


@pytest.mark.parametrize("part", [1, 3, 8, 20])
async def test_half_a_frame_is_harmless(part: int) -> None:
    async with scene() as (running, offender):
        offender.writer.write(masked(_ACK + b"1]")[:part])
        await asyncio.sleep(0.05)
        assert not running.handler.events


async def test_a_message_of_exactly_16_kb_is_taken() -> None:
    async with serving() as running:
        client = await RawClient.member(running.port)
        message = _ACK + b'"' + b"x" * (16 * 1024 - len(_ACK) - 3) + b'"]'
        assert len(message) == 16 * 1024
        client.writer.write(masked(message))
        assert (await client.text()).startswith("43/table,1[")


@pytest.mark.parametrize(
    "data",
    [
        "[" * 900 + "]" * 900,
        '{"__proto__":{"admin":true}}',
        "123456789012345678901234567890",
        '"\\u0000\\r\\n\\u202e"',
        "{" + ",".join(f'"k{n}":1' for n in range(1200)) + "}",
    ],
    ids=["deep", "proto", "huge number", "control characters", "many keys"],
)
async def test_strange_but_readable_data_reaches_the_handler_and_is_answered(data: str) -> None:
    async with serving() as running:
        client = await RawClient.member(running.port)
        client.send(f'42/table,1["count",{data}]')
        assert (await client.text()).startswith("43/table,1[")


@pytest.mark.parametrize(
    "body",
    [b"", b"x", b"2", b"40/table,\x1e", b"\xff\xfe", b"bAQID", b"4" * 20_000, b'451-/table,["a",{}]', b"d=4"],
    ids=["empty", "junk", "ping", "empty packet", "no UTF-8", "binary", "too large", "attachments", "jsonp"],
)
async def test_a_broken_post_ends_its_session(body: bytes) -> None:
    async with serving() as running, aiohttp.ClientSession() as web:
        url = f"{running.url}/socket.io/?EIO=4&transport=polling"
        async with web.get(url) as answer:
            sid = (await answer.text()).split('"')[3]
        async with web.post(f"{url}&sid={sid}", data=body) as answer:
            assert answer.status == 400
        assert running.server.sockets_open == 0
        async with web.get(f"{url}&sid={sid}") as answer:
            assert answer.status == 400


async def test_a_body_that_is_longer_than_it_says_is_read_no_further() -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"4" * 5_000
            await asyncio.sleep(0)

    async with serving() as running, aiohttp.ClientSession() as web:
        url = f"{running.url}/socket.io/?EIO=4&transport=polling"
        async with web.get(url) as answer:
            sid = (await answer.text()).split('"')[3]
        try:
            async with web.post(f"{url}&sid={sid}", data=endless()) as answer:
                assert answer.status == 400
        except aiohttp.ClientError:
            pass
        assert running.server.sockets_open == 0


async def test_a_connect_whose_json_cannot_be_read_closes_the_connection() -> None:
    async with serving() as running:
        client = await RawClient.open(running.port)
        client.send('40/table,{"token":')
        await client.closed()
        assert not running.handler.connects


async def test_two_posts_at_once_end_the_session() -> None:
    async def halting() -> AsyncIterator[bytes]:
        yield b"40"
        await asyncio.sleep(0.2)
        yield b"/table,"

    async with serving() as running, aiohttp.ClientSession() as web:
        url = f"{running.url}/socket.io/?EIO=4&transport=polling"
        async with web.get(url) as answer:
            url += "&sid=" + (await answer.text()).split('"')[3]

        async def post(body: bytes | AsyncIterator[bytes]) -> int:
            async with web.post(url, data=body) as answer:
                return answer.status

        first = asyncio.create_task(post(halting()))
        await asyncio.sleep(0.1)
        assert await post(b"40/table,") == 400
        assert running.server.sockets_open == 0
        await first
        assert not running.handler.connects


async def test_two_polls_at_once_end_the_session() -> None:
    async with serving() as running, aiohttp.ClientSession() as web:
        url = f"{running.url}/socket.io/?EIO=4&transport=polling"
        async with web.get(url) as answer:
            url += "&sid=" + (await answer.text()).split('"')[3]

        async def poll() -> int:
            async with web.get(url) as answer:
                return answer.status

        assert sorted(await asyncio.gather(poll(), poll())) == [200, 400]
        assert running.server.sockets_open == 0


async def test_a_websocket_ping_is_answered() -> None:
    async with serving() as running:
        client = await RawClient.member(running.port)
        client.writer.write(masked(b"hello", PING))
        assert await client.frame() == (PONG, b"hello")
        client.writer.write(masked((1000).to_bytes(2, "big"), 8))
        with pytest.raises(Closed):
            await client.text()
