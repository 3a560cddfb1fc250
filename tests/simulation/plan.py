"""Fault plan of a run, drawn from its seed: kinds of faults, and how often each happens per minute.

Half of all runs spare some of the parts, so that rounds also come to their end, and one fault does not always hide
another. A crash hits every table of the service.
"""

from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Final

from tests.chaos.test_crash_points import crash_points

NO_CRASH_POINTS: Final = ("stakes_forfeited",)
"""Needs a round that cannot be read, which no run here makes."""


@dataclass(frozen=True, slots=True)
class Disk:
    seconds: float = 0.0003
    error_rate: float = 0.0
    commit_error_rate: float = 0.0
    lost_commit_rate: float = 0.0
    outages: float = 0.0  # a minute
    slow_spells: float = 0.0  # a minute
    silences: float = 0.0  # per minute: no reply, and an unknown outcome


@dataclass(frozen=True, slots=True)
class Net:
    seconds: float = 0.02
    drop_rate: float = 0.0  # of a single message, either way
    duplicate_rate: float = 0.0  # of a message to the service
    reorder_rate: float = 0.0  # a message to the service overtakes others
    cuts: float = 0.0  # a minute and connection
    silences: float = 0.0  # a minute and connection: both sides believe that the other is there

    @property
    def is_faithful(self) -> bool:
        return self.drop_rate == 0 and self.silences == 0


@dataclass(frozen=True, slots=True)
class Plan:
    seed: int
    players: int
    tables: tuple[str, ...]
    rounds: int
    disk: Disk
    net: Net
    crashes: float  # a minute
    stops: float  # a minute: SIGTERM, then a new start
    jumps: float = 0.0  # a minute: the machine's clock is set, forward or back
    incidents: float = 0.0  # how readily the manager stops a round

    @property
    def is_calm(self) -> bool:
        """The service never fails, so every window must be kept and every bet be accepted."""
        return self.crashes == self.stops == self.jumps == 0 and self.disk == Disk(seconds=self.disk.seconds)


KINDS: Final = ("shared", "own", "presenter")


def plan_of(seed: int) -> Plan:
    chance = Random(f"plan {seed}")

    def maybe(*rates: float) -> float:
        return chance.choice((0.0, *rates))

    disk = Disk(
        seconds=chance.choice((0.0001, 0.0005, 0.004)),
        error_rate=maybe(0.0, 0.0003, 0.002),
        commit_error_rate=maybe(0.0, 0.005, 0.02),
        lost_commit_rate=maybe(0.0, 0.005, 0.02),
        outages=maybe(0.0, 0.5, 2),
        slow_spells=maybe(0.0, 1, 4),
        silences=maybe(0.0, 0.5, 2),
    )
    net = Net(
        seconds=chance.choice((0.001, 0.03, 0.2, 0.8)),
        drop_rate=maybe(0.0, 0.01, 0.05),
        duplicate_rate=maybe(0.05, 0.2),
        reorder_rate=maybe(0.05, 0.2),
        cuts=maybe(0.2, 2),
        silences=maybe(0.0, 0.5),
    )
    kinds = tuple(sorted(chance.sample(KINDS, chance.choice((1, 1, 2, 2, 3, 3)))))
    plan = Plan(
        seed,
        players=chance.choice((1, 2, 3, 4, 6)) * len(kinds),
        tables=kinds,
        rounds=chance.randint(8, 14),
        disk=disk,
        net=net,
        crashes=maybe(1, 3, 6),
        stops=maybe(0.0, 0.3),
        jumps=maybe(0.0, 0.0, 1),
        incidents=maybe(0.0, 0.01),
    )
    return replace(plan, disk=Disk(seconds=disk.seconds)) if chance.random() < 0.3 else plan


@cache
def points() -> list[str]:
    return [point for point in crash_points() if point not in NO_CRASH_POINTS and not point.startswith("poker_")]
