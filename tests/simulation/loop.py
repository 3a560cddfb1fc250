"""An event loop whose time jumps: when nothing is left to do now, it is already the moment of what comes next.

A minute of play takes as long as its work and no longer, and the same work always happens in the same order. Only
where a real server has to answer (PostgreSQL) is it waited for, and the clock stands still meanwhile.
"""

import asyncio
import selectors
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE_SECONDS = 30.0


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.now = 0.0
        self.outside = 0
        """How many answers from outside the process are being waited for."""
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        return self.now

    @contextmanager
    def waiting_outside(self) -> Iterator[None]:
        self.outside += 1
        try:
            yield
        finally:
            self.outside -= 1


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if self._loop.outside:
            ready = super().select(PATIENCE_SECONDS)
            assert ready, "the world outside does not answer"
            return ready
        assert timeout is not None, "everybody waits and nothing is due: a standstill"
        self._loop.now += timeout
        return []
