"""Scenario of `make load LOAD=--poker`: a full poker room at human pace, tables without pauses, and idle tables.

python -m benchmarks.load.poker [--tables 1000] [--seconds 120] [--think 2.5] [--quick 200] [--idle 1000]
    [--beside 1000]
"""

import argparse
import multiprocessing
import os
import resource
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection

from benchmarks.load import __main__ as live
from benchmarks.load.page import Figures, machine, page, share, times
from benchmarks.load.poker_crowd import Measures, PokerCrowd
from benchmarks.load.poker_service import SEATS, add_poker, bytes_per_idle_table, wrong_balances
from benchmarks.load.service import Guest, LoadService, open_service

ACK_HALF_MAX, ACK_MOST_MAX, DELIVERY_MOST_MAX = 0.003, 0.050, 0.120
CORE_MAX = 0.6
QUICK_HANDS_MIN = 400.0
IDLE_BYTES_MAX = 25 * 1024
TOGETHER_TIMES_MAX = 1.3
WARM_SECONDS = 10.0


@dataclass(frozen=True)
class PokerFigures:
    tables: int
    seconds: float
    think_seconds: float
    measures: Measures
    cpu_seconds: float
    bots_cpu_seconds: float
    memory_per_player: float
    wrong: list[str]
    is_verified: bool

    @property
    def hands_per_second(self) -> float:
        return self.measures.settled / self.seconds

    @property
    def core(self) -> float:
        return self.cpu_seconds / self.seconds

    @property
    def is_right(self) -> bool:
        return not self.measures.errors and not self.wrong and self.is_verified and self.measures.settled > 0

    @property
    def is_met(self) -> bool:
        if not self.think_seconds:
            return self.is_right and self.hands_per_second >= QUICK_HANDS_MIN * min(1.0, self.tables / 200)
        acks = self.measures.acks["act"]
        is_prompt = share(acks, 0.5) <= ACK_HALF_MAX and share(acks, 0.99) <= ACK_MOST_MAX
        return (
            self.is_right
            and is_prompt
            and share(self.measures.received, 0.99) <= DELIVERY_MOST_MAX
            and self.core <= CORE_MAX
        )

    def page(self) -> str:
        pace = f"{self.think_seconds:g} s to think" if self.think_seconds else "without pauses"
        measures, is_quick = self.measures, not self.think_seconds
        room = f"{self.tables:,} tables, {self.tables * SEATS:,} players, {pace}, {self.seconds:.0f} s"
        hands = f"{measures.settled:,} sent and stored, {self.hands_per_second:,.1f} a second"
        money = f"casino verify {'holds' if self.is_verified else 'FAILS'}, {len(self.wrong)} balances differ"
        processor = f"{self.core:.0%} of a core, {self._per_hand():.2f} ms a hand"
        processor += "" if is_quick else f" (goal: {CORE_MAX:.0%})"
        lines = [
            f"poker: {room}; {machine()}",
            f"  act → ack             {times(measures.acks['act'])}   (goal: p50 3, p99 50)",
            f"  act → last listener   {times(measures.received)}   (goal: p99 120)",
            f"  hands                 {hands}{f' (goal: {QUICK_HANDS_MIN:.0f} at 200 tables)' if is_quick else ''}",
            f"  events                {measures.events / self.seconds:,.0f} a second",
            f"  processor             {processor}",
            f"  of the bots           {self.bots_cpu_seconds / self.seconds:.0%} of a core, in a process of their own",
            f"  memory                {self.memory_per_player / 1024:,.1f} KiB per player, tables included",
            f"  too late              {dict(measures.late) or 'none'}",
            f"  errors                {dict(measures.errors) or 'none'}",
            f"  money                 {money} {'; '.join(self.wrong[:3])}",
            f"  goals                 {'met' if self.is_met else 'MISSED'}",
        ]
        return "\n".join(lines)

    def _per_hand(self) -> float:
        return self.cpu_seconds * 1000 / max(self.measures.settled, 1)


def play(tables: int, seconds: float, think_seconds: float, *, is_pinned: bool) -> PokerFigures:
    """Everybody sits down, plays a while to warm up, and is then measured."""
    core = min(os.sched_getaffinity(0)) if is_pinned else None
    with open_service(
        tables * SEATS,
        betting=10.0,
        decide=6.0,
        core=core,
        prepare=lambda config: add_poker(config, is_quick=not think_seconds),
    ) as (service, guests):
        crowd = PokerCrowd(service.port, guests, think_seconds=think_seconds)
        before = service.memory_bytes()
        crowd.come()
        crowd.play(WARM_SECONDS)
        memory = (service.memory_bytes() - before) / len(guests)
        crowd.measures = Measures(errors=crowd.measures.errors)
        cpu, bots_cpu, began = service.cpu_seconds(), time.process_time(), time.monotonic()
        crowd.play(seconds)
        measured, took = crowd.measures, time.monotonic() - began
        cpu, bots_cpu = service.cpu_seconds() - cpu, time.process_time() - bots_cpu
        crowd.measures = Measures(errors=measured.errors)  # leaving is no part of the figures
        crowd.rest()
        measured.errors = crowd.measures.errors
        crowd.close()
        wrong = wrong_balances(service.folder, crowd.clients)
        return PokerFigures(tables, took, think_seconds, measured, cpu, bots_cpu, memory, wrong, service.verified())


def beside(players: int, tables: int, think_seconds: float, *, is_pinned: bool) -> tuple[Figures, Figures]:
    """Measures a full live table alone, and with a poker room in the same process."""
    wish = live.RunOptions(3, 10.0, 6.0, is_pinned)
    alone = live.play(players, wish)
    ours, theirs = multiprocessing.Pipe()

    def begin(service: LoadService, guests: list[Guest]) -> "multiprocessing.Process":
        crowd = multiprocessing.Process(target=_play_on, args=(service.port, guests, think_seconds, theirs))
        crowd.start()
        assert ours.recv() == "seated"
        return crowd

    together = live.play(
        players,
        wish,
        others=tables * SEATS,
        prepare=lambda config: add_poker(config, is_quick=False),
        begin=begin,
    )
    return alone, together


def _play_on(port: int, guests: list[Guest], think_seconds: float, parent: Connection) -> None:
    """Until the parent ends this process."""
    crowd = PokerCrowd(port, guests, think_seconds=think_seconds)
    crowd.come()
    crowd.play(WARM_SECONDS)
    parent.send("seated")
    crowd.play(3_600)


def _compared(alone: Figures, together: Figures) -> tuple[str, bool]:
    def ack(figures: Figures) -> float:
        return share(figures.measures.acks["bet"] + figures.measures.acks["decide"], 0.99)

    pairs = {"ack p99": (ack(alone), ack(together)), "event → last client p99": _delivery(alone, together)}
    worst = max(after / before for before, after in pairs.values())
    lines = [f"  {what:<24}{after / before:.2f}x the time alone" for what, (before, after) in pairs.items()]
    is_met = worst <= TOGETHER_TIMES_MAX and together.is_money_right and not together.measures.errors
    verdict = f"  goal: at most {TOGETHER_TIMES_MAX}x: {'met' if is_met else 'MISSED'}"
    return "\n".join(("the live table beside the poker room", *lines, verdict)), is_met


def _delivery(alone: Figures, together: Figures) -> tuple[float, float]:
    return share(alone.received, 0.99), share(together.received, 0.99)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load.poker")
    parser.add_argument("--tables", type=int, default=1_000, help="at human pace; 0 for none")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--think", type=float, default=2.5, help="mean seconds before a decision")
    parser.add_argument("--quick", type=int, default=200, help="tables without pauses; 0 for none")
    parser.add_argument("--idle", type=int, default=1_000, help="tables without a hand; 0 for none")
    parser.add_argument("--beside", type=int, default=1_000, help="players at the live table beside; 0 for none")
    asked = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    is_pinned = len(os.sched_getaffinity(0)) > 1
    goals = []
    if asked.idle:
        idle = bytes_per_idle_table(asked.idle)
        goals.append(idle <= IDLE_BYTES_MAX)
        verdict = "met" if goals[-1] else "MISSED"
        print(f"{asked.idle:,} idle tables: {idle / 1024:.1f} KiB each (goal: at most 25): {verdict}\n", flush=True)
    for tables, think_seconds in ((asked.tables, asked.think), (asked.quick, 0.0)):
        if tables:
            figures = play(tables, asked.seconds, think_seconds, is_pinned=is_pinned)
            goals.append(figures.is_met)
            print(figures.page(), end="\n\n", flush=True)
    if asked.beside:
        alone, together = beside(asked.beside, asked.tables or 1, asked.think, is_pinned=is_pinned)
        text, is_met = _compared(alone, together)
        goals.append(is_met)
        print(page(alone), page(together), text, sep="\n\n")
    return 0 if all(goals) else 1


if __name__ == "__main__":
    sys.exit(main())
