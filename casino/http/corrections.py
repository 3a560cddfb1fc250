"""Correcting a settled round over HTTP: preview, proposal by a manager, approval or rejection by somebody else."""

import re
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

from aiohttp import web
from pydantic import Field

from casino.api.audience import SESSION, add_route, only
from casino.api.bodies import Body, body_of
from casino.api.host import OFFICE, limit_in, round_id_in
from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.history.account import Place
from casino.people.roles import Person, Role
from casino.storage.database import Database
from casino.storage.texts import StoredText
from casino.table import corrections
from casino.table.corrections import Proposal
from casino.table.messages import CorrectSettled

Correct = Callable[[str, CorrectSettled], Awaitable[None]]
"""Says to the table of this id that the correction is approved."""

Slot = Annotated[str, Field(min_length=1, max_length=20)]
Card = Annotated[str, Field(min_length=2, max_length=2)]
Cards = Annotated[dict[Slot, Card], Field(min_length=1, max_length=21)]

_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class ToPreview(Body):
    """Slots, and the cards that lay there in truth."""

    cards: Cards


class ToPropose(Body):
    round_id: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,40}$")]
    cards: Cards
    reason: Annotated[StoredText, Field(min_length=1, max_length=300)]


class ToApprove(Body):
    remark: Annotated[StoredText, Field(max_length=300)] = ""


class ToReject(Body):
    reason: Annotated[StoredText, Field(min_length=1, max_length=300)]


class CorrectionRoutes:
    def __init__(self, database: Database, correct: Correct, clock: Clock) -> None:
        self._database = database
        self._correct = correct
        self._clock = clock

    def add_to(self, app: web.Application) -> None:
        manager = only(Role.MANAGER)
        add_route(app, "POST", "/api/host/rounds/{round_id}/preview", self.preview, OFFICE)
        add_route(app, "POST", "/api/host/corrections", self.propose, manager)
        add_route(app, "GET", "/api/host/corrections", self.page, OFFICE)
        add_route(app, "POST", "/api/host/corrections/{correction_id}/approve", self.approve, OFFICE)
        add_route(app, "POST", "/api/host/corrections/{correction_id}/reject", self.reject, OFFICE)

    async def preview(self, request: web.Request) -> web.Response:
        body = await body_of(request, ToPreview)
        proposal = Proposal(round_id_in(request), tuple(body.cards.items()), "preview")
        async with self._database.reading() as connection:
            return web.json_response(await corrections.previewed(connection, proposal, self._clock()))

    async def propose(self, request: web.Request) -> web.Response:
        body = await body_of(request, ToPropose)
        proposal = Proposal(body.round_id, tuple(body.cards.items()), body.reason)
        async with self._database.writing() as connection:
            id_ = await corrections.propose(connection, proposal, _person(request), self._clock())
        return web.json_response({"id": id_})

    async def page(self, request: web.Request) -> web.Response:
        before = request.query.get("before")
        place = None if before is None else Place.parse(before)
        limit = limit_in(request)
        async with self._database.reading() as connection:
            rows = await corrections.page(
                connection, limit, place and (place.started_ms, place.round_id), self._clock()
            )
        last = rows[-1] if len(rows) == limit else None
        following = str(Place(last["proposed_at"], last["id"])) if last else None
        return web.json_response({"corrections": rows, "next": following})

    async def approve(self, request: web.Request) -> web.Response:
        id_ = _id_in(request)
        body = await body_of(request, ToApprove, may_be_missing=True)
        table_id = await self._table_of(id_)
        await self._correct(table_id, CorrectSettled(id_, _person(request), body.remark))
        return _done()

    async def reject(self, request: web.Request) -> web.Response:
        id_ = _id_in(request)
        body = await body_of(request, ToReject)
        async with self._database.writing() as connection:
            await corrections.reject(connection, id_, _person(request), body.reason, self._clock())
        return _done()

    async def _table_of(self, id_: str) -> str:
        async with self._database.reading() as connection:
            return await corrections.table_of(connection, id_)


def _person(request: web.Request) -> Person:
    user = request[SESSION].user
    return Person(user.id, user.name, user.role)


def _id_in(request: web.Request) -> str:
    id_ = request.match_info["correction_id"]
    if not _ID.fullmatch(id_):
        raise Refusal(Code.NOT_FOUND, "There is no such proposal.")
    return id_


def _done() -> web.Response:
    answer: dict[str, Any] = {}
    return web.json_response(answer)
