"""The HTTP server where it answers by itself, before any route is reached: in our words, and without patience.

What is no HTTP at all, an Expect header nobody knows, a failure outside every handler: all of it gets the same shape
of error and the same headers. A connection that asks for nothing is closed. This stands on the inside of aiohttp; a
test fails if that moves.
"""

import asyncio
from typing import Final

import structlog
from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from casino.api.answers import (
    REQUEST_ID,
    REQUEST_ID_HEADER,
    SECURITY_HEADERS,
    error_answer,
    has_left,
    http_error_answer,
    internal_error_answer,
    new_request_id,
)
from casino.errors import Code

FIRST_REQUEST_SECONDS_MAX: Final = 10.0
KEEPALIVE_SECONDS: Final = 75.0
LINGERING_SECONDS: Final = 2.0

_log = structlog.get_logger()


class Runner(web.AppRunner):
    """Runs the application on a server that speaks as the application does."""

    def __init__(self, app: web.Application, *, shutdown_timeout: float) -> None:
        super().__init__(
            app,
            access_log=None,
            shutdown_timeout=shutdown_timeout,
            keepalive_timeout=KEEPALIVE_SECONDS,
            lingering_time=LINGERING_SECONDS,
            auto_decompress=False,  # a small body would become a large one, and everybody waits while it does
        )

    async def _make_server(self) -> web.Server:
        plain = await super()._make_server()
        return _Server(
            plain.request_handler,
            request_factory=plain.request_factory,
            loop=asyncio.get_running_loop(),
            **plain._kwargs,  # noqa: SLF001
        )


class _Server(web.Server):
    def __call__(self) -> RequestHandler:
        return _Connection(self, loop=self._loop, **self._kwargs)


class _Connection(RequestHandler):
    __slots__ = ()  # there may be thousands

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._loop.call_later(FIRST_REQUEST_SECONDS_MAX, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self._request_count == 0:
            self.force_close()

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        if isinstance(resp, web.HTTPException) and resp.status >= 400:
            resp = http_error_answer(resp, request.setdefault(REQUEST_ID, new_request_id()))
        return await super().finish_response(request, resp, start_time)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - the library's words, which quote what was sent
    ) -> web.StreamResponse:
        request_id = new_request_id()
        if isinstance(exc, ConnectionError) and has_left(request):
            raise exc
        if status < 500:
            _log.debug("not_http", request_id=request_id, status=status, kind=type(exc).__name__)
            answer = error_answer(status, Code.BAD_REQUEST, "The request cannot be understood.", request_id)
        else:
            _log.error("request_failed", request_id=request_id, exc_info=exc)
            answer = internal_error_answer(request_id)
        if request.writer.output_size > 0:
            raise ConnectionError("An answer is on its way already.")
        answer.headers.update(SECURITY_HEADERS | {REQUEST_ID_HEADER: request_id})
        answer.force_close()
        return answer
