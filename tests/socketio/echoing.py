"""The example echo server on a free port, and a polling client for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import aiohttp
import orjson
from aiohttp import web

from casino.socketio.echo import echo_application, echo_limits
from tests.socketio.raw import RawClient

SOCKET_IO = "/socket.io/?EIO=4&transport="
ENGINE_IO = "/engine.io/?EIO=4&transport="


class Echo:
    """A running echo server. `path` selects Socket.IO or plain Engine.IO."""

    def __init__(self, port: int, http: aiohttp.ClientSession) -> None:
        self.port = port
        self.http = http
        self.url = f"http://127.0.0.1:{port}"

    async def websocket(self, path: str = SOCKET_IO, sid: str | None = None) -> RawClient:
        """Opens a WebSocket; a new session has received its handshake."""
        client = await RawClient.open(self.port, sid=sid, target=f"{path}websocket")
        assert b" 101 " in client.head, client.head
        if sid is None:
            assert (await client.text()).startswith("0{")
        return client

    async def member(self, connect: str = "40") -> RawClient:
        """Opens a WebSocket, and connects it to a namespace of the echo server."""
        client = await self.websocket()
        client.send(connect)
        assert (await client.text()).startswith("40")
        assert '["auth",' in await client.text()
        return client

    async def request(self, method: str, target: str, body: str | bytes | None = None) -> tuple[int, str]:
        async with self.http.request(method, self.url + target, data=body) as response:
            return response.status, await response.text()

    async def poller(self, path: str = SOCKET_IO) -> "Poller":
        status, text = await self.request("GET", f"{path}polling")
        assert (status, text[0]) == (200, "0")
        return Poller(self, path, orjson.loads(text[1:])["sid"])


class Poller:
    """A polling session. It answers no pings by itself."""

    def __init__(self, echo: Echo, path: str, sid: str) -> None:
        self.echo = echo
        self.sid = sid
        self._target = f"{path}polling&sid={sid}"

    async def get(self) -> tuple[int, str]:
        return await self.echo.request("GET", self._target)

    async def post(self, body: str | bytes) -> tuple[int, str]:
        return await self.echo.request("POST", self._target, body)

    async def packets(self, count: int) -> list[str]:
        """Polls until so many packets have come; answers pings."""
        found: list[str] = []
        while len(found) < count:
            status, text = await self.get()
            assert status == 200, text
            for packet in text.split("\x1e"):
                if packet == "2":
                    assert (await self.post("3"))[0] == 200
                else:
                    found.append(packet)
        return found


@asynccontextmanager
async def echoing(**limits: Any) -> AsyncIterator[Echo]:  # noqa: ANN401
    """Serves with a quiet heartbeat, unless a test sets `ping_s` and `pong_s`."""
    app = echo_application(replace(echo_limits(60, 60), **limits))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        async with aiohttp.ClientSession() as http:
            yield Echo(runner.addresses[0][1], http)
    finally:
        await runner.cleanup()
