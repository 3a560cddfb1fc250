# ruff: noqa: T201  it is a command
"""Simulation command `make sim`: one seed after another for some minutes, or one seed again, step by step.

python -m tests.simulation [--minutes 3] [--from 1] [--workers 2]
python -m tests.simulation --seed 42

With `--poker` the seeds are evenings of the poker room, without a gateway.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count

from tests.simulation.plan import plan_of
from tests.simulation.poker_world import poker_plan_of, run_poker
from tests.simulation.run import Report, run_seed
from tests.simulation.world import Broken


def replay(seed: int, *, is_poker: bool) -> int:
    print(poker_plan_of(seed) if is_poker else plan_of(seed))
    try:
        print(_poker(seed, log=print) if is_poker else run_seed(seed, log=print))
    except Broken as fault:
        print(fault)
        return 1
    return 0


def _poker(seed: int, log: Callable[[str], None] | None = None) -> Report:
    """Its rounds are hands with a sent result; every life but the last ends in a crash."""
    world = run_poker(seed, log=log)
    return Report(seed, world.digest, world.hands, world.deaths - 1, world.plan.lives, world.loop.time())


def attempt(seed: int, *, is_poker: bool) -> Report | str:
    """In a process of its own."""
    try:
        return _poker(seed) if is_poker else run_seed(seed)
    except Broken as fault:
        return str(fault)


def explore(first: int, minutes: float, workers: int, *, is_poker: bool) -> int:
    began = time.monotonic()
    broken: dict[int, str] = {}
    rounds = crashes = 0
    for runs, (seed, done) in enumerate(_all(first, began + 60 * minutes, workers, is_poker=is_poker), 1):
        if isinstance(done, Report):
            rounds, crashes = rounds + done.rounds, crashes + done.crashes
        else:
            broken[seed] = done
            print(f"\n{done}\n  make sim SEED={seed}{' POKER=1' if is_poker else ''}")
        pace = rounds / (time.monotonic() - began) * 60
        line = f"{runs:,} runs, {rounds:,} rounds, {crashes:,} crashes, {len(broken)} broken"
        print(f"\r{line}, {pace:,.0f} rounds a minute  ", end="", flush=True)
    print()
    return 1 if broken else 0


def _all(first: int, until: float, workers: int, *, is_poker: bool) -> Iterator[tuple[int, Report | str]]:
    seeds, running = count(first), dict[Future[Report | str], int]()
    with ProcessPoolExecutor(workers) as pool:
        while time.monotonic() < until or running:
            while time.monotonic() < until and len(running) < workers:
                seed = next(seeds)
                running[pool.submit(attempt, seed, is_poker=is_poker)] = seed
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()


def main() -> int:
    if os.environ.get("PYTHONHASHSEED") != "0":  # else the order in sets is another one in every process
        command = [sys.executable, "-m", "tests.simulation", *sys.argv[1:]]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": "0"})  # noqa: S606  ourselves
    parser = argparse.ArgumentParser(prog="make sim")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--poker", action="store_true")
    asked = parser.parse_args()
    if asked.seed is not None:
        return replay(asked.seed, is_poker=asked.poker)
    return explore(asked.first, asked.minutes, asked.workers, is_poker=asked.poker)


if __name__ == "__main__":
    sys.exit(main())
