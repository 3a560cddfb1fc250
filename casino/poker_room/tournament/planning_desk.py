"""Planning desk: managers create and change tournaments. A second one approves what one may not promise alone."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import select

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.poker.tournament.balance import Pick
from casino.poker.tournament.commands import Change
from casino.poker.tournament.director import announce, begin, decide
from casino.poker.tournament.replay import evolve
from casino.poker.tournament.state import Tournament
from casino.poker.tournament.structure import HOUR_MS, MINUTE_MS
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.tournament.parameter_views import parameters_view
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec, source_of
from casino.poker_room.tournament.staff_acts import StaffActs
from casino.poker_room.tournament.staff_messages import AnswerProposal, ChangeTournament, CreateTournament
from casino.poker_room.tournament.staff_proposals import Proposed, StaffProposals, needs_two, promised
from casino.poker_room.tournament.staged_terms import changed_terms, changes_of, created_terms, template_of
from casino.poker_room.tournament.tournament_views import row_view, structure_view
from casino.refusals import Reason
from casino.settings.poker import PokerSettings
from casino.storage.database import Database
from casino.storage.tournament_schema import tournaments
from casino.users.requests import OpenRequest, RequestKind, verify_second_person
from casino.users.roles import Person
from casino.wire.outbound import Payload
from casino.wire.poker_floor import ChangedTournament, CreatedTournament, ProposedTournament, TournamentPreview

Announce = Callable[[TournamentSpec, TournamentTerms], Awaitable[RunningTournament]]
NewId = Callable[[TournamentKind], str]
APPROVED_MS: Final = 24 * HOUR_MS
"""How long an approved tournament that is not announced is looked for."""


class PlanningDesk:
    def __init__(
        self,
        settings: PokerSettings,
        database: Database,
        clock: Clock,
        pick: Pick,
        *,
        running: Mapping[str, RunningTournament],
        acts: StaffActs,
        new_id: NewId,
        announce: Announce,
    ) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock
        self._pick = pick
        self._running = running
        self._acts = acts
        self._new_id = new_id
        self._announce = announce
        self._alone_max = settings.room.promised_alone_max
        self._proposals = StaffProposals(database, clock)
        self._deciding = asyncio.Lock()

    async def take(self, message: CreateTournament | ChangeTournament | AnswerProposal) -> Payload:
        match message:
            case CreateTournament():
                return await self._create(message)
            case ChangeTournament():
                return await self._change(message)
        async with self._deciding:
            return await self._answer(message)

    async def _create(self, message: CreateTournament) -> Payload:
        proposed = Proposed(template=message.template)
        spec, terms = self._created(proposed, message.currency, self._new_id(TournamentKind.MTT))
        if message.is_preview:
            return self._previewed(spec, begin(announce(terms, self._clock())))
        created: CreatedTournament = {"tournament_id": terms.tournament_id, "waits_for_second_person": False}
        if needs_two(terms, self._alone_max):
            kind = RequestKind.TOURNAMENT_CREATE
            await self._proposals.submit(kind, proposed, terms, message.currency, by=message.by, reason=message.reason)
            return created | {"waits_for_second_person": True}
        after = _described(terms, message.currency)
        await self._acts.note(message.by, "tournament_created", terms.tournament_id, message.reason, after)
        await self._announce(spec, terms)
        return created

    def _created(self, proposed: Proposed, currency: str, tournament_id: str) -> tuple[TournamentSpec, TournamentTerms]:
        row, now_ms = template_of(proposed.template or ""), self._clock()
        if currency not in self._settings.room.currencies:
            raise Refusal(Code.BAD_REQUEST, f"currency: this room has no {currency}.")
        terms = created_terms(self._settings, row, tournament_id, now_ms)
        opens_ms = max(now_ms, terms.starts_ms - row.registration_opens_minutes * MINUTE_MS)
        source = source_of(row.id, currency)
        return TournamentSpec(tournament_id, TournamentKind.MTT, source, currency, row.clock, opens_ms), terms

    async def _change(self, message: ChangeTournament) -> Payload:
        running = self._found(message.tournament_id)
        proposed = Proposed(changes=message.changes, starts_ms=message.starts_ms)
        command = self._changed(running, proposed, message.reason, message.by)
        if message.is_preview:
            return self._preview_of_change(running, command)
        changed: ChangedTournament = {"waits_for_second_person": False}
        if needs_two(command.terms, self._alone_max, running.state.terms):
            self._acts.verify(running, command)
            kind, currency = RequestKind.TOURNAMENT_CHANGE, running.spec.currency
            await self._proposals.submit(kind, proposed, command.terms, currency, by=message.by, reason=message.reason)
            return changed | {"waits_for_second_person": True}
        await self._acts.do(running, message.by, "tournament_changed", command, after=_changes_in(proposed))
        return changed

    def _changed(self, running: RunningTournament, proposed: Proposed, reason: str, by: Person) -> Change:
        changes = changes_of(proposed.changes)
        terms = changed_terms(self._settings, running.state, changes, proposed.starts_ms, self._clock())
        return Change(terms, reason, by.name)

    def _preview_of_change(self, running: RunningTournament, command: Change) -> TournamentPreview:
        state = running.state
        for event in decide(state, command, self._clock(), self._pick):
            state = evolve(state, event)
        return self._previewed(running.spec, state, running.state.terms)

    def _previewed(
        self, spec: TournamentSpec, state: Tournament, before: TournamentTerms | None = None
    ) -> TournamentPreview:
        return {
            "tournament": row_view(spec, state, self._clock()),
            "parameters": parameters_view(state.terms),
            "structure": structure_view(state.terms.structure),
            "promised": promised(state.terms),
            "needs_second_person": needs_two(state.terms, self._alone_max, before),
        }

    # Proposals for a second manager

    async def proposed(self) -> list[ProposedTournament]:
        return [self._proposal(found, at_ms) for found, at_ms in await self._proposals.open_ones()]

    def _proposal(self, found: OpenRequest, at_ms: int) -> ProposedTournament:
        wanted = found.wanted
        view: ProposedTournament = {
            "proposal_id": found.id,
            "act": "create" if wanted.kind is RequestKind.TOURNAMENT_CREATE else "change",
            "tournament_id": wanted.target,
            "name": wanted.tournament or "",
            "currency": wanted.currency or "",
            "promised": wanted.amount or 0,
            "by": found.requested_by.name,
            "at": at_ms,
            "reason": wanted.reason,
            "preview": None,
            "refusal": None,
        }
        proposed = Proposed.load(wanted.terms)
        try:
            if wanted.kind is RequestKind.TOURNAMENT_CREATE:
                spec, terms = self._created(proposed, wanted.currency or "", wanted.target)
                view["preview"] = self._previewed(spec, begin(announce(terms, self._clock())))
            else:
                running = self._found(wanted.target)
                command = self._changed(running, proposed, wanted.reason, found.requested_by)
                view["preview"] = self._preview_of_change(running, command)
        except Refusal as refusal:
            view["refusal"] = refusal.message
        return view

    async def _answer(self, message: AnswerProposal) -> Payload:
        found, by = await self._proposals.find(message.proposal_id), message.by
        if not message.is_approved:
            await self._proposals.reject(found.id, by, message.reason)
            return {}
        verify_second_person(found, by)
        wanted, proposed = found.wanted, Proposed.load(found.wanted.terms)
        if wanted.kind is RequestKind.TOURNAMENT_CREATE:
            spec, terms = self._created(proposed, wanted.currency or "", wanted.target)
            await self._proposals.approve(found, by, message.reason, _described(terms, spec.currency))
            await self._announce(spec, terms)
            return {}
        running = self._found(wanted.target)
        command = self._changed(running, proposed, wanted.reason, found.requested_by)
        self._acts.verify(running, command)
        await self._proposals.approve(found, by, message.reason, _changes_in(proposed))
        await running.director.post(command)
        return {}

    async def announce_approved(self) -> None:
        """Announces what was approved immediately before the service ended."""
        async with self._deciding:
            for wanted in await self._proposals.approved_since(self._clock() - APPROVED_MS):
                if not await self._is_stored(wanted.target):
                    proposed, currency = Proposed.load(wanted.terms), wanted.currency or ""
                    with suppress(Refusal):  # its start is over
                        await self._announce(*self._created(proposed, currency, wanted.target))

    async def _is_stored(self, tournament_id: str) -> bool:
        query = select(tournaments.c.id).where(tournaments.c.id == tournament_id)
        async with self._database.reading(for_table=True) as connection:
            return await connection.scalar(query) is not None

    def _found(self, tournament_id: str) -> RunningTournament:
        running = self._running.get(tournament_id)
        if running is None:
            raise Reason.NOT_FOUND.refusal()
        return running


def _described(terms: TournamentTerms, currency: str) -> dict[str, Any]:
    return {"name": terms.name, "starts_ms": terms.starts_ms, "currency": currency}


def _changes_in(proposed: Proposed) -> dict[str, Any]:
    after = changes_of(proposed.changes).model_dump(exclude_none=True, mode="json")
    return after if proposed.starts_ms is None else after | {"starts_ms": proposed.starts_ms}
