"""Shows the document to everybody; it is worked out when somebody first asks."""

from aiohttp import web

from casino.api.audience import EVERYBODY, add_route
from casino.api.openapi.document import written


class OpenApi:
    def __init__(self) -> None:
        self._written: bytes | None = None

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/openapi.json", self.show, EVERYBODY)

    async def show(self, request: web.Request) -> web.Response:
        if self._written is None:
            self._written = written(request.app).encode()
        return web.Response(body=self._written, content_type="application/json")
