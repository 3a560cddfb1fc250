"""Request pacing: requests above the pace of their key wait in a queue of that key.

Each turn of the event loop releases a few waiting requests, in rotation over the keys, however late the turn is. A
server that is short of processor time therefore slows a flood down and not the work in between.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from typing import Final

from casino.security.rate_limit import KEYS_MAX, PerKey, TokenBucket

TICK_SECONDS: Final = 0.001
"""Pause between two turns that release requests."""

_KEYS_PER_TICK: Final = 4
_TICKS_WORTH: Final = 2
"""A turn releases one request of a key, or what its pace allows in this many ticks."""

_DEPARTED_PER_TICK: Final = 16
"""Each departed client of a key ends a task."""

HasLeft = Callable[[], bool]


class _Queue:
    __slots__ = ("bucket", "waiting")

    def __init__(self, per_second: int) -> None:
        self.bucket = TokenBucket(per_second)
        self.waiting: deque[tuple[asyncio.Future[None], HasLeft]] = deque()


class PacedQueue:
    """Queues by key, in the order of arrival. Departed clients cost nothing."""

    def __init__(self, per_second: int, *, length_max: int = 1_000, keys_max: int = KEYS_MAX) -> None:
        self._length_max = length_max
        self._per_tick = max(1, round(_TICKS_WORTH * per_second * TICK_SECONDS))
        self._queues = PerKey(lambda: _Queue(per_second), keys_max=keys_max)
        self._crowded: OrderedDict[Hashable, _Queue] = OrderedDict()  # with waiting requests; the first is next
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._queues)

    async def turn(self, key: Hashable, has_left: HasLeft) -> bool:
        """Waits for the turn; false at once if the queue is full. Raises ConnectionResetError if the client leaves."""
        loop = asyncio.get_running_loop()
        queue = self._crowded.get(key) or self._queues.of(key)
        if not queue.waiting and not queue.bucket.wait_ms(now_ms := loop.time() * 1000):
            queue.bucket.take(now_ms)
            return True
        if len(queue.waiting) >= self._length_max:
            return False
        turn = loop.create_future()
        queue.waiting.append((turn, has_left))
        self._crowded[key] = queue
        if self._timer is None:
            self._timer = loop.call_later(TICK_SECONDS, self._release, loop)
        await turn
        return True

    def _release(self, loop: asyncio.AbstractEventLoop) -> None:
        now_ms = loop.time() * 1000
        for _ in range(min(len(self._crowded), _KEYS_PER_TICK)):
            key, queue = self._crowded.popitem(last=False)
            self._release_from(queue, now_ms)
            if queue.waiting:
                self._crowded[key] = queue
        self._timer = loop.call_later(TICK_SECONDS, self._release, loop) if self._crowded else None

    def _release_from(self, queue: _Queue, now_ms: float) -> None:
        released = departed = 0
        while queue.waiting and not queue.bucket.wait_ms(now_ms):
            if released == self._per_tick or departed == _DEPARTED_PER_TICK:
                return
            turn, has_left = queue.waiting.popleft()
            if turn.done():
                continue
            if has_left():
                departed += 1
                turn.set_exception(ConnectionResetError("the client left while it waited"))
            else:
                released += 1
                queue.bucket.take(now_ms)
                turn.set_result(None)
