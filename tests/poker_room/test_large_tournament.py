"""A large tournament in the room itself, with faults: lost lines, a failing database, refused hands, and crashes.

10,000 players in `make test-deep`, 80 otherwise.
"""

import random
from typing import Any

import pytest

from casino.poker.tournament.state import Status
from casino.poker_room import hand_store
from casino.poker_room.tournament import journal_store
from casino.storage.database import Database
from tests.deep import count
from tests.poker_room.journal_checker import JournalChecker
from tests.poker_room.large_house import Faults, LargeHouse
from tests.poker_room.test_multi_table import kinds_of_events, places_of
from tests.poker_room.test_tournament_recovery import POINTS, CrashAt
from tests.poker_room.tournament_house import PURSE, published

PLAYERS = count("CASINO_TEST_FIELD", 80, 10_000)
CRASHES = 3
STARTS_MS = 50 * 60_000
"""Past the hour: level 2 of a hyper turbo begins in time for the break at minute 55, also after three standstills."""


async def test_a_large_tournament_with_faults_keeps_every_rule(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(PLAYERS)
    faults = Faults(chance, refuse_every=max(30, PLAYERS // 20), all_in=0.25 if PLAYERS > 1000 else 0.04)
    faults.install(monkeypatch)
    house = await LargeHouse.open(database, PLAYERS, settings=published(), seed=PLAYERS)
    wait_ms = (STARTS_MS - house.clock.now_ms) % 3_600_000
    pool = 900 * PLAYERS
    terms: dict[str, Any] = {"structure": "hyper", "late_levels": 0, "hand_for_hand_from": 8 if PLAYERS < 1000 else 100}
    running = await house.announce(**terms, guarantee=pool + 10_000, wait_ms=wait_ms)
    await house.enter(running, PLAYERS)
    await house.advance(wait_ms)
    assert running.state.status is Status.RUNNING
    faults.is_on = True
    for crash_no in range(CRASHES):
        crash = CrashAt(chance.choice(POINTS), chance.randint(1, 20))
        wanted = PLAYERS * (CRASHES - crash_no) // (CRASHES + 1)
        await house.play_large(faults, lambda: running.state.left <= wanted)  # noqa: B023
        house.is_dead = crash.is_dead
        with monkeypatch.context() as patched:
            for module in (hand_store, journal_store):
                patched.setattr(module, "crash_point", crash)
            over = Status.FINISHED
            await house.play_large(faults, lambda: crash.is_dead() or running.state.status is over)  # noqa: B023
        faults.is_on = False
        house = await house.crash(after_ms=chance.randint(0, 30_000))
        last = (await kinds_of_events(database, running.tournament_id))[-5:]
        assert running.tournament_id in house.room.tournaments.running, (crash, last)
        running = house.room.tournaments.running[running.tournament_id]
        assert sum(entry.chips for entry in running.state.entries.values()) == running.state.chips == 5000 * PLAYERS
        faults.is_on = True
    await house.play_large(faults, lambda: running.tournament_id not in house.room.tournaments.running)
    faults.is_on = False
    checked = await JournalChecker.of(database, running.tournament_id)
    assert checked.violations == []
    assert checked.moves
    assert checked.breaks
    assert checked.synchronised
    assert checked.voids >= len(faults.refused) > 0
    assert min(faults.count[name] for name in ("line lost", "away", "answer lost")) > 0, faults.count

    assert await places_of(database, running) == [*range(1, PLAYERS + 1)]
    balances = await house.checked()
    won = sum(balances[f"player:p{number}:cash"] - PURSE for number in range(1, PLAYERS + 1))
    assert won == pool + 10_000 - 1000 * PLAYERS
    await house.verified()
    await house.close()
