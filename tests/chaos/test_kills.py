"""Service under load, killed at random moments: each time the next process continues."""

import asyncio
import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from casino.storage.database import Database
from tests.chaos.books import check_books, check_verified
from tests.chaos.crashed_service import until_alone
from tests.chaos.durability_checker import DurabilityChecker, outcome
from tests.chaos.fork_server import ForkServer
from tests.databases import PostgresServer, sqlite_url
from tests.deep import count
from tests.service import CASINO, NO_KEY

KILLS = count("CASINO_TEST_KILLS", usual=8, deep=40)
ROUNDS_WITHOUT_END = 1_000_000
START_SECONDS_MAX = 0.2
LINES_MAX = 60


async def look_after(url: str, checker: DurabilityChecker, demanded: dict[str, str]) -> dict[str, str]:
    """The books are right and complete; the answer is what the next process must make of the unfinished rounds."""
    await until_alone(url)
    database = await Database.open(url)
    try:
        unfinished = await checker.check(database)
        await check_books(database)
        await check_verified(database)
    finally:
        await database.close()
    for round_id, end in checker.recovered.items():
        assert end == demanded[round_id + (" late" if checker.late else "")]
    return {
        round_id + (" late" if late else ""): outcome(round_, late=late)
        for round_id, round_ in unfinished.items()
        for late in (False, True)
    }


def until_said(words: Path, lines: int) -> None:
    """However slow the machine is, the process is killed in the middle of its work."""
    give_up = time.monotonic() + 60
    while words.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < give_up, "the process says nothing"
        time.sleep(0.002)


def kill_again_and_again(url: str, players: ForkServer, folder: Path, kills: int) -> None:
    chance = Random(kills)
    checker = DurabilityChecker()
    demanded: dict[str, str] = {}
    rounds = 0
    for number in range(kills):
        words = folder / f"words-{number}"
        process = players.start(words, url, number, ROUNDS_WITHOUT_END)
        if number % 4 == 0:  # while it starts and recovers
            time.sleep(chance.uniform(0, START_SECONDS_MAX))
        else:
            until_said(words, chance.randint(1, LINES_MAX))
        os.kill(process, signal.SIGKILL)
        assert players.wait() == -signal.SIGKILL
        checker.listen(words)
        rounds += len(checker.rounds)
        demanded = asyncio.run(look_after(url, checker, demanded))
    words = folder / "last words"
    players.start(words, url, kills, 1)
    assert players.wait() == 0
    checker.listen(words)
    assert checker.finished
    assert asyncio.run(look_after(url, checker, demanded)) == {}
    subprocess.run(
        [CASINO, "verify", "--database", url],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **NO_KEY},
    )
    assert rounds >= kills / 2, "the processes were killed before they had done anything"


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-3")
@pytest.mark.req("LED-3")
def test_service_on_sqlite_killed_at_random_moments_loses_nothing(players: ForkServer, tmp_path: Path) -> None:
    kill_again_and_again(sqlite_url(tmp_path), players, tmp_path, KILLS)


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-3")
@pytest.mark.req("LED-3")
def test_service_on_postgresql_killed_at_random_moments_loses_nothing(
    players: ForkServer, tmp_path: Path, postgres: PostgresServer
) -> None:
    kill_again_and_again(postgres.fresh_database(), players, tmp_path, max(KILLS // 4, 1))
