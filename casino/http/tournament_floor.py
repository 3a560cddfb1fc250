"""Routes of managers for tournaments: create and change, pause, cancel with preview, disqualify, and second people."""

import re
from typing import Annotated, Final, cast

import orjson
from aiohttp import web
from pydantic import Field, JsonValue

from casino.http.authorization import SESSION, add_route, only
from casino.http.poker import AskRoom
from casino.http.poker_floor import Why
from casino.http.request_body import Body, body_of
from casino.http.responses import Done
from casino.poker_room.tournament.staff_messages import (
    AnswerProposal,
    AnswerRefund,
    CancelTournament,
    ChangeTournament,
    ContinueTournament,
    CreateTournament,
    DisqualifyPlayer,
    PauseTournament,
    PreviewCancellation,
    ProposeRefund,
    ViewManagedTournament,
    ViewTemplates,
    ViewTournamentFloor,
)
from casino.poker_room.tournament.staged_terms import TournamentChanges
from casino.refusals import Reason
from casino.users.roles import Person, Role
from casino.wire.poker_floor import (
    CancellationPreview,
    ChangedTournament,
    CreatedTournament,
    ManagedTournament,
    TournamentFloor,
    TournamentPreview,
    TournamentTemplates,
)

_ID: Final = re.compile("[A-Za-z0-9_-]{1,40}")
Time = Annotated[int, Field(ge=0, le=2**53)]


class ToPreviewTournament(Body):
    """`template` is an entry as in `schedule.toml`, with `at`."""

    template: dict[str, JsonValue]
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]


class ToCreateTournament(ToPreviewTournament):
    reason: Why


class ToPreviewChange(Body):
    """What is left out stays as it is. `starts_at` delays the start."""

    changes: TournamentChanges = TournamentChanges()
    starts_at: Time | None = None


class ToChangeTournament(ToPreviewChange):
    reason: Why


class ToIntervene(Body):
    reason: Why


class ToPreviewCancellation(Body):
    """`in_full`: the refund that two people decide, outside the published cases."""

    in_full: bool = False


class ToDisqualify(Body):
    player_id: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,40}$")]
    reason: Why


class ToAnswer(Body):
    is_approved: bool
    reason: Why


class TournamentFloorRoutes:
    def __init__(self, ask: AskRoom) -> None:
        self._ask = ask

    def add_to(self, app: web.Application) -> None:
        manager, events = only(Role.MANAGER), "/api/host/poker/tournaments"
        one = f"{events}/{{tournament_id}}"
        add_route(app, "GET", events, self.floor, manager)
        add_route(app, "POST", events, self.create, manager)
        add_route(app, "POST", f"{events}/preview", self.preview, manager)
        add_route(app, "GET", "/api/host/poker/tournament-templates", self.templates, manager)
        proposal = "/api/host/poker/tournament-proposals/{proposal_id}/answer"
        add_route(app, "POST", proposal, self.answer_proposal, manager)
        add_route(app, "GET", one, self.tournament, manager)
        add_route(app, "POST", f"{one}/change", self.change, manager)
        add_route(app, "POST", f"{one}/change/preview", self.preview_change, manager)
        add_route(app, "POST", f"{one}/pause", self.pause, manager)
        add_route(app, "POST", f"{one}/resume", self.resume, manager)
        add_route(app, "POST", f"{one}/cancel", self.cancel, manager)
        add_route(app, "POST", f"{one}/cancel/preview", self.preview_cancellation, manager)
        add_route(app, "POST", f"{one}/refund", self.propose_refund, manager)
        add_route(app, "POST", f"{one}/refund/answer", self.answer_refund, manager)
        add_route(app, "POST", f"{one}/disqualify", self.disqualify, manager)

    async def floor(self, _request: web.Request) -> TournamentFloor:
        return cast(TournamentFloor, await self._ask(ViewTournamentFloor()))

    async def templates(self, _request: web.Request) -> TournamentTemplates:
        return cast(TournamentTemplates, await self._ask(ViewTemplates()))

    async def tournament(self, request: web.Request) -> ManagedTournament:
        return cast(ManagedTournament, await self._ask(ViewManagedTournament(_tournament_in(request))))

    async def preview(self, request: web.Request) -> TournamentPreview:
        """Announces nothing."""
        body = await body_of(request, ToPreviewTournament)
        template = orjson.dumps(body.template).decode()
        message = CreateTournament(template, body.currency, _person(request), "", is_preview=True)
        return cast(TournamentPreview, await self._ask(message))

    async def create(self, request: web.Request) -> CreatedTournament:
        """Announces it, or proposes it to a second manager if the house promises more than one may."""
        body = await body_of(request, ToCreateTournament)
        template = orjson.dumps(body.template).decode()
        message = CreateTournament(template, body.currency, _person(request), body.reason)
        return cast(CreatedTournament, await self._ask(message))

    async def preview_change(self, request: web.Request) -> TournamentPreview:
        """Changes nothing."""
        tournament_id, body = _tournament_in(request), await body_of(request, ToPreviewChange)
        return cast(TournamentPreview, await self._ask(_change(tournament_id, body, _person(request))))

    async def change(self, request: web.Request) -> ChangedTournament:
        """Before the start, except what players have paid for. Entered players get a notice."""
        tournament_id, body = _tournament_in(request), await body_of(request, ToChangeTournament)
        return cast(ChangedTournament, await self._ask(_change(tournament_id, body, _person(request), body.reason)))

    async def answer_proposal(self, request: web.Request) -> Done:
        """The second manager announces the proposed tournament or change, or rejects it."""
        proposal_id, body = request.match_info["proposal_id"], await body_of(request, ToAnswer)
        if not _ID.fullmatch(proposal_id):
            raise Reason.NOT_FOUND.refusal()
        await self._ask(AnswerProposal(proposal_id, _person(request), body.is_approved, body.reason))
        return {}

    async def pause(self, request: web.Request) -> Done:
        """The level clock stops and no hand begins; running hands are finished."""
        tournament_id, body = _tournament_in(request), await body_of(request, ToIntervene)
        await self._ask(PauseTournament(tournament_id, _person(request), body.reason))
        return {}

    async def resume(self, request: web.Request) -> Done:
        tournament_id, body = _tournament_in(request), await body_of(request, ToIntervene)
        await self._ask(ContinueTournament(tournament_id, _person(request), body.reason))
        return {}

    async def preview_cancellation(self, request: web.Request) -> CancellationPreview:
        tournament_id = _tournament_in(request)
        body = await body_of(request, ToPreviewCancellation, may_be_missing=True)
        return cast(CancellationPreview, await self._ask(PreviewCancellation(tournament_id, body.in_full)))

    async def cancel(self, request: web.Request) -> Done:
        """Cancels by the published cases: running hands are void, and every player gets the refund of the preview."""
        tournament_id, body = _tournament_in(request), await body_of(request, ToIntervene)
        await self._ask(CancelTournament(tournament_id, _person(request), body.reason))
        return {}

    async def propose_refund(self, request: web.Request) -> Done:
        """Proposes to cancel outside the published cases, with everything players have paid."""
        tournament_id, body = _tournament_in(request), await body_of(request, ToIntervene)
        await self._ask(ProposeRefund(tournament_id, _person(request), body.reason))
        return {}

    async def answer_refund(self, request: web.Request) -> Done:
        """The second person approves or rejects it."""
        tournament_id, body = _tournament_in(request), await body_of(request, ToAnswer)
        await self._ask(AnswerRefund(tournament_id, _person(request), body.is_approved, body.reason))
        return {}

    async def disqualify(self, request: web.Request) -> Done:
        """Takes the player's chips out of play after the running hand; prizes not yet credited are held."""
        tournament_id, body = _tournament_in(request), await body_of(request, ToDisqualify)
        await self._ask(DisqualifyPlayer(tournament_id, body.player_id, _person(request), body.reason))
        return {}


def _change(tournament_id: str, body: ToPreviewChange, by: Person, reason: str | None = None) -> ChangeTournament:
    """Without a reason, a preview."""
    changes = body.changes.model_dump_json(exclude_none=True)
    return ChangeTournament(tournament_id, changes, body.starts_at, by, reason or "", is_preview=reason is None)


def _tournament_in(request: web.Request) -> str:
    tournament_id = request.match_info["tournament_id"]
    if not _ID.fullmatch(tournament_id):
        raise Reason.NOT_FOUND.refusal()
    return tournament_id


def _person(request: web.Request) -> Person:
    user = request[SESSION].user
    return Person(user.id, user.name, user.role)
