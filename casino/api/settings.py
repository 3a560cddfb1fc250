"""The stored settings of whoever asks."""

from typing import Final

from aiohttp import web

from casino.api.audience import SESSION, SIGNED_IN, add_route
from casino.api.bodies import body_of
from casino.clock import Clock
from casino.door.rates import MINUTE_MS, Limiter, Rate, steady_clock
from casino.errors import Code, Refusal
from casino.people.profile import PersonalSettings, Profiles

_CHANGES: Final = Rate(120, MINUTE_MS)  # of one person: a slider may be moved, but not for ever


class SettingsRoutes:
    def __init__(self, profiles: Profiles, clock: Clock = steady_clock) -> None:
        self._profiles = profiles
        self._clock = clock
        self._changes = Limiter(_CHANGES)

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/settings", self.read, SIGNED_IN)
        add_route(app, "PUT", "/api/settings", self.replace, SIGNED_IN)

    async def read(self, request: web.Request) -> web.Response:
        return _answer(await self._profiles.settings_of(request[SESSION].user.id))

    async def replace(self, request: web.Request) -> web.Response:
        """All of them at once; what is left out is as if it had never been chosen."""
        settings = await body_of(request, PersonalSettings)
        user_id = request[SESSION].user.id
        if self._changes.take(user_id, self._clock()):
            raise Refusal(Code.RATE_LIMITED, "That was too often. Wait a moment.")
        await self._profiles.change(user_id, settings)
        return _answer(settings)


def _answer(settings: PersonalSettings) -> web.Response:
    return web.json_response(settings.model_dump())
