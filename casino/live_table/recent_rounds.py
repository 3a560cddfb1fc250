"""Results of the last rounds of a table, open to all."""

from collections import deque
from collections.abc import Iterable
from typing import Final

from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.wire.common import PastRound
from casino.wire.round_views import outcome_view

RECENT_ROUNDS_MAX: Final = 30
"""Number of rounds kept."""


class RecentRounds:
    def __init__(self, ended: Iterable[PastRound]) -> None:
        """`ended` has the newest last."""
        self._ended: deque[PastRound] = deque(ended, RECENT_ROUNDS_MAX)

    def newest_first(self) -> list[PastRound]:
        return list(reversed(self._ended))

    def remember(self, over: Round, _now_ms: int) -> None:
        """Adds a finished round; betting phases without bets are left out."""
        if self._ended and self._ended[-1]["round_id"] == over.round_id:
            self._ended.pop()  # replaced by its correction
        if over.phase is not Phase.IDLE:
            self._ended.append(outcome_view(over))

    def correct(self, corrected: Round, _now_ms: int) -> None:
        for place, past in enumerate(self._ended):
            if past["round_id"] == corrected.round_id:
                self._ended[place] = outcome_view(corrected)
