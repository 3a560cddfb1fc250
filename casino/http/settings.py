"""Routes for the stored settings of the signed-in user."""

from typing import Final

from aiohttp import web

from casino.clock import Clock
from casino.http.authorization import SESSION, SIGNED_IN, add_route
from casino.http.request_body import body_of
from casino.refusals import Reason
from casino.security.rate_limit import MINUTE_MS, Rate, RateLimiter, steady_clock
from casino.users.profile import PersonalSettings, Profiles

_CHANGES: Final = Rate(120, MINUTE_MS)  # per person: enough to move a slider


class SettingsRoutes:
    def __init__(self, profiles: Profiles, clock: Clock = steady_clock) -> None:
        self._profiles = profiles
        self._clock = clock
        self._changes = RateLimiter(_CHANGES)

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/settings", self.read, SIGNED_IN)
        add_route(app, "PUT", "/api/settings", self.replace, SIGNED_IN)

    async def read(self, request: web.Request) -> PersonalSettings:
        return await self._profiles.settings_of(request[SESSION].user.id)

    async def replace(self, request: web.Request) -> PersonalSettings:
        """Replaces all settings; omitted ones become unset."""
        settings = await body_of(request, PersonalSettings)
        user_id = request[SESSION].user.id
        if self._changes.acquire(user_id, self._clock()):
            raise Reason.RATE_LIMITED.refusal()
        await self._profiles.change(user_id, settings)
        return settings
