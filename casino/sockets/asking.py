"""How often one account may ask, over all its connections: people click chips fast, machines click faster."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from casino.errors import Code, Refusal


class Rate(NamedTuple):
    events: int
    within_ms: int


TALK: Final = frozenset({"chat", "say"})
PLAY: Final = frozenset({"bet", "decide"})
TIPPING: Final = Rate(10, 30_000)
ACCOUNTS_MAX: Final = 20_000
REFUSALS_MAX: Final = 100
REMEMBERED_MS: Final = 60_000
"""So often refused for its pace within a minute, an account's connection is closed; then it is forgiven."""


@dataclass(slots=True)
class Asking:
    playing: Rate
    talking: Rate
    _played: deque[int] = field(default_factory=deque)
    _else: deque[int] = field(default_factory=deque)
    _talked: deque[int] = field(default_factory=deque)
    _tipped: deque[int] = field(default_factory=deque)
    _refused: deque[int] = field(default_factory=deque)

    def verify(self, event: str, at_ms: int) -> None:
        if event in TALK:
            self._take(self._talked, self.talking, at_ms)
        elif event == "tip":
            self._take(self._tipped, TIPPING, at_ms)
        elif event in PLAY:
            self._take(self._played, self.playing, at_ms)
        else:  # whoever clicked too fast can still come back to the table, and coming back costs no bet
            self._take(self._else, self.playing, at_ms)

    def _take(self, times: deque[int], rate: Rate, at_ms: int) -> None:
        _forget(times, at_ms - rate.within_ms)
        _forget(self._refused, at_ms - REMEMBERED_MS)
        if len(times) >= rate.events:
            self._refused.append(at_ms)
            raise Refusal(Code.RATE_LIMITED, "That was too much at once. Wait a moment.")
        times.append(at_ms)

    @property
    def is_abuse(self) -> bool:
        return len(self._refused) > REFUSALS_MAX


def _forget(times: deque[int], until_ms: int) -> None:
    while times and times[0] <= until_ms:
        times.popleft()


class Askers:
    """The pace of the accounts that asked last. Coming back over another connection changes nothing about it."""

    def __init__(self, plays_per_5_seconds: int = 40, lines_per_30_seconds: int = 5) -> None:
        self._playing = Rate(plays_per_5_seconds, 5_000)
        self._talking = Rate(lines_per_30_seconds, 30_000)
        self._of: dict[str, Asking] = {}

    def of(self, account: str) -> Asking:
        asking = self._of.pop(account, None) or Asking(self._playing, self._talking)
        self._of[account] = asking  # last in the dictionary, whose first is forgotten
        if len(self._of) > ACCOUNTS_MAX:
            del self._of[next(iter(self._of))]
        return asking
