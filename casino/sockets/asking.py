"""How often one connection may ask: people click chips fast, machines click faster."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from casino.errors import Code, Refusal


class Rate(NamedTuple):
    events: int
    within_ms: int


PLAYING: Final = Rate(40, 5_000)
TALKING: Final = Rate(5, 30_000)
REFUSALS_MAX: Final = 100
"""So often refused for its pace, a connection is closed."""


@dataclass(slots=True)
class Asking:
    _playing: deque[int] = field(default_factory=deque)
    _talking: deque[int] = field(default_factory=deque)
    _refusals: int = 0

    def verify(self, event: str, at_ms: int) -> None:
        times, rate = (self._talking, TALKING) if event in ("chat", "tip", "say") else (self._playing, PLAYING)
        while times and times[0] <= at_ms - rate.within_ms:
            times.popleft()
        if len(times) >= rate.events:
            self._refusals += 1
            raise Refusal(Code.RATE_LIMITED, "That was too much at once. Wait a moment.")
        times.append(at_ms)

    @property
    def is_abuse(self) -> bool:
        return self._refusals > REFUSALS_MAX
