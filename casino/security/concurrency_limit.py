"""How much of somebody's work is done at once: the rest waits in its order, so that others need not wait for it.

Nobody is refused here. What is nobody's turn any more is forgotten.
"""

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class Turns:
    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._of: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._of)

    def of(self, key: Hashable) -> asyncio.Semaphore:
        """Held while something is done for this key; it lives as long as somebody holds it or waits for it."""
        turn = self._of.get(key)
        if turn is None:
            turn = self._of[key] = asyncio.Semaphore(self._at_once)
        return turn
