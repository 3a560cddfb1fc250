"""Reading a WebSocket: the client that begins with one, and the client that comes over from polling.

Decides which frames end the connection. Compression is never accepted, binary frames are refused. Frames are read
by aiohttp; nothing is ever written through it after the handshake, so that everything keeps one order.
"""

import asyncio
from itertools import count
from typing import Final

from aiohttp import WebSocketError, WSMessage, WSMsgType, web

from casino.sockets.transport import packets
from casino.sockets.transport.connection import Connection, Reason, Violation
from casino.sockets.transport.limits import Limits

_FRAMES_AT_ONCE: Final = 8
"""One client may send hundreds at once; everybody else's next one is served after so many of them."""


async def accept(request: web.Request, limits: Limits) -> tuple[web.WebSocketResponse, asyncio.Transport]:
    response = web.WebSocketResponse(
        compress=False,
        max_msg_size=limits.message_bytes_max + 1,  # aiohttp's bound is the first size refused
        timeout=limits.farewell_s,
        autoping=False,
        autoclose=False,
    )
    await response.prepare(request)
    wire = request.transport
    if wire is None:
        raise ConnectionResetError("the client left during the handshake")
    return response, wire


async def begin(connection: Connection, request: web.Request, limits: Limits) -> web.WebSocketResponse:
    """A session that is a WebSocket from its first packet."""
    try:
        response, wire = await accept(request, limits)
    except BaseException:
        connection.end(Reason.CONNECTION_LOST)
        raise
    connection.go_direct(wire)
    await _read(connection, response, wire)
    return response


async def upgrade(connection: Connection, request: web.Request, limits: Limits) -> web.WebSocketResponse:
    """A polling session probes a WebSocket, then moves to it; a probe that fails leaves it polling.

    One at a time: of several, all but the last would stay open with nobody to ask whether they are alive.
    """
    connection.probing = True
    try:
        response, wire = await accept(request, limits)
        async with asyncio.timeout(limits.upgrade_s):
            moved = await _probe(connection, response, wire)
    except TimeoutError:
        moved = False
    finally:
        connection.probing = False
        connection.release()
    if moved and connection.ended is None:
        connection.go_direct(wire)
        await _read(connection, response, wire)
    else:
        wire.close()
        await _untie(response)
    return response


async def _probe(connection: Connection, response: web.WebSocketResponse, wire: asyncio.Transport) -> bool:
    if _text(await response.receive()) != "2probe" or connection.ended is not None or wire.is_closing():
        return False
    connection.hold()
    wire.write(packets.text_frame(packets.PROBE_ANSWER))
    return _text(await response.receive()) == "5"


def _text(message: WSMessage) -> str | None:
    return message.data if message.type is WSMsgType.TEXT else None


async def _read(connection: Connection, response: web.WebSocketResponse, wire: asyncio.Transport) -> None:
    """Until the connection is gone; after the session's end it only waits for the peer to close its side."""
    try:
        for number in count(1):
            if not _take(connection, await response.receive()):
                break
            if number % _FRAMES_AT_ONCE == 0:
                await asyncio.sleep(0)  # frames that have arrived already are given out without a turn for anybody else
    except Violation:
        connection.end(Reason.BAD_INPUT)
    finally:
        if not wire.is_closing():
            if connection.ended is None:
                wire.write(packets.close_frame(1000))
            wire.close()
        connection.end(Reason.CONNECTION_LOST)
        await _untie(response)


async def _untie(response: web.WebSocketResponse) -> None:
    """So that nothing of it stays: aiohttp keeps what went wrong at the close, that keeps the calls it went through,
    and those keep the connection. Circles are looked for so rarely (`casino/rubbish.py`) that this would be a leak."""
    await response.close(drain=False)  # writes nothing: the transport is closing
    failure = response.exception()
    while failure is not None:
        failure.__traceback__ = None
        failure.__context__, failure = None, failure.__context__


def _take(connection: Connection, message: WSMessage) -> bool:
    """Whether more may come."""
    if message.type is WSMsgType.TEXT:
        connection.take(message.data)
    elif message.type is WSMsgType.PING:
        connection.control_frame(ping=message.data)
    elif message.type is WSMsgType.PONG:
        connection.control_frame(ping=None)
    elif message.type is WSMsgType.BINARY or isinstance(message.data, WebSocketError):
        raise Violation("a binary frame, one too large, or none at all")
    else:
        return False
    return True
