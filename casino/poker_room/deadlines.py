"""Deadlines of tables, pools and players: a heap, and one timer for the nearest."""

import asyncio
import heapq
from collections.abc import Callable
from typing import Final

import structlog

from casino.clock import Clock

DelayHandler = Callable[[int], None]
LATE_MS: Final = 2_000
"""If the timer fires this late, the process stood still, and no player loses time by it."""
_log = structlog.get_logger()


def earliest(one_ms: int | None, other_ms: int | None) -> int | None:
    """The earlier of two moments, if there is any."""
    if one_ms is None or other_ms is None:
        return other_ms if one_ms is None else one_ms
    return min(one_ms, other_ms)


class Deadlines:
    """Calls `run(name)` for everything that is due, the earliest first. Each name has one deadline at a time."""

    def __init__(self, clock: Clock, run: Callable[[str, int], None], on_delay: DelayHandler) -> None:
        self._clock = clock
        self._run = run
        self._on_delay = on_delay
        self._due: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms: int | None = None
        self._is_stopped = False

    def set(self, name: str, due_ms: int | None) -> None:
        """Replaces the deadline of this name; None ends it."""
        if due_ms is None:
            self._due.pop(name, None)
        elif self._due.get(name) != due_ms:
            self._due[name] = due_ms
            heapq.heappush(self._heap, (due_ms, name))
        self._arm()

    def run_due(self) -> None:
        """Runs everything that is due by now. Work that becomes due by it has its turn afterwards, as messages have."""
        now_ms = self._clock()
        due: list[str] = []
        while (nearest := self._nearest()) is not None and nearest[0] <= now_ms:
            _, name = heapq.heappop(self._heap)
            del self._due[name]
            due.append(name)
        for name in due:
            try:
                self._run(name, now_ms)
            except Exception as error:  # noqa: BLE001  others that are due at the same time have their turn
                _log.error("poker_deadline_failed", due=name, exc_info=error)
        self._arm()

    def stop(self) -> None:
        self._is_stopped = True
        if self._timer is not None:
            self._timer.cancel()

    def _nearest(self) -> tuple[int, str] | None:
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0] if self._heap else None

    def _arm(self) -> None:
        nearest = self._nearest()
        due_ms = nearest[0] if nearest is not None else None
        if due_ms == self._timer_ms or self._is_stopped:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_ms = None, due_ms
        if due_ms is not None:
            loop = asyncio.get_running_loop()
            fires_s = loop.time() + max(0, due_ms - self._clock()) / 1000
            self._timer = loop.call_at(fires_s, self._fire, fires_s)

    def _fire(self, wanted_s: float) -> None:
        self._timer = self._timer_ms = None
        late_ms = round((asyncio.get_running_loop().time() - wanted_s) * 1000)
        if late_ms > LATE_MS:
            self._on_delay(late_ms)
        self.run_due()
