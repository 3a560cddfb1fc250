"""Routes for proposals about running rounds: finance lists them, and approves or rejects as the second person."""

import re
from typing import Final, Protocol

from aiohttp import web
from typing_extensions import TypedDict

from casino.errors import Code, Refusal
from casino.http.authorization import SESSION, add_route, only
from casino.http.corrections import ToReject
from casino.http.request_body import Nothing, body_of
from casino.http.responses import Done
from casino.users.roles import Role
from casino.uth.commands import ApproveProposal, RejectProposal
from casino.wire.floor import OpenProposal

_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,60}")


class Proposals(Protocol):
    """Access to the proposals of running tables."""

    async def open_proposals(self) -> list[OpenProposal]:
        """Returns every proposal that waits for a second person, with the balances it would change."""

    async def answer_proposal(self, answer: ApproveProposal | RejectProposal) -> None:
        """Passes the answer on to the table; raises `not_found`, `forbidden` or `too_late`."""


class OpenProposals(TypedDict):
    proposals: list[OpenProposal]


class ProposalRoutes:
    def __init__(self, proposals: Proposals) -> None:
        self._proposals = proposals

    def add_to(self, app: web.Application) -> None:
        finance = only(Role.FINANCE)
        add_route(app, "GET", "/api/finance/proposals", self.page, finance)
        add_route(app, "POST", "/api/finance/proposals/{proposal_id}/approve", self.approve, finance)
        add_route(app, "POST", "/api/finance/proposals/{proposal_id}/reject", self.reject, finance)

    async def page(self, _request: web.Request) -> OpenProposals:
        return {"proposals": await self._proposals.open_proposals()}

    async def approve(self, request: web.Request) -> Done:
        await body_of(request, Nothing, may_be_missing=True)
        await self._proposals.answer_proposal(ApproveProposal(_id_in(request), request[SESSION].user.name))
        return {}

    async def reject(self, request: web.Request) -> Done:
        body = await body_of(request, ToReject)
        await self._proposals.answer_proposal(RejectProposal(_id_in(request), request[SESSION].user.name, body.reason))
        return {}


def _id_in(request: web.Request) -> str:
    id_ = request.match_info["proposal_id"]
    if not _ID.fullmatch(id_):
        raise Refusal(Code.NOT_FOUND, "This proposal does not exist. Reload the list.")
    return id_
