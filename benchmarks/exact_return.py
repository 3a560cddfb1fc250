"""Exact return by full enumeration, each time in a new process, compared with ranking its hands one by one."""

import os
import subprocess
import sys
import tempfile
import time
from math import comb

from benchmarks.hands import phevaluator_on_numbers
from benchmarks.measurement import Row, duration, race, times

CANONICAL_BOARDS = 134_459
HANDS_RANKED = CANONICAL_BOARDS * comb(47, 2)
WARM_RUNS = 3

PROGRAM = """
import sys
from pathlib import Path
from casino.uth.rtp_cache import exact_return
from casino.uth.paytable import STANDARD
exact_return(STANDARD, Path(sys.argv[1]))
"""


def _seconds(home: str, results: str) -> float:
    """One run with its compiled code kept under `home` and its result kept in `results`."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", PROGRAM, results], env=os.environ | {"HOME": home}, check=True)  # noqa: S603
    return time.perf_counter() - started


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as home:
        cold = _seconds(home, f"{home}/cold")
        warm = min(_seconds(home, f"{home}/warm-{run}") for run in range(WARM_RUNS))
        known = min(_seconds(home, f"{home}/cold") for _ in range(WARM_RUNS))
    one_by_one = race({"hand": phevaluator_on_numbers()})["hand"] * HANDS_RANKED
    return [
        Row("cold: nothing compiled yet", duration(cold)),
        Row("warm: compiled, counted anew", duration(warm)),
        Row("known: counted before", duration(known)),
        Row(
            f"phevaluator on the {HANDS_RANKED:,} hands, estimated",
            duration(one_by_one),
            f"warm is {times(one_by_one / warm)} as fast",
        ),
    ]
