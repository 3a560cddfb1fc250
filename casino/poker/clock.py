"""Clock of a decision: decision time, time bank and protection of a lost connection, as pure functions of facts.

    decision time ──▶ time bank ──▶ over                    connected
    decision time ──▶ protection ──▶ over                   connection lost: the bank is not touched
                      └─ connection back ──▶ time bank      at least 5 s

Protection is at most 20 s for one decision and 30 s for one hand. Where there is none, the bank runs in any case.
Times are milliseconds.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

PROTECTION_PER_DECISION_MS: Final = 20_000
PROTECTION_PER_HAND_MS: Final = 30_000
BACK_MS: Final = 5_000
"""A player whose connection comes back has at least this long, whatever the bank holds."""


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """Decision time, and how a time bank starts, grows and is capped. It grows after every `grows_every` hands."""

    decision_ms: int
    bank_start_ms: int
    bank_cap_ms: int
    grows_every: int
    grows_by_ms: int = 5_000

    def __post_init__(self) -> None:
        if self.decision_ms < 1 or self.grows_every < 1 or not 0 <= self.bank_start_ms <= self.bank_cap_ms:
            raise ValueError("a clock needs time to decide, and a bank that starts within its cap")


CASH: Final = ClockTerms(15_000, 15_000, 30_000, 10)
BANZAI: Final = ClockTerms(12_000, 15_000, 30_000, 10)
HEXA_LOW: Final = ClockTerms(10_000, 10_000, 20_000, 5)
HEXA_HIGH: Final = ClockTerms(12_000, 30_000, 60_000, 5)
MTT: Final = ClockTerms(15_000, 15_000, 30_000, 10)
SIT_AND_GO: Final = ClockTerms(12_000, 10_000, 20_000, 5)


def bank_after_hand(terms: ClockTerms, bank_ms: int, hands_dealt: int) -> int:
    """The bank after the player's hand with this number, counted from 1."""
    if hands_dealt % terms.grows_every:
        return bank_ms
    return min(terms.bank_cap_ms, bank_ms + terms.grows_by_ms)


class Stage(StrEnum):
    DECISION = "decision"
    BANK = "bank"
    PROTECTION = "protection"
    OVER = "over"


class Timer(NamedTuple):
    """One decision being timed. `ends_ms` is when the stage ends by itself.

    `protection_ms` is what the hand has left for this player; None means this table gives no protection now.
    """

    stage: Stage
    since_ms: int
    ends_ms: int
    is_connected: bool
    bank_ms: int
    protection_ms: int | None
    decision_protection_ms: int = PROTECTION_PER_DECISION_MS
    back_ms: int = BACK_MS
    """Rest of the minimum time for a player who came back. It is granted once per decision, so that an unstable
    connection does not stop the table."""
    is_back: bool = False

    def at(self, now_ms: int) -> "Timer":
        """The timer at this time: stages that have ended are left."""
        timer = self
        while timer.stage is not Stage.OVER and now_ms >= timer.ends_ms:
            timer = _next_stage(timer)
        return timer

    def connected(self, now_ms: int, *, is_connected: bool) -> "Timer":
        """The connection was lost or came back."""
        timer = self.at(now_ms)._replace(is_connected=is_connected)
        if timer.stage is Stage.BANK and not is_connected and timer.protection_ms is not None:
            return _protect(_spend(timer, now_ms), now_ms)
        if timer.stage is Stage.PROTECTION and is_connected:
            timer = _spend(timer, now_ms)._replace(is_back=True)
            return _run_bank(timer, now_ms, max(timer.bank_ms, timer.back_ms))
        return timer

    def acted(self, now_ms: int) -> "Timer":
        """The player has acted: bank and protection hold what is left."""
        return _spend(self.at(now_ms), now_ms)._replace(stage=Stage.OVER, since_ms=now_ms, ends_ms=now_ms)

    @property
    def due_ms(self) -> int:
        """When the player acts by default if nothing changes."""
        if self.stage is Stage.OVER:
            return self.since_ms
        if self.stage is not Stage.DECISION:
            return self.ends_ms
        return self.ends_ms + (self.bank_ms if self.has_bank else self.protected_ms)

    @property
    def has_bank(self) -> bool:
        """Whether the bank follows the decision time, and not protection."""
        return self.is_connected or self.protection_ms is None

    @property
    def protected_ms(self) -> int:
        return min(self.decision_protection_ms, self.protection_ms or 0)


def _next_stage(timer: Timer) -> Timer:
    now_ms = timer.ends_ms
    if timer.stage is not Stage.DECISION:
        return _spend(timer, now_ms)._replace(stage=Stage.OVER, since_ms=now_ms, ends_ms=now_ms)
    if timer.has_bank:
        return _run_bank(timer, now_ms, timer.bank_ms)
    return _protect(timer, now_ms)


def _run_bank(timer: Timer, now_ms: int, for_ms: int) -> Timer:
    return timer._replace(stage=Stage.BANK, since_ms=now_ms, ends_ms=now_ms + for_ms)


def _protect(timer: Timer, now_ms: int) -> Timer:
    return timer._replace(stage=Stage.PROTECTION, since_ms=now_ms, ends_ms=now_ms + timer.protected_ms)


def _spend(timer: Timer, now_ms: int) -> Timer:
    """Take the time since the stage began from the bank or from the protection; a bank is never negative."""
    used_ms = now_ms - timer.since_ms
    if timer.stage is Stage.BANK:
        back_ms = max(timer.back_ms - used_ms, 0) if timer.is_back else timer.back_ms
        return timer._replace(bank_ms=max(timer.bank_ms - used_ms, 0), back_ms=back_ms)
    if timer.stage is Stage.PROTECTION:
        left_ms = (timer.protection_ms or 0) - used_ms
        return timer._replace(protection_ms=left_ms, decision_protection_ms=timer.decision_protection_ms - used_ms)
    return timer


def start_timer(
    terms: ClockTerms, now_ms: int, bank_ms: int, *, is_connected: bool, protection_ms: int | None
) -> Timer:
    """Begin to time a decision. `protection_ms` is what this hand has left, 30 s at its start, None without any."""
    return Timer(Stage.DECISION, now_ms, now_ms + terms.decision_ms, is_connected, bank_ms, protection_ms)
