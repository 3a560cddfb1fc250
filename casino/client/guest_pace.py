"""Creates guests one after another, at a configured rate or at the lower one that the service allows."""

import asyncio
from collections.abc import Callable
from typing import Final

from casino.client.http_api import HttpApi, Member, Rejected

WAIT_SECONDS_MAX: Final = 70.0
"""A service that asks for a longer wait refuses for good."""


class GuestPace:
    def __init__(
        self, api: HttpApi, per_minute: int | None, on_wait: Callable[[float], None] = lambda _seconds: None
    ) -> None:
        self._api = api
        self._per_minute = per_minute
        self._on_wait = on_wait
        self._gate = asyncio.Lock()

    async def guest(self) -> Member:
        """Raises `Rejected` if the service refuses guests for longer than a minute."""
        async with self._gate:
            while True:
                try:
                    member = await self._api.guest()
                except Rejected as refusal:
                    if refusal.code != "rate_limited" or refusal.wait_seconds > WAIT_SECONDS_MAX:
                        raise
                    self._on_wait(refusal.wait_seconds)
                    await asyncio.sleep(max(refusal.wait_seconds, 0.1))
                else:
                    await asyncio.sleep(60 / self._per_minute if self._per_minute else 0)
                    return member
