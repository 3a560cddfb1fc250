"""How the last rounds of a table ended, for everybody to look at."""

from collections import deque
from collections.abc import Iterable
from typing import Final

from casino.table.messages import Payload
from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.uth.views import outcome_view

PAST_MAX: Final = 30
"""So many of them."""


class Past:
    def __init__(self, ended: Iterable[Payload]) -> None:
        """The newest last."""
        self._ended: deque[Payload] = deque(ended, PAST_MAX)

    def newest_first(self) -> list[Payload]:
        return list(reversed(self._ended))

    def remember(self, over: Round) -> None:
        """Betting times in which nobody bet are no rounds to look at."""
        if self._ended and self._ended[-1]["round_id"] == over.round_id:
            self._ended.pop()  # it was corrected
        if over.phase is not Phase.IDLE:
            self._ended.append(outcome_view(over))

    def correct(self, corrected: Round) -> None:
        for place, past in enumerate(self._ended):
            if past["round_id"] == corrected.round_id:
                self._ended[place] = outcome_view(corrected)
