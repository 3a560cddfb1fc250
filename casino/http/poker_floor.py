"""Routes of managers for the floor of the poker room: overview, reports, pause, resume, and void with preview."""

import re
from typing import Annotated, Final, cast

from aiohttp import web
from pydantic import Field

from casino.http.authorization import SESSION, add_route, only
from casino.http.host import limit_in, query_parameter
from casino.http.poker import AskRoom
from casino.http.request_body import Body, Nothing, body_of
from casino.http.responses import Done
from casino.poker_room.messages import (
    PauseTable,
    PreviewVoid,
    ResumeTable,
    ReturnChips,
    ViewFloor,
    ViewReports,
    VoidRunningHand,
)
from casino.refusals import Reason
from casino.storage.text_types import StoredText
from casino.users.roles import Person, Role
from casino.wire.poker_floor import PokerFloor, PokerReports, VoidPreview

Why = Annotated[StoredText, Field(min_length=1, max_length=300)]
_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")


class ToPause(Body):
    reason: Why


class ToReturn(Body):
    reason: Why


class ToResume(Body):
    reason: Annotated[StoredText, Field(max_length=300)] = ""


class ToVoid(Body):
    """`hand_id` is the hand that the preview named: another one by now is not voided."""

    hand_id: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,40}$")]
    reason: Why


class PokerFloorRoutes:
    def __init__(self, ask: AskRoom) -> None:
        self._ask = ask

    def add_to(self, app: web.Application) -> None:
        manager, table = only(Role.MANAGER), "/api/host/poker/tables/{table_id}"
        add_route(app, "GET", "/api/host/poker/floor", self.floor, manager)
        add_route(app, "POST", f"{table}/pause", self.pause, manager)
        add_route(app, "POST", f"{table}/resume", self.resume, manager)
        add_route(app, "POST", f"{table}/void/preview", self.preview, manager)
        add_route(app, "POST", f"{table}/void", self.void, manager)
        add_route(app, "POST", f"{table}/return_chips", self.return_chips, manager)
        add_route(app, "GET", "/api/host/poker/reports", self.reports, manager)

    async def floor(self, _request: web.Request) -> PokerFloor:
        return cast(PokerFloor, await self._ask(ViewFloor()))

    async def pause(self, request: web.Request) -> Done:
        """No hand begins at the table; a running one is finished."""
        table_id, body = _table_in(request), await body_of(request, ToPause)
        await self._ask(PauseTable(table_id, _person(request), body.reason))
        return {}

    async def resume(self, request: web.Request) -> Done:
        table_id, body = _table_in(request), await body_of(request, ToResume, may_be_missing=True)
        await self._ask(ResumeTable(table_id, _person(request), body.reason))
        return {}

    async def preview(self, request: web.Request) -> VoidPreview:
        table_id = _table_in(request)
        await body_of(request, Nothing, may_be_missing=True)
        return cast(VoidPreview, await self._ask(PreviewVoid(table_id)))

    async def void(self, request: web.Request) -> Done:
        table_id, body = _table_in(request), await body_of(request, ToVoid)
        await self._ask(VoidRunningHand(table_id, body.hand_id, _person(request), body.reason))
        return {}

    async def return_chips(self, request: web.Request) -> Done:
        """Pays out a table whose state cannot be read: each player gets their chips, and the table closes."""
        table_id, body = _table_in(request), await body_of(request, ToReturn)
        await self._ask(ReturnChips(table_id, _person(request), body.reason))
        return {}

    async def reports(self, request: web.Request) -> PokerReports:
        """Reports of players about others, newest first."""
        before = query_parameter(request, "before")
        page = ViewReports(limit_in(request), None if before is None else int(before))
        return cast(PokerReports, await self._ask(page))


def _table_in(request: web.Request) -> str:
    table_id = request.match_info["table_id"]
    if not _ID.fullmatch(table_id):
        raise Reason.NO_SUCH_TABLE.refusal()
    return table_id


def _person(request: web.Request) -> Person:
    user = request[SESSION].user
    return Person(user.id, user.name, user.role)
