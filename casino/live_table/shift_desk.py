"""Handles the messages of a shift: opening and closing the table, requesting a round, handing the table over.

Every change of the shift is stored in the audit log first. A repeated request changes nothing and is not logged again.
"""

from typing import Final

from casino.audit.log import Entry
from casino.errors import Code, Refusal
from casino.live_table import hand_over
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.console import Console
from casino.live_table.deadlines import Deadlines
from casino.live_table.messages import AnswerHandOver, CloseTable, OpenTable, StartRound, TakeOver
from casino.live_table.schedule import RoundStart
from casino.live_table.shift import Shift, verify_presenter
from casino.live_table.table_state import TableState
from casino.uth.state import Round
from casino.wire.host_events import Decided
from casino.wire.player_events import Done


class ShiftDesk:
    def __init__(
        self,
        state: TableState,
        unit_of_work: TableUnitOfWork,
        console: Console,
        start: RoundStart,
        deadlines: Deadlines,
    ) -> None:
        self._state = state
        self._unit_of_work = unit_of_work
        self._console = console
        self._start = start
        self._deadlines = deadlines
        self._target: Final = f"table {console.settings.id}"  # target in the audit log

    def verify_presenter(self, by: str) -> None:
        verify_presenter(by, self._state.shift.presenter, is_machine=self._state.is_machine)

    async def open_table(self, message: OpenTable, now_ms: int) -> Done:
        is_presenter = message.role == "presenter"
        if is_presenter and self._state.is_machine:
            self.verify_presenter(message.by)
        opened = self._state.shift.opened(message.by, is_presenter=is_presenter)
        self._deadlines.adopted()
        await self._change(opened, Entry(message.by, message.role, "table_opened", self._target), now_ms)
        self._start.plan(now_ms)
        return {}

    async def close_table(self, message: CloseTable, now_ms: int) -> Done:
        if message.role == "presenter":
            self.verify_presenter(message.by)
        closed = self._state.shift.closed()
        await self._change(closed, Entry(message.by, message.role, "table_closed", self._target), now_ms)
        return {}

    async def start_round(self, message: StartRound, now_ms: int) -> Done:
        state = self._state
        if state.is_machine:
            raise Refusal(Code.NOT_EXPECTED, "This table is dealt automatically; its rounds start by themselves.")
        state.shift.verify_open()
        state.shift.verify_on_shift(message.by)
        if not state.is_at_rest:
            raise Refusal(Code.NOT_EXPECTED, "A round is running. Wait until it ends.")
        self._console.verify_ready()
        state.shift = state.shift.wanting(is_wanted=True)
        self._start.plan(now_ms)
        return {}

    async def take_over(self, message: TakeOver, now_ms: int) -> Decided:
        shift, by = self._state.shift, message.by
        if self._state.is_machine:
            self.verify_presenter(by)
        wanted = hand_over.request(shift, by, now_ms)
        after = {"presenter": shift.presenter}
        await self._change(wanted, Entry(by, "presenter", "hand_over_requested", self._target, after=after), now_ms)
        is_pending = wanted.presenter != by and wanted.hand_over is not None
        return {"pending": is_pending, "proposal_id": wanted.hand_over.id if wanted.hand_over and is_pending else None}

    async def answer_hand_over(self, message: AnswerHandOver, now_ms: int) -> Done:
        shift = self._state.shift
        answered = hand_over.answer(shift, message)
        await self._change(answered, hand_over.entry(shift, message, self._target), now_ms)
        return {}

    def round_ended(self, _round: Round, _now_ms: int) -> None:
        self._state.shift = self._state.shift.at_rest()

    async def _change(self, shift: Shift, entry: Entry, now_ms: int) -> None:
        if shift != self._state.shift:
            await self._unit_of_work.write_audit(entry, now_ms)
            self._state.shift = shift.at_rest() if self._state.is_at_rest else shift
