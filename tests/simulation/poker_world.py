"""Poker room on virtual time and an unreliable disk: it plays, is killed at any moment, and the next process recovers.

The room, its hand store and the rows of the database are real. The gateway is missing: players speak to the room, which
loses their lines itself.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from casino.storage.database import Database
from tests.chaos.poker_checker import PokerChecker
from tests.chaos.random_poker import RandomEvening
from tests.databases import sqlite_url
from tests.simulation.fixtures import connected, copy_of
from tests.simulation.loop import VirtualLoop
from tests.simulation.plan import Disk
from tests.simulation.run import folder_in_memory
from tests.simulation.seeded_random import seeded_secrets
from tests.simulation.sqlite import sqlite_at_once
from tests.simulation.storage import PowerCut, Storage
from tests.simulation.world import Broken, silence
from tests.uth.tabletop import NOON_MS

LIFE_SECONDS_MAX = 3_600.0
PACE_SECONDS = 4.0
CALLS_MAX = 3_000


@dataclass(frozen=True)
class PokerPlan:
    seed: int
    lives: int
    hands: int
    """In each life that is not cut short."""
    disk: Disk

    def of_life(self, number: int) -> Random:
        return Random(f"poker {self.seed} {number}")


def poker_plan_of(seed: int) -> PokerPlan:
    """Half of all runs spare some of the faults, so that none hides behind another."""
    chance = Random(f"poker plan {seed}")

    def maybe(*rates: float) -> float:
        return chance.choice((0.0, *rates))

    disk = Disk(
        seconds=chance.choice((0.0001, 0.0005, 0.004, 0.05)),
        error_rate=maybe(0.0003, 0.002),
        commit_error_rate=maybe(0.005, 0.05),
        lost_commit_rate=maybe(0.005, 0.05),
        outages=maybe(0.5, 2),
        slow_spells=maybe(1, 4),
        silences=maybe(0.2, 1),
    )
    return PokerPlan(seed, chance.randint(3, 6), chance.randint(10, 30), disk)


@dataclass
class SimulatedEvening(RandomEvening):
    """Time passes by itself: the deadlines of the room are timers of the loop."""

    def clock(self) -> int:
        return self.now_ms + int(asyncio.get_running_loop().time() * 1000)

    async def pass_time(self) -> None:
        await asyncio.sleep(self.chance.uniform(0, PACE_SECONDS))


@dataclass
class PokerWorld:
    plan: PokerPlan
    url: str
    log: Callable[[str], None] | None = None
    loop: VirtualLoop = field(default_factory=VirtualLoop)
    checker: PokerChecker = field(default_factory=PokerChecker)
    faults: list[str] = field(default_factory=list)
    deaths: int = 0
    storage: Storage | None = None
    _words: list[str] = field(default_factory=list)
    _digest: Any = field(default_factory=hashlib.sha256)

    def run(self) -> None:
        self.loop.set_exception_handler(self._unexpected)
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_until_complete(self._run())
        finally:
            asyncio.set_event_loop(None)
            self.loop.close()
        if self.faults:
            raise Broken(f"seed {self.plan.seed}: " + "\n".join(self.faults))

    @property
    def digest(self) -> str:
        return str(self._digest.hexdigest())

    @property
    def hands(self) -> int:
        return len({hand_id for hand_id, _ in self.checker.results})

    async def _run(self) -> None:
        for number in range(self.plan.lives):
            await self._live(number, self.plan.disk, is_last=False)
            if self.faults:
                return
        await self._live(self.plan.lives, Disk(), is_last=True)
        if not self.checker.finished:
            self.faults.append("the last room did not come to its end")

    async def _live(self, number: int, disk: Disk, *, is_last: bool) -> None:
        chance, self._words = self.plan.of_life(number), []
        database = connected(self.url)
        storage = self.storage = Storage(self.loop, disk, Random(chance.random()), lambda *_: None)
        storage.stand_between(database)
        evening = SimulatedEvening(database, chance.randrange(10**6), self._say, NOON_MS, retry_seconds=1.0)
        playing = asyncio.create_task(self._play(evening, is_last=is_last))
        trouble = [] if is_last else [asyncio.create_task(work) for work in self._troubles(storage, chance)]
        done, _ = await asyncio.wait([playing, *trouble[:1]], timeout=LIFE_SECONDS_MAX, return_when="FIRST_COMPLETED")
        if not done:
            self.faults.append(f"life {number} came to no end")
        if not storage.is_dead:
            storage.cut()
            self.deaths += 1
        evening.room.upkeep.deadlines.stop()
        await self._bury()
        storage.bury()
        failure = playing.exception() if playing.done() and not playing.cancelled() else None
        if failure is not None and (is_last or isinstance(failure, AssertionError)):
            self.faults.append(f"life {number} failed: {failure!r}")
        self.checker.read_all(self._words)
        await self._check()

    async def _play(self, evening: SimulatedEvening, *, is_last: bool) -> None:
        await evening.begin()
        await evening.play(self.plan.hands)
        if is_last:
            await evening.end()
            self._say("finished")

    async def _check(self) -> None:
        self.storage = None
        database = connected(self.url)
        try:
            await self.checker.check(database)
        except AssertionError as fault:
            self.faults.append(str(fault))
        finally:
            await database.close()

    async def _bury(self) -> None:
        """What still moves of a dead room can change nothing, and is stopped."""
        while waiting := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting, timeout=1)

    def _say(self, *words: object) -> None:
        """The dead say nothing: what they had said before is what they have promised."""
        if self.storage is not None and not self.storage.is_dead:
            self._words.append(json.dumps(words))
            self._digest.update(self._words[-1].encode())
            if self.log:
                self.log(f"{self.loop.time():10.4f} {self._words[-1]}")

    def _troubles(self, storage: Storage, chance: Random) -> list[Any]:
        """The first of them is death."""
        now, disk = self.loop.time, self.plan.disk

        def until(name: str, longest: float) -> Any:  # noqa: ANN401
            return lambda: setattr(storage, name, now() + chance.uniform(0.1, longest))

        return [
            self._death(storage, chance),
            _now_and_then(chance, disk.outages, until("out_until", 8)),
            _now_and_then(chance, disk.slow_spells, until("slow_until", 3)),
            _now_and_then(chance, disk.silences, until("silent_until", 8)),
        ]

    async def _death(self, storage: Storage, chance: Random) -> None:
        """At any step of any transaction, or at any moment."""
        dead = asyncio.Event()

        def strike() -> None:
            if not storage.is_dead:
                self.deaths += 1
                storage.cut()
                dead.set()

        at, moment = chance.randint(1, CALLS_MAX), chance.choice(("before", "during", "after", "answered"))

        def on_call(calls: int, when: str) -> None:
            if calls >= at and when == moment:
                strike()

        storage.on_call = on_call
        if chance.random() < 0.3:
            self.loop.call_later(chance.uniform(0, 300), strike)
        await dead.wait()

    def _unexpected(self, _loop: object, context: dict[str, Any]) -> None:
        failure = context.get("exception")
        if not isinstance(failure, PowerCut) and self.storage is not None and not self.storage.is_dead:
            self.faults.append(f"{context['message']}: {failure!r}")


async def _now_and_then(chance: Random, per_minute: float, happens: Any) -> None:  # noqa: ANN401
    while per_minute:
        await asyncio.sleep(chance.expovariate(per_minute / 60))
        happens()


@cache
def _migrated() -> tuple[Any, Path]:
    """An empty SQLite file with all tables, made once and copied for every run."""
    folder = folder_in_memory()
    loop = VirtualLoop()

    async def migrate() -> None:
        database = await Database.open(sqlite_url(Path(folder.name)))
        async with database.writing() as connection:
            await connection.exec_driver_sql("SELECT 1")
        await database.close()

    try:
        with sqlite_at_once():
            loop.run_until_complete(migrate())
    finally:
        loop.close()
    return folder, Path(folder.name)


@contextmanager
def _order(seed: int) -> Iterator[None]:
    with silence(), seeded_secrets(Random(f"poker secrets {seed}")), sqlite_at_once():
        yield


def run_poker(seed: int, plan: PokerPlan | None = None, log: Callable[[str], None] | None = None) -> PokerWorld:
    """Raises `Broken` if anything that must hold does not."""
    _, migrated = _migrated()
    with folder_in_memory() as folder, _order(seed):
        world = PokerWorld(plan or poker_plan_of(seed), copy_of(migrated, Path(folder)), log)
        world.run()
        return world
