"""Counts what a table does, for whoever watches over the house."""

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Final

from casino.figures import Figures
from casino.table.batch import Answer, Request
from casino.uth.events import BettingVoided, RoundCancelled, RoundPaused, RoundSettled

_OUTCOMES: Final = {BettingVoided: "void", RoundSettled: "settled", RoundCancelled: "cancelled"}


class Tally:
    def __init__(self, figures: Figures, table_id: str) -> None:
        self._figures = figures
        self._table_id = table_id
        self._stored = figures.stored.labels(table_id)
        figures.pauses.labels(table_id)  # a figure that is still 0 is shown as such
        figures.failures.labels(table_id)

    def storing(self) -> AbstractContextManager[object]:
        """Times what is done within."""
        return self._stored.time()

    def players(self, count: int) -> None:
        self._figures.players.labels(self._table_id).set(count)

    def count(self, requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        """A thousand bets are counted in one go, because they came in one go."""
        asked = Counter(
            (type(request.command).__name__, answer.refusal.code if answer.refusal else "ok")
            for request, answer in zip(requests, answers, strict=True)
        )
        for (command, code), times in asked.items():
            self._figures.asked.labels(self._table_id, command, code).inc(times)
        for answer in answers:
            for event in answer.events:
                if type(event) in _OUTCOMES:
                    self._figures.rounds.labels(self._table_id, _OUTCOMES[type(event)]).inc()
                elif isinstance(event, RoundPaused):
                    self._figures.pauses.labels(self._table_id).inc()
