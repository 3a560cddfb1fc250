"""Serves the built pages: the page itself is asked for anew each time, its hashed assets are kept for a year.

It refuses to know what the pages show. Without a build it says how to make one instead of failing.
"""

from pathlib import Path

from aiohttp import web

from casino.api.audience import EVERYBODY, add_route

_NOT_BUILT = "The pages are not built yet. Run `make setup`, then start the service again."
_KEEP_FOREVER = "public, max-age=31536000, immutable"


class Pages:
    def __init__(self, dist: Path) -> None:
        self._dist = dist

    @property
    def built(self) -> bool:
        return (self._dist / "index.html").is_file()

    async def index(self, _request: web.Request) -> web.StreamResponse:
        return self._page("index.html")

    async def host(self, _request: web.Request) -> web.StreamResponse:
        """The console, for presenters and managers; whoever opens it signs in there."""
        return self._page("host.html")

    async def finance(self, _request: web.Request) -> web.StreamResponse:
        """The back office; its figures are for the role finance alone, who signs in there."""
        return self._page("finance.html")

    def _page(self, name: str) -> web.StreamResponse:
        if not self.built:
            return web.Response(status=503, text=_NOT_BUILT, headers={"Cache-Control": "no-store"})
        return _file(self._dist, name, "no-cache")

    async def icon(self, _request: web.Request) -> web.StreamResponse:
        return _file(self._dist, "icon.svg", "no-cache")

    async def asset(self, request: web.Request) -> web.StreamResponse:
        return _file(self._dist / "assets", request.match_info["name"], _KEEP_FOREVER)


def _file(folder: Path, name: str, cache: str) -> web.StreamResponse:
    try:
        path = (folder / name).resolve()
        is_there = path.parent == folder.resolve() and path.is_file()  # a name may try to climb out of its folder
    except (OSError, ValueError):  # no file system knows such a name
        is_there = False
    if not is_there:
        raise web.HTTPNotFound
    return web.FileResponse(path, headers={"Cache-Control": cache})


def add_pages(app: web.Application, pages: Pages) -> None:
    add_route(app, "GET", "/", pages.index, EVERYBODY)
    add_route(app, "GET", "/host", pages.host, EVERYBODY)
    add_route(app, "GET", "/finance", pages.finance, EVERYBODY)
    add_route(app, "GET", "/icon.svg", pages.icon, EVERYBODY)
    add_route(app, "GET", "/assets/{name}", pages.asset, EVERYBODY)
