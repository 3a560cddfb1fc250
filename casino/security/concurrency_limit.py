"""Concurrency limit: bounds the work done at once for one client; the rest waits in order.

It refuses nothing, and keeps no state of idle clients.
"""

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class ConcurrencyLimiter:
    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._of: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._of)

    def of(self, key: Hashable) -> asyncio.Semaphore:
        """Returns a semaphore for this key; it exists while it is held or awaited."""
        turn = self._of.get(key)
        if turn is None:
            turn = self._of[key] = asyncio.Semaphore(self._at_once)
        return turn
