"""Liveness says that the process answers. Readiness says that people can play: the database answers, tables run.

A table that is closed or paused is no reason to send people elsewhere, and no analysis is ever waited for.
"""

import asyncio
from typing import Final

import structlog
from aiohttp import web
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from casino.api.answers import Answered
from casino.api.audience import EVERYBODY, add_route
from casino.api.lobby import Tables
from casino.errors import Code
from casino.storage.database import Database

DATABASE_SECONDS_MAX: Final = 2.0

_log = structlog.get_logger()


async def healthz(_request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"}, headers={"Cache-Control": "no-store"})


class Readiness:
    """`is_stopping` is set when the service has been told to stop, so that nobody new is sent here."""

    def __init__(self, database: Database, tables: Tables) -> None:
        self._database = database
        self._tables = tables
        self.is_stopping = False

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/healthz", healthz, EVERYBODY)
        add_route(app, "GET", "/readyz", self.readyz, EVERYBODY)

    async def readyz(self, _request: web.Request) -> web.Response:
        if self.is_stopping:
            raise _not_ready("The service is stopping.")
        if not self._tables.are_up:
            raise _not_ready("The tables are not up yet.")
        try:
            async with asyncio.timeout(DATABASE_SECONDS_MAX):
                for for_table in (True, False):  # on connections of their own
                    async with self._database.reading(for_table=for_table) as connection:
                        await connection.execute(text("SELECT 1"))
        except (SQLAlchemyError, OSError, TimeoutError):
            _log.warning("database_does_not_answer", exc_info=True)
            raise _not_ready("The database does not answer.") from None
        return web.json_response({"status": "ready"}, headers={"Cache-Control": "no-store"})


def _not_ready(message: str) -> Answered:
    return Answered(Code.INTERNAL, message, status=503)


READINESS: Final = web.AppKey("readiness", Readiness)
