# ruff: noqa: T201  it is a command
"""`make sim`: seed after seed for some minutes; or one seed again, told step by step.

python -m tests.simulation [--minutes 3] [--from 1] [--workers 2]
python -m tests.simulation --seed 42
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count

from tests.simulation.plan import plan_of
from tests.simulation.run import Report, run_seed
from tests.simulation.world import Broken


def replay(seed: int) -> int:
    print(plan_of(seed))
    try:
        print(run_seed(seed, hear=print))
    except Broken as fault:
        print(fault)
        return 1
    return 0


def attempt(seed: int) -> Report | str:
    """In a process of its own."""
    try:
        return run_seed(seed)
    except Broken as fault:
        return str(fault)


def explore(first: int, minutes: float, workers: int) -> int:
    began = time.monotonic()
    broken: dict[int, str] = {}
    rounds = crashes = 0
    for runs, (seed, done) in enumerate(_all(first, began + 60 * minutes, workers), 1):
        if isinstance(done, Report):
            rounds, crashes = rounds + done.rounds, crashes + done.crashes
        else:
            broken[seed] = done
            print(f"\n{done}\n  make sim SEED={seed}")
        pace = rounds / (time.monotonic() - began) * 60
        line = f"{runs:,} runs, {rounds:,} rounds, {crashes:,} crashes, {len(broken)} broken"
        print(f"\r{line}, {pace:,.0f} rounds a minute  ", end="", flush=True)
    print()
    return 1 if broken else 0


def _all(first: int, until: float, workers: int) -> Iterator[tuple[int, Report | str]]:
    seeds, running = count(first), dict[Future[Report | str], int]()
    with ProcessPoolExecutor(workers) as pool:
        while time.monotonic() < until or running:
            while time.monotonic() < until and len(running) < workers:
                seed = next(seeds)
                running[pool.submit(attempt, seed)] = seed
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
    asked = parser.parse_args()
    return replay(asked.seed) if asked.seed is not None else explore(asked.first, asked.minutes, asked.workers)


if __name__ == "__main__":
    sys.exit(main())
