"""Report of a load run on one page: measurements, and whether the goals are met."""

import os
from collections import Counter
from dataclasses import dataclass

from benchmarks.load.books import Comparison
from benchmarks.load.crowd import Measures

SETTLED_SECONDS_MAX = 1.5
GROWTH_MAX = 1.2
STORM_SECONDS_MAX = 10.0
QUICK_PLAYERS_MAX = 2_000
ACK_SECONDS_MAX, DELIVERY_SECONDS_MAX = 0.15, 0.3
"""At a table of so many, 99 of 100 answers and events take no longer."""
TASKS_MORE_MAX = 2
BYTES_MORE_MAX = 8 * 1024 * 1024
"""What a process that is warm may grow by and still be called steady, however long it runs."""


@dataclass(frozen=True)
class Figures:
    players: int
    rounds: int
    measures: Measures
    cpu_seconds: float
    memory_per_player: float
    come_seconds: float
    is_money_right: bool
    money: Comparison

    @property
    def cpu_per_player_round(self) -> float:
        return self.cpu_seconds / (self.players * self.rounds)

    @property
    def settling(self) -> list[float]:
        """Seconds from the last card to the last `result` received, by round."""
        ended = {sent.round_id: sent.server_ms for sent in self.measures.events if sent.phase == "settled"}
        return [at - ended[round_id] / 1000 for round_id, at in self.measures.settled.items() if round_id in ended]

    @property
    def received(self) -> list[float]:
        """Seconds from the server to the last client, by broadcast event."""
        everybody = (sent for sent in self.measures.events if sent.received >= 0.9 * self.players)
        return [sent.last - sent.server_ms / 1000 for sent in everybody]

    @property
    def is_quick(self) -> bool:
        if max(self.settling, default=0.0) > SETTLED_SECONDS_MAX:
            return False
        acks = self.measures.acks["bet"] + self.measures.acks["decide"]
        is_prompt = share(acks, 0.99) <= ACK_SECONDS_MAX and share(self.received, 0.99) <= DELIVERY_SECONDS_MAX
        return is_prompt or self.players > QUICK_PLAYERS_MAX

    @property
    def is_met(self) -> bool:
        return self.is_quick and not self.measures.errors and self.is_money_right and self.money.is_right


@dataclass(frozen=True)
class Storm:
    players: int
    seconds: float
    cpu_seconds: float
    joins: list[float]
    errors: Counter[str]

    @property
    def is_met(self) -> bool:
        return self.seconds <= STORM_SECONDS_MAX and not self.errors

    def page(self) -> str:
        goal = f"(goal: {STORM_SECONDS_MAX:.0f} s): {'met' if self.is_met else 'MISSED'}"
        return (
            f"{self.players:,} players cut off come back at once: the last sits after {self.seconds:.1f} s {goal}\n"
            f"  processor             {self.cpu_seconds * 1e6:,.0f} µs per player; {machine()}\n"
            f"  join → ack            {times(self.joins)}\n  errors                {dict(self.errors) or 'none'}"
        )


@dataclass(frozen=True)
class Soak:
    players: int
    minutes: float
    rounds: int
    more_bytes: int
    more_tasks: float
    errors: Counter[str]
    unanswered: int
    is_money_right: bool
    money: Comparison

    @property
    def is_steady(self) -> bool:
        return self.more_tasks <= TASKS_MORE_MAX and self.more_bytes <= BYTES_MORE_MAX

    @property
    def is_met(self) -> bool:
        is_served = not self.errors and not self.unanswered
        return self.is_steady and self.is_money_right and is_served and self.money.is_right

    def page(self) -> str:
        verdict = "holds" if self.is_money_right else "FAILS"
        return (
            f"{self.players:,} players for {self.minutes:g} minutes, {self.rounds} rounds: "
            f"{'met' if self.is_met else 'MISSED'}\n"
            f"  memory {self.more_bytes / 1024 / 1024:+.1f} MiB, tasks {self.more_tasks:+.0f}, "
            f"errors {dict(self.errors) or 'none'}, {self.unanswered} never answered, "
            f"casino verify {verdict}, {self.money}"
        )


def share(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def page(figures: Figures) -> str:
    measures = figures.measures
    lines = [f"{figures.players:,} players at one table, {figures.rounds} rounds; {machine()}"]
    asked = [what for what in ("bet", "decide", "join", "chat") if measures.acks[what]]
    lines += [f"  {what + ' → ack':<22}{times(measures.acks[what])}" for what in asked]
    verdict = "holds" if figures.is_money_right else "FAILS"
    lines += [
        f"  event → last client   {times(figures.received)}",
        f"  settling everybody    {times(figures.settling)}   (goal: at most {SETTLED_SECONDS_MAX} s)",
        f"  processor             {figures.cpu_per_player_round * 1e6:,.0f} µs per player and round",
        f"  memory                {figures.memory_per_player / 1024:,.1f} KiB per player",
        f"  all had joined        {figures.come_seconds:.1f} s after the first",
        f"  asked                 {dict(measures.asked)}, results {sum(measures.results.values()):,}",
        f"  errors                {dict(measures.errors) or 'none'}",
        f"  money                 casino verify {verdict}, {figures.money}",
        f"  goals                 {'met' if figures.is_met else 'MISSED'}",
    ]
    return "\n".join(lines)


def growth(small: Figures, large: Figures) -> str:
    """What a player costs at a fuller table."""
    ratio = large.cpu_per_player_round / small.cpu_per_player_round
    verdict = "met" if ratio <= GROWTH_MAX else "MISSED"
    return (
        f"from {small.players:,} to {large.players:,} players the processor time per player grows {ratio:.2f}x "
        f"(goal: at most {GROWTH_MAX}x): {verdict}"
    )


def times(seconds: list[float]) -> str:
    half, most, all_ = (share(seconds, part) * 1000 for part in (0.5, 0.99, 1.0))
    return f"p50 {half:7,.1f}  p99 {most:7,.1f}  max {all_:7,.1f} ms"


def machine() -> str:
    return f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} processes wanted to run"
