"""Export routes for the role finance: the same exports as `casino export`."""

import asyncio
import base64
import tempfile
from pathlib import Path
from typing import Final

from aiohttp import web

from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.finance.export import Manifest, Order
from casino.finance.export_files import note_export
from casino.finance.export_process import export_in_process
from casino.finance.export_types import ExportKind, Format
from casino.finance.period import Period, period_of
from casino.http.authorization import SESSION, add_route, only
from casino.settings import Settings
from casino.storage.database import Database
from casino.users.roles import Actor, Role

AT_ONCE_MAX: Final = 2
"""Exports written at the same time; more requests wait."""

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
        for what in ExportKind:
            add_route(app, "GET", f"/api/finance/{what}", self.export, only(Role.FINANCE, takes_long=True))

    async def export(self, request: web.Request) -> web.StreamResponse:
        """`manifest=true` returns the manifest instead of the export."""
        what = ExportKind(request.path.rpartition("/")[2])
        order = Order(what, _format_in(request), await self._period_in(request))
        user = request[SESSION].user
        with tempfile.TemporaryDirectory(prefix="casino-export-") as folder:
            path = Path(folder) / what
            async with self._turns:
                manifest = await export_in_process(self._database.url, order, path)
            if request.query.get("manifest") == "true":
                return web.json_response(manifest.plain)
            await note_export(self._database, manifest, Actor(user.name, user.role), self._clock())
            return await _send(request, manifest, path)

    async def _period_in(self, request: web.Request) -> Period:
        """An empty `table` means all tables, as in an empty form field."""
        query = request.query
        table_id = query.get("table") or None
        first, last, money = query.get("from", ""), query.get("to", ""), query.get("money") or None
        return await period_of(self._database, first, last, table_id, self._configured, money=money)


def _format_in(request: web.Request) -> Format:
    written = request.query.get("format") or Format.JSON
    if written not in list(Format):
        raise Refusal(Code.BAD_REQUEST, f"format: use one of {', '.join(Format)}.")
    return Format(written)


async def _send(request: web.Request, manifest: Manifest, path: Path) -> web.StreamResponse:
    order = manifest.order
    period = order.period
    name = "_".join(filter(None, (order.what, f"{period.first}", f"{period.last}", period.table_id, period.money)))
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
