"""What the house's own standing still must cost nobody: a decision, or money that waits for ever.

The database was away, a commit took long, the process stood still, the clock was set: then what is timed begins its
time anew. A round of an earlier run that waits for a person who does not come ends after a while.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from casino.uth.phases import Phase
from casino.uth.state import Round

LATE_MS: Final = 2000
"""Whoever opens or ends a window so late has stood still: that time is nobody's silence."""
GRANTS_MAX: Final = 3
"""So often a window gets its time anew for being late. A machine that is always late must come to an end, too."""


class Downtime:
    def __init__(self, *, is_resumed: bool, resume_within_ms: int, now_ms: int) -> None:
        self.is_owed = False  # what is timed begins its time anew
        self._granted: tuple[str, str, int] = ("", "", 0)  # round, phase, and how often
        self._is_orphan = is_resumed  # nobody has taken in hand yet what an earlier run began
        self._resume_within_ms = resume_within_ms
        self._moved_ms = now_ms

    def look(self, round_: Round | None, now_ms: int) -> None:
        """Before anything is ended by the clock."""
        if round_ is not None and round_.due_ms is not None and now_ms - round_.due_ms > LATE_MS:
            self._grant(round_)

    def stored(self, before: Round | None, after: Round, took_ms: int) -> None:
        """A window that is announced late would be over early."""
        if took_ms > LATE_MS and (before is None or after.due_ms != before.due_ms):
            self._grant(after)

    @contextmanager
    def paid(self) -> Iterator[None]:
        """While it is given, more may become owed; what could not be given stays owed."""
        self.is_owed = False
        try:
            yield
        except BaseException:
            self.is_owed = True
            raise

    def _grant(self, round_: Round) -> None:
        times = self._granted[2] if self._granted[:2] == (round_.round_id, round_.phase) else 0
        if times < GRANTS_MAX and (round_.is_deciding or round_.phase is Phase.BETTING):
            self._granted = round_.round_id, round_.phase, times + 1
            self.is_owed = True

    def moved(self, now_ms: int) -> None:
        self._moved_ms = now_ms

    def taken_in_hand(self) -> None:
        """A person sees to the round."""
        self._is_orphan = False

    def gives_up_ms(self, round_: Round) -> int | None:
        """When the round is cancelled because nobody comes to go on with it; a pause is the manager's to end."""
        waits = round_.due_ms is None and not round_.paused and not round_.is_over
        return self._moved_ms + self._resume_within_ms if self._is_orphan and waits else None
