"""How long a bystander waits for a bet while one client floods the house, against how long in peace, in turns."""

import statistics
import sys
import time
from contextlib import ExitStack

from benchmarks.acks_load import Bettors
from benchmarks.fanout import LOAD_CORE, SERVER_CORE, Talk
from benchmarks.measuring import Row, duration

WAYS = ("lobby", "sign-in", "socket")
TURNS = 3
BETS = 35  # in five seconds, below what one account may
GOAL = 2.0


class Bystander(Bettors):
    def waits(self, seconds: float) -> list[float]:
        """For each bet, placed at a person's pace."""
        found = []
        for _ in range(BETS):
            found.append(self.acknowledged(1))
            time.sleep(seconds / BETS)
        return found


def measure() -> dict[str, list[float]]:
    with ExitStack() as started:
        server = Talk([sys.executable, "-m", "benchmarks.acks_server", "guarded"], SERVER_CORE)
        started.callback(server.kill)
        address = server.hear()
        flooder = Talk([sys.executable, "-m", "benchmarks.flood_load", address], LOAD_CORE)
        started.callback(flooder.kill)
        flooder.hear()
        bystander = Bystander(int(address.rpartition(":")[2]), 1)
        bystander.waits(5.0)  # warm
        found: dict[str, list[float]] = {"peace": [], **{way: [] for way in WAYS}}
        for _ in range(TURNS):
            for way in WAYS:
                found["peace"] += bystander.waits(5.0)
                flooder.tell(f"{way} 6")
                time.sleep(0.5)
                found[way] += bystander.waits(5.0)
                flooder.hear()
                time.sleep(1.5)  # what waited has its turn
        return found


def rows() -> list[Row]:
    found = measure()
    peace, tail = statistics.median(found["peace"]), statistics.quantiles(found["peace"], n=20)[-1]
    told = [Row("in peace: half of the bets within", duration(peace), f"95% within {duration(tail)}")]
    for way in WAYS:
        half, most = statistics.median(found[way]), statistics.quantiles(found[way], n=20)[-1]
        figures = f"{half / peace:.2f}x as long; 95% within {duration(most)}, {most / tail:.2f}x"
        is_met = half <= GOAL * peace and most <= GOAL * tail
        told.append(Row(f"flood of {way}", duration(half), figures, f"both at most {GOAL:g}x", is_met))
    return told
