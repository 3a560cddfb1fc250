"""A house under load is killed at random moments, again and again, and each time the next one goes on."""

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
from tests.chaos.houses import until_alone
from tests.chaos.nursery import Nursery
from tests.chaos.witness import Witness, outcome
from tests.databases import PostgresServer, sqlite_url
from tests.service import CASINO

KILLS = int(os.environ.get("CASINO_TEST_KILLS", "20"))
ROUNDS_WITHOUT_END = 1_000_000
LIFE_SECONDS_MAX = 0.6


async def look_after(url: str, witness: Witness, demanded: dict[str, str]) -> dict[str, str]:
    """The books are right and complete; the answer is what the next process must make of the unfinished rounds."""
    await until_alone(url)
    database = await Database.open(url)
    try:
        unfinished = await witness.check(database)
        await check_books(database)
        await check_verified(database)
    finally:
        await database.close()
    for round_id, end in witness.recovered.items():
        assert end == demanded[round_id + (" late" if witness.late else "")]
    return {
        round_id + (" late" if late else ""): outcome(round_, late=late)
        for round_id, round_ in unfinished.items()
        for late in (False, True)
    }


def kill_again_and_again(url: str, players: Nursery, folder: Path, kills: int) -> None:
    chance = Random(kills)
    witness = Witness()
    demanded: dict[str, str] = {}
    rounds = 0
    for number in range(kills):
        words = folder / f"words-{number}"
        process = players.start(words, url, number, ROUNDS_WITHOUT_END)
        time.sleep(chance.uniform(0, LIFE_SECONDS_MAX))
        os.kill(process, signal.SIGKILL)
        assert players.wait() == -signal.SIGKILL
        witness.listen(words)
        rounds += len(witness.rounds)
        demanded = asyncio.run(look_after(url, witness, demanded))
    words = folder / "last words"
    players.start(words, url, kills, 1)
    assert players.wait() == 0
    witness.listen(words)
    assert witness.finished
    assert asyncio.run(look_after(url, witness, demanded)) == {}
    subprocess.run([CASINO, "verify", "--database", url], check=True, stdout=subprocess.DEVNULL)
    assert rounds >= kills / 2, "the processes were killed before they had done anything"


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-3")
@pytest.mark.req("LED-3")
def test_sqlite_house_killed_at_random_moments_loses_nothing(players: Nursery, tmp_path: Path) -> None:
    kill_again_and_again(sqlite_url(tmp_path), players, tmp_path, KILLS)


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-3")
@pytest.mark.req("LED-3")
def test_postgresql_house_killed_at_random_moments_loses_nothing(
    players: Nursery, tmp_path: Path, postgres: PostgresServer
) -> None:
    kill_again_and_again(postgres.fresh_database(), players, tmp_path, max(KILLS // 4, 1))
