"""Books with any number of played rounds, written by the real unit of work, many rounds in each transaction.

Every round is random and played to its end, so that the books look like those of a long evening. Run as a program
it fills a database of any size: `python -m tests.verify.many_rounds URL ROUNDS SEATS`.
"""

import asyncio
import random
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.cards.card import DECK
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Request
from casino.storage.database import Database
from casino.uth.bets import PLAY_MULTIPLE, Action
from casino.uth.commands import Advance, Command, DealCard, Decide, OpenBetting, PlaceBet
from casino.uth.phases import OFFERED, Phase
from tests.live_table.stored_rounds import fill_purses
from tests.uth.tabletop import NOON_MS, SHARED, WINDOWS

TABLES = ("uth-1", "uth-2", "uth-3")
EVERY_MS = 61_000
ROUNDS_IN_A_TRANSACTION = 100
STREETS = ((Phase.DECIDING_PREFLOP, 2, 12_000), (Phase.DECIDING_FLOP, 3, 10_000), (Phase.DECIDING_RIVER, 2, 9_000))


class OneTransaction(Database):
    """Lets many write into the same transaction."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    @asynccontextmanager
    async def writing(self, *, for_table: bool = False) -> AsyncIterator[AsyncConnection]:  # noqa: ARG002
        yield self._connection


async def play_rounds(database: Database, rounds: int, seats: int, *, seed: int = 1, first: int = 0) -> None:
    """Rounds of so many seats each, at three tables in turn, in two currencies; a few players never answer."""
    players = {f"player-{number}": "FUN" if number % 5 == 0 else "EUR" for number in range(2 * seats)}
    if not first:
        await fill_purses(database, players, amount=10**10)
    chance = random.Random(seed + first)
    tables = cycle(TABLES)
    for start in range(first, first + rounds, ROUNDS_IN_A_TRANSACTION):
        async with database.writing() as connection:
            shared = OneTransaction(connection)
            books = {table: await TableUnitOfWork.of(shared, table) for table in TABLES}
            for number in range(start, min(start + ROUNDS_IN_A_TRANSACTION, first + rounds)):
                table = next(tables)
                seated = chance.sample(sorted(players), seats)
                await _play_round(books[table], table, number, seated, chance)


async def _play_round(
    books: TableUnitOfWork, table: str, number: int, seated: Sequence[str], chance: random.Random
) -> None:
    round_id, at_ms = f"round-{number:07}", NOON_MS + number * EVERY_MS
    round_ = await books.open_round(OpenBetting(round_id, table, SHARED), at_ms)
    requests = [
        Request(PlaceBet(round_id, player, 100 * chance.randint(2, 100), 100 * chance.randint(0, 3), 0), at_ms + 1)
        for player in seated
    ]
    at_ms += WINDOWS.betting_ms
    requests.append(Request(Advance(), at_ms))
    cards = chance.sample(DECK, 9)
    undecided = list(seated)
    for phase, dealt, window_ms in STREETS:
        street: list[Command] = [DealCard(round_id, cards.pop()) for _ in range(dealt)]
        requests += [Request(command, at_ms) for command in street]
        for player in list(undecided):
            if chance.random() < 0.1:
                continue  # silence
            action = chance.choice(OFFERED[phase])
            requests.append(Request(Decide(round_id, player, action, 0), at_ms + 1))
            if PLAY_MULTIPLE[action] or action is Action.FOLD:
                undecided.remove(player)
        at_ms += window_ms
        requests.append(Request(Advance(), at_ms))
    requests += [Request(DealCard(round_id, cards.pop()), at_ms) for _ in range(2)]
    handled = await books.commit(round_, requests)
    assert all(answer.refusal is None for answer in handled.answers)
    assert handled.round.phase is Phase.SETTLED


async def _main(url: str, rounds: int, seats: int) -> None:
    database = await Database.open(url)
    await play_rounds(database, rounds, seats)
    await database.close()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
