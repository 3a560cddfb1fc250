"""`make load`: a full table, a fuller one, a storm of reconnecting players, and a soak if it is asked for.

python -m benchmarks.load [--players 1000 5000] [--rounds 4] [--storm 2000] [--soak MINUTES] [--windows 10 6]
"""

import argparse
import os
import resource
import sys
import time
from dataclasses import dataclass

from benchmarks.load.crowd import Crowd, Measures
from benchmarks.load.house import CREDIT, House, open_house
from benchmarks.load.page import Figures, growth, page, share

CHAT_RATE = 0.0005
COME_BACK_RATE = 0.002
STORM_SECONDS_MAX = 10.0
ROUND_SECONDS_MAX = 120.0


@dataclass(frozen=True)
class Wish:
    rounds: int
    betting: float
    decide: float
    is_pinned: bool


def play(players: int, wish: Wish) -> Figures:
    """A table that fills, plays a round to warm up, and is then measured round by round."""
    cores = sorted(os.sched_getaffinity(0))
    core = cores[0] if wish.is_pinned else None
    with open_house(players, betting=wish.betting, decide=wish.decide, core=core) as (house, guests):
        crowd = Crowd(house.port, guests, chat_rate=CHAT_RATE, come_back_rate=COME_BACK_RATE)
        before = house.memory_bytes()
        began = time.monotonic()
        crowd.come(crowd.clients)
        come_seconds = time.monotonic() - began
        memory = (house.memory_bytes() - before) / players
        joins = crowd.measures.acks["join"]
        _rounds(crowd, 1)
        crowd.measures = Measures(errors=crowd.measures.errors)
        crowd.measures.acks["join"] = joins
        cpu = house.cpu_seconds()
        _rounds(crowd, wish.rounds)
        cpu = house.cpu_seconds() - cpu
        _everybody_heard(crowd)
        crowd.leave()
        return Figures(
            players,
            wish.rounds,
            crowd.measures,
            cpu,
            memory,
            come_seconds,
            is_money_right=house.verified(),
            wrong_balances=wrong_balances(house, crowd),
        )


def storm(players: int, wish: Wish) -> bool:
    """All are cut off in the middle of a round and come back at once."""
    with open_house(players, betting=wish.betting, decide=wish.decide, core=None) as (house, guests):
        crowd = Crowd(house.port, guests, chat_rate=0, come_back_rate=0)
        crowd.come(crowd.clients)
        _rounds(crowd, 1)
        crowd.measures.acks["join"].clear()
        took = crowd.storm(crowd.clients, STORM_SECONDS_MAX)
        joins = crowd.measures.acks["join"]
        errors = dict(crowd.measures.errors) or "none"
        half, most = (share(joins, part) * 1000 for part in (0.5, 0.99))
        goal = f"(goal: {STORM_SECONDS_MAX:.0f} s)"
        print(f"{players:,} players come back at once: the last sits after {took:.1f} s {goal}")
        print(f"  join → ack p50 {half:,.0f}  p99 {most:,.0f} ms; errors {errors}")
        return took <= STORM_SECONDS_MAX and not crowd.measures.errors


def soak(players: int, minutes: float, wish: Wish) -> bool:
    """Memory and tasks after a while are what they were at the beginning."""
    with open_house(players, betting=wish.betting, decide=wish.decide, core=None) as (house, guests):
        crowd = Crowd(house.port, guests, chat_rate=0.01, come_back_rate=0.05)
        crowd.come(crowd.clients)
        _rounds(crowd, 3)
        began, tasks, memory = time.monotonic(), house.figure("casino_tasks"), house.memory_bytes()
        rounds = crowd.rounds_over
        while time.monotonic() - began < minutes * 60:
            _rounds(crowd, 1)
            crowd.measures.told.clear()
        _everybody_heard(crowd)
        grown, more = house.memory_bytes() - memory, house.figure("casino_tasks") - tasks
        crowd.leave()
        wrong = wrong_balances(house, crowd)
        rounds = crowd.rounds_over - rounds
        errors = dict(crowd.measures.errors) or "none"
        print(f"{players:,} players for {minutes:g} minutes, {rounds} rounds: errors {errors}, {wrong} wrong balances")
        print(f"  memory {grown / 1024 / 1024:+.1f} MiB, tasks {more:+.0f}, casino verify {house.verified()}")
        return not crowd.measures.errors and not wrong and more <= 2


def wrong_balances(house: House, crowd: Crowd) -> int:
    """Counted from what each player was told, against the rows of the database."""
    stored = house.balances()
    return sum(stored[client.id] != CREDIT + client.net for client in crowd.clients)


def _rounds(crowd: Crowd, count: int) -> None:
    """Whole ones: from the end of one to the end of another."""
    until, deadline = crowd.rounds_over + count, time.monotonic() + count * ROUND_SECONDS_MAX
    while crowd.rounds_over < until:
        crowd.step(0.05)
        if time.monotonic() > deadline:
            raise TimeoutError("a round did not end")


def _everybody_heard(crowd: Crowd) -> None:
    """What is on its way still counts."""
    until = time.monotonic() + 0.8
    while time.monotonic() < until:
        crowd.step(0.05)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make load")
    parser.add_argument("--players", type=int, nargs="*", default=[1_000, 5_000])
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--storm", type=int, default=2_000)
    parser.add_argument("--soak", type=float, default=0.0, help="minutes")
    parser.add_argument("--soakers", type=int, default=500)
    parser.add_argument("--windows", type=float, nargs=2, default=(10.0, 6.0), help="seconds to bet and to decide")
    asked = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    wish = Wish(asked.rounds, asked.windows[0], asked.windows[1], is_pinned=len(os.sched_getaffinity(0)) > 1)
    goals, played = [], []
    for players in asked.players:
        figures = play(players, wish)
        played.append(figures)
        goals.append(figures.is_met)
        print(page(figures), end="\n\n", flush=True)
    if len(played) > 1:
        print(growth(played[0], played[-1]), end="\n\n", flush=True)
    if asked.storm:
        goals.append(storm(asked.storm, wish))
    if asked.soak:
        goals.append(soak(asked.soakers, asked.soak, wish))
    return 0 if all(goals) else 1


if __name__ == "__main__":
    sys.exit(main())
