"""What a player has played, for that player and nobody else."""

import re
from typing import Any, Final

from aiohttp import web

from casino.api.audience import SESSION, add_route, only
from casino.errors import Code, Refusal
from casino.history.account import PAGE_MAX, PAGE_USUAL, Place, Played, page_of
from casino.history.game import Unseal, game_of
from casino.people.roles import Role
from casino.storage.database import Database

_LIMIT: Final = re.compile("[0-9]{1,3}")
_ROUND_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class History:
    def __init__(self, database: Database, unseal: Unseal) -> None:
        self._database = database
        self._unseal = unseal

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/history", self.page, only(Role.PLAYER))
        add_route(app, "GET", "/api/history/{round_id}", self.game, only(Role.PLAYER))

    async def page(self, request: web.Request) -> web.Response:
        limit, before = _limit_in(request), request.query.get("before")
        place = None if before is None else Place.parse(before)
        async with self._database.reading() as connection:
            played, next_place = await page_of(connection, request[SESSION].user.id, limit, place)
        rounds = [_round_view(one) for one in played]
        return web.json_response({"rounds": rounds, "next": str(next_place) if next_place else None})

    async def game(self, request: web.Request) -> web.Response:
        round_id = request.match_info["round_id"]
        if not _ROUND_ID.fullmatch(round_id):
            raise Refusal(Code.NOT_FOUND, "There is no such round.")
        async with self._database.reading() as connection:
            return web.json_response(await game_of(connection, request[SESSION].user.id, round_id, self._unseal))


def _limit_in(request: web.Request) -> int:
    written = request.query.get("limit")
    if written is None:
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
