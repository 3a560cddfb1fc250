"""Back office routes about tournaments: HexaPro draws against their odds, open tickets, and held prizes."""

import re
from typing import Final

from aiohttp import web
from typing_extensions import TypedDict

from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.finance.drilldown import verify_printable
from casino.finance.hexapro_draws import HexaDraws, HexaGames, hexapro_draws, hexapro_games, lines_of
from casino.finance.open_tickets import OpenTickets, open_tickets
from casino.finance.period import Period, period_of
from casino.http.authorization import add_route, only
from casino.poker_room.tournament.held_prizes import held_prizes
from casino.settings.poker import PokerSettings
from casino.storage.database import Database
from casino.users.roles import Role
from casino.wire.poker_floor import HeldPrize

_PAGE: Final = re.compile("[0-9]{1,6}")


class HeldPrizes(TypedDict):
    rows: list[HeldPrize]


class TournamentBooks:
    def __init__(self, database: Database, poker: PokerSettings | None, clock: Clock = wall_clock) -> None:
        self._database = database
        products = poker.products.values() if poker else ()
        self._lines = lines_of(products, poker.room.currencies if poker else ())
        self._clock = clock

    def add_to(self, app: web.Application) -> None:
        for name, handler in (
            ("hexapro", self.hexapro),
            ("hexapro/games", self.games),
            ("tickets", self.tickets),
            ("held", self.held),
        ):
            add_route(app, "GET", f"/api/finance/poker/{name}", handler, only(Role.FINANCE))

    async def hexapro(self, request: web.Request) -> HexaDraws:
        period = await self._period_in(request)
        async with self._database.reading(long_running=True) as connection:
            return await hexapro_draws(connection, period, self._lines)

    async def games(self, request: web.Request) -> HexaGames:
        period, page = await self._period_in(request), request.query.get("page", "0")
        verify_printable(request.query)
        if not _PAGE.fullmatch(page):
            raise Refusal(Code.BAD_REQUEST, "page: use a whole number.")
        async with self._database.reading(long_running=True) as connection:
            return await hexapro_games(connection, period, self._lines, request.query, int(page))

    async def tickets(self, _request: web.Request) -> OpenTickets:
        async with self._database.reading(long_running=True) as connection:
            return await open_tickets(connection, self._clock())

    async def held(self, _request: web.Request) -> HeldPrizes:
        async with self._database.reading(long_running=True) as connection:
            return {"rows": await held_prizes(connection)}

    async def _period_in(self, request: web.Request) -> Period:
        query = request.query
        return await period_of(self._database, query.get("from", ""), query.get("to", ""), None, ())
