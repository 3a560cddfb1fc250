"""Crash points: the process is killed at each, twice, and the next process recovers."""

import ast
import asyncio
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random

import pytest

import casino
from casino.storage.database import Database
from tests.chaos.books import UNREADABLE, check_books, check_verified
from tests.chaos.crashed_service import CrashedService, until_alone
from tests.chaos.durability_checker import DurabilityChecker, outcome
from tests.chaos.fork_server import ForkServer
from tests.chaos.player_process import play_on, recover_all
from tests.databases import sqlite_url
from tests.deep import representative_rows

KILLED = -9


def crash_points() -> list[str]:
    """Read from the source, so that none is forgotten. Those of the poker room begin with one of `OF_POKER`."""
    sources = [file.read_text() for file in Path(casino.__path__[0]).rglob("*.py")]
    return sorted(
        ast.literal_eval(node.args[0])
        for source in sources
        if "crash_point(" in source  # parsing all of them takes seconds in every test process
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "crash_point"
    )


LATER = {"stakes_forfeited": 2, "round_recovered": 2}
"""The passing at which a point is armed besides the first; the others are armed at their fifth."""

OF_POKER = ("poker_", "tournament_", "hexapro_")
POINTS = [name for name in crash_points() if not name.startswith(OF_POKER)]
CASES = list(product(POINTS, ("first", "later"), ("sqlite", "postgresql")))


def is_representative(case: tuple[str, str, str]) -> bool:
    """Each point at one of its passings on each database, by turns."""
    point, passing, database = case
    is_even = POINTS.index(point) % 2 == 0
    return ((passing == "first") == (database == "sqlite")) == is_even


async def pick_up(url: str, checker: DurabilityChecker) -> None:
    """Requirements after a crash: nothing is lost, every round continues or ends, and the books are right."""
    said: list[tuple[object, ...]] = []

    def say(*words: object) -> None:
        said.append(words)

    await until_alone(url)
    database = await Database.open(url)
    try:
        unfinished = await checker.check(database)
        await check_books(database)
        chance = Random(len(unfinished))
        recovered, now_ms = await recover_all(database, chance, say)
        late = said[0] == ("recovering", True)
        demanded = {round_id: outcome(round_, late=late) for round_id, round_ in unfinished.items()}
        found = {round_id: end for round_id, end in recovered.outcomes.items() if round_id not in UNREADABLE}
        assert found == demanded
        for table_id, round_ in recovered.running.items():
            assert round_.cards == unfinished[round_.round_id].cards
            assert round_.seats == unfinished[round_.round_id].seats
            assert round_.table_id == table_id
        await check_books(database)
        await check_verified(database)
        await play_on(database, recovered, now_ms, rounds=1, chance=chance, say=say)
        await check_books(database)
        await check_verified(database)
        assert await checker.check(database) == {}
    finally:
        await database.close()


def test_there_are_crash_points_and_each_has_its_own_name() -> None:
    names = crash_points()
    assert len(names) >= 13
    assert len(set(names)) == len(names)


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-3")
@pytest.mark.req("LED-6")
@pytest.mark.parametrize(
    ("point", "passing", "crashed"), representative_rows(CASES, is_representative), indirect=["crashed"]
)
def test_service_killed_at_any_point_loses_nothing(
    point: str, passing: str, crashed: CrashedService, players: ForkServer, tmp_path: Path
) -> None:
    words = tmp_path / "words"
    url = crashed.copy(tmp_path)
    checker = crashed.checker()
    number = 1 if passing == "first" else LATER.get(point, 5)
    players.start(words, url, 11, 6, crash_at=f"{point}:{number}")
    assert players.wait() == KILLED, f"{point} was not passed {number} times"
    checker.listen(words)
    asyncio.run(pick_up(url, checker))


def test_the_environment_arms_a_point_in_a_process_of_its_own(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.chaos.player_process", sqlite_url(tmp_path), "1", "1"]
    ended = subprocess.run(
        command, env={**os.environ, "CASINO_CRASH_AT": "batch_stored_not_committed:2"}, capture_output=True, check=False
    )
    assert ended.returncode == KILLED
    (tmp_path / "words").write_bytes(ended.stdout)
    checker = DurabilityChecker()
    checker.listen(tmp_path / "words")
    assert len(checker.rounds) == 2
    asyncio.run(pick_up(sqlite_url(tmp_path), checker))
