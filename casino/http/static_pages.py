"""Serves the built pages: the page itself is revalidated each time, its hashed assets are cached for a year.

Files are kept in memory, because reading one costs five times as much as any other part of a request. The build has
compressed them (`web/compress.js`); a client gets the smallest form it accepts. Without a build the page explains how
to make one, instead of failing.
"""

import hashlib
import mimetypes
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from aiohttp import web

from casino.http.authorization import PUBLIC, add_route
from casino.http.errors import NOT_FOUND_PAGE

_NOT_BUILT = "The pages are not built yet. Run `make setup`, then start the service again."
_KEEP_FOREVER = "public, max-age=31536000, immutable"
_WRITTEN_AT_ONCE: Final = 64 * 1024
"""A client that does not read keeps this much in memory."""
_CODINGS: Final = {"br": "br", "gzip": "gz"}
"""Content codings with the suffix of their files, the smallest result first."""
_REFUSED: Final = re.compile(r"\s*q=0(\.0*)?\s*")


class _File(NamedTuple):
    changed_ns: int
    etag: str
    content_type: str
    body: bytes
    compressed: Mapping[str, bytes]

    def coding_for(self, request: web.Request) -> str | None:
        """Returns the content coding to send; None for the file as it is."""
        accepted = {}
        for part in request.headers.get("Accept-Encoding", "").split(","):
            name, _, quality = part.partition(";")
            accepted[name.strip().lower()] = _REFUSED.fullmatch(quality) is None
        return next((one for one in self.compressed if accepted.get(one, accepted.get("*", False))), None)


class Pages:
    def __init__(self, dist: Path) -> None:
        self._dist = dist
        self._files: dict[tuple[Path, str], _File] = {}

    @property
    def built(self) -> bool:
        return (self._dist / "index.html").is_file()

    async def index(self, request: web.Request) -> web.StreamResponse:
        return await self._page(request, "index.html")

    async def host(self, request: web.Request) -> web.StreamResponse:
        """Page of the console for presenters and managers, who sign in there."""
        return await self._page(request, "host.html")

    async def finance(self, request: web.Request) -> web.StreamResponse:
        """Page of the back office; the role finance signs in there."""
        return await self._page(request, "finance.html")

    async def poker(self, request: web.Request) -> web.StreamResponse:
        """Page of the poker room, for players."""
        return await self._page(request, "poker.html")

    async def _page(self, request: web.Request, name: str) -> web.StreamResponse:
        if not self.built:
            return web.Response(status=503, text=_NOT_BUILT, headers={"Cache-Control": "no-store"})
        return await self._send(request, self._dist, name, "no-cache")

    async def not_found(self, request: web.Request) -> web.StreamResponse:
        """Page for people at an unknown address; one sentence if the build has none."""
        try:
            return await self._send(request, self._dist, "not_found.html", "no-cache", status=404)
        except web.HTTPNotFound:
            return web.Response(status=404, text="This page doesn't exist.", headers={"Cache-Control": "no-store"})

    async def icon(self, request: web.Request) -> web.StreamResponse:
        return await self._send(request, self._dist, "icon.svg", "no-cache")

    async def asset(self, request: web.Request) -> web.StreamResponse:
        return await self._send(request, self._dist / "assets", request.match_info["name"], _KEEP_FOREVER)

    async def _send(
        self, request: web.Request, folder: Path, name: str, cache: str, status: int = 200
    ) -> web.StreamResponse:
        file = self._file(folder, name)
        coding = file.coding_for(request)
        # Each form has its own tag: a cache must not confirm one form with the tag of another.
        etag = file.etag if coding is None else f"{file.etag}-{coding}"
        headers = {"Cache-Control": cache, "Etag": f'"{etag}"'}
        if file.compressed:
            headers["Vary"] = "Accept-Encoding"
        if status == 200 and any(tag.value in (etag, "*") for tag in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        body = file.body
        if coding is not None:
            headers["Content-Encoding"], body = coding, file.compressed[coding]
        response = web.StreamResponse(status=status, headers=headers)
        response.content_type = file.content_type
        response.content_length = len(body)
        await response.prepare(request)
        if request.method != "HEAD":
            for start in range(0, len(body), _WRITTEN_AT_ONCE):
                await response.write(body[start : start + _WRITTEN_AT_ONCE])
            await response.write_eof()
        return response

    def _file(self, folder: Path, name: str) -> _File:
        """Reads a file at its first request, and after a new build."""
        try:
            kept = self._files.get((folder, name))
            if kept is not None and kept.changed_ns == (folder / name).stat().st_mtime_ns:
                return kept
            path = (folder / name).resolve()
            is_there = path.parent == folder.resolve() and path.is_file()  # prevents path traversal
            if is_there:
                changed_ns, body = path.stat().st_mtime_ns, path.read_bytes()
                kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
                etag = hashlib.sha256(body).hexdigest()[:32]
                file = _File(changed_ns, etag, kind, body, self._compressed(etag))
                self._files[folder, name] = file
                return file
        except (OSError, ValueError):  # no valid file name, or the file was removed
            pass
        self._files.pop((folder, name), None)
        raise web.HTTPNotFound

    def _compressed(self, etag: str) -> Mapping[str, bytes]:
        """Reads what the build has compressed, named by the hash of the original."""
        files = {coding: self._dist / "compressed" / f"{etag}.{suffix}" for coding, suffix in _CODINGS.items()}
        return {coding: file.read_bytes() for coding, file in files.items() if file.is_file()}


def add_pages(app: web.Application, pages: Pages) -> None:
    app[NOT_FOUND_PAGE] = pages.not_found
    add_route(app, "GET", "/", pages.index, PUBLIC)
    add_route(app, "GET", "/host", pages.host, PUBLIC)
    add_route(app, "GET", "/finance", pages.finance, PUBLIC)
    add_route(app, "GET", "/poker", pages.poker, PUBLIC)
    add_route(app, "GET", "/icon.svg", pages.icon, PUBLIC)
    add_route(app, "GET", "/assets/{name}", pages.asset, PUBLIC)
