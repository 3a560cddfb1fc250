"""Scenarios of `make load`: a full table, a fuller one, a mass reconnect, and on request a soak test.

python -m benchmarks.load [--players 1000 2000 5000] [--rounds 4] [--storm 2000] [--soak MINUTES] [--windows 10 6]

`make load LOAD="--poker …"` measures the poker room instead, and `LOAD="--tournament …"` one large tournament: see
`benchmarks/load/poker.py` and `benchmarks/load/tournament.py`.
"""

import argparse
import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing import Process
from pathlib import Path

from benchmarks.load.books import compare, read_accounts
from benchmarks.load.crowd import Crowd, Measures
from benchmarks.load.page import Figures, Soak, Storm, growth, page
from benchmarks.load.service import Guest, LoadService, open_service

CHAT_RATE = 0.0005
COME_BACK_RATE = 0.002
ROUND_SECONDS_MAX = 120.0


@dataclass(frozen=True)
class RunOptions:
    rounds: int
    betting: float
    decide: float
    is_pinned: bool


def play(
    players: int,
    options: RunOptions,
    *,
    others: int = 0,
    prepare: Callable[[Path], None] | None = None,
    begin: Callable[[LoadService, list[Guest]], Process] | None = None,
) -> Figures:
    """A table that fills, plays a round to warm up, and is then measured round by round.

    `begin` starts a process in which so many `others` play elsewhere in the house.
    """
    cores = sorted(os.sched_getaffinity(0))
    core = cores[0] if options.is_pinned else None
    opened = open_service(players + others, betting=options.betting, decide=options.decide, core=core, prepare=prepare)
    with opened as (service, everyone), ExitStack() as ending:
        guests = everyone[:players]
        if begin is not None:
            other_process = begin(service, everyone[players:])
            ending.callback(other_process.kill)
        crowd = Crowd(service.port, guests, chat_rate=CHAT_RATE, come_back_rate=COME_BACK_RATE)
        before = service.memory_bytes()
        began = time.monotonic()
        crowd.come(crowd.clients)
        come_seconds = time.monotonic() - began
        memory = (service.memory_bytes() - before) / players
        joins = crowd.measures.acks["join"]
        _rounds(crowd, 1)
        crowd.measures = Measures()  # who came late in the first round could not bet in time
        crowd.measures.acks["join"] = joins
        cpu = service.cpu_seconds()
        _rounds(crowd, options.rounds)
        cpu = service.cpu_seconds() - cpu
        crowd.rest()
        crowd.leave()
        return Figures(
            players,
            options.rounds,
            crowd.measures,
            cpu,
            memory,
            come_seconds,
            is_money_right=service.verified(),
            money=compare(crowd.clients, read_accounts(service.folder)),
        )


def storm(players: int, options: RunOptions) -> Storm:
    """All are cut off in the middle of an evening and come back at once."""
    with open_service(players, betting=options.betting, decide=options.decide, core=None) as (service, guests):
        crowd = Crowd(service.port, guests, chat_rate=0, come_back_rate=0)
        crowd.come(crowd.clients)
        _rounds(crowd, 1)
        crowd.measures = Measures()
        cpu = service.cpu_seconds()
        took = crowd.storm(crowd.clients)
        cpu = (service.cpu_seconds() - cpu) / players
        crowd.leave()
        return Storm(len(crowd.measures.acks["join"]), took, cpu, crowd.measures.acks["join"], crowd.measures.errors)


def soak(players: int, minutes: float, options: RunOptions) -> Soak:
    """Plays rounds with many reconnects; the first third is a warm-up that fills caches."""
    with open_service(players, betting=options.betting, decide=options.decide, core=None) as (service, guests):
        crowd = Crowd(service.port, guests, chat_rate=0.01, come_back_rate=0.05)
        crowd.come(crowd.clients)
        _rounds(crowd, 1)
        rounds, began = crowd.rounds_over, time.monotonic()
        _rounds_until(crowd, began + minutes * 20)
        tasks, memory = service.figure("casino_tasks"), service.memory_bytes()
        _rounds_until(crowd, began + minutes * 60)
        unanswered = crowd.rest()
        grown, more = service.memory_bytes() - memory, service.figure("casino_tasks") - tasks
        crowd.leave()
        return Soak(
            players,
            minutes,
            crowd.rounds_over - rounds,
            grown,
            more,
            crowd.measures.errors,
            unanswered=unanswered,
            is_money_right=service.verified(),
            money=compare(crowd.clients, read_accounts(service.folder)),
        )


def _rounds(crowd: Crowd, count: int) -> None:
    """Whole ones: from the end of one to the end of another."""
    until, deadline = crowd.rounds_over + count, time.monotonic() + count * ROUND_SECONDS_MAX
    while crowd.rounds_over < until:
        crowd.step(0.05)
        if time.monotonic() > deadline:
            raise TimeoutError("a round did not end")


def _rounds_until(crowd: Crowd, end: float) -> None:
    while time.monotonic() < end:
        _rounds(crowd, 1)
        crowd.measures.events.clear()


def main() -> int:
    parser = argparse.ArgumentParser(prog="make load")
    parser.add_argument("--players", type=int, nargs="*", default=[1_000, 2_000, 5_000])
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--storm", type=int, default=2_000)
    parser.add_argument("--soak", type=float, default=0.0, help="minutes")
    parser.add_argument("--soakers", type=int, default=500)
    parser.add_argument("--windows", type=float, nargs=2, default=(10.0, 6.0), help="seconds to bet and to decide")
    asked = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    options = RunOptions(asked.rounds, asked.windows[0], asked.windows[1], is_pinned=len(os.sched_getaffinity(0)) > 1)
    goals, played = [], []
    for players in asked.players:
        figures = play(players, options)
        played.append(figures)
        goals.append(figures.is_met)
        print(page(figures), end="\n\n", flush=True)
    if len(played) > 1:
        print(growth(played[0], played[-1]), end="\n\n", flush=True)
    if asked.storm:
        came_back = storm(asked.storm, options)
        goals.append(came_back.is_met)
        print(came_back.page(), end="\n\n", flush=True)
    if asked.soak:
        soaked = soak(asked.soakers, asked.soak, options)
        goals.append(soaked.is_met)
        print(soaked.page())
    return 0 if all(goals) else 1


def _poker() -> int:
    from benchmarks.load import poker  # noqa: PLC0415  it measures a live table, too, by this module

    sys.argv.remove("--poker")
    return poker.main()


def _tournament() -> int:
    from benchmarks.load import tournament  # noqa: PLC0415  as above

    return tournament.main()


if __name__ == "__main__":
    if "--tournament" in sys.argv:
        sys.exit(_tournament())
    sys.exit(_poker() if "--poker" in sys.argv else main())
