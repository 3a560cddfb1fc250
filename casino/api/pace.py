"""One address asks only so fast, whoever it is and whatever it asks for: others need the processor too.

Sockets have bounds of their own, and thousands may come back at once: of their requests only those count that are
refused.
"""

import asyncio
from typing import Final

from aiohttp import web

from casino.api.answers import Answered, Handler
from casino.api.asking import address_in
from casino.clock import Clock
from casino.door.addresses import household
from casino.door.pace import Pacemaker
from casino.door.rates import steady_clock
from casino.errors import Code
from casino.settings.house import Rates

SOCKETS: Final = "/socket.io/"


class Pace:
    def __init__(self, rates: Rates, clock: Clock = steady_clock) -> None:
        self._pacemaker = Pacemaker(rates.requests_per_second)
        self._clock = clock

    @web.middleware
    async def keep(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        address, now_ms = household(address_in(request)), self._clock()
        is_socket = request.path == SOCKETS
        wait_ms = self._pacemaker.wait_ms(address, now_ms) if is_socket else self._pacemaker.take(address, now_ms)
        if wait_ms is None:
            raise Answered(Code.RATE_LIMITED, "Too many requests from this address.", headers={"Retry-After": "20"})
        if wait_ms:
            await asyncio.sleep(wait_ms / 1000)
        answer = await handler(request)
        if is_socket and answer.status >= 400:
            self._pacemaker.take(address, self._clock())
        return answer
