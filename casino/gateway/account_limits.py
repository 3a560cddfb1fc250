"""Rate limits of one account over all its connections."""

from functools import partial
from typing import Final, NoReturn

from casino.refusals import Reason
from casino.security.rate_limit import MINUTE_MS, PerKey, Rate, SlidingWindow

TALK: Final = frozenset({"chat", "say"})
PLAY: Final = frozenset({"bet", "decide", "act", "pre_act"})
TIPPING: Final = Rate(10, 30_000)
ATTEMPTS_PER_LINE: Final = 4
"""Chat attempts allowed per accepted message, because filtering costs work even for a refused one."""
ACCOUNTS_MAX: Final = 20_000
REFUSALS_MAX: Final = 100
"""More rate-limit refusals than this in a minute close the account's connection."""


class AccountLimits:
    __slots__ = ("_attempts", "_lines", "_others", "_plays", "_refusals", "_tips", "is_abuse")

    def __init__(self, plays: Rate, lines: Rate) -> None:
        self._plays = SlidingWindow(plays)
        self._others = SlidingWindow(plays)  # a player who clicked too fast can still rejoin, and a rejoin costs no bet
        self._lines = SlidingWindow(lines)
        self._attempts = SlidingWindow(Rate(ATTEMPTS_PER_LINE * lines.times, lines.per_ms))
        self._tips = SlidingWindow(TIPPING)
        self._refusals = SlidingWindow(Rate(REFUSALS_MAX + 1, MINUTE_MS))
        self.is_abuse = False

    def verify_attempt(self, at_ms: int) -> None:
        """Verifies that a chat message may be checked: the message rate and the rate of attempts allow it."""
        if self._lines.is_full(at_ms):
            self._refuse(at_ms)
        self._acquire(self._attempts, at_ms)

    def counts_attempt(self, at_ms: int) -> bool:
        """Counts an attempt of a muted player; False if there were too many, so that they fill no storage."""
        return not self._attempts.acquire(at_ms)

    def verify(self, event: str, at_ms: int) -> None:
        if event in TALK:
            self._acquire(self._lines, at_ms)
        elif event == "tip":
            self._acquire(self._tips, at_ms)
        else:
            self._acquire(self._plays if event in PLAY else self._others, at_ms)

    def _acquire(self, window: SlidingWindow, at_ms: int) -> None:
        if window.acquire(at_ms):
            self._refuse(at_ms)
        self.is_abuse = self._refusals.is_full(at_ms)

    def _refuse(self, at_ms: int) -> NoReturn:
        self._refusals.record(at_ms)
        self.is_abuse = self._refusals.is_full(at_ms)
        raise Reason.RATE_LIMITED.refusal()


def account_limits(plays_per_5_seconds: int = 40, lines_per_30_seconds: int = 5) -> PerKey[AccountLimits]:
    """Returns the limits of recently active accounts, shared by all connections of an account."""
    plays, lines = Rate(plays_per_5_seconds, 5_000), Rate(lines_per_30_seconds, 30_000)
    return PerKey(partial(AccountLimits, plays, lines), keys_max=ACCOUNTS_MAX)
