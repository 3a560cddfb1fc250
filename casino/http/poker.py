"""Routes of the poker room for players: lobby, odds, the own day, own hands and their export."""

import asyncio
import hmac
import re
from collections.abc import Awaitable, Callable
from typing import Final, cast

from aiohttp import web

from casino.clock import Clock, wall_clock
from casino.errors import Code, Refusal
from casino.history.own_poker import own_poker
from casino.history.poker_export import DAY_MS, Exporter, Notation, Period, export_hands
from casino.history.poker_hands import (
    PAGE_MAX,
    PAGE_USUAL,
    HandPlace,
    Outcome,
    UnsealDeck,
    Wanted,
    hands_page,
    past_hand,
)
from casino.http.authorization import PUBLIC, SESSION, add_route, only
from casino.http.host import day_in, midnight_ms
from casino.poker.tournament.hexapro import DRAW_OF, Product
from casino.poker_room.messages import Message, ViewLobby
from casino.refusals import Reason
from casino.settings.poker import PokerSettings
from casino.storage.database import Database
from casino.users.roles import Role
from casino.wire.outbound import Payload
from casino.wire.poker_events import PokerLobbyChanges
from casino.wire.poker_history import OwnPoker, PastPokerHand, PlayedHands, PokerOdds, ProductOdds

AskRoom = Callable[[Message], Awaitable[Payload]]
"""Asks the poker room; raises `not_found` if this service has none."""

_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")
_POOL: Final = re.compile("[a-z0-9][a-z0-9-]{0,39}:[A-Z]{3}")
_CURRENCY: Final = re.compile("[A-Z]{3}")
_LIMIT: Final = re.compile("[0-9]{1,3}")
_NAMES_LABEL: Final = b"casino poker session names v1"
_ENDLESS: Final = 2**62
_MEDIA: Final = {Notation.PHH: "application/toml", Notation.OHH: "text/plain"}
_ENDING: Final = {Notation.PHH: "phhs", Notation.OHH: "ohh"}


async def no_room(_message: Message) -> Payload:
    """Stands in for the room in a service without one."""
    raise Reason.NOT_FOUND.refusal()


class PokerRoutes:
    def __init__(
        self,
        database: Database,
        ask: AskRoom,
        settings: PokerSettings | None,
        unseal: UnsealDeck,
        *,
        service_key: str,
        clock: Clock = wall_clock,
    ) -> None:
        """`service_key` makes names of opponents for exports, which identify no person without it."""
        self._database = database
        self._ask = ask
        self._stakes = settings.stakes if settings else {}
        self._rathole_minutes = settings.room.sitting_out.rathole_minutes if settings else 0
        self._products = settings.products if settings else {}
        self._seats = {stake.stake_id: stake.seats for stake in self._stakes.values()}
        self._unseal = unseal
        self._names_key = hmac.digest(service_key.encode(), _NAMES_LABEL, "sha256")
        self._clock = clock
        # One at a time: many players with long histories would leave bets and staff no processor and no connection.
        self._pages, self._exports = asyncio.Semaphore(1), asyncio.Semaphore(1)

    def add_to(self, app: web.Application) -> None:
        player = only(Role.PLAYER)
        add_route(app, "GET", "/api/poker/lobby", self.lobby, PUBLIC)
        add_route(app, "GET", "/api/poker/odds", self.odds, PUBLIC)
        add_route(app, "GET", "/api/poker/own", self.own, player)
        add_route(app, "GET", "/api/poker/hands", self.page, player)
        add_route(app, "GET", "/api/poker/hands/export", self.export, only(Role.PLAYER, takes_long=True))
        add_route(app, "GET", "/api/poker/hands/{hand_id}", self.hand, player)

    async def lobby(self, request: web.Request) -> PokerLobbyChanges:
        return cast(PokerLobbyChanges, await self._ask(ViewLobby(currency_in(request))))

    async def odds(self, _request: web.Request) -> PokerOdds:
        return {"products": [_odds_view(product) for product in self._products.values()]}

    async def own(self, request: web.Request) -> OwnPoker:
        player_id, now_ms = request[SESSION].user.id, self._clock()
        return await own_poker(self._database, player_id, self._stakes, self._rathole_minutes, now_ms)

    async def page(self, request: web.Request) -> PlayedHands:
        wanted = _wanted_in(request)
        async with self._pages:
            hands, following = await hands_page(self._database, request[SESSION].user.id, wanted, self._unseal)
        return {"hands": hands, "next": str(following) if following else None}

    async def hand(self, request: web.Request) -> PastPokerHand:
        hand_id = request.match_info["hand_id"]
        if not _ID.fullmatch(hand_id):
            raise Reason.NO_SUCH_ROUND.refusal()
        async with self._database.reading() as connection:
            return await past_hand(connection, request[SESSION].user.id, hand_id, self._unseal)

    async def export(self, request: web.Request) -> web.Response:
        notation = _notation_in(request)
        first, last = day_in(request, "from"), day_in(request, "to")
        user = request[SESSION].user
        reader = Exporter(user.id, user.name, self._names_key, self._unseal, self._seats)
        period = Period(midnight_ms(first) if first else 0, midnight_ms(last) + DAY_MS if last else _ENDLESS)
        async with self._exports:
            text = await export_hands(self._database, reader, notation, period, self._clock())
        name = f"hands.{_ENDING[notation]}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return web.Response(text=text, content_type=_MEDIA[notation], charset="utf-8", headers=headers)


def currency_in(request: web.Request) -> str | None:
    currency = request.query.get("currency") or None
    if currency is not None and not _CURRENCY.fullmatch(currency):
        raise Refusal(Code.BAD_REQUEST, "currency: use three letters, as in EUR.")
    return currency


def _wanted_in(request: web.Request) -> Wanted:
    before = request.query.get("before")
    table_id = request.query.get("table") or None
    if table_id is not None and not _ID.fullmatch(table_id):
        raise Refusal(Code.BAD_REQUEST, "table: use the id of a table.")
    pool_id = request.query.get("pool") or None
    if pool_id is not None and not _POOL.fullmatch(pool_id):
        raise Refusal(Code.BAD_REQUEST, "pool: use a stake and a currency, as in nl10:FUN.")
    outcome = request.query.get("outcome") or None
    if outcome is not None and outcome not in list(Outcome):
        raise Refusal(Code.BAD_REQUEST, "outcome: use won, lost or showdown.")
    first, last = day_in(request, "from"), day_in(request, "to")
    return Wanted(
        _limit_in(request),
        HandPlace.parse(before) if before else None,
        table_id,
        pool_id,
        midnight_ms(first) if first else None,
        midnight_ms(last) + DAY_MS if last else None,
        Outcome(outcome) if outcome else None,
    )


def _notation_in(request: web.Request) -> Notation:
    written = request.query.get("format")
    if written not in list(Notation):
        raise Refusal(Code.BAD_REQUEST, "format: use phh or ohh.")
    return Notation(written)


def _limit_in(request: web.Request) -> int:
    written = request.query.get("limit")
    if not written:
        return PAGE_USUAL
    if not _LIMIT.fullmatch(written):
        raise Refusal(Code.BAD_REQUEST, f"limit: use a whole number from 1 to {PAGE_MAX}.")
    return int(written)


def _odds_view(product: Product) -> ProductOdds:
    return {
        "product": product.product_id,
        "name": product.name,
        "game": product.game,
        "buy_ins": list(product.buy_ins),
        "odds": [
            {
                "multiplier": prize.multiplier,
                "chances": prize.chances,
                "percents": [*prize.percents],
                "stack": prize.stack,
                "level_minutes": prize.minutes,
            }
            for prize in product.prizes
        ],
        "of": DRAW_OF,
        "mean": f"{float(product.mean):.5f}",
        "rake": f"{float(product.rake):.5f}",
    }
