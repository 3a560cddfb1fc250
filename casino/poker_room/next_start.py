"""Next start: the time at which the next hand of a table may begin, and since when none can."""

from dataclasses import dataclass


@dataclass(slots=True)
class NextStart:
    """`waits_until_ms` is set after a restart, while the table waits for its players."""

    between_hands_ms: int
    starts_ms: int = 0
    idle_since_ms: int | None = 0
    waits_until_ms: int | None = None

    def after_hand(self, now_ms: int, pause_ms: int) -> None:
        self.starts_ms = now_ms + pause_ms

    def again(self, now_ms: int) -> None:
        """Hands go on after a pause or a restart."""
        self.waits_until_ms = None
        self.starts_ms = now_ms + self.between_hands_ms

    def note(self, now_ms: int, *, is_able: bool, is_at_rest: bool) -> bool:
        """Notes whether a hand could start by now; returns whether that has changed.

        Players who make the first hand possible have a moment before it.
        """
        if is_able and self.idle_since_ms is not None:
            self.starts_ms = max(self.starts_ms, now_ms + self.between_hands_ms)
            self.idle_since_ms = None
            return True
        if is_at_rest and not is_able and not self.idle_since_ms:
            self.idle_since_ms = now_ms
            return True
        return False
