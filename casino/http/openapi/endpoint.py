"""Shows the document to everybody; it is worked out when somebody first asks."""

import asyncio

from aiohttp import web

from casino.api.audience import EVERYBODY, add_route


class OpenApi:
    def __init__(self) -> None:
        self._written: bytes | None = None

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/openapi.json", self.show, EVERYBODY)

    async def show(self, request: web.Request) -> web.Response:
        if self._written is None:
            self._written = await asyncio.to_thread(_written, request.app)
        return web.Response(body=self._written, content_type="application/json")


def _written(app: web.Application) -> bytes:
    """All shapes of all answers take a while to load: the service starts without them, and nobody waits for them."""
    from casino.api.openapi.document import written  # noqa: PLC0415

    return written(app).encode()
