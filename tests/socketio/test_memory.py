"""Memory of ended connections: no objects remain, in particular no reference cycles.

The service collects reference cycles rarely (`casino/observability/gc_tuning.py`). A connection that stayed in one
after its end would be a memory leak.
"""

import asyncio
import gc
import json
import socket
from collections.abc import Awaitable, Callable, Iterator

import aiohttp
import pytest
from aiohttp import web

from casino.socketio.engine_session import EngineSession
from tests.socketio.raw import BINARY, CLOSE, RawClient, masked
from tests.socketio.serving import Running, serving, until

pytestmark = pytest.mark.req("OPS")


async def hangs_up(client: RawClient, _running: Running) -> None:
    client.leave()


async def resets(client: RawClient, _running: Running) -> None:
    plain = client.writer.get_extra_info("socket")
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    client.leave()


async def says_goodbye(client: RawClient, _running: Running) -> None:
    client.send("1")
    await client.closed()


async def closes_as_browsers_do(client: RawClient, _running: Running) -> None:
    client.writer.write(masked(b"\x03\xe8", CLOSE))
    await client.closed()


async def sends_what_nobody_reads(client: RawClient, _running: Running) -> None:
    client.writer.write(masked(b"\0\1\2", BINARY))
    await client.closed()


async def sends_no_frame(client: RawClient, _running: Running) -> None:
    client.writer.write(b"\xff" * 20)
    await client.closed()


async def is_sent_away(client: RawClient, _running: Running) -> None:
    client.send_event("out", None, 1)
    await client.closed()


ENDS: list[Callable[[RawClient, Running], Awaitable[None]]] = [
    hangs_up,
    resets,
    says_goodbye,
    closes_as_browsers_do,
    sends_what_nobody_reads,
    sends_no_frame,
    is_sent_away,
]


@pytest.fixture
def nobody_looks_for_circles() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def left_over() -> list[object]:
    return [one for one in gc.get_objects() if isinstance(one, EngineSession | web.WebSocketResponse | web.Request)]


@pytest.mark.usefixtures("nobody_looks_for_circles")
@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
async def test_nothing_is_left_of_a_websocket(end: Callable[[RawClient, Running], Awaitable[None]]) -> None:
    before = left_over()
    async with serving() as running:
        client = await RawClient.member(running.port)
        await end(client, running)
        client.leave()
        await until(lambda: running.server.sockets_open == 0)
        await asyncio.sleep(0.1)  # until the server has seen the end of it, too
        assert [type(one) for one in left_over() if one not in before] == []


@pytest.mark.usefixtures("nobody_looks_for_circles")
async def test_nothing_is_left_of_an_upgrade_that_came_to_nothing() -> None:
    before = left_over()
    async with serving() as running, aiohttp.ClientSession() as web_client:
        async with web_client.get(f"{running.url}/socket.io/?EIO=4&transport=polling") as answer:
            sid = json.loads((await answer.text())[1:])["sid"]
        client = await RawClient.open(running.port, sid=sid)
        client.send("no probe")
        await client.closed()
        client.leave()
        await asyncio.sleep(0.1)
        assert running.server.sockets_open == 1, "it goes on polling"
        left = [type(one) for one in left_over() if one not in before]
        assert left.count(web.WebSocketResponse) == 0
