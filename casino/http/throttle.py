"""Request rate limit per client address, for all routes.

Excess requests wait in a queue of their address. The queue is no longer than the address has connections, and requests
of closed connections cost nothing, so a flood delays its own address by less than a second. Requests of authenticated
polling sessions do not count here: each session has its own limits.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from aiohttp import web

from casino.http.authorization import SESSION
from casino.http.client_address import address_in
from casino.http.errors import Handler, has_left, with_status
from casino.http.request_body import read_body
from casino.refusals import Reason
from casino.security.client_address import rate_limit_key
from casino.security.request_pacing import PacedQueue
from casino.security.unauthenticated_pool import Slot
from casino.settings.service import Rates

SOCKETS: Final = "/socket.io/"
SIGN_IN: Final = frozenset({"/api/login", "/api/register", "/api/guest"})


class Throttle:
    def __init__(self, rates: Rates, is_signed_in: Callable[[str], bool]) -> None:
        """`is_signed_in` knows polling sessions by their id."""
        self._queue = PacedQueue(rates.requests_per_second)
        self._is_signed_in = is_signed_in

    @web.middleware
    async def keep(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path == SOCKETS and self._is_signed_in(request.query.get("sid", "")):
            return await handler(request)
        if not await self._queue.turn(rate_limit_key(address_in(request)), partial(has_left, request)):
            raise with_status(Reason.RATE_LIMITED.refusal(), headers={"Retry-After": "20"})
        slot: Slot | None = getattr(request.protocol, "slot", None)
        if slot is None:
            return await handler(request)
        return await (self._signing_in if request.path in SIGN_IN else self._other)(request, handler, slot)

    async def _signing_in(self, request: web.Request, handler: Handler, slot: Slot) -> web.StreamResponse:
        """The connection keeps its place while a password is checked, but not while its body is awaited."""
        await read_body(request)
        slot.hold()
        try:
            answer = await handler(request)
            if answer.status < 300:
                slot.authenticate()
            return answer
        finally:
            slot.release()

    async def _other(self, request: web.Request, handler: Handler, slot: Slot) -> web.StreamResponse:
        answer = await handler(request)
        if SESSION in request:
            slot.authenticate()
        return answer
