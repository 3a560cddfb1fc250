"""Routes to correct a settled round: preview, proposal by a manager, approval or rejection by a second person."""

import re
from collections.abc import Awaitable, Callable
from typing import Annotated, Final

from aiohttp import web
from pydantic import Field
from typing_extensions import TypedDict

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.history.player_rounds import Place
from casino.http.authorization import SESSION, add_route, only
from casino.http.host import OFFICE, limit_in, round_id_in
from casino.http.request_body import Body, body_of
from casino.http.responses import Done
from casino.live_table import corrections
from casino.live_table.corrections import Proposal
from casino.live_table.messages import CorrectSettled
from casino.storage.database import Database
from casino.storage.text_types import StoredText
from casino.users.roles import Person, Role
from casino.wire.common import Moves
from casino.wire.floor import Correction

Correct = Callable[[str, CorrectSettled], Awaitable[None]]
"""Sends the approved correction to the table with this id."""

Slot = Annotated[str, Field(min_length=1, max_length=20)]
Card = Annotated[str, Field(min_length=2, max_length=2)]
Cards = Annotated[dict[Slot, Card], Field(min_length=1, max_length=21)]

_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class ToPreview(Body):
    """Slots, and the cards that were really there."""

    cards: Cards


class ToPropose(Body):
    round_id: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,40}$")]
    cards: Cards
    reason: Annotated[StoredText, Field(min_length=1, max_length=300)]


class ToApprove(Body):
    remark: Annotated[StoredText, Field(max_length=300)] = ""


class ToReject(Body):
    reason: Annotated[StoredText, Field(min_length=1, max_length=300)]


class Proposed(TypedDict):
    id: str


class Corrections(TypedDict):
    corrections: list[Correction]
    next: str | None


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

    async def preview(self, request: web.Request) -> Moves:
        body = await body_of(request, ToPreview)
        proposal = Proposal(round_id_in(request), tuple(body.cards.items()), "preview")
        async with self._database.reading() as connection:
            return await corrections.previewed(connection, proposal, self._clock())

    async def propose(self, request: web.Request) -> Proposed:
        body = await body_of(request, ToPropose)
        proposal = Proposal(body.round_id, tuple(body.cards.items()), body.reason)
        async with self._database.writing() as connection:
            id_ = await corrections.propose(connection, proposal, _person(request), self._clock())
        return {"id": id_}

    async def page(self, request: web.Request) -> Corrections:
        before = request.query.get("before")
        place = None if before is None else Place.parse(before)
        limit = limit_in(request)
        async with self._database.reading() as connection:
            rows = await corrections.page(
                connection, limit, place and (place.started_ms, place.round_id), self._clock()
            )
        last = rows[-1] if len(rows) == limit else None
        following = None if last is None else str(Place(last["proposed_at"], last["id"]))
        return {"corrections": rows, "next": following}

    async def approve(self, request: web.Request) -> Done:
        id_ = _id_in(request)
        body = await body_of(request, ToApprove, may_be_missing=True)
        table_id = await self._table_of(id_)
        await self._correct(table_id, CorrectSettled(id_, _person(request), body.remark))
        return {}

    async def reject(self, request: web.Request) -> Done:
        id_ = _id_in(request)
        body = await body_of(request, ToReject)
        async with self._database.writing() as connection:
            await corrections.reject(connection, id_, _person(request), body.reason, self._clock())
        return {}

    async def _table_of(self, id_: str) -> str:
        async with self._database.reading() as connection:
            return await corrections.table_of(connection, id_)


def _person(request: web.Request) -> Person:
    user = request[SESSION].user
    return Person(user.id, user.name, user.role)


def _id_in(request: web.Request) -> str:
    id_ = request.match_info["correction_id"]
    if not _ID.fullmatch(id_):
        raise Refusal(Code.NOT_FOUND, "This proposal does not exist. Reload the list.")
    return id_
