"""Metrics of a table."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from casino.live_table.batch import Answer, Request
from casino.observability.metrics import Metrics
from casino.uth.events import BettingVoided, RoundCancelled, RoundPaused, RoundSettled
from casino.uth.phases import CANCELLABLE

_OUTCOMES: Final = {BettingVoided: "void", RoundSettled: "settled", RoundCancelled: "cancelled"}


class TableMetrics:
    def __init__(self, metrics: Metrics, table_id: str) -> None:
        self._metrics = metrics
        self._table_id = table_id
        self._commit = metrics.commit.labels(table_id)
        metrics.pauses.labels(table_id)  # exports counters that are still 0
        metrics.failures.labels(table_id)
        for phase in CANCELLABLE:
            metrics.cancellations.labels(table_id, phase)

    def failed(self) -> None:
        self._metrics.failures.labels(self._table_id).inc()

    def players(self, count: int) -> None:
        self._metrics.players.labels(self._table_id).set(count)

    def observe_commit(self, seconds: float) -> None:
        self._commit.observe(seconds)

    def count(self, requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        """Counts a whole batch in one step."""
        commands = Counter(
            (type(request.command).__name__, answer.refusal.code if answer.refusal else "ok")
            for request, answer in zip(requests, answers, strict=True)
        )
        for (command, code), times in commands.items():
            self._metrics.commands.labels(self._table_id, command, code).inc(times)
        for answer in answers:
            for event in answer.events:
                if type(event) in _OUTCOMES:
                    self._metrics.rounds.labels(self._table_id, _OUTCOMES[type(event)]).inc()
                    if isinstance(event, RoundCancelled):
                        self._metrics.cancellations.labels(self._table_id, event.phase).inc()
                elif isinstance(event, RoundPaused):
                    self._metrics.pauses.labels(self._table_id).inc()
