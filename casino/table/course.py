"""When a table does what by itself: the next card of the machine, the next round. Times in, times out."""

from dataclasses import dataclass

from casino.settings import TableSettings
from casino.uth.phases import Phase
from casino.uth.state import Round


@dataclass(frozen=True, slots=True)
class Course:
    """A table's own pace, from its settings."""

    card_ms: int
    between_ms: int
    round_min_ms: int

    @classmethod
    def of(cls, settings: TableSettings) -> "Course":
        seconds = settings.seconds
        return cls(
            card_ms=round(seconds.card * 1000),
            between_ms=round(seconds.between_rounds * 1000),
            round_min_ms=round(seconds.round_min * 1000),
        )

    def next_start_ms(self, last: Round | None, now_ms: int) -> int:
        """The earliest time for a new round: never in the same GMT second as the last one began."""
        if last is None:
            return now_ms
        pause_ms = 0 if last.phase is Phase.IDLE else self.between_ms
        next_second_ms = (last.started_ms // 1000 + 1) * 1000
        return max(now_ms + pause_ms, last.started_ms + self.round_min_ms, next_second_ms)
