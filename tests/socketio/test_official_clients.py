"""Official clients, unchanged: JavaScript from npm and Python from PyPI, by WebSocket, polling and upgrade."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import socketio

from casino.socketio import Limits
from tests.socketio.serving import Running, serving, until

SCRIPT = Path(__file__).with_name("official_client.mjs")
WEB = Path(__file__).resolve().parents[2] / "web"
GOOD = "right"
WAYS = [["websocket"], ["polling"], ["polling", "websocket"], ["websocket", "polling"]]


class JavaScript:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def next(self, what: str | None = None) -> dict[str, Any]:
        assert self.process.stdout is not None
        while True:
            async with asyncio.timeout(60):
                line = await self.process.stdout.readline()
            assert line, "the client is gone"
            happened: dict[str, Any] = json.loads(line)
            if what is None or happened["what"] == what:
                return happened

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")


@asynccontextmanager
async def javascript(running: Running, ways: list[str], token: str = GOOD) -> AsyncIterator[JavaScript]:
    process = await asyncio.create_subprocess_exec(
        "node", str(SCRIPT), str(WEB), running.url, json.dumps(ways), token,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield JavaScript(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize("ways", WAYS, ids="+".join)
async def test_javascript_client_connects_gets_acks_and_all_events_in_order(ways: list[str]) -> None:
    async with serving(Limits(ping_s=0.2, pong_s=2.0)) as running, javascript(running, ways) as client:
        await until(lambda: running.server.inside("/table", "all"))
        ((sid, _, auth),) = running.handler.connects
        assert auth == {"token": "right"}
        messages = 300
        for n in range(messages):  # while it is upgrading, where it does
            if n % 2:
                running.server.emit_room("/table", "all", "news", n)
            else:
                running.server.emit(sid, "mine", n)
            if n % 10 == 0:
                await asyncio.sleep(0.002)
        happened: list[dict[str, Any]] = []
        while sum(one["what"] in ("message", "ack") for one in happened) < messages + 1:
            happened.append(await client.next())
        assert [one["n"] for one in happened if one["what"] == "message"] == list(range(messages))
        echo = {"ok": True, "data": {"text": "ß €", "list": [1, None, True]}}
        assert [one["answer"] for one in happened if one["what"] == "ack"] == [echo]
        await asyncio.sleep(0.5)  # some pings later it is still there, over the way it should be
        client.tell("transport")
        expected = "websocket" if "websocket" in ways else "polling"
        assert (await client.next("transport"))["transport"] == expected
        for n in range(20):
            client.tell(json.dumps(["to_me" if n % 2 else "to_all", n]))
        answers = [await client.next() for _ in range(40)]
        assert [one["n"] if one["what"] == "message" else one["answer"]["data"] for one in answers] == [
            n for n in range(20) for _ in range(2)
        ]
        assert not running.handler.disconnects
        client.tell("quit")
        await until(lambda: running.handler.disconnects)
        assert len(running.handler.connects) == 1


@pytest.mark.parametrize("ways", WAYS[:3], ids="+".join)
async def test_the_javascript_client_is_refused_with_a_code(ways: list[str]) -> None:
    async with serving() as running, javascript(running, ways, "wrong") as client:
        error = await client.next()
        assert error == {"what": "connect_error", "message": "Sign in first.", "data": {"code": "not_authenticated"}}


@pytest.mark.parametrize("ways", WAYS[:3], ids="+".join)
async def test_the_javascript_client_that_is_disconnected_stays_away(ways: list[str]) -> None:
    async with serving() as running, javascript(running, ways) as client:
        sid = (await client.next("connect"))["sid"]
        await client.next("ack")
        running.server.disconnect(sid)
        assert (await client.next("disconnect"))["reason"] == "io server disconnect"
        await asyncio.sleep(0.3)
        assert len(running.handler.connects) == 1
        await until(lambda: running.server.sockets_open == 0)


@pytest.mark.parametrize("ways", WAYS[:3], ids="+".join)
async def test_the_javascript_client_comes_back_after_a_lost_connection(ways: list[str]) -> None:
    async with serving() as running, javascript(running, ways) as client:
        await client.next("connect")
        await client.next("ack")
        await running.server.close()
        assert (await client.next("disconnect"))["reason"] in {"transport close", "transport error"}
        await client.next("connect")
        assert len(running.handler.connects) == 2


@pytest.mark.parametrize("ways", WAYS[:3], ids="+".join)
async def test_python_client_connects_gets_acks_and_all_events_in_order(ways: list[str]) -> None:
    async with serving(Limits(ping_s=0.2, pong_s=2.0)) as running, aiohttp.ClientSession() as web:
        client = socketio.AsyncClient(http_session=web)
        received: list[int] = []
        client.on("news", received.append, namespace="/table")
        client.on("mine", received.append, namespace="/table")
        await client.connect(
            running.url, transports=ways, namespaces=["/table"], wait_timeout=60, auth={"token": "right"}
        )
        assert await client.call("echo", {"a": 1}, namespace="/table") == {"ok": True, "data": {"a": 1}}
        sid = client.get_sid("/table")
        assert sid is not None
        for n in range(200):
            if n % 2:
                running.server.emit_room("/table", "all", "news", n)
            else:
                running.server.emit(sid, "mine", n)
        await until(lambda: len(received) == 200)
        assert received == list(range(200))
        await asyncio.sleep(0.5)
        assert client.transport() == ("websocket" if "websocket" in ways else "polling")
        assert await client.call("echo", None, namespace="/table") == {"ok": True, "data": None}
        await client.disconnect()
        await until(lambda: running.handler.disconnects)


@pytest.mark.parametrize("ways", WAYS[:2], ids="+".join)
async def test_the_python_client_is_refused_with_a_code_and_disconnected_for_good(ways: list[str]) -> None:
    async with serving() as running, aiohttp.ClientSession() as web:
        client = socketio.AsyncClient(reconnection=False, http_session=web)
        refusals: list[object] = []
        client.on("connect_error", refusals.append, namespace="/table")
        await client.connect(running.url, transports=ways, namespaces=["/table"], wait=False, auth={"token": "wrong"})
        await until(lambda: refusals)
        await client.disconnect()
        assert refusals == [{"message": "Sign in first.", "data": {"code": "not_authenticated"}}]
        client = socketio.AsyncClient(http_session=web)
        await client.connect(running.url, transports=ways, namespaces=["/table"], wait_timeout=60)
        loops = [client.eio.read_loop_task, client.eio.write_loop_task]
        sid = client.get_sid("/table")
        assert sid is not None
        running.server.disconnect(sid)
        await until(lambda: not client.connected)
        await client.disconnect()
        # The client says goodbye in a task of its own; its connection must not reach a server that is already closing.
        await asyncio.wait(loops, timeout=60)
