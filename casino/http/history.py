"""Routes for a player's own rounds, the value of their decisions, and the public fairness proof of any round."""

import asyncio
import re
from collections import OrderedDict
from typing import Final
from weakref import WeakValueDictionary

from aiohttp import web
from typing_extensions import TypedDict

from casino.errors import Code, Refusal
from casino.history.fairness import Unseal, read_proof
from casino.history.player_round import Situation, game_of, situations_of
from casino.history.player_rounds import PAGE_MAX, PAGE_USUAL, Place, Played, page_of
from casino.http.account_throttle import ReplayPace
from casino.http.advice import Advisor, Values
from casino.http.authorization import PUBLIC, SESSION, add_route, only
from casino.refusals import Reason
from casino.settings.service import Rates
from casino.storage.database import Database
from casino.users.roles import Role
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.wire import past_rounds
from casino.wire.fairness_proofs import FairnessProof

PROOFS_KEPT: Final = 200
_LIMIT: Final = re.compile("[0-9]{1,3}")
_ROUND_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class Worth(TypedDict):
    """Value of each option of one decision, in ANTEs."""

    phase: Phase
    action: Action
    automatic: bool
    best: Action | None
    given_up: float | None
    values: dict[Action, float] | None


class Advice(TypedDict):
    round_id: str
    decisions: list[Worth]


class History:
    def __init__(self, database: Database, unseal: Unseal, rates: Rates) -> None:
        self._database = database
        self._unseal = unseal
        self._pace = ReplayPace(rates)
        self._proofs: OrderedDict[str, FairnessProof] = OrderedDict()  # of rounds that are over: they never change
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._advisor = Advisor()

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/history", self.page, only(Role.PLAYER))
        add_route(app, "GET", "/api/history/{round_id}", self.game, only(Role.PLAYER))
        add_route(app, "GET", "/api/history/{round_id}/advice", self.advice, only(Role.PLAYER, takes_long=True))
        add_route(app, "GET", "/api/fairness/{round_id}", self.fairness, PUBLIC)
        app.on_cleanup.append(self._stop)

    async def page(self, request: web.Request) -> past_rounds.History:
        limit, before = _limit_in(request), request.query.get("before")
        place = Place.parse(before) if before else None
        async with self._database.reading() as connection:
            played, next_place = await page_of(connection, request[SESSION].user.id, limit, place)
        rounds = [_round_view(one) for one in played]
        return {"rounds": rounds, "next": str(next_place) if next_place else None}

    async def game(self, request: web.Request) -> past_rounds.Game:
        round_id = _round_id_in(request)
        await self._pace.wait_for_turn(request)
        async with self._database.reading() as connection:
            return await game_of(connection, request[SESSION].user.id, round_id, self._unseal)

    async def fairness(self, request: web.Request) -> FairnessProof:
        round_id = _round_id_in(request)
        async with self._reading.setdefault(round_id, asyncio.Lock()):  # all players of a round may ask at once
            proof = self._proofs.get(round_id)
            if proof is None:
                await self._pace.wait_for_turn(request)
                async with self._database.reading() as connection:
                    proof = self._proofs[round_id] = await read_proof(connection, round_id, self._unseal)
                if len(self._proofs) > PROOFS_KEPT:
                    self._proofs.popitem(last=False)
            return proof

    async def advice(self, request: web.Request) -> Advice:
        round_id = _round_id_in(request)
        async with self._database.reading() as connection:
            paytable, situations = await situations_of(connection, request[SESSION].user.id, round_id)
        values = [await self._advisor.values(paytable, one.hole, one.board) for one in situations]
        decisions = [_worth_view(one, worth) for one, worth in zip(situations, values, strict=True)]
        return {"round_id": round_id, "decisions": decisions}

    async def _stop(self, _app: web.Application) -> None:
        await self._advisor.stop()


def _round_id_in(request: web.Request) -> str:
    round_id = request.match_info["round_id"]
    if not _ROUND_ID.fullmatch(round_id):
        raise Reason.NO_SUCH_ROUND.refusal()
    return round_id


def _limit_in(request: web.Request) -> int:
    written = request.query.get("limit")
    if not written:
        return PAGE_USUAL
    if not _LIMIT.fullmatch(written):
        raise Refusal(Code.BAD_REQUEST, f"limit: use a whole number from 1 to {PAGE_MAX}.")
    return int(written)


def _round_view(played: Played) -> past_rounds.PlayedRound:
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


def _worth_view(situation: Situation, values: Values | None) -> Worth:
    """Values in ANTEs. `best` is the action taken if none was better, else the smallest of the best bets."""
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


def _first_worth(values: Values, most: float) -> Action:
    return next(action for action, value in values.items() if value == most)
