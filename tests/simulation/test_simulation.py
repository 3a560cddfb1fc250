"""Whole simulation runs with planned faults, and the proof that a seed repeats its run."""

import asyncio
from dataclasses import replace

import pytest

from tests.databases import PostgresServer
from tests.deep import representative
from tests.simulation.fixtures import furnish
from tests.simulation.plan import Disk, Net, Plan, plan_of
from tests.simulation.run import play, run_seed
from tests.simulation.world import silence

ROUGH = Plan(
    seed=0,
    players=4,
    tables=("shared",),
    rounds=5,
    disk=Disk(error_rate=0.001, commit_error_rate=0.01, lost_commit_rate=0.01, outages=1, slow_spells=1, silences=1),
    net=Net(drop_rate=0.02, duplicate_rate=0.1, reorder_rate=0.1, cuts=0.5, silences=0.2),
    crashes=8,
    stops=0,
    jumps=1,
    incidents=0.01,
)
"""A bit of everything."""

KINDS = ("own", "presenter", "shared")


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-3")
@pytest.mark.req("LED-3")
@pytest.mark.req("LED-4")
@pytest.mark.parametrize(
    "tables", representative([*((kind,) for kind in KINDS), KINDS], lambda tables: tables == KINDS)
)
def test_an_evening_full_of_faults_breaks_nothing(tables: tuple[str, ...]) -> None:
    plan = replace(ROUGH, seed=len("".join(tables)), tables=tables, players=3 * len(tables))
    report = run_seed(plan.seed, plan=plan)
    assert report.rounds >= plan.rounds
    assert report.crashes > 0


@pytest.mark.parametrize("seed", representative([4, 7, 27], lambda seed: seed == 7))
def test_an_evening_by_its_seed_breaks_nothing(seed: int) -> None:
    """7: a player connects at the moment the seats of the table are checked."""
    assert run_seed(seed).rounds >= plan_of(seed).rounds


def test_change_of_devices_on_a_slow_connection_misses_nothing() -> None:
    """The snapshot is asked for twice, and news come to the new device before it."""
    slow = Plan(4, 6, ("shared",), 4, Disk(), Net(seconds=0.8), crashes=0, stops=0)
    assert run_seed(slow.seed, plan=slow).rounds >= slow.rounds


def test_the_same_seed_repeats_the_same_evening_word_for_word() -> None:
    plan = replace(ROUGH, rounds=3)
    first, second = run_seed(0, plan=plan), run_seed(0, plan=plan)
    other = run_seed(1, plan=replace(plan, seed=1))
    assert first == second
    assert first.digest != other.digest


def test_an_evening_on_postgresql_breaks_nothing(postgres: PostgresServer) -> None:
    """Its answers take real time, so this one repeats itself only roughly."""
    url = postgres.fresh_database()
    plan = replace(ROUGH, rounds=10, players=3, seed=3)
    with silence():
        report = play(plan, url, asyncio.run(furnish(url)))
    assert report.rounds >= plan.rounds
    assert report.crashes > 0
