"""How fast somebody may come: what comes faster waits until it is its time, and what would wait too long is sent away.

After a pause so many come at once as otherwise in a fifth of a second: whatever comes at once makes others wait.
What is asked by too many different keys to remember forgets the key that was quiet the longest.
"""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

_AT_ONCE_MS: Final = 200


class Pacemaker:
    def __init__(self, per_second: int, *, wait_ms_max: int = 20_000, keys_max: int = 10_000) -> None:
        self._step_ms = 1000 / per_second
        self._at_once_ms = max(_AT_ONCE_MS, self._step_ms)
        self._wait_ms_max = wait_ms_max
        self._keys_max = keys_max
        self._due: OrderedDict[Hashable, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._due)

    def wait_ms(self, key: Hashable, now_ms: int) -> float:
        """How long whoever comes now has to wait for what came before; coming does not count."""
        return max(0.0, self._due.get(key, 0.0) - now_ms - self._at_once_ms)

    def take(self, key: Hashable, now_ms: int) -> float | None:
        """After how many milliseconds it is its time; None if that is too long, which then does not count."""
        due_ms = max(self._due.get(key, 0.0), float(now_ms)) + self._step_ms
        wait_ms = due_ms - now_ms - self._at_once_ms
        if wait_ms > self._wait_ms_max:
            return None
        self._due[key] = due_ms
        self._due.move_to_end(key)
        if len(self._due) > self._keys_max:
            self._due.popitem(last=False)
        return max(0.0, wait_ms)
