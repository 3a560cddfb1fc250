"""HTTP server: replies to malformed requests before any route is reached, and enforces timeouts.

Malformed HTTP, an unknown Expect header and failures outside handlers get the usual error format and headers. Idle
connections are closed. This relies on aiohttp internals; a test fails if they change.
"""

import asyncio
from typing import Final

import structlog
from aiohttp import web

from casino.errors import Code, Refusal
from casino.http.connection import HEAD_FIELD_BYTES_MAX, HEAD_FIELDS_MAX, BoundedConnection
from casino.http.errors import (
    REQUEST_ID,
    REQUEST_ID_HEADER,
    SECURITY_HEADERS,
    error_answer,
    has_left,
    http_error_answer,
    internal_error_answer,
    new_request_id,
)

KEEPALIVE_SECONDS: Final = 75.0
READ_BUFFER_BYTES: Final = 16 * 1024

_NOT_HTTP: Final = {400: "The request cannot be understood.", 431: "The request's headers are too large."}

_log = structlog.get_logger()


class Runner(web.AppRunner):
    """Runs the application on this server."""

    def __init__(self, app: web.Application, *, shutdown_timeout: float) -> None:
        super().__init__(
            app,
            access_log=None,
            shutdown_timeout=shutdown_timeout,
            keepalive_timeout=KEEPALIVE_SECONDS,
            lingering_time=0.0,
            max_line_size=HEAD_FIELD_BYTES_MAX,
            max_field_size=HEAD_FIELD_BYTES_MAX,
            max_headers=HEAD_FIELDS_MAX,
            read_bufsize=READ_BUFFER_BYTES,
            auto_decompress=False,  # a small body could decompress into a large one and block the event loop
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
    def __call__(self) -> BoundedConnection:
        return _Connection(self, loop=self._loop, **self._kwargs)


class _Connection(BoundedConnection):
    __slots__ = ()  # there may be thousands

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
            answer = error_answer(status, Refusal(Code.BAD_REQUEST, _NOT_HTTP.get(status, _NOT_HTTP[400])), request_id)
        else:
            _log.error("request_failed", request_id=request_id, exc_info=exc)
            answer = internal_error_answer(request_id)
        if request.writer.output_size > 0:
            raise ConnectionError("An answer is on its way already.")
        answer.headers.update(SECURITY_HEADERS | {REQUEST_ID_HEADER: request_id})
        answer.force_close()
        return answer
