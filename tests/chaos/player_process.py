"""A house of its own in a process of its own: recovers what it finds, then plays rounds at two tables at once.

    python -m tests.chaos.player_process URL SEED ROUNDS

Every line it prints is JSON and leaves the process at once, so that nothing said is lost when it is killed.
"""

import asyncio
import json
import os
import sys
from random import Random

import structlog

from casino.storage.database import Database
from casino.table.bookkeeping import Bookkeeper
from casino.table.recovery import Recovered, recover
from tests.chaos.croupier import TERMS, Croupier, Say, fill_purses, latest_ms
from tests.chaos.teller import PAYMENTS_A_ROUND, Teller

RESUME_WITHIN_MS = 300_000


def say(*words: object) -> None:
    os.write(sys.stdout.fileno(), json.dumps(words).encode() + b"\n")


async def recover_all(database: Database, chance: Random, say: Say) -> tuple[Recovered, int]:
    """Sometimes so late that no round can go on."""
    late = chance.random() < 0.2
    now_ms = await latest_ms(database) + (RESUME_WITHIN_MS + 1 if late else 2_000)
    say("recovering", late)
    recovered = await recover(database, dict.fromkeys(TERMS, RESUME_WITHIN_MS), now_ms)
    for round_id, outcome in recovered.outcomes.items():
        say("recovered", round_id, outcome)
    return recovered, now_ms


async def keep_house(url: str, seed: int, rounds: int) -> None:
    chance = Random(seed)
    database = await Database.open(url)
    try:
        await fill_purses(database)
        recovered, now_ms = await recover_all(database, chance, say)
        await play_on(database, recovered, now_ms, rounds=rounds, chance=chance, say=say)
        say("finished")
    finally:
        await database.close()


async def play_on(
    database: Database, recovered: Recovered, now_ms: int, *, rounds: int, chance: Random, say: Say
) -> None:
    """At all tables and at the cashier's at once, first what was found unfinished."""
    croupiers = [
        Croupier(database, await Bookkeeper.of(database, table_id), table_id, Random(chance.random()), say, now_ms)
        for table_id in TERMS
    ]
    teller = Teller(database, Random(chance.random()), say, now_ms)
    await asyncio.gather(
        teller.serve(rounds * PAYMENTS_A_ROUND),
        *(_keep_table(croupier, recovered, rounds) for croupier in croupiers),
    )


async def _keep_table(croupier: Croupier, recovered: Recovered, rounds: int) -> None:
    if croupier.table_id in recovered.running:
        await croupier.go_on(recovered.running[croupier.table_id])
    for _ in range(rounds):
        await croupier.play_round()


def main(url: str, seed: str, rounds: str) -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())  # only what is said aloud may be heard
    asyncio.run(keep_house(url, int(seed), int(rounds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
