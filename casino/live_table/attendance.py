"""Attendance of a table: joins, departures, and the connection that controls each seat.

Thousands of players join or leave at once after a network failure.
"""

from collections.abc import Callable, Sequence

from casino.hosting.actor import Envelope
from casino.hosting.interfaces import Connection, Directory, Publisher
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Request
from casino.live_table.broadcaster import Broadcaster
from casino.live_table.messages import Join, Leave
from casino.live_table.round_runner import RoundRunner
from casino.live_table.schedule import RoundStart
from casino.live_table.table_state import TableState
from casino.uth.commands import WithdrawBet
from casino.uth.phases import Phase
from casino.wire.player_events import Done, Table


class Attendance:
    def __init__(
        self,
        table_id: str,
        state: TableState,
        directory: Directory,
        publisher: Publisher,
        unit_of_work: TableUnitOfWork,
        *,
        runner: RoundRunner,
        broadcaster: Broadcaster,
        start: RoundStart,
        publish_state: Callable[[], Table],
    ) -> None:
        """`publish_state` publishes the table's state in the directory; returns the summary for players."""
        self._table_id = table_id
        self._state = state
        self._directory = directory
        self._publisher = publisher
        self._unit_of_work = unit_of_work
        self._runner = runner
        self._broadcaster = broadcaster
        self._start = start
        self._publish_state = publish_state
        self.departures: dict[str, int] = {}  # departed players and times, until their open bets are returned

    async def handle_joins(self, envelopes: Sequence[Envelope[Join]], now_ms: int) -> None:
        state = self._state
        for message, _, _ in envelopes:
            is_bound = state.is_in_round(message.player_id)
            state.seating.join(message.player_id, message.name, message.seat_no, may_move=not is_bound)
            if message.connection:
                self._give_seat(message.player_id, message.connection)
        state.has_changes = True
        self._start.plan(now_ms)
        balances = await self._unit_of_work.balances([message.player_id for message, _, _ in envelopes])
        summary = self._publish_state()
        for envelope in envelopes:
            player_id = envelope.message.player_id
            balance = balances.get(player_id)
            envelope.answer(self._broadcaster.snapshot(state.round, player_id, balance, summary, now_ms))

    def _give_seat(self, player_id: str, connection: Connection) -> None:
        """The newest connection controls the seat; the one before is informed."""
        before = self._state.seat_holders.get(player_id)
        self._state.seat_holders[player_id] = connection
        self._directory.take_seat(self._table_id, player_id, connection)
        if before is not None and before != connection:
            self._publisher.seat_moved(before)

    async def handle_leaves(self, envelopes: Sequence[Envelope[Leave]], _now_ms: int) -> None:
        for envelope in envelopes:
            self.mark_departed(envelope.message, envelope.at_ms)
        await self.return_bets()
        self._publish_state()
        for envelope in envelopes:
            envelope.answer(Done())

    def mark_departed(self, message: Leave, at_ms: int) -> None:
        """Without effect if another connection controls the seat."""
        player_id = message.player_id
        holder = self._state.seat_holders.get(player_id)
        if holder and message.connection not in (None, holder):
            return
        self._state.seat_holders.pop(player_id, None)
        self._directory.release_seat(self._table_id, player_id)
        self._state.seating.leave(player_id, keeps_seat=True)
        self.departures[player_id] = at_ms
        self._state.has_changes = True

    async def return_bets(self) -> None:
        """Returns the bets of departed players, before anything else, as of their departure."""
        state = self._state
        if state.round and state.round.phase is Phase.BETTING:
            withdrawn = [
                Request(WithdrawBet(one), at_ms) for one, at_ms in self.departures.items() if state.is_in_round(one)
            ]
            if withdrawn:
                await self._runner.commit(withdrawn, withdrawn[-1].at_ms)
        for player_id in self.departures:
            if player_id not in state.seating.here:
                state.seating.leave(player_id, keeps_seat=state.is_in_round(player_id))
        self.departures.clear()
