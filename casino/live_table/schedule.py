"""Scheduler of a table: the times of the next automatic card and the next round, computed from given times."""

from dataclasses import dataclass

from casino.live_table.table_state import TableState
from casino.settings import TableSettings
from casino.uth.phases import Phase
from casino.uth.state import Round


@dataclass(frozen=True, slots=True)
class Schedule:
    """Timing of a table, from its settings."""

    card_ms: int
    between_ms: int
    round_min_ms: int

    @classmethod
    def of(cls, settings: TableSettings) -> "Schedule":
        seconds = settings.seconds
        return cls(
            card_ms=round(seconds.card * 1000),
            between_ms=round(seconds.between_rounds * 1000),
            round_min_ms=round(seconds.round_min * 1000),
        )

    def next_start_ms(self, last: Round | None, now_ms: int) -> int:
        """Returns the earliest start of a new round: never in the same UTC second as the last one."""
        if last is None:
            return now_ms
        pause_ms = 0 if last.phase is Phase.IDLE else self.between_ms
        return max(now_ms + pause_ms, last.started_ms + self.round_min_ms, next_second_ms(last.started_ms))


def next_second_ms(at_ms: int) -> int:
    return (at_ms // 1000 + 1) * 1000


class RoundStart:
    """Start of the next round: scheduled when a round ends, or when a table at rest may begin one."""

    def __init__(self, schedule: Schedule, state: TableState, last_started_ms: int | None = None) -> None:
        """`last_started_ms` is the start of the last round of an earlier run: its second names a round already."""
        self._schedule = schedule
        self._earliest_ms = 0 if last_started_ms is None else next_second_ms(last_started_ms)
        self._state = state
        self._start_ms: int | None = None

    @property
    def due_ms(self) -> int | None:
        return self._start_ms if self._may_start() else None

    def plan(self, now_ms: int) -> None:
        """Schedules the start if the table may begin a round and has none scheduled."""
        if self._may_start() and self._start_ms is None:
            self._start_ms = max(self._earliest_ms, self._schedule.next_start_ms(self._state.round, now_ms))

    def round_ended(self, round_: Round, now_ms: int) -> None:
        self._start_ms = self._schedule.next_start_ms(round_, now_ms)

    def round_opened(self) -> None:
        self._start_ms = None

    def _may_start(self) -> bool:
        """An automatic table needs a player present, a presenter's table its presenter."""
        state = self._state
        wanted = bool(state.seating.here) if state.is_machine else state.shift.wants_round
        return state.shift.is_open and wanted and state.is_at_rest
