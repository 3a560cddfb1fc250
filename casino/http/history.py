"""What a player has played, for that player and nobody else; and, once it is over, what it could have been worth."""

import re
from typing import Any, Final

from aiohttp import web

from casino.api.advice import Advisor, Values
from casino.api.audience import SESSION, add_route, only
from casino.errors import Code, Refusal
from casino.history.account import PAGE_MAX, PAGE_USUAL, Place, Played, page_of
from casino.history.game import Situation, Unseal, game_of, situations_of
from casino.people.roles import Role
from casino.storage.database import Database

_LIMIT: Final = re.compile("[0-9]{1,3}")
_ROUND_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class History:
    def __init__(self, database: Database, unseal: Unseal) -> None:
        self._database = database
        self._unseal = unseal
        self._advisor = Advisor()

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/history", self.page, only(Role.PLAYER))
        add_route(app, "GET", "/api/history/{round_id}", self.game, only(Role.PLAYER))
        add_route(app, "GET", "/api/history/{round_id}/advice", self.advice, only(Role.PLAYER))
        app.on_cleanup.append(self._stop)

    async def page(self, request: web.Request) -> web.Response:
        limit, before = _limit_in(request), request.query.get("before")
        place = Place.parse(before) if before else None
        async with self._database.reading() as connection:
            played, next_place = await page_of(connection, request[SESSION].user.id, limit, place)
        rounds = [_round_view(one) for one in played]
        return web.json_response({"rounds": rounds, "next": str(next_place) if next_place else None})

    async def game(self, request: web.Request) -> web.Response:
        round_id = _round_id_in(request)
        async with self._database.reading() as connection:
            return web.json_response(await game_of(connection, request[SESSION].user.id, round_id, self._unseal))

    async def advice(self, request: web.Request) -> web.Response:
        round_id = _round_id_in(request)
        async with self._database.reading() as connection:
            paytable, situations = await situations_of(connection, request[SESSION].user.id, round_id)
        values = [await self._advisor.values(paytable, one.hole, one.board) for one in situations]
        decisions = [_worth_view(one, worth) for one, worth in zip(situations, values, strict=True)]
        return web.json_response({"round_id": round_id, "decisions": decisions})

    async def _stop(self, _app: web.Application) -> None:
        await self._advisor.stop()


def _round_id_in(request: web.Request) -> str:
    round_id = request.match_info["round_id"]
    if not _ROUND_ID.fullmatch(round_id):
        raise Refusal(Code.NOT_FOUND, "There is no such round.")
    return round_id


def _limit_in(request: web.Request) -> int:
    written = request.query.get("limit")
    if not written:
        return PAGE_USUAL
    if not _LIMIT.fullmatch(written):
        raise Refusal(Code.BAD_REQUEST, f"limit: a whole number from 1 to {PAGE_MAX} is expected.")
    return int(written)


def _round_view(played: Played) -> dict[str, Any]:
    return {
        "round_id": played.round_id,
        "table_id": played.table_id,
        "game_number": played.game_number,
        "started_at": played.started_ms,
        "status": played.status,
        "staked": played.staked,
        "returned": played.returned,
        "currency": played.currency,
    }


def _worth_view(situation: Situation, values: Values | None) -> dict[str, Any]:
    """In ANTEs. `best` is the action taken if none was worth more, else the smaller bet of the best ones."""
    best = None
    if values is not None:
        most = max(values.values())
        best = situation.action if values[situation.action] == most else _first_worth(values, most)
    return {
        "phase": situation.phase,
        "action": situation.action,
        "automatic": situation.automatic,
        "best": best,
        "given_up": None if values is None or best is None else values[best] - values[situation.action],
        "values": values,
    }


def _first_worth(values: Values, most: float) -> str:
    return next(action for action, value in values.items() if value == most)
