"""The back office over HTTP, for the role finance alone: what the page shows, and the rows behind every number."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

from aiohttp import web
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.api.audience import SESSION, add_route, only
from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.finance import standing
from casino.finance.asking import RoundFormat
from casino.finance.closing import Closed, closed_days
from casino.finance.counting import Counted
from casino.finance.holdings import held_accounts
from casino.finance.overview import By, overview
from casino.finance.period import Period, period_of
from casino.finance.round_file import Unseal, signed_round_file
from casino.finance.round_page import round_page
from casino.finance.rows import posted_rows, settled_rows
from casino.people.roles import Actor, Role
from casino.settings import Settings
from casino.storage.database import Database

_ROUND_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")
_PAGE: Final = re.compile("[0-9]{1,6}")

Read = Callable[[AsyncConnection, Period], Awaitable[Any]]


class BackOffice:
    def __init__(self, database: Database, settings: Settings, unseal: Unseal, clock: Clock = wall_clock) -> None:
        self._database = database
        self._unseal = unseal
        self._configured = [table.id for table in settings.tables]
        self._play_currency = settings.house.guests.currency
        self._clock = clock
        self.counted = Counted()

    def add_to(self, app: web.Application) -> None:
        for name, handler in (
            ("house", self.house),
            ("overview", self.overview),
            ("tips", self._of_period(standing.tips)),
            ("refunds", self._of_period(standing.refunds)),
            ("cashier", self._of_period(standing.cashier)),
            ("unresolved", self.unresolved),
            ("charity", self.charity),
            ("balance", self.balance),
            ("accounts", self.accounts),
            ("days", self.days),
            ("rows", self.rows),
            ("postings", self.postings),
        ):
            add_route(app, "GET", f"/api/finance/{name}", handler, only(Role.FINANCE))
        add_route(app, "GET", "/api/finance/rounds/{round_id}", self.round, only(Role.FINANCE))

    async def round(self, request: web.Request) -> web.Response:
        """The file of one round; as HTML it is a file to keep, since it brings its own style along."""
        written = request.query.get("format") or RoundFormat.JSON
        if written not in list(RoundFormat):
            raise Refusal(Code.BAD_REQUEST, f"format: one of {', '.join(RoundFormat)} is expected.")
        round_id, user = request.match_info["round_id"], request[SESSION].user
        if not _ROUND_ID.fullmatch(round_id):
            raise Refusal(Code.NOT_FOUND, "There is no such round.")
        by, now_ms = Actor(user.name, user.role), self._clock()
        file = await signed_round_file(self._database, round_id, self._unseal, by=by, at_ms=now_ms)
        if written == RoundFormat.JSON:
            return web.json_response(file)
        headers = {"Content-Disposition": f'attachment; filename="round_{file["round"]["round_id"]}.html"'}
        return web.Response(text=round_page(file), content_type="text/html", headers=headers)

    async def house(self, _request: web.Request) -> web.Response:
        """What the page has to know of the house: its tables, and which currency is play money."""
        return web.json_response({"tables": self._configured, "play_currency": self._play_currency})

    async def overview(self, request: web.Request) -> web.Response:
        by = request.query.get("by") or By.DAY
        if by not in list(By):
            raise Refusal(Code.BAD_REQUEST, f"by: one of {', '.join(By)} is expected.")
        period = await self._period_in(request)
        counted = self.counted
        async with self._database.reading(patiently=True) as connection:
            told = await overview(connection, period, By(by), counted.return_of, counted.deviation_of)
        return web.json_response(told)

    async def unresolved(self, _request: web.Request) -> web.Response:
        async with self._database.reading(patiently=True) as connection:
            return web.json_response({"rows": await standing.unresolved(connection, self._clock())})

    async def charity(self, _request: web.Request) -> web.Response:
        async with self._database.reading(patiently=True) as connection:
            return web.json_response(await standing.charity(connection))

    async def balance(self, _request: web.Request) -> web.Response:
        async with self._database.reading(patiently=True) as connection:
            return web.json_response(await standing.trial_balance(connection))

    async def accounts(self, request: web.Request) -> web.Response:
        page = _page_in(request)
        async with self._database.reading(patiently=True) as connection:
            return web.json_response(await held_accounts(connection, request.query, page))

    async def days(self, _request: web.Request) -> web.Response:
        async with self._database.reading(patiently=True) as connection:
            return web.json_response({"rows": [_closed_view(day) for day in await closed_days(connection)]})

    async def rows(self, request: web.Request) -> web.Response:
        period, page = await self._period_in(request), _page_in(request)
        async with self._database.reading(patiently=True) as connection:
            return web.json_response(await settled_rows(connection, period, request.query, page))

    async def postings(self, request: web.Request) -> web.Response:
        period, page = await self._period_in(request), _page_in(request)
        async with self._database.reading(patiently=True) as connection:
            return web.json_response(await posted_rows(connection, period, request.query, page))

    def _of_period(self, read: Read) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def answer(request: web.Request) -> web.Response:
            period = await self._period_in(request)
            async with self._database.reading(patiently=True) as connection:
                told = await read(connection, period)
            return web.json_response(told if isinstance(told, dict) else {"rows": told})

        return answer

    async def _period_in(self, request: web.Request) -> Period:
        query = request.query
        table_id = query.get("table") or None
        return await period_of(self._database, query.get("from", ""), query.get("to", ""), table_id, self._configured)


def _page_in(request: web.Request) -> int:
    written = request.query.get("page", "0")
    if not _PAGE.fullmatch(written):
        raise Refusal(Code.BAD_REQUEST, "page: a whole number is expected.")
    return int(written)


def _closed_view(closed: Closed) -> dict[str, Any]:
    return {
        "day": f"{closed.day}",
        "closed_at": closed.at_ms,
        "by": closed.by,
        "audit_row": closed.audit_id,
        "exports": closed.exports,
        "rows_at": f"/api/finance/settlements?from={closed.day}&to={closed.day}",
    }
