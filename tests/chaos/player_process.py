"""Process that recovers an existing database and plays rounds at two tables at once, until it is killed.

    python -m tests.chaos.player_process URL SEED ROUNDS

Every line it prints is JSON and leaves the process at once, so that nothing said is lost when it is killed.
"""

import asyncio
import json
import os
import sys
from random import Random

import structlog

from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.recovery import Recovered, recover
from casino.settings.service import Guests
from casino.storage.database import Database
from casino.users.guest_archive import DAY_MS, GuestArchive
from casino.users.guests import add_guest
from tests.chaos.random_payments import PAYMENTS_A_ROUND, RandomPayer
from tests.chaos.random_rounds import TERMS, RandomDealer, Say, fill_purses, latest_ms

RESUME_WITHIN_MS = 300_000
GUESTS = Guests(keep_days=1)
GUESTS_A_ROUND = 3


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
    """At all tables, at the cashier's and among the guests at once, first what was found unfinished."""
    dealers = [
        RandomDealer(
            database, await TableUnitOfWork.of(database, table_id), table_id, Random(chance.random()), say, now_ms
        )
        for table_id in TERMS
    ]
    payer = RandomPayer(database, Random(chance.random()), say, now_ms)
    await asyncio.gather(
        payer.serve(rounds * PAYMENTS_A_ROUND),
        archive_guests(database, now_ms, rounds * GUESTS_A_ROUND),
        *(_keep_table(dealer, recovered, rounds) for dealer in dealers),
    )


async def archive_guests(database: Database, now_ms: int, guests: int) -> None:
    """Guests who have not played for longer than they are kept: each one is added, then archived."""
    archive = GuestArchive(database, GUESTS.keep_days, lambda: now_ms)
    for _ in range(guests):
        async with database.writing() as connection:
            await add_guest(connection, GUESTS, now_ms - (GUESTS.keep_days + 1) * DAY_MS)
        await archive.archive_some()


async def _keep_table(dealer: RandomDealer, recovered: Recovered, rounds: int) -> None:
    if dealer.table_id in recovered.running:
        await dealer.go_on(recovered.running[dealer.table_id])
    for _ in range(rounds):
        await dealer.play_round()


def main(url: str, seed: str, rounds: str) -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())  # standard output carries the protocol only
    asyncio.run(keep_house(url, int(seed), int(rounds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
