"""Finance over HTTP: the same exports as `casino export`, for the role finance alone."""

import asyncio
import base64
import tempfile
from pathlib import Path
from typing import Final

from aiohttp import web

from casino.api.audience import SESSION, add_route, only
from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.finance.aside import write_aside
from casino.finance.asking import Format, What
from casino.finance.export import Manifest, Order
from casino.finance.exporting import note_export
from casino.finance.period import Period, period_of
from casino.people.roles import Actor, Role
from casino.settings import Settings
from casino.storage.database import Database

AT_ONCE_MAX: Final = 2
"""So many exports are written at a time; who asks meanwhile waits."""

CHUNK_BYTES: Final = 1 << 18
CONTENT_TYPES: Final = {
    Format.CSV: "text/csv; charset=utf-8",
    Format.JSON: "application/json; charset=utf-8",
    Format.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Format.PARQUET: "application/vnd.apache.parquet",
}


class FinanceRoutes:
    def __init__(self, database: Database, settings: Settings, clock: Clock = wall_clock) -> None:
        self._database = database
        self._configured = [table.id for table in settings.tables]
        self._clock = clock
        self._turns = asyncio.Semaphore(AT_ONCE_MAX)

    def add_to(self, app: web.Application) -> None:
        for what in What:
            add_route(app, "GET", f"/api/finance/{what}", self.export, only(Role.FINANCE, takes_long=True))

    async def export(self, request: web.Request) -> web.StreamResponse:
        """`manifest=true` asks for the manifest of the export instead of the export."""
        what = What(request.path.rpartition("/")[2])
        order = Order(what, _format_in(request), await self._period_in(request))
        user = request[SESSION].user
        with tempfile.TemporaryDirectory(prefix="casino-export-") as folder:
            path = Path(folder) / what
            async with self._turns:
                manifest = await write_aside(self._database.url, order, path)
            if request.query.get("manifest") == "true":
                return web.json_response(manifest.plain)
            await note_export(self._database, manifest, Actor(user.name, user.role), self._clock())
            return await _send(request, manifest, path)

    async def _period_in(self, request: web.Request) -> Period:
        """An empty `table` is no table, as in a form that was left empty."""
        query = request.query
        table_id = query.get("table") or None
        return await period_of(self._database, query.get("from", ""), query.get("to", ""), table_id, self._configured)


def _format_in(request: web.Request) -> Format:
    written = request.query.get("format") or Format.JSON
    if written not in list(Format):
        raise Refusal(Code.BAD_REQUEST, f"format: one of {', '.join(Format)} is expected.")
    return Format(written)


async def _send(request: web.Request, manifest: Manifest, path: Path) -> web.StreamResponse:
    order = manifest.order
    period = order.period
    name = "_".join(filter(None, (order.what, f"{period.first}", f"{period.last}", period.table_id)))
    digest = base64.b64encode(bytes.fromhex(manifest.sha256)).decode()
    response = web.StreamResponse(
        headers={
            "Content-Type": CONTENT_TYPES[order.format],
            "Content-Disposition": f'attachment; filename="{name}.{order.format}"',
            "Content-Length": f"{manifest.bytes}",
            "Repr-Digest": f"sha-256=:{digest}:",
        }
    )
    await response.prepare(request)
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            await response.write(chunk)
    await response.write_eof()
    return response
