"""Runs the rounds of a table: opens and deals them, commits commands, and publishes what was stored.

Nothing else changes a round. Other parts of the table register hooks for a commit, a new round and the end of a round.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

import structlog

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.hosting.actor import Envelope
from casino.live_table import proposals
from casino.live_table.accounting import CommitResult, TableUnitOfWork
from casino.live_table.auto_dealer import AutoDealer, ShoeLostError
from casino.live_table.batch import Answer, Request
from casino.live_table.broadcaster import Broadcaster
from casino.live_table.console import Console
from casino.live_table.deadlines import Deadlines, end_of_wait
from casino.live_table.idempotency import DecisionReplies
from casino.live_table.messages import CorrectSettled
from casino.live_table.table_metrics import TableMetrics
from casino.live_table.table_state import TableState
from casino.refusals import Reason
from casino.storage.database import is_unavailable
from casino.uth.commands import (
    Advance,
    ApproveProposal,
    CancelRound,
    Command,
    ConfirmCards,
    CorrectCard,
    DealCard,
    Decide,
    OpenBetting,
    PlaceBet,
    RejectProposal,
    ReportProblem,
    Resume,
    SwapCards,
    UndoCard,
)
from casino.uth.events import RoundCorrected
from casino.uth.incidents import COMMITTED
from casino.uth.state import Round
from casino.wire import host_events
from casino.wire.player_events import Balance, BetsStand, Done
from casino.wire.round_views import bets_view

SYSTEM: Final = "system"
_WITHOUT_ROUND: Final[dict[type, Code]] = {
    Resume: Code.NOT_PAUSED,
    ApproveProposal: Code.TOO_LATE,
    RejectProposal: Code.TOO_LATE,
}
_log = structlog.get_logger()

RoundHook = Callable[[Round, int], None]
"""Called with the round and the time. It must not fail: the change is stored already."""


class RoundRunner:
    def __init__(
        self,
        state: TableState,
        unit_of_work: TableUnitOfWork,
        broadcaster: Broadcaster,
        auto_dealer: AutoDealer,
        console: Console,
        *,
        deadlines: Deadlines,
        metrics: TableMetrics,
        clock: Clock,
    ) -> None:
        self._state = state
        self._unit_of_work = unit_of_work
        self._broadcaster = broadcaster
        self._auto_dealer = auto_dealer
        self._console = console
        self._deadlines = deadlines
        self._metrics = metrics
        self._clock = clock
        self._decision_replies = DecisionReplies(unit_of_work)
        self.on_committed: list[RoundHook] = []
        self.on_round_opened: list[RoundHook] = []
        self.on_round_ended: list[RoundHook] = []
        self.on_round_corrected: list[RoundHook] = []

    # Commands of players and staff

    async def handle(self, envelopes: Sequence[Envelope[Command]], now_ms: int) -> None:
        """Commits the commands, in one transaction if possible; each has its own reply or refusal."""
        requests, accepted = [], []
        if any(isinstance(envelope.message, Decide) for envelope in envelopes):
            envelopes = await self._decision_replies.answer(envelopes)
        for envelope in envelopes:
            try:
                self._verify(envelope.message)
                command = self._enrich(envelope.message)
            except Refusal as refusal:
                envelope.refuse(refusal)
            else:
                requests.append(Request(command, envelope.at_ms))
                accepted.append(envelope)
        if not requests:
            return
        for _, group in groupby(zip(accepted, requests, strict=True), key=_is_reopening):
            together = list(group)
            answers = await self.commit([request for _, request in together], now_ms)
            for (envelope, _), answer in zip(together, answers, strict=True):
                if answer.refusal:
                    envelope.refuse(answer.refusal)
                else:
                    envelope.answer(self._reply(envelope.message, answer))

    def _verify(self, command: Command) -> None:
        """Refuses a command by shift and state of the table. Taking back bets from a closed table is allowed."""
        state = self._state
        if isinstance(command, PlaceBet) and (command.ante or command.trips) and not state.shift.is_open:
            raise Reason.TABLE_CLOSED.refusal()
        if isinstance(command, DealCard | UndoCard | ConfirmCards):
            if state.is_machine:
                raise Refusal(Code.NOT_EXPECTED, "This table is dealt automatically; it takes no scanned cards.")
            state.shift.verify_on_shift(command.by)
        if isinstance(command, CorrectCard | SwapCards) and state.is_machine:
            raise Refusal(Code.FORBIDDEN, COMMITTED)
        if state.round is None:
            without_round = _WITHOUT_ROUND.get(type(command))
            raise Refusal(without_round, "No round is running.") if without_round else Reason.NO_ROUND.refusal()

    def _enrich(self, command: Command) -> Command:
        if isinstance(command, PlaceBet):
            seating = self._state.seating
            return replace(command, seat_no=seating.seat_of.get(command.player_id)) if seating.seats else command
        presenter = self._state.shift.presenter or ""
        if isinstance(command, Resume):
            return replace(command, presenter=presenter)
        if isinstance(command, ReportProblem):
            command = replace(command, presenter=presenter)
        if isinstance(command, DealCard | CorrectCard | ReportProblem):
            self._deadlines.adopted()
            return self._console.resolve_command(command)
        return command

    def _reply(self, command: Command, answer: Answer) -> BetsStand | host_events.Decided | Done:
        round_ = self._state.round
        if isinstance(command, CancelRound | CorrectCard | SwapCards):
            return proposals.pending_reply(round_, answer.events)
        if not isinstance(command, PlaceBet | Decide):
            return {}
        assert round_ is not None
        assert answer.available_minor is not None, "bets and decisions know what is left"
        seat = round_.seats.get(command.player_id)
        bets = bets_view(seat.bets) if seat else bets_view()
        return {"bets": bets, "available": answer.available_minor}

    # Commits

    async def execute(self, command: Command, at_ms: int) -> None:
        """Commits a command of the table itself; raises its refusal."""
        for answer in await self.commit([Request(command, at_ms)], at_ms):
            if answer.refusal:
                raise answer.refusal

    async def commit(self, requests: Sequence[Request], now_ms: int) -> list[Answer]:
        before = self._state.round
        assert before is not None
        begun = time.perf_counter()
        try:
            handled = await self._unit_of_work.commit(before, requests)
        finally:
            self._metrics.observe_commit(time.perf_counter() - begun)
        self._metrics.count(requests, handled.answers)
        stored_ms = max(now_ms, self._clock())
        self._deadlines.stored(before, handled.round, stored_ms - min(now_ms, requests[-1].at_ms))
        await self._publish(before, handled, stored_ms)
        return handled.answers

    async def _publish(self, before: Round, handled: CommitResult, now_ms: int) -> None:
        """Broadcasts a commit. Nothing may undo it now, not even a database failure while sending."""
        state = self._state
        state.round = handled.round
        events = [event for answer in handled.answers for event in answer.events]
        if not events:
            return
        state.has_changes = True
        self._broadcaster.enqueue(before, handled, events, state.shift, now_ms)
        try:
            await self._broadcaster.flush()
        except Exception as error:
            if not is_unavailable(error):
                raise
        finally:
            _call(self.on_committed, handled.round, now_ms)
            if handled.round.is_over:
                _call(self.on_round_ended, handled.round, now_ms)

    async def resolve_in_doubt(self, now_ms: int) -> None:
        """Applies a commit that was reported as of unknown outcome, if it was stored."""
        stored = await self._unit_of_work.resolve_in_doubt()
        if stored is None:
            return
        round_, events = stored.round, [event for answer in stored.answers for event in answer.events]
        last = self._state.round
        if any(isinstance(event, RoundCorrected) for event in events):
            await self._publish_correction(round_, round_, now_ms)
        elif last is not None and last.round_id == round_.round_id:
            # balances may have changed since
            await self._publish(last, replace(stored, balances=None), now_ms)
        else:
            self._auto_dealer.drop_shoe()
            self._opened(round_, now_ms)

    # Steps of the table itself

    async def step(self, now_ms: int) -> None:
        """Executes the step that is due: a new round, a card of the machine, a time-out, or the end of a wait.

        `on_round_opened` and the other hooks follow as after a command.
        """
        round_ = self._state.round
        if round_ is None or round_.is_over:
            await self._open_round(now_ms)
        elif self._auto_dealer.is_dealers_turn(round_):
            await self._deal(round_, now_ms)
        elif round_.due_ms is None:
            await self.execute(end_of_wait(round_), now_ms)
        else:
            await self.execute(Advance(), now_ms)

    async def _open_round(self, now_ms: int) -> None:
        self._broadcaster.send_seat_changes(self._state.round, self._state.seating.round_begins())
        settings = self._console.settings
        round_id = f"r{secrets.token_urlsafe(12)}"  # starts with a letter, so that no shell or spreadsheet misreads it
        commitment, sealed = self._auto_dealer.commit(settings.id, round_id)
        command = OpenBetting(round_id, settings.id, settings.terms(), commitment)
        opened = await self._unit_of_work.open_round(
            command, now_ms, presenter=self._state.shift.presenter, sealed_shoe=sealed
        )
        stored_ms = max(now_ms, self._clock())
        self._deadlines.stored(None, opened, stored_ms - now_ms)
        self._opened(opened, stored_ms)

    def _opened(self, opened: Round, now_ms: int) -> None:
        state = self._state
        self._decision_replies.keep(state.round)
        state.round = opened
        _call(self.on_round_opened, opened, now_ms)
        self._broadcaster.publish_round(opened, state.shift, now_ms)

    async def _deal(self, round_: Round, now_ms: int) -> None:
        try:
            card = await self._auto_dealer.card(round_)
        except ShoeLostError:
            _log.error("shoe_lost", table_id=round_.table_id, round_id=round_.round_id)
            reason = "The cards to come cannot be known any more after an interruption."
            await self.execute(CancelRound(reason, SYSTEM, automatic=True), now_ms)
        else:
            await self.execute(DealCard(round_.round_id, card), now_ms)

    # Corrections

    async def correct(self, message: CorrectSettled, now_ms: int) -> dict[str, Balance]:
        """Corrects a settled round, and announces the correction to its players."""
        before, handled = await self._console.correct(message, now_ms)
        return await self._publish_correction(before, handled.round, now_ms)

    async def _publish_correction(self, before: Round, corrected: Round, now_ms: int) -> dict[str, Balance]:
        state = self._state
        is_last = state.round is not None and state.round.round_id == corrected.round_id
        if is_last:
            state.round = corrected
        _call(self.on_round_corrected, corrected, now_ms)
        return await self._broadcaster.publish_correction(before, corrected, state.shift, now_ms, is_last=is_last)


def _is_reopening(sent: tuple[Envelope[Command], Request]) -> bool:
    """Decisions before and after it are transactions of their own: a batch knows one PLAY of each player."""
    command = sent[1].command
    return isinstance(command, Resume) and command.reopen


def _call(hooks: Sequence[RoundHook], round_: Round, now_ms: int) -> None:
    for hook in hooks:
        hook(round_, now_ms)
