"""Public route of the OpenAPI document, which is built at the first request."""

import asyncio

from aiohttp import web

from casino.http.authorization import PUBLIC, add_route


class OpenApi:
    def __init__(self) -> None:
        self._written: bytes | None = None
        self._writing = asyncio.Lock()

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/openapi.json", self.show, PUBLIC)

    async def show(self, request: web.Request) -> web.Response:
        async with self._writing:  # writing it takes a tenth of a second, and many may ask at once
            if self._written is None:
                self._written = await asyncio.to_thread(_written, request.app)
        return web.Response(body=self._written, content_type="application/json")


def _written(app: web.Application) -> bytes:
    """Builds the document lazily: only this route needs the module, which derives models from the export layouts."""
    from casino.http.openapi.document import written  # noqa: PLC0415

    return written(app).encode()
