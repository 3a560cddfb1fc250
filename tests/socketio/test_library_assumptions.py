"""Assumptions of the transport about its libraries.

If one of these tests fails after an upgrade, read casino/socketio/websocket.py and engine_session.py before anything
else: broadcasts are written past aiohttp.
"""

import ast
import asyncio
import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from aiohttp import web

import casino.socketio
from casino.socketio.packets import frame
from tests.socketio.raw import RawClient

PACKAGE = Path(casino.socketio.__file__).parent
PROJECT = PACKAGE.parents[1] / "pyproject.toml"


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*.py")), ids=lambda path: path.name)
def test_no_private_attribute_of_a_library_is_touched(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            owner = node.value
            assert isinstance(owner, ast.Name), f"{path.name}:{node.lineno} reaches into something's .{node.attr}"
            assert owner.id in {"self", "cls"}, f"{path.name}:{node.lineno} reaches into {owner.id}.{node.attr}"


def test_the_official_clients_that_the_tests_speak_with_are_pinned() -> None:
    wanted = tomllib.loads(PROJECT.read_text())["project"]["dependencies"]
    for library in ("python-socketio", "python-engineio"):
        assert f"{library}=={version(library)}" in wanted, (
            f"{library} is not pinned to the version these tests ran with"
        )


def test_aiohttp_websockets_still_take_the_options_we_rely_on() -> None:
    options = inspect.signature(web.WebSocketResponse.__init__).parameters
    for option in ("timeout", "autoclose", "autoping", "compress", "max_msg_size"):
        assert option in options, f"aiohttp's WebSocketResponse lost its option {option!r}"


async def test_aiohttp_keeps_nothing_back_of_what_is_written_to_a_websocket() -> None:
    """Bytes written to `request.transport` and frames sent by aiohttp itself leave in the order of the calls."""
    seen: list[object] = []

    async def handler(request: web.Request) -> web.WebSocketResponse:
        response = web.WebSocketResponse(compress=False, autoping=False, autoclose=False)
        await response.prepare(request)
        wire = request.transport
        assert wire is not None, "aiohttp's request has no transport any more"
        for method in ("write", "abort", "close", "is_closing", "get_write_buffer_size", "set_write_buffer_limits"):
            assert callable(getattr(wire, method, None)), f"the loop's transport lost {method}()"
        for n in range(0, 100, 2):
            wire.write(frame(str(n).encode()))
            await response.send_str(str(n + 1))
        seen.append((await response.receive()).type)
        wire.abort()
        seen.append((await response.receive()).type)  # an aborted transport wakes the reader
        return response

    app = web.Application()
    app.router.add_get("/socket.io/", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    client = await RawClient.open(runner.addresses[0][1])
    received = [(await client.frame())[1] for _ in range(100)]
    assert received == [str(n).encode() for n in range(100)], "aiohttp holds back what it is given to send"
    client.send("end")
    async with asyncio.timeout(60):
        while len(seen) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert seen[0] is web.WSMsgType.TEXT
    assert seen[1] in {web.WSMsgType.CLOSED, web.WSMsgType.ERROR, web.WSMsgType.CLOSING}
    await runner.cleanup()
