"""Poker simulation on virtual time with an unreliable disk and kills: nothing acknowledged is lost, to the cent."""

import asyncio
from unittest.mock import patch

import pytest

from casino.poker_room.hand_record import HandRecord
from casino.poker_room.hand_store import HandStore
from tests.deep import representative
from tests.simulation.plan import Disk
from tests.simulation.poker_world import PokerPlan, run_poker
from tests.simulation.world import Broken

ROUGH = PokerPlan(
    seed=0,
    lives=4,
    hands=15,
    disk=Disk(error_rate=0.001, commit_error_rate=0.02, lost_commit_rate=0.02, outages=1, slow_spells=1, silences=0.5),
)
"""A bit of everything."""


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-4")
@pytest.mark.req("LED-3")
def test_an_evening_of_poker_full_of_faults_breaks_nothing() -> None:
    world = run_poker(0, ROUGH)
    assert world.deaths > ROUGH.lives / 2
    assert world.hands > 0
    assert world.checker.bought
    assert world.checker.left


@pytest.mark.parametrize("seed", representative([2, 3], lambda seed: seed == 3))
def test_an_evening_of_poker_by_its_seed_breaks_nothing(seed: int) -> None:
    assert run_poker(seed).hands > 0


def test_the_same_seed_repeats_the_same_evening_of_poker() -> None:
    short = PokerPlan(5, 1, 5, ROUGH.disk)
    assert run_poker(5, short).digest == run_poker(5, short).digest


def test_results_published_before_they_are_stored_are_found() -> None:
    """A planted fault: the store answers at once, and the hand may be lost with the process."""
    stored = HandStore.store

    async def store(self: HandStore, record: HandRecord) -> None:
        task = asyncio.ensure_future(stored(self, record))
        await asyncio.sleep(0)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    slow = PokerPlan(0, 12, 30, Disk(seconds=0.2))
    with patch.object(HandStore, "store", store), pytest.raises(Broken):
        run_poker(0, slow)
