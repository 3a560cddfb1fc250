"""Event loop on virtual time: when nothing is ready, time jumps to the next timer.

A minute of play takes as long as its work and no longer, and the same work always happens in the same order. Only
where a real server has to answer (PostgreSQL) is it waited for, and the clock stands still meanwhile, or nearly so.
"""

import asyncio
import contextvars
import heapq
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVarTuple, Unpack

PATIENCE_SECONDS = 30.0
SHORT_SECONDS = 4.0
"""After so long it may be that the server itself waits: for person here who has locked what was asked for, and whose
next step is only due."""
GLANCE_SECONDS = 0.003
"""Not everything that is asked outside is counted: connections are set up and given back by themselves."""
CANCELLED_MAX = 200


Values = TypeVarTuple("Values")


class VirtualLoop(asyncio.SelectorEventLoop):
    # Attributes that every loop has, without documentation.
    _ready: deque[Any]
    _stopping: bool
    _selector: Any
    _process_events: Callable[[list[Any]], None]
    _timer_cancelled_count: int

    def __init__(self, *, is_alone: bool = True) -> None:
        self.now = 0.0
        self.outside = 0
        """How many answers from outside the process are being waited for."""
        self._is_alone = is_alone
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = count()
        super().__init__()

    def time(self) -> float:
        return self.now

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Values]], object],
        *args: *Values,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """As any loop does it, but that what is due in the same moment comes in the order it was asked for."""
        timer: Any = asyncio.TimerHandle(when, callback, args, self, context)
        timer._scheduled = True
        heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer  # type: ignore[no-any-return]

    def skip(self, seconds: float) -> bool:
        """Whether time jumped by this much, because nothing else is due until then."""
        due = self.now + seconds
        if self._ready or not self._is_alone or self._next_due() <= due:
            return False
        self.now = due
        return True

    @contextmanager
    def waiting_outside(self) -> Iterator[None]:
        self.outside += 1
        try:
            yield
        finally:
            self.outside -= 1

    def _next_due(self) -> float:
        timers = self._timers
        if self._timer_cancelled_count > CANCELLED_MAX:
            self._timers = timers = [timer for timer in timers if not timer[2].cancelled()]
            heapq.heapify(timers)
            self._timer_cancelled_count = 0
        while timers and timers[0][2].cancelled():
            heapq.heappop(timers)
            self._timer_cancelled_count -= 1
        return timers[0][0] if timers else float("inf")

    def _run_once(self) -> None:
        due, ready = self._next_due(), self._ready
        is_idle = not ready and not self._stopping
        if not self._is_alone:
            is_idle = not self._look_outside(is_idle=is_idle, is_due=due < float("inf")) and is_idle
        if is_idle:
            assert due < float("inf"), "everybody waits and nothing is due: a standstill"
            self.now = max(self.now, due)
        timers = self._timers
        while timers and timers[0][0] <= self.now:
            timer: Any = heapq.heappop(timers)[2]
            timer._scheduled = False
            ready.append(timer)
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()

    def _look_outside(self, *, is_idle: bool, is_due: bool) -> bool:
        """Whether anything has come from there; it is waited for if nothing else is ready."""
        seconds = 0.0
        if is_idle:
            seconds = PATIENCE_SECONDS if not is_due else SHORT_SECONDS if self.outside else GLANCE_SECONDS
        found = self._selector.select(seconds)
        assert found or seconds < PATIENCE_SECONDS, "the world outside does not answer"
        self._process_events(found)
        return bool(found)
