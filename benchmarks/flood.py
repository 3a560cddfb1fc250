"""Waiting time of one player's bets while another client floods the service, compared with a quiet service, in turns.

Peace and attack alternate every three seconds, and each attack is compared with the peace around it, so that other load
of the machine meets both alike. Beside the time on the clock stands the processor time of the server while the bet was
waiting: it does not depend on other processes. The last figure is what one hostile request costs the server.
"""

import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import flood_attacks, flood_guests
from benchmarks.acks_load import Bettors
from benchmarks.fanout import LOAD_CORE, SERVER_CORE, Talk
from benchmarks.measurement import Row, duration

WAYS = ("lobby", "sign-in", "socket", *flood_guests.WAYS, *flood_attacks.WAYS)
TURNS = 5
SECONDS = 3.0
BETS = 20  # in three seconds, below what one account may
GOAL_MEDIAN, GOAL_95 = 2.0, 3.0


@dataclass(frozen=True, slots=True)
class Waits:
    """For each bet: elapsed seconds, and processor seconds of the server."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Measured:
    peace: Waits = field(default_factory=Waits)
    attack: Waits = field(default_factory=Waits)
    peace_used: float = 0.0
    attack_used: float = 0.0
    requests: int = 0

    @property
    def seconds_per_request(self) -> float:
        """What the server worked more than in peace, for each hostile request."""
        return max(0.0, self.attack_used - self.peace_used) / max(1, self.requests)


class Bystander:
    def __init__(self, port: int, server_pid: int) -> None:
        self._bettor = Bettors(port, 1)
        self._server_pid = server_pid

    def bet(self, waits: Waits) -> None:
        """Places bets at a person's pace."""
        for _ in range(BETS):
            before = processor_seconds(self._server_pid)
            waits.clock.append(self._bettor.acknowledged(1))
            waits.processor.append(processor_seconds(self._server_pid) - before)
            time.sleep(SECONDS / BETS)


def processor_seconds(pid: int) -> float:
    """Of all threads of a process."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def measure(ways: Sequence[str] = WAYS, turns: int = TURNS) -> dict[str, Measured]:
    with ExitStack() as started:
        server = Talk([sys.executable, "-m", "benchmarks.acks_server", "guarded"], SERVER_CORE)
        started.callback(server.kill)
        address = server.read_line()
        flooder = Talk([sys.executable, "-m", "benchmarks.flood_load", address], LOAD_CORE)
        started.callback(flooder.kill)
        flooder.read_line()
        bystander = Bystander(int(address.rpartition(":")[2]), server.pid)
        bystander.bet(Waits())  # warm
        found = {way: Measured() for way in ways}
        for way, measured in found.items():
            for _ in range(turns):
                before = processor_seconds(server.pid)
                bystander.bet(measured.peace)
                between = processor_seconds(server.pid)
                flooder.tell(f"{way} {SECONDS + 1}")
                time.sleep(0.5)
                bystander.bet(measured.attack)
                measured.requests += int(flooder.read_line())
                measured.peace_used += between - before
                measured.attack_used += processor_seconds(server.pid) - between
                time.sleep(1.5)  # what waited has its turn
        return found


def rows() -> list[Row]:
    return [_row(way, measured) for way, measured in measure().items()]


def _row(way: str, measured: Measured) -> Row:
    half, most = _ratios(measured.attack.clock, measured.peace.clock)
    half_worked, most_worked = _ratios(measured.attack.processor, measured.peace.processor)
    figures = (
        f"{half:.2f}x as long, 95%: {most:.2f}x; processor {half_worked:.2f}x, 95%: {most_worked:.2f}x; "
        f"{duration(measured.seconds_per_request)} each of {measured.requests}"
    )
    median = statistics.median(measured.attack.clock)
    is_met = half <= GOAL_MEDIAN and most <= GOAL_95
    return Row(f"flood of {way}", duration(median), figures, f"at most {GOAL_MEDIAN:g}x and {GOAL_95:g}x", is_met)


def _ratios(attack: list[float], peace: list[float]) -> tuple[float, float]:
    """At the median, and at 95%."""
    tails = [statistics.quantiles(waits, n=20)[-1] for waits in (attack, peace)]
    return statistics.median(attack) / statistics.median(peace), tails[0] / tails[1]
