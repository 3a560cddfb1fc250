"""Staff desk: managers pause, continue and cancel tournaments, and disqualify players. `planning` creates them.

Every act is an entry of the audit log, written before it has an effect. Cancelling follows the published cases; any
other refund is proposed by one person and approved by another. The journal of the tournament names both.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from casino.clock import Clock
from casino.poker.tournament.balance import Pick
from casino.poker.tournament.commands import (
    ApproveRefund,
    Cancel,
    Command,
    Continue,
    Disqualify,
    ProposeRefund,
    RejectRefund,
    Stop,
)
from casino.poker.tournament.director import decide
from casino.poker.tournament.money_events import Cancelled
from casino.poker.tournament.replay import evolve
from casino.poker_room.tournament.planning_desk import Announce, NewId, PlanningDesk
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.staff_acts import StaffActs
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
    TournamentFromStaff,
    ViewManagedTournament,
    ViewTemplates,
    ViewTournamentFloor,
)
from casino.poker_room.tournament.staff_messages import (
    ProposeRefund as ToProposeRefund,
)
from casino.poker_room.tournament.staff_views import StaffViews, templates_view
from casino.refusals import Reason
from casino.settings.poker import PokerSettings
from casino.storage.database import Database
from casino.wire.outbound import Payload
from casino.wire.poker_floor import (
    CancellationPreview,
)

Prepare = Callable[[RunningTournament], Awaitable[None]]
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
        self._clock = clock
        self._pick = pick
        self._running = running
        self._views = views
        self._prepare = prepare
        self._acts = StaffActs(database, clock, pick)
        self.planning: Final = PlanningDesk(
            settings, database, clock, pick, running=running, acts=self._acts, new_id=new_id, announce=announce
        )

    async def take(self, message: TournamentFromStaff) -> Payload:
        match message:
            case ViewTournamentFloor():
                return await self._views.floor(await self.planning.proposed())
            case ViewTemplates():
                return templates_view(self._settings)
            case ViewManagedTournament():
                return await self._views.tournament(self._found(message.tournament_id))
            case CreateTournament() | ChangeTournament() | AnswerProposal():
                return await self.planning.take(message)
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
                await self._acts.do(running, by, "tournament_paused", Stop(reason, by.name))
            case ContinueTournament():
                await self._acts.do(running, by, "tournament_resumed", Continue(reason, by.name))
            case CancelTournament():
                await self._prepare(running)
                await self._acts.do(running, by, "tournament_cancelled", Cancel(reason, by.name))
            case DisqualifyPlayer():
                entry = running.entry_of(message.player_id)
                if entry is None:
                    raise Reason.NOT_REGISTERED.refusal()
                command = Disqualify(entry.entry_id, reason, by.name)
                after = {"player": running.names.get(message.player_id, ""), "player_id": message.player_id}
                await self._acts.do(running, by, "player_disqualified", command, after=after)
            case ToProposeRefund():
                await self._acts.do(running, by, "tournament_refund_proposed", ProposeRefund(reason, by.name))
            case AnswerRefund(is_approved=True):
                await self._acts.do(running, by, "tournament_refund_approved", ApproveRefund(by.name), reason=reason)
            case AnswerRefund():
                await self._acts.do(running, by, "tournament_refund_rejected", RejectRefund(reason, by.name))

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
