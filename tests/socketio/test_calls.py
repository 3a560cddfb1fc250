"""Events of the server that ask a client for an acknowledgement."""

import asyncio
from typing import Any

import aiohttp
import pytest
import socketio

from casino.socketio import Accept, Answer, ClientDisconnected, Handshake, Limits, SocketServer
from tests.socketio.raw import RawClient
from tests.socketio.serving import Running, serving

TRANSPORTS = pytest.mark.parametrize("transports", [["websocket"], ["polling"]], ids="+".join)


class Caller:
    """Accepts all clients; the test calls them."""

    def __init__(self) -> None:
        self.sids: list[str] = []

    async def connect(self, sid: str, _handshake: Handshake, _auth: object) -> Accept:
        self.sids.append(sid)
        return Accept()

    def event(self, _sid: str, _name: str, _args: list[Any]) -> Answer:
        return ()

    def disconnect(self, sid: str, reason: str) -> None:
        pass


def calling(running: Running) -> tuple[SocketServer, Caller]:
    caller = Caller()
    running.server.namespace("/calls", caller)
    return running.server, caller


@TRANSPORTS
async def test_a_client_acknowledges_events_of_the_server(transports: list[str]) -> None:
    async with serving(Limits(binary=True)) as running, aiohttp.ClientSession() as web:
        server, caller = calling(running)
        client = socketio.AsyncClient(http_session=web, reconnection=False)
        client.on("sum", lambda *numbers: sum(numbers), namespace="/calls")
        client.on("both", lambda one, other: (other, one), namespace="/calls")
        await client.connect(running.url, transports=transports, namespaces=["/calls"], wait_timeout=60)
        (sid,) = caller.sids
        assert await server.call(sid, "sum", 1, 2, 3, timeout_s=10) == [6]
        first = asyncio.create_task(server.call(sid, "both", b"\x01", "a"))
        assert await server.call(sid, "both", "b", {"n": 1}) == [{"n": 1}, "b"]
        assert await first == ["a", b"\x01"]
        await client.disconnect()


async def test_a_call_ends_with_its_client_or_its_time_and_a_late_answer_is_ignored() -> None:
    async with serving() as running:
        server, caller = calling(running)
        client = await RawClient.member(running.port, "/calls")
        (sid,) = caller.sids
        with pytest.raises(TimeoutError):
            await server.call(sid, "slow", timeout_s=0.05)
        assert await client.text() == '42/calls,0["slow"]'
        client.send('43/calls,0["too late"]')
        asked = asyncio.create_task(server.call(sid, "quick", 1))
        assert await client.text() == '42/calls,1["quick",1]'
        client.send('43/calls,1["in time",2]')
        assert await asked == ["in time", 2]
        lost = asyncio.create_task(server.call(sid, "quick"))
        await client.text()
        client.leave()
        with pytest.raises(ClientDisconnected):
            await lost
        with pytest.raises(ClientDisconnected):
            await server.call(sid, "quick")


@pytest.mark.parametrize("answer", ["43/calls,1[]", "43/calls,[]", "43/calls,0{}", "43/calls,0", "43/calls,0[1"])
async def test_an_acknowledgement_that_cannot_be_right_closes_the_connection(answer: str) -> None:
    async with serving() as running:
        server, caller = calling(running)
        client = await RawClient.member(running.port, "/calls")
        asked = asyncio.create_task(server.call(caller.sids[0], "quick"))
        await client.text()
        client.send(answer)
        assert await client.closed() == ["1"]
        with pytest.raises(ClientDisconnected):
            await asked


async def test_the_number_of_awaited_acknowledgements_is_bounded() -> None:
    async with serving(Limits(awaited_acks_max=2)) as running:
        server, caller = calling(running)
        client = await RawClient.member(running.port, "/calls")
        (sid,) = caller.sids
        asked = [asyncio.create_task(server.call(sid, "quick")) for _ in range(2)]
        await client.text()
        await client.text()
        with pytest.raises(RuntimeError, match="too many acknowledgements"):
            await server.call(sid, "quick")
        client.send("43/calls,1[]")
        assert await asked[1] == []
        asked[0].cancel()
