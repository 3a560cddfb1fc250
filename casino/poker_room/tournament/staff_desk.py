"""Staff desk: managers create, change, pause, continue and cancel tournaments, and disqualify players.

Every act is an entry of the audit log, written before it has an effect. Cancelling follows the published cases; any
other refund is proposed by one person and approved by another. The journal of the tournament names both.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from casino.audit import log as audit_log
from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.poker.tournament.balance import Pick
from casino.poker.tournament.commands import (
    ApproveRefund,
    Cancel,
    Change,
    Command,
    Continue,
    Disqualify,
    ProposeRefund,
    RejectRefund,
    Stop,
)
from casino.poker.tournament.director import announce, begin, decide
from casino.poker.tournament.money_events import Cancelled
from casino.poker.tournament.replay import evolve
from casino.poker.tournament.state import Tournament
from casino.poker.tournament.structure import MINUTE_MS
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.tournament.parameter_views import parameters_view
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec, source_of
from casino.poker_room.tournament.staff_messages import (
    AnswerRefund,
    CancelTournament,
    ChangeTournament,
    ContinueTournament,
    CreateTournament,
    DisqualifyPlayer,
    PauseTournament,
    PreviewCancellation,
    TournamentFromStaff,
    ViewManagedTournament,
    ViewTournamentFloor,
)
from casino.poker_room.tournament.staff_messages import (
    ProposeRefund as ToProposeRefund,
)
from casino.poker_room.tournament.staff_views import StaffViews
from casino.poker_room.tournament.staged_terms import changed_terms, changes_of, created_terms, template_of
from casino.poker_room.tournament.tournament_views import row_view, structure_view
from casino.refusals import Reason
from casino.settings.poker import PokerSettings
from casino.storage.database import Database
from casino.users.roles import Person
from casino.wire.outbound import Payload
from casino.wire.poker_floor import CancellationPreview, CreatedTournament, TournamentPreview

Announce = Callable[[TournamentSpec, TournamentTerms], Awaitable[RunningTournament]]
Prepare = Callable[[RunningTournament], Awaitable[None]]
NewId = Callable[[TournamentKind], str]
_BY_PREVIEW: Final = "preview"


class StaffDesk:
    def __init__(
        self,
        settings: PokerSettings,
        database: Database,
        clock: Clock,
        pick: Pick,
        *,
        running: Mapping[str, RunningTournament],
        views: StaffViews,
        new_id: NewId,
        announce: Announce,
        prepare: Prepare,
    ) -> None:
        """`prepare` brings the survivors of flights to a second phase before it is cancelled."""
        self._settings = settings
        self._database = database
        self._clock = clock
        self._pick = pick
        self._running = running
        self._views = views
        self._new_id = new_id
        self._announce = announce
        self._prepare = prepare

    async def take(self, message: TournamentFromStaff) -> Payload:
        match message:
            case ViewTournamentFloor():
                return await self._views.floor()
            case ViewManagedTournament():
                return await self._views.tournament(self._found(message.tournament_id))
            case CreateTournament():
                return await self._create(message)
            case ChangeTournament():
                return await self._change(message)
            case PreviewCancellation():
                running = self._found(message.tournament_id)
                await self._prepare(running)
                return self._preview(running, is_in_full=message.is_in_full)
        await self._act(message)
        return {}

    async def _act(
        self,
        message: PauseTournament
        | ContinueTournament
        | CancelTournament
        | DisqualifyPlayer
        | ToProposeRefund
        | AnswerRefund,
    ) -> None:
        running, by, reason = self._found(message.tournament_id), message.by, message.reason
        match message:
            case PauseTournament():
                await self._do(running, by, "tournament_paused", Stop(reason, by.name))
            case ContinueTournament():
                await self._do(running, by, "tournament_resumed", Continue(reason, by.name))
            case CancelTournament():
                await self._prepare(running)
                await self._do(running, by, "tournament_cancelled", Cancel(reason, by.name))
            case DisqualifyPlayer():
                entry = running.entry_of(message.player_id)
                if entry is None:
                    raise Reason.NOT_REGISTERED.refusal()
                command = Disqualify(entry.entry_id, reason, by.name)
                after = {"player": running.names.get(message.player_id, ""), "player_id": message.player_id}
                await self._do(running, by, "player_disqualified", command, after=after)
            case ToProposeRefund():
                await self._do(running, by, "tournament_refund_proposed", ProposeRefund(reason, by.name))
            case AnswerRefund(is_approved=True):
                await self._do(running, by, "tournament_refund_approved", ApproveRefund(by.name), reason=reason)
            case AnswerRefund():
                await self._do(running, by, "tournament_refund_rejected", RejectRefund(reason, by.name))

    async def _do(
        self,
        running: RunningTournament,
        by: Person,
        action: str,
        command: Command,
        *,
        after: Mapping[str, Any] | None = None,
        reason: str | None = None,
    ) -> None:
        """What the rules refuse now is not written down."""
        decide(running.state, command, self._clock(), self._pick)
        why = reason if reason is not None else getattr(command, "reason", "")
        await self._note(by, action, running.tournament_id, why, after)
        await running.director.post(command)

    # New and changed tournaments

    async def _create(self, message: CreateTournament) -> Payload:
        row, now_ms = template_of(message.template), self._clock()
        if message.currency not in self._settings.room.currencies:
            raise Refusal(Code.BAD_REQUEST, f"currency: this room has no {message.currency}.")
        kind = TournamentKind.MTT
        tournament_id = self._new_id(kind)
        terms = created_terms(self._settings, row, tournament_id, now_ms)
        opens_ms = max(now_ms, terms.starts_ms - row.registration_opens_minutes * MINUTE_MS)
        source = source_of(row.id, message.currency)
        spec = TournamentSpec(tournament_id, kind, source, message.currency, row.clock, opens_ms)
        if message.is_preview:
            return self._previewed(spec, begin(announce(terms, now_ms)))
        after = {"name": terms.name, "starts_ms": terms.starts_ms, "currency": message.currency}
        await self._note(message.by, "tournament_created", tournament_id, message.reason, after)
        await self._announce(spec, terms)
        created: CreatedTournament = {"tournament_id": tournament_id}
        return created

    async def _change(self, message: ChangeTournament) -> Payload:
        running, changes = self._found(message.tournament_id), changes_of(message.changes)
        terms = changed_terms(self._settings, running.state, changes, message.starts_ms, self._clock())
        command = Change(terms, message.reason, message.by.name)
        if message.is_preview:
            state = running.state
            for event in decide(state, command, self._clock(), self._pick):
                state = evolve(state, event)
            return self._previewed(running.spec, state)
        after = changes.model_dump(exclude_none=True, mode="json")
        if message.starts_ms is not None:
            after["starts_ms"] = message.starts_ms
        await self._do(running, message.by, "tournament_changed", command, after=after)
        return {}

    def _previewed(self, spec: TournamentSpec, state: Tournament) -> TournamentPreview:
        return {
            "tournament": row_view(spec, state, self._clock()),
            "parameters": parameters_view(state.terms),
            "structure": structure_view(state.terms.structure),
        }

    # Cancellation

    def _preview(self, running: RunningTournament, *, is_in_full: bool) -> CancellationPreview:
        """What every player would get now. Running hands count as void."""
        state, now_ms = running.state, self._clock()
        commands: list[Command] = [Cancel(_BY_PREVIEW, "house")]
        if is_in_full:
            proposal = state.changed(proposal=None)
            commands = [ProposeRefund(_BY_PREVIEW, "house"), ApproveRefund(_BY_PREVIEW)]
            state = proposal
        cancelled: Cancelled | None = None
        for command in commands:
            for event in decide(state, command, now_ms, self._pick):
                state = evolve(state, event)
                cancelled = event if isinstance(event, Cancelled) else cancelled
        assert cancelled is not None
        entries = running.state.entries
        return {
            "tournament_id": running.tournament_id,
            "currency": running.spec.currency,
            "case": cancelled.case.value,
            "to_house": cancelled.to_house,
            "refunds": [
                {
                    "player_id": entries[refund.entry_id].player_id,
                    "name": running.names.get(entries[refund.entry_id].player_id, ""),
                    "chips": entries[refund.entry_id].chips,
                    "fees": refund.fees,
                    "share": refund.share,
                    "bounty": refund.bounty,
                    "ticket": refund.ticket,
                }
                for refund in cancelled.refunds
            ],
        }

    def _found(self, tournament_id: str) -> RunningTournament:
        running = self._running.get(tournament_id)
        if running is None:
            raise Reason.NOT_FOUND.refusal()
        return running

    async def _note(
        self, by: Person, action: str, target: str, reason: str, after: Mapping[str, Any] | None = None
    ) -> None:
        entry = audit_log.Entry(by.name, by.role, action, target, reason, after=after or {})
        async with self._database.writing() as connection:
            await audit_log.write(connection, entry, self._clock())
