"""One address asks only so fast, whoever it is and whatever it asks for: others need the processor too."""

import asyncio

from aiohttp import web

from casino.api.answers import Answered, Handler
from casino.api.asking import address_in
from casino.clock import Clock
from casino.door.addresses import household
from casino.door.pace import Pacemaker
from casino.door.rates import steady_clock
from casino.errors import Code
from casino.settings.house import Rates


class Pace:
    def __init__(self, rates: Rates, clock: Clock = steady_clock) -> None:
        self._pacemaker = Pacemaker(rates.requests_per_second)
        self._clock = clock

    @web.middleware
    async def keep(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        wait_ms = self._pacemaker.take(household(address_in(request)), self._clock())
        if wait_ms is None:
            raise Answered(Code.RATE_LIMITED, "Too many requests from this address.", headers={"Retry-After": "10"})
        if wait_ms:
            await asyncio.sleep(wait_ms / 1000)
        return await handler(request)
