"""Runs of the simulation by their seed, each on a database of its own in memory."""

import gc
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.simulation.fixtures import People, copy_of, template
from tests.simulation.plan import Plan, plan_of
from tests.simulation.world import World, silence

_MEMORY = Path("/dev/shm")  # noqa: S108  a folder of the own is made there


@dataclass(frozen=True)
class Report:
    seed: int
    digest: str
    rounds: int
    crashes: int
    recoveries: int
    virtual_seconds: float


def folder_in_memory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="casino-sim-", dir=_MEMORY if _MEMORY.is_dir() else None)


@cache
def _furnished() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    folder = folder_in_memory()
    template(Path(folder.name))
    gc.collect()
    gc.freeze()
    return folder, Path(folder.name)


@contextmanager
def unhurried_memory() -> Iterator[None]:
    """Looking for garbage again and again would be a tenth of the work. It is looked for after the run instead, and
    never among what was there before the first (`_furnished`)."""
    often = gc.get_threshold()
    gc.set_threshold(200_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*often)
        gc.collect()


def run_seed(seed: int, log: Callable[[str], None] | None = None, plan: Plan | None = None) -> Report:
    """Raises `Broken` if anything that must hold does not."""
    _, furnished = _furnished()
    with silence(), unhurried_memory(), folder_in_memory() as folder:
        return play(plan or plan_of(seed), copy_of(furnished, Path(folder)), template(furnished), log)


def play(plan: Plan, url: str, people: People, log: Callable[[str], None] | None = None) -> Report:
    world = World(plan, url, people, log)
    world.run()
    return Report(plan.seed, world.digest, world.rounds, world.crashes, world.recoveries, world.loop.time())
