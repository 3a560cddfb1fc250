"""Back office routes for the role finance: reports, and the rows behind every number."""

import re
from typing import Final

from aiohttp import web
from typing_extensions import TypedDict

from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.finance import reports
from casino.finance.account_list import Accounts, held_accounts
from casino.finance.day_close import Closed, ClosedExport, closed_days
from casino.finance.drilldown import posted_rows, settled_rows
from casino.finance.export_types import ExportKind, RoundFormat
from casino.finance.overview import By, Overview, overview
from casino.finance.period import Period, period_of
from casino.finance.poker_rake import Rake, RakeBy, rake
from casino.finance.report_types import Charity, Flows, Refunds, Tips, TrialBalance, Unresolved
from casino.finance.round_file import signed_round_file
from casino.finance.round_file_html import game_file_name, round_page
from casino.finance.round_file_types import RoundFile
from casino.finance.rtp_process import RtpProcess
from casino.finance.tournament_money import TournamentMoney, tournament_money
from casino.history.fairness import Unseal
from casino.http.authorization import SESSION, add_route, only
from casino.settings import Settings
from casino.storage.database import Database
from casino.users.roles import Actor, Role
from casino.wire.common import Count, Day, Moment

_ROUND_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")
_PAGE: Final = re.compile("[0-9]{1,6}")


class House(TypedDict):
    tables: list[str]
    play_currency: str
    currency: str
    """Of registered players."""
    server_time: Moment


class ClosedDay(TypedDict):
    day: Day
    closed_at: Moment
    by: str
    confirmed_by: str | None
    audit_row: Count
    exports: dict[ExportKind, ClosedExport]
    rows_at: str


class ClosedDays(TypedDict):
    rows: list[ClosedDay]


class BackOffice:
    def __init__(self, database: Database, settings: Settings, unseal: Unseal, clock: Clock = wall_clock) -> None:
        self._database = database
        self._unseal = unseal
        self._configured = [table.id for table in settings.tables]
        self._play_currency = settings.casino.guests.currency
        self._currency = settings.casino.service.currency
        self._clock = clock
        self.counted = RtpProcess()

    def add_to(self, app: web.Application) -> None:
        for name, handler in (
            ("house", self.house),
            ("overview", self.overview),
            ("tips", self.tips),
            ("refunds", self.refunds),
            ("cashier", self.cashier),
            ("unresolved", self.unresolved),
            ("charity", self.charity),
            ("balance", self.balance),
            ("accounts", self.accounts),
            ("days", self.days),
            ("rows", self.rows),
            ("postings", self.postings),
            ("poker/rake", self.rake),
            ("poker/tournaments", self.tournaments),
        ):
            add_route(app, "GET", f"/api/finance/{name}", handler, only(Role.FINANCE))
        add_route(app, "GET", "/api/finance/rounds/{round_id}", self.round, only(Role.FINANCE))

    async def round(self, request: web.Request) -> RoundFile | web.Response:
        """Returns the file of one round, or its copy for one player. As HTML it is a download with its own style."""
        written = request.query.get("format") or RoundFormat.JSON
        if written not in list(RoundFormat):
            raise Refusal(Code.BAD_REQUEST, f"format: use one of {', '.join(RoundFormat)}.")
        round_id, user = request.match_info["round_id"], request[SESSION].user
        if not _ROUND_ID.fullmatch(round_id):
            raise Refusal(Code.NOT_FOUND, "There is no such round.")
        by, now_ms = Actor(user.name, user.role), self._clock()
        player_id = request.query.get("player") or None
        file = await signed_round_file(self._database, round_id, self._unseal, by=by, at_ms=now_ms, player_id=player_id)
        if written == RoundFormat.JSON:
            return file
        headers = {"Content-Disposition": f'attachment; filename="{game_file_name(file["round"])}.html"'}
        return web.Response(text=round_page(file), content_type="text/html", headers=headers)

    async def house(self, _request: web.Request) -> House:
        """Returns configuration for the page: the tables, and the play-money currency."""
        return {
            "tables": self._configured,
            "play_currency": self._play_currency,
            "currency": self._currency,
            "server_time": self._clock(),
        }

    async def overview(self, request: web.Request) -> Overview:
        by = request.query.get("by") or By.DAY
        if by not in list(By):
            raise Refusal(Code.BAD_REQUEST, f"by: use one of {', '.join(By)}.")
        period = await self._period_in(request)
        counted = self.counted
        async with self._database.reading(long_running=True) as connection:
            return await overview(connection, period, By(by), counted.return_of, counted.deviation_of)

    async def tips(self, request: web.Request) -> Tips:
        period = await self._period_in(request)
        async with self._database.reading(long_running=True) as connection:
            return await reports.tips(connection, period)

    async def refunds(self, request: web.Request) -> Refunds:
        period = await self._period_in(request)
        async with self._database.reading(long_running=True) as connection:
            return await reports.refunds(connection, period)

    async def cashier(self, request: web.Request) -> Flows:
        period = await self._period_in(request)
        async with self._database.reading(long_running=True) as connection:
            return await reports.cashier(connection, period)

    async def unresolved(self, _request: web.Request) -> Unresolved:
        async with self._database.reading(long_running=True) as connection:
            return await reports.unresolved(connection, self._clock())

    async def charity(self, _request: web.Request) -> Charity:
        async with self._database.reading(long_running=True) as connection:
            return await reports.charity(connection)

    async def balance(self, _request: web.Request) -> TrialBalance:
        async with self._database.reading(long_running=True) as connection:
            return await reports.trial_balance(connection)

    async def accounts(self, request: web.Request) -> Accounts:
        page = _page_in(request)
        async with self._database.reading(long_running=True) as connection:
            return await held_accounts(connection, request.query, page)

    async def days(self, _request: web.Request) -> ClosedDays:
        async with self._database.reading(long_running=True) as connection:
            return {"rows": [_closed_view(day) for day in await closed_days(connection)]}

    async def rows(self, request: web.Request) -> web.Response:
        period, page = await self._period_in(request), _page_in(request)
        async with self._database.reading(long_running=True) as connection:
            return web.json_response(await settled_rows(connection, period, request.query, page))

    async def postings(self, request: web.Request) -> web.Response:
        period, page = await self._period_in(request), _page_in(request)
        async with self._database.reading(long_running=True) as connection:
            return web.json_response(await posted_rows(connection, period, request.query, page))

    async def rake(self, request: web.Request) -> Rake:
        by = request.query.get("by") or RakeBy.DAY
        if by not in list(RakeBy):
            raise Refusal(Code.BAD_REQUEST, f"by: use one of {', '.join(RakeBy)}.")
        period = await self._period_in(request)
        async with self._database.reading(long_running=True) as connection:
            return await rake(connection, period, RakeBy(by))

    async def tournaments(self, request: web.Request) -> TournamentMoney:
        period = await self._period_in(request)
        async with self._database.reading(long_running=True) as connection:
            return await tournament_money(connection, period)

    async def _period_in(self, request: web.Request) -> Period:
        query = request.query
        table_id = query.get("table") or None
        return await period_of(self._database, query.get("from", ""), query.get("to", ""), table_id, self._configured)


def _page_in(request: web.Request) -> int:
    written = request.query.get("page", "0")
    if not _PAGE.fullmatch(written):
        raise Refusal(Code.BAD_REQUEST, "page: use a whole number.")
    return int(written)


def _closed_view(closed: Closed) -> ClosedDay:
    return {
        "day": f"{closed.day}",
        "closed_at": closed.at_ms,
        "by": closed.by,
        "confirmed_by": closed.confirmed_by,
        "audit_row": closed.audit_id,
        "exports": {ExportKind(what): export for what, export in closed.exports.items()},
        "rows_at": f"/api/finance/settlements?from={closed.day}&to={closed.day}",
    }
