"""One HTTP connection, with limits that apply before a byte is parsed.

Counts bytes and lines between two request heads, limits the size of a head, gives every head a deadline, and never
parses data after a refusal. aiohttp does the parsing. This class relies on aiohttp internals; a test fails if they
change.
"""

import asyncio
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import LineTooLong
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader
from aiohttp.web_protocol import RequestHandler, _ErrInfo

from casino.security.unauthenticated_pool import Slot

HEAD_SECONDS_MAX: Final = 10.0
HEAD_BYTES_MAX: Final = 16 * 1024
HEAD_FIELD_BYTES_MAX: Final = 8 * 1024
HEAD_FIELDS_MAX: Final = 64
QUEUED_HEAD_BYTES_MAX: Final = 64 * 1024
"""Bound on pipelined requests, sent before the response to an earlier one."""

BODY_BYTES_MAX: Final = 32 * 1024
"""Size on the wire; the reader limits the decoded body."""

LINES_MAX: Final = 256
"""Bound on lines of a head or chunks of a body: each chunk costs as much as a small request."""

GOODBYE_SECONDS: Final = 1.0
DISCARDED_BYTES_MAX: Final = 128 * 1024
"""Bytes read and discarded after a refusal, so that a client that sends first and reads then gets the response."""


class BoundedConnection(RequestHandler):
    __slots__ = (
        "_body",
        "_bytes",
        "_closing",
        "_discarded",
        "_is_refused",
        "_lines",
        "_requests_seen",
        "_timer",
        "slot",
    )

    def __init__(self, manager: web.Server, *, loop: asyncio.AbstractEventLoop, **options: object) -> None:
        super().__init__(manager, loop=loop, **options)  # type: ignore[arg-type]
        self.slot: Slot | None = None
        self._body: StreamReader = EMPTY_PAYLOAD
        self._bytes = 0  # since the last complete head
        self._lines = 0
        self._requests_seen = 0
        self._timer: asyncio.TimerHandle | None = None
        self._closing: asyncio.Transport | None = None
        self._discarded = 0
        self._is_refused = False

    def evict(self) -> None:
        """Closes the connection at once, without a response."""
        self.force_close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if self._force_close:  # evicted before it began
            transport.close()
        self._await_head()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop_timer()
        self._closing = None
        if self.slot is not None:
            self.slot.leave()
            self.slot = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            self._discard(len(data))
        elif not data or self._upgraded:
            super().data_received(data)
            self._note_requests()
        else:
            self._receive(data)

    def _receive(self, data: bytes) -> None:
        self._bytes += len(data)
        self._lines += data.count(b"\r\n")
        if not self._body.is_eof():
            if self._bytes > BODY_BYTES_MAX or self._lines > LINES_MAX:
                self._refuse_body()
                return
        elif self._lines > LINES_MAX:
            self._refuse_head()
            return
        elif self._timer is None:
            self._await_head()
        super().data_received(data)
        if not self._note_requests() and self._body.is_eof() and self._bytes > HEAD_BYTES_MAX:
            self._refuse_head()

    def _note_requests(self) -> bool:
        """Whether a head has been completed."""
        count = self._request_count - self._requests_seen
        if not count:
            return False
        self._requests_seen = self._request_count
        self._bytes = self._lines = 0
        self._stop_timer()
        if self.slot is not None:
            self.slot.touch()
        sizes = [_head_bytes(message) for message, _ in self._messages]
        if max(sizes[-count:], default=0) > HEAD_BYTES_MAX or sum(sizes[:-1]) > QUEUED_HEAD_BYTES_MAX:
            for _ in range(min(count, len(self._messages))):
                self._messages.pop()
            self._refuse_head()
        elif self._messages:
            newest, self._body = self._messages[-1]
            self._is_refused = isinstance(newest, _ErrInfo)  # not HTTP: this response is the last one
        return True

    # Refusals

    def _refuse_head(self) -> None:
        """Queues a response after those to earlier requests, and stops parsing."""
        self._is_refused = True
        self._stop_timer()
        failure = LineTooLong(b"", HEAD_BYTES_MAX)
        self._messages.append((_ErrInfo(status=431, exc=failure, message=""), EMPTY_PAYLOAD))
        self._request_count += 1
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _refuse_body(self) -> None:
        """Fails the handler that reads the body; its response is the last one on this connection."""
        self._is_refused = True
        self._body.set_exception(web.RequestPayloadError("the body is too large, or in too many chunks"))

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        is_last = (self._is_refused and not self._messages) or not request.content.is_eof()
        if is_last:
            resp.force_close()
        answered = await super().finish_response(request, resp, start_time)
        if is_last:
            self._say_goodbye()
        return answered

    def _say_goodbye(self) -> None:
        """Half-closes the connection; does not wait for the rest of the body."""
        transport, self.transport = self.transport, None
        if transport is None or transport.is_closing():
            return
        self._is_refused = True
        self._closing = transport
        transport.write_eof()
        self._stop_timer()
        self._timer = self._loop.call_later(GOODBYE_SECONDS, transport.abort)

    def _discard(self, size: int) -> None:
        """Stops reading a client that sends on: waiting costs less than a new connection of the same client."""
        self._discarded += size
        transport = self._closing or self.transport
        if self._discarded > DISCARDED_BYTES_MAX and transport is not None:
            transport.pause_reading()

    # Timeouts

    def _await_head(self) -> None:
        self._timer = self._loop.call_later(HEAD_SECONDS_MAX, self._head_overdue)

    def _head_overdue(self) -> None:
        self._timer = None
        self.force_close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _head_bytes(message: object) -> int:
    fields: tuple[tuple[bytes, bytes], ...] = getattr(message, "raw_headers", ())
    path: str = getattr(message, "path", "")
    return len(path) + sum(len(name) + len(value) + 4 for name, value in fields)
