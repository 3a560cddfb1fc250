"""Health checks: liveness reports that the process responds, readiness that people can play.

Readiness uses memory only, so it never waits for the database. A table closed or paused by staff, an incident or lost
video is no reason to send players elsewhere; a table whose task stopped by a defect is.
"""

from typing import Final, Literal

from aiohttp import web
from typing_extensions import TypedDict

from casino.errors import Code
from casino.http.authorization import PUBLIC, add_route
from casino.http.errors import HttpRefusal
from casino.http.lobby import Tables
from casino.http.responses import JsonResponse
from casino.storage.heartbeat import Heartbeat


class Health(TypedDict):
    status: Literal["ok", "ready"]


async def healthz(_request: web.Request) -> JsonResponse[Health]:
    return JsonResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})


class Readiness:
    """`is_stopping` is set after a stop signal, so that no new clients are sent here."""

    def __init__(self, heartbeat: Heartbeat, tables: Tables) -> None:
        self.heartbeat = heartbeat
        self._tables = tables
        self.is_stopping = False

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/healthz", healthz, PUBLIC)
        add_route(app, "GET", "/readyz", self.readyz, PUBLIC)

    async def readyz(self, _request: web.Request) -> JsonResponse[Health]:
        if self.is_stopping:
            raise _not_ready("The service is stopping.")
        if not self._tables.are_up:
            raise _not_ready("A table is not running.")
        if not self.heartbeat.is_storing:
            raise _not_ready("The database accepts no writes.")
        return JsonResponse({"status": "ready"}, headers={"Cache-Control": "no-store"})


def _not_ready(message: str) -> HttpRefusal:
    return HttpRefusal(Code.INTERNAL, message, status=503)


READINESS: Final = web.AppKey("readiness", Readiness)
