"""Poker room under load, killed at random moments: each time the next process continues."""

import asyncio
import os
import signal
import time
from pathlib import Path
from random import Random

import pytest

from casino.storage.database import Database
from tests.chaos.crashed_service import until_alone
from tests.chaos.fork_server import ForkServer
from tests.chaos.poker_checker import PokerChecker
from tests.chaos.test_crash_points import crash_points
from tests.chaos.test_kills import until_said
from tests.databases import PostgresServer, sqlite_url
from tests.deep import count

KILLS = count("CASINO_TEST_KILLS", usual=8, deep=40)
HANDS_WITHOUT_END = 1_000_000
START_SECONDS_MAX = 0.2
LINES_MAX = 200


async def look_after(url: str, checker: PokerChecker) -> None:
    await until_alone(url)
    database = await Database.open(url)
    try:
        await checker.check(database)
    finally:
        await database.close()


def kill_again_and_again(url: str, players: ForkServer, folder: Path, kills: int) -> None:
    chance, checker = Random(kills), PokerChecker()
    for number in range(kills):
        words = folder / f"words-{number}"
        process = players.start(words, url, number, HANDS_WITHOUT_END, program="poker")
        if number % 4 == 3:  # while it starts and recovers
            time.sleep(chance.uniform(0, START_SECONDS_MAX))
        else:
            until_said(words, chance.randint(1, LINES_MAX))
        os.kill(process, signal.SIGKILL)
        assert players.wait() == -signal.SIGKILL
        checker.listen(words)
        asyncio.run(look_after(url, checker))
    words = folder / "last words"
    players.start(words, url, kills, 5, program="poker")
    assert players.wait() == 0
    checker.listen(words)
    assert checker.finished
    asyncio.run(look_after(url, checker))
    assert len({hand_id for hand_id, _ in checker.results}) >= kills
    assert len(checker.began) > len({hand_id for hand_id, _ in checker.results}), "no hand was interrupted"
    assert checker.bought
    assert checker.left


RECOVERING = {"poker_deck_spent"}
"""Points that are passed only where something is recovered."""


def kill_at(point: str, url: str, players: ForkServer, folder: Path) -> None:
    """At the first passing, and in the next process at a later one; then the room continues and all players leave."""
    checker = PokerChecker()
    wishes = [("poker_hands_committed", 4)] if point in RECOVERING else []
    wishes += [(point, 1), (point, 2 if point in RECOVERING else 4)]
    for number, (name, passing) in enumerate(wishes):
        words = folder / f"words-{number}"
        players.start(words, url, number, HANDS_WITHOUT_END, crash_at=f"{name}:{passing}", program="poker")
        assert players.wait() == -signal.SIGKILL, f"{name} was not passed {passing} times"
        checker.listen(words)
        asyncio.run(look_after(url, checker))
    words = folder / "last words"
    players.start(words, url, 9, 3, program="poker")
    assert players.wait() == 0
    checker.listen(words)
    assert checker.finished
    asyncio.run(look_after(url, checker))


@pytest.mark.req("RND-2")
@pytest.mark.req("LED-6")
@pytest.mark.parametrize("place", ["sqlite", "postgresql"])
@pytest.mark.parametrize("point", [name for name in crash_points() if name.startswith("poker_")])
def test_killed_at_any_point_the_room_loses_nothing(
    point: str, place: str, players: ForkServer, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    is_sqlite = place == "sqlite"
    url = sqlite_url(tmp_path) if is_sqlite else request.getfixturevalue("postgres").fresh_database()
    kill_at(point, url, players, tmp_path)


@pytest.mark.deep
@pytest.mark.parametrize("place", ["sqlite", "postgresql"])
def test_fifty_kills_lose_nothing(
    place: str, players: ForkServer, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    is_sqlite = place == "sqlite"
    url = sqlite_url(tmp_path) if is_sqlite else request.getfixturevalue("postgres").fresh_database()
    kill_again_and_again(url, players, tmp_path, 50)


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-4")
@pytest.mark.req("LED-3")
def test_sqlite_room_killed_at_random_moments_loses_nothing(players: ForkServer, tmp_path: Path) -> None:
    kill_again_and_again(sqlite_url(tmp_path), players, tmp_path, KILLS)


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-4")
@pytest.mark.req("LED-3")
def test_postgresql_room_killed_at_random_moments_loses_nothing(
    players: ForkServer, tmp_path: Path, postgres: PostgresServer
) -> None:
    kill_again_and_again(postgres.fresh_database(), players, tmp_path, max(KILLS // 4, 1))
