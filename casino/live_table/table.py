"""Runs one table: dispatches messages to their handlers, and starts every step when it is due.

The actor calls `process` with the messages that have arrived, in order; nothing else runs in between.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar, get_args

import structlog

from casino.clock import Clock
from casino.errors import Refusal
from casino.hosting.actor import Envelope, MessageHandlers
from casino.hosting.interfaces import Directory, Publisher
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.attendance import Attendance
from casino.live_table.auto_dealer import AutoDealer
from casino.live_table.broadcaster import Broadcaster
from casino.live_table.console import Console
from casino.live_table.console_desk import ConsoleDesk
from casino.live_table.deadlines import Deadlines
from casino.live_table.floor_overview import published_state
from casino.live_table.messages import (
    AnswerHandOver,
    CloseTable,
    CorrectSettled,
    CountCard,
    CountDeck,
    Drain,
    EndCount,
    FromPresenter,
    FromSeat,
    Join,
    Leave,
    Message,
    OpenTable,
    PreviewCancel,
    SetLimits,
    StartRound,
    TakeOver,
    TipReceived,
    Unwatch,
    Watch,
)
from casino.live_table.recent_rounds import RecentRounds
from casino.live_table.round_runner import SYSTEM, RoundRunner
from casino.live_table.schedule import RoundStart, Schedule
from casino.live_table.seating import Seating
from casino.live_table.shift import Shift
from casino.live_table.shift_desk import ShiftDesk
from casino.live_table.shoe import Seal
from casino.live_table.table_metrics import TableMetrics
from casino.live_table.table_state import TableState
from casino.observability.metrics import Metrics
from casino.refusals import Reason
from casino.settings import TableSettings
from casino.storage.database import is_unavailable
from casino.uth.commands import Command, Continue, ReportProblem, VoidBetting
from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.wire.common import PastRound
from casino.wire.host_events import Watched
from casino.wire.outbound import Payload
from casino.wire.player_events import Done
from casino.wire.player_events import Table as TableView

TABLE_UPDATE_MS: Final = 500
"""Minimum interval between broadcasts of players present, bets placed and decisions pending."""
M = TypeVar("M")

_log = structlog.get_logger()


class Table:
    def __init__(
        self,
        settings: TableSettings,
        unit_of_work: TableUnitOfWork,
        publisher: Publisher,
        seal: Seal,
        clock: Clock,
        *,
        directory: Directory,
        running: Round | None,
        names: Mapping[str, str],
        past: Iterable[PastRound],
        metrics: Metrics,
        console: Console | None = None,
    ) -> None:
        is_machine = settings.dealing == "auto"
        self._table_id: Final = settings.id
        self._clock = clock
        self._directory = directory
        self._unit_of_work = unit_of_work
        self._console = console or Console(settings, unit_of_work, deck=None, incidents={}, of_file=None)
        self._metrics = TableMetrics(metrics, settings.id)
        self._seating = Seating.of(settings.terms().seats if settings.hands == "own" else 0, running, names)
        self._state = TableState(is_machine, running, Shift(is_open=is_machine), self._seating)
        resume_within_ms = round(settings.seconds.resume_within * 1000)
        self._deadlines = Deadlines(is_resumed=running is not None, resume_within_ms=resume_within_ms, now_ms=clock())
        schedule = Schedule.of(settings)
        self._start = RoundStart(schedule, self._state, unit_of_work.last_started_ms)
        self._broadcaster = Broadcaster(settings, unit_of_work, publisher, self._seating, self._console)
        self._auto_dealer = AutoDealer(unit_of_work, seal, is_machine=is_machine, card_ms=schedule.card_ms)
        self._recent_rounds = RecentRounds(past)
        self._published_ms = 0
        self._shift_desk = ShiftDesk(self._state, unit_of_work, self._console, self._start, self._deadlines)
        self._runner = RoundRunner(
            self._state,
            unit_of_work,
            self._broadcaster,
            self._auto_dealer,
            self._console,
            deadlines=self._deadlines,
            metrics=self._metrics,
            clock=clock,
        )
        self._attendance = Attendance(
            settings.id,
            self._state,
            directory,
            publisher,
            unit_of_work,
            runner=self._runner,
            broadcaster=self._broadcaster,
            start=self._start,
            publish_state=self._publish_state,
        )
        self._runner.on_committed += [self._deadlines.moved, self._auto_dealer.after, self._publish_round_state]
        self._runner.on_round_opened += [self._round_opened, self._publish_round_state]
        self._runner.on_round_ended += [
            self._recent_rounds.remember,
            self._reassign_seats,
            self._shift_desk.round_ended,
            self._start.round_ended,
            self._update_console,
            self._publish_results,
            self._publish_round_state,
        ]
        self._runner.on_round_corrected += [self._recent_rounds.correct, self._publish_results]
        self._handlers = self._register_handlers()
        directory.publish_results(settings.id, self._recent_rounds.newest_first())
        self._publish_state()

    def _register_handlers(self) -> MessageHandlers:
        shift, console = self._shift_desk, ConsoleDesk(self._state, self._console)
        handlers = MessageHandlers()
        handlers.together([Join], self._attendance.handle_joins)
        handlers.together([Leave], self._attendance.handle_leaves)
        handlers.together([FromSeat, *get_args(Command)], self._handle_commands)
        handlers.together([FromPresenter], self._handle_presenter)
        handlers.alone(Watch, self._watch)
        handlers.alone(Unwatch, self._unwatch)
        handlers.alone(OpenTable, self._announced(shift.open_table))
        handlers.alone(CloseTable, self._announced(shift.close_table))
        handlers.alone(StartRound, self._announced(shift.start_round))
        handlers.alone(TipReceived, self._announced(self._receive_tip))
        handlers.alone(Drain, self._announced(self._drain))
        handlers.alone(AnswerHandOver, self._shown_to_hosts(self._announced(shift.answer_hand_over)))
        handlers.alone(TakeOver, self._shown_to_hosts(shift.take_over))
        handlers.alone(CountDeck, self._shown_to_hosts(console.count_deck))
        handlers.alone(CountCard, self._shown_to_hosts(console.count_card))
        handlers.alone(EndCount, self._shown_to_hosts(console.end_count))
        handlers.alone(SetLimits, self._shown_to_hosts(console.set_limits))
        handlers.alone(PreviewCancel, self._shown_to_hosts(console.preview_cancel))
        handlers.alone(CorrectSettled, self._shown_to_hosts(self._runner.correct))
        return handlers

    # Interface for the actor

    async def process(
        self, envelopes: Sequence[Envelope[Message]], now_ms: int, waiting_since_ms: int | None = None
    ) -> None:
        """Processes messages in order, runs of round commands in one transaction each; then all due steps.

        Some messages may wait for the next turn. No window ends before messages that arrived in it are processed.
        """
        self._deadlines.check_lateness(self._state.round, now_ms)
        await self._resolve_pending(now_ms)
        for handle, group in self._handlers.groups(envelopes):
            await self._grant_owed_time(now_ms)
            await handle(group, now_ms)
        await self._grant_owed_time(now_ms)
        await self._run_due(now_ms if waiting_since_ms is None else min(now_ms, waiting_since_ms))
        if self._state.is_failing:
            self._state.is_failing = False
            self._publish_state()

    @property
    def is_at_rest(self) -> bool:
        return self._state.is_at_rest

    def due_ms(self) -> int | None:
        """Returns the time of the next automatic step."""
        if (
            self._attendance.departures
            or self._broadcaster.pending
            or self._deadlines.extension_due
            or self._unit_of_work.is_in_doubt
        ):
            return 0  # retries at once after a database failure
        update_ms = self._published_ms + TABLE_UPDATE_MS if self._state.has_changes else None
        return min((due_ms for due_ms in (self._round_due_ms(), update_ms) if due_ms is not None), default=None)

    def always_fits(self, message: Message) -> bool:
        """A client that has left cannot repeat it."""
        return isinstance(message, Leave | Unwatch)

    async def recover_from(self, error: Exception, envelopes: Sequence[Envelope[Message]], now_ms: int) -> None:
        """Refuses unanswered messages; suspends all deadlines if the database is away, otherwise pauses the round."""
        self._metrics.failed()
        self._state.is_failing = True
        for envelope in envelopes:
            if isinstance(envelope.message, Leave) and not envelope.reply.done():
                self._attendance.mark_departed(envelope.message, envelope.at_ms)  # clients never repeat it
            envelope.refuse(self._refusal(envelope.message, error))
        self._publish_state()
        if is_unavailable(error):
            if not self._deadlines.extension_due:
                self._deadlines.extension_due = True
                if not self.is_at_rest:
                    self._broadcaster.publish_interruption(now_ms)
            return
        try:
            if not self.is_at_rest:
                await self._runner.execute(ReportProblem("The table had a technical problem.", SYSTEM), now_ms)
        except Exception as worse:  # noqa: BLE001  not even the pause can be stored: it is tried again in a second
            _log.error("table_cannot_pause", table_id=self._table_id, exc_info=worse)

    def _refusal(self, message: Message, error: Exception) -> Refusal:
        if isinstance(message, Leave):
            return Reason.LEAVING_UNSAVED.refusal()
        if self._unit_of_work.is_in_doubt:
            return Reason.OUTCOME_UNKNOWN.refusal()
        if is_unavailable(error):
            return Reason.NOT_SAVED.refusal()
        return Reason.TABLE_FAILED.refusal()

    # Published state

    def _summary(self) -> TableView:
        shift = self._state.shift
        return self._broadcaster.table_view(self._state.round, is_open=shift.is_open, presenter=shift.presenter)

    def _publish_state(self) -> TableView:
        """Runs before a change is acknowledged, so that its sender finds it in the directory; returns the summary."""
        summary, consoles = self._summary(), self._broadcaster.watchers.values()
        self._directory.publish(self._table_id, published_state(self._state, self._console, summary, consoles))
        return summary

    def _publish_round_state(self, _round: Round, _now_ms: int) -> None:
        self._publish_state()

    def _publish_results(self, _round: Round, _now_ms: int) -> None:
        self._directory.publish_results(self._table_id, self._recent_rounds.newest_first())

    # Recovery after a database outage

    async def _resolve_pending(self, now_ms: int) -> None:
        """Runs first: resolves commits in doubt, sends pending events, and grants lost time."""
        await self._runner.resolve_in_doubt(now_ms)
        if self._broadcaster.pending:
            await self._broadcaster.flush()
        await self._grant_owed_time(now_ms)
        if self._attendance.departures:
            await self._attendance.return_bets()  # after the window is extended, so that the outage costs no time

    async def _grant_owed_time(self, now_ms: int) -> None:
        """Grants time lost by the server, before a timeout decides anything."""
        if self._deadlines.extension_due:
            with self._deadlines.granting():
                round_ = self._state.round
                if round_ is not None and not round_.is_over and round_.due_ms is not None:
                    await self._runner.execute(Continue(are_here=True), max(now_ms, self._clock()))

    # Other messages

    async def _handle_commands(self, envelopes: Sequence[Envelope[FromSeat | Command]], now_ms: int) -> None:
        """Passes commands on to the round, if the connection that sent them controls the player's seat."""
        admitted: list[Envelope[Command]] = []
        for envelope in envelopes:
            message, at_ms, reply = envelope
            if not isinstance(message, FromSeat):
                admitted.append(Envelope(message, at_ms, reply))
            elif self._state.seat_holders.get(message.command.player_id) == message.connection:
                admitted.append(Envelope(message.command, at_ms, reply))
            else:
                envelope.refuse(Reason.NOT_AT_TABLE.refusal())
        await self._runner.handle(admitted, now_ms)

    async def _handle_presenter(self, envelopes: Sequence[Envelope[FromPresenter]], now_ms: int) -> None:
        for envelope in envelopes:
            sent = envelope.message
            try:
                self._shift_desk.verify_presenter(sent.by)
            except Refusal as refusal:
                envelope.refuse(refusal)
            else:
                for handle, group in self._handlers.groups([Envelope(sent.message, envelope.at_ms, envelope.reply)]):
                    await handle(group, now_ms)

    async def _watch(self, message: Watch, now_ms: int) -> Watched:
        if message.connection:
            self._broadcaster.watchers[message.connection] = message.by
            self._publish_state()
        await self._broadcaster.learn_currencies(self._state.round)
        return {"host": self._broadcaster.host_payload(self._state.round, self._state.shift, now_ms)}

    async def _unwatch(self, message: Unwatch, _now_ms: int) -> Done:
        self._broadcaster.watchers.pop(message.connection, None)
        self._publish_state()
        return {}

    async def _receive_tip(self, message: TipReceived, _now_ms: int) -> Done:
        state = self._state
        state.shift = state.shift.tipped(message.amount, is_play_money=message.is_play_money)
        await self._broadcaster.send_balance(state.round, message.player_id)
        return {}

    async def _drain(self, _message: Drain, now_ms: int) -> Done:
        self._state.shift = self._state.shift.retired()
        if not self.is_at_rest:
            await self._runner.execute(VoidBetting("the server stops"), now_ms)
        return {}

    def _announced(self, handle: Callable[[M, int], Awaitable[Payload]]) -> Callable[[M, int], Awaitable[Payload]]:
        """The next table update reports the change to players."""

        async def announced(message: M, now_ms: int) -> Payload:
            reply = await handle(message, now_ms)
            self._state.has_changes = True
            self._publish_state()
            return reply

        return announced

    def _shown_to_hosts(self, handle: Callable[[M, int], Awaitable[Payload]]) -> Callable[[M, int], Awaitable[Payload]]:
        """Consoles see the result at once, even that of a refused message."""

        async def shown(message: M, now_ms: int) -> Payload:
            try:
                return await handle(message, now_ms)
            finally:
                self._publish_state()
                self._broadcaster.publish_to_hosts(self._state.round, self._state.shift, now_ms)

        return shown

    # Hooks of the round

    def _round_opened(self, _opened: Round, _now_ms: int) -> None:
        self._state.shift = self._state.shift.wanting(is_wanted=False)
        self._start.round_opened()
        self._console.round_begins()

    def _reassign_seats(self, over: Round, _now_ms: int) -> None:
        changed = self._seating.round_ends(over.seats, counts=over.phase is not Phase.CANCELLED)
        self._broadcaster.send_seat_changes(over, changed)

    def _update_console(self, over: Round, _now_ms: int) -> None:
        self._state.has_changes |= self._console.round_ends(over)

    # Time

    def _round_due_ms(self) -> int | None:
        round_ = self._state.round
        if round_ is None or round_.is_over:
            return self._start.due_ms
        if self._auto_dealer.is_dealers_turn(round_):
            return self._auto_dealer.due_ms
        return self._deadlines.unattended_at_ms(round_) if round_.due_ms is None else round_.due_ms

    async def _run_due(self, now_ms: int) -> None:
        state = self._state
        if state.has_changes and now_ms >= self._published_ms + TABLE_UPDATE_MS:
            self._metrics.players(len(self._seating.here))
            self._published_ms = now_ms
            is_sent = self._broadcaster.publish_table(self._summary(), state.round, state.shift, now_ms)
            state.has_changes = not is_sent
        due_ms = self._round_due_ms()
        if due_ms is not None and now_ms >= due_ms:
            await self._runner.step(now_ms)
