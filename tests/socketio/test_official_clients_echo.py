"""Official JavaScript and Python clients, unchanged, against the echo server: every kind of packet."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import socketio

from tests.socketio.echoing import echoing
from tests.socketio.serving import until

SCRIPT = Path(__file__).with_name("echo_client.mjs")
WEB = Path(__file__).resolve().parents[2] / "web"
TRANSPORTS = pytest.mark.parametrize("transports", [["websocket"], ["polling"], ["polling", "websocket"]], ids="+".join)


@TRANSPORTS
async def test_the_javascript_client_exchanges_events_acknowledgements_and_binary(transports: list[str]) -> None:
    async with echoing(ping_s=0.3, pong_s=10) as echo:
        process = await asyncio.create_subprocess_exec(
            "node", str(SCRIPT), str(WEB), echo.url, json.dumps(transports), stdout=asyncio.subprocess.PIPE
        )
        try:
            async with asyncio.timeout(30):
                out, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    found = json.loads(out)
    for namespace, auth in (("main", {}), ("custom", {"token": "abc"})):
        transport = found[namespace].pop("transport")
        assert transport in transports
        assert found[namespace] == {
            "auth": [auth],
            "back": [1, "2", {"3": [True]}],
            "none": [],
            "ack": [1, [None], "€"],
            "noArguments": [],
            "binary": [{"bytes": [1, 2, 3]}, {"deep": [{"bytes": []}]}],
            "binaryAck": [{"bytes": [4, 5]}, "text"],
        }
    assert found["refusal"] == {"message": "Invalid namespace", "data": None}


@TRANSPORTS
@pytest.mark.parametrize("namespace", ["/", "/custom"])
async def test_the_python_client_exchanges_events_acknowledgements_and_binary(
    transports: list[str], namespace: str
) -> None:
    async with echoing(ping_s=0.3, pong_s=10) as echo, aiohttp.ClientSession() as web:
        client = socketio.AsyncClient(http_session=web, reconnection=False)
        received: list[tuple[Any, ...]] = []
        client.on("auth", lambda *args: received.append(args), namespace=namespace)
        client.on("message-back", lambda *args: received.append(args), namespace=namespace)
        await client.connect(
            echo.url, transports=transports, namespaces=[namespace], auth={"token": 1}, wait_timeout=60
        )
        data = (b"\x01\x02", {"deep": [b"", "€"]}, None, 3)
        await client.emit("message", data, namespace=namespace)
        await client.emit("message", namespace=namespace)
        answer = await client.call("message-with-ack", data, namespace=namespace)
        await until(lambda: len(received) == 3)
        assert received == [({"token": 1},), data, ()]
        assert answer == data
        await client.disconnect()


async def test_the_command_serves_until_it_is_stopped() -> None:
    command = ("-m", "casino.socketio.echo", "--port", "0", "--ping", "7", "--pong", "3")
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(20):
            url = (await process.stdout.readline()).decode().strip()
        async with aiohttp.ClientSession() as web, web.get(f"{url}/socket.io/?EIO=4&transport=polling") as response:
            terms = json.loads((await response.text())[1:])
        assert (terms["pingInterval"], terms["pingTimeout"], terms["maxPayload"]) == (7_000, 3_000, 1_000_000)
    finally:
        process.terminate()
        await process.wait()
