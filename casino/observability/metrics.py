"""Metrics of the running service: counters and timings, independent of sockets and without influence on behaviour."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.3, 0.5, 1, 2.5, 5)


class Metrics:
    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry: Final = registry or CollectorRegistry()

        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(f"casino_{name}", meaning, labels, registry=self.registry)

        def gauge(name: str, meaning: str, *labels: str) -> Gauge:
            return Gauge(f"casino_{name}", meaning, labels, registry=self.registry)

        def histogram(name: str, meaning: str, *labels: str) -> Histogram:
            return Histogram(f"casino_{name}_seconds", meaning, labels, buckets=_SECONDS, registry=self.registry)

        self.rounds: Final = counter("rounds", "Finished rounds by outcome", "table_id", "outcome")
        self.cancellations: Final = counter("cancellations", "Cancelled rounds by phase", "table_id", "phase")
        self.commands: Final = counter("commands", "Commands by kind and answer", "table_id", "command", "answer")
        self.pauses: Final = counter("pauses", "Paused rounds", "table_id")
        self.failures: Final = counter("table_failures", "Failures of a table or its database", "table_id")
        self.players: Final = gauge("players", "Players at a table", "table_id")
        self.commit: Final = histogram("commit", "Deciding and storing one batch", "table_id")
        self.acknowledged: Final = histogram(
            "acknowledged", "From the arrival of a message to its acknowledgement", "event"
        )
        self.broadcast: Final = histogram("broadcast", "Writing one event to all sockets of a table")
        self.loop_lag: Final = histogram("loop_lag", "Delay of the event loop")
        self.sockets: Final = gauge("sockets", "Open connections")
        self.tasks: Final = gauge("tasks", "Running asyncio tasks")
        self.socket_ends: Final = gauge("socket_ends", "Closed connections since the start by reason", "reason")
