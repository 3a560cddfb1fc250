"""HTTP long-polling transport: sends packets as the response to a GET, receives packets as the body of a POST.

A malformed request ends the session.
"""

import asyncio
import base64

from aiohttp import web

from casino.socketio.engine_session import EngineSession, Reason, Violation
from casino.socketio.limits import Limits

_SEPARATOR = "\x1e"


async def answer_poll(session: EngineSession) -> web.Response:
    try:
        body = await session.poll()
    except Violation:
        return _closed(session)
    return web.Response(body=body, content_type="text/plain", charset="utf-8")


async def take_post(session: EngineSession, request: web.Request, limits: Limits) -> web.Response:
    if session.posting:
        return _closed(session)
    session.posting = True
    try:
        async with asyncio.timeout(limits.body_s):
            body = await _body(request, limits.message_bytes_max)
        for text in body.decode().split(_SEPARATOR):
            if text.startswith("b"):
                session.take_binary(base64.b64decode(text[1:], validate=True))
            else:
                session.take(text)
    except (Violation, ValueError, TimeoutError, web.RequestPayloadError):
        return _closed(session)
    finally:
        session.posting = False
    return web.Response(text="ok", content_type="text/html")


async def _body(request: web.Request, bytes_max: int) -> bytes:
    """Stops reading at the limit, whatever Content-Length says."""
    if request.content_length is not None and request.content_length > bytes_max:
        raise Violation("the body is too large")
    body = bytearray()
    async for chunk in request.content.iter_any():
        body += chunk
        if len(body) > bytes_max:
            raise Violation("the body is too large")
    return bytes(body)


def _closed(session: EngineSession) -> web.Response:
    session.end(Reason.BAD_INPUT)
    return web.Response(status=400, body=b'{"code":3,"message":"Bad request"}', content_type="application/json")
