"""Process that recovers an existing poker room and plays hands at all tables at once, until it is killed.

    python -m tests.chaos.poker_process URL SEED HANDS

Every line it prints is JSON and leaves the process at once, so that nothing said is lost when it is killed.
"""

import asyncio
import sys

import structlog

from casino.storage.database import Database
from tests.chaos.player_process import say
from tests.chaos.random_poker import RandomEvening


async def keep_room(url: str, seed: int, hands: int) -> None:
    database = await Database.open(url)
    try:
        evening = await RandomEvening.open(database, seed, say)
        await evening.play(hands)
        await evening.end()
        say("finished")
    finally:
        await database.close()


def main(url: str, seed: str, hands: str) -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())  # standard output carries the protocol only
    asyncio.run(keep_room(url, int(seed), int(hands)))


if __name__ == "__main__":
    main(*sys.argv[1:])
