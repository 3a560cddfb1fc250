"""What the running house counts and times, for whoever watches over it. It decides nothing and knows no sockets."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.3, 0.5, 1, 2.5, 5)


class Figures:
    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry: Final = registry or CollectorRegistry()

        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(f"casino_{name}", meaning, labels, registry=self.registry)

        def gauge(name: str, meaning: str, *labels: str) -> Gauge:
            return Gauge(f"casino_{name}", meaning, labels, registry=self.registry)

        def histogram(name: str, meaning: str, *labels: str) -> Histogram:
            return Histogram(f"casino_{name}_seconds", meaning, labels, buckets=_SECONDS, registry=self.registry)

        self.rounds: Final = counter("rounds", "Rounds that ended, by how", "table_id", "outcome")
        self.asked: Final = counter("commands", "Bets, decisions and so on", "table_id", "command", "answer")
        self.pauses: Final = counter("pauses", "Pauses of a round", "table_id")
        self.failures: Final = counter("table_failures", "Failures of a table or its database", "table_id")
        self.players: Final = gauge("players", "Players at a table", "table_id")
        self.stored: Final = histogram("stored", "Deciding and storing what arrived together", "table_id")
        self.acknowledged: Final = histogram(
            "acknowledged", "From the arrival of a message to its acknowledgement", "event"
        )
        self.fanned_out: Final = histogram("fanned_out", "Handing one message to every socket of a table")
        self.loop_lag: Final = histogram("loop_lag", "How late the event loop comes to what is due")
        self.sockets: Final = gauge("sockets", "Open connections")
        self.tasks: Final = gauge("tasks", "What the event loop has begun and not ended")
        self.socket_ends: Final = gauge("socket_ends", "Connections that ended since the start, by reason", "reason")
