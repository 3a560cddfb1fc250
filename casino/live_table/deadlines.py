"""Deadlines: time lost by the server extends decision windows, and no round waits for absent people without limit.

After a database outage, a slow commit, a stalled process or a clock change, the running window restarts with its full
time. After `resume_within` the table itself ends the wait for an absent presenter, for the answer to a proposal, and
for the manager who paused a machine-dealt round.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from casino.live_table.postings import SYSTEM
from casino.uth.commands import CancelRound, Command, Resume
from casino.uth.phases import Phase
from casino.uth.state import Round

LATE_MS: Final = 2000
"""A window that opens or ends later than this was delayed by the server, not by players."""
GRANTS_MAX: Final = 3
"""Bounds the extensions of one window, so that a permanently late server still finishes the round."""


class Deadlines:
    def __init__(self, *, is_resumed: bool, resume_within_ms: int, now_ms: int) -> None:
        self.extension_due = False  # the running window must restart
        self._granted: tuple[str, str, int] = ("", "", 0)  # round, phase and number of extensions
        self._is_orphan = is_resumed  # no person has taken charge of the resumed round
        self._resume_within_ms = resume_within_ms
        self._moved_ms = now_ms

    def check_lateness(self, round_: Round | None, now_ms: int) -> None:
        """Runs before the clock ends anything."""
        if round_ is not None and round_.due_ms is not None and now_ms - round_.due_ms > LATE_MS:
            self._grant(round_)

    def stored(self, before: Round | None, after: Round, took_ms: int) -> None:
        """Grants an extension after a slow commit: a window announced late would end early."""
        if took_ms > LATE_MS and (before is None or after.due_ms != before.due_ms):
            self._grant(after)

    @contextmanager
    def granting(self) -> Iterator[None]:
        """Clears the due extension; a failure restores it, and another may become due in the meantime."""
        self.extension_due = False
        try:
            yield
        except BaseException:
            self.extension_due = True
            raise

    def _grant(self, round_: Round) -> None:
        times = self._granted[2] if self._granted[:2] == (round_.round_id, round_.phase) else 0
        if times < GRANTS_MAX and (round_.is_deciding or round_.phase is Phase.BETTING):
            self._granted = round_.round_id, round_.phase, times + 1
            self.extension_due = True

    def moved(self, _round: Round, now_ms: int) -> None:
        self._moved_ms = now_ms

    def adopted(self) -> None:
        """Records that a person has taken charge of the round."""
        self._is_orphan = False

    def unattended_at_ms(self, round_: Round) -> int | None:
        """Returns when the table stops waiting for people and ends the wait itself; see `end_of_wait`.

        A pause at a presenter's table has no limit: only a manager knows whether the cards on the table still count.
        """
        if round_.is_over or round_.due_ms is not None:
            return None
        if round_.proposal:
            return round_.proposal.at_ms + self._resume_within_ms
        if round_.paused:
            return None if round_.commitment is None else round_.paused.since_ms + self._resume_within_ms
        return self._moved_ms + self._resume_within_ms if self._is_orphan else None


def end_of_wait(round_: Round) -> Command:
    """Returns the table's own command for a round that has waited for people too long.

    A machine-dealt round that a person has paused goes on, so that one person cannot cancel it by doing nothing. What
    the table itself could not go on with, and what a presenter or a second person has left, is cancelled.
    """
    if round_.proposal:
        return CancelRound("Nobody answered the proposal in time.", SYSTEM, automatic=True)
    if round_.paused and round_.paused.by != SYSTEM:
        return Resume(SYSTEM, "The pause was not ended in time.", automatic=True)
    return CancelRound("The round could not go on in time after an interruption.", SYSTEM, automatic=True)
