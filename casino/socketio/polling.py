"""Long polling: packets out as the answer to a GET, packets in as the body of a POST.

Decides what a broken request costs: the session. Refuses to know what the packets say.
"""

import asyncio

from aiohttp import web

from casino.sockets.transport.connection import Connection, Reason, Violation
from casino.sockets.transport.limits import Limits

_SEPARATOR = "\x1e"


async def answer_poll(connection: Connection) -> web.Response:
    try:
        body = await connection.poll()
    except Violation:
        return _closed(connection)
    return web.Response(body=body, content_type="text/plain", charset="utf-8")


async def take_post(connection: Connection, request: web.Request, limits: Limits) -> web.Response:
    if connection.posting:
        return _closed(connection)
    connection.posting = True
    try:
        async with asyncio.timeout(limits.body_s):
            body = await _body(request, limits.message_bytes_max)
        for text in body.decode().split(_SEPARATOR):
            connection.take(text)
    except (Violation, UnicodeDecodeError, TimeoutError):
        return _closed(connection)
    finally:
        connection.posting = False
    return web.Response(text="ok", content_type="text/html")


async def _body(request: web.Request, bytes_max: int) -> bytes:
    """Reads no more than may come, whatever the header promised."""
    if request.content_length is not None and request.content_length > bytes_max:
        raise Violation("the body is too large")
    body = bytearray()
    async for chunk in request.content.iter_any():
        body += chunk
        if len(body) > bytes_max:
            raise Violation("the body is too large")
    return bytes(body)


def _closed(connection: Connection) -> web.Response:
    connection.end(Reason.BAD_INPUT)
    return web.Response(status=400, body=b'{"code":3,"message":"Bad request"}', content_type="application/json")
