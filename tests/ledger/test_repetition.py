"""Idempotency of every money operation, repeated any number of times and in any order."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.cards.card import DECK
from casino.ledger.posting import Operation, Posting, move
from casino.storage.database import Database
from casino.uth.commands import Advance, Command, DealCard, Decide, PlaceBet
from casino.uth.phases import OFFERED, Phase
from tests.ledger.invariants import check_books
from tests.ledger.purses import ANN, AT_MS, BOB, GUS, HOUSE, HOUSE_FUN, Ledger
from tests.live_table.stored_rounds import BookedTable, balances, fill_purses

moves = st.sampled_from(
    [move(3, ANN, HOUSE), move(5, HOUSE, ANN), move(7, BOB, HOUSE), move(11, GUS, HOUSE_FUN), move(13, HOUSE_FUN, GUS)]
)
operations = st.lists(st.lists(moves, min_size=1, max_size=4).map(tuple), min_size=1, max_size=6)
repetitions = st.lists(st.integers(1, 5), min_size=6, max_size=6)

STYLES = ("all at once", "one by one")


class Bench:
    """One database and one event loop for all examples of a test."""

    def __init__(self, url: str) -> None:
        self.runner = asyncio.Runner()
        self.database = self.runner.run(Database.open(url))
        self.ledger = self.runner.run(Ledger.open(self.database))
        self.numbers = count()

    def close(self) -> None:
        self.runner.run(self.database.close())
        self.runner.close()


@pytest.fixture
def bench(database_url: str) -> Iterator[Bench]:
    made = Bench(database_url)
    yield made
    made.close()


@pytest.mark.req("LED-5")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wanted=operations, times=repetitions, chance=st.randoms(use_true_random=False), style=st.sampled_from(STYLES))
def test_operations_replayed_in_any_order_move_money_once(
    bench: Bench, wanted: list[tuple[Posting, ...]], times: list[int], chance: Random, style: str
) -> None:
    example = next(bench.numbers)
    asked = [Operation(f"{example}:{number}", "test", postings, "test") for number, postings in enumerate(wanted)]
    replayed = [operation for operation, repeated in zip(asked, times, strict=False) for _ in range(repeated)]
    chance.shuffle(replayed)

    async def replay() -> list[bool]:
        if style == "all at once":
            return [posted.is_repeat for posted in await asyncio.gather(*map(bench.ledger.post, replayed))]
        return [
            (await bench.ledger.post(operation, AT_MS + later)).is_repeat for later, operation in enumerate(replayed)
        ]

    before = bench.runner.run(balances(bench.database))
    repeats = bench.runner.run(replay())
    after = bench.runner.run(balances(bench.database))
    assert repeats.count(False) == len(asked)
    expected = Counter({id_: balance.balance for id_, balance in before.items()})
    for operation in asked:
        for posting in operation.postings:
            expected[posting.source] -= posting.amount
            expected[posting.destination] += posting.amount
    assert {id_: balance.balance for id_, balance in after.items()} == expected
    bench.runner.run(check_books(bench.database))


PLAYERS = {"ann": "EUR", "bob": "EUR", "gus": "FUN"}


def answers(table: BookedTable, chance: Random) -> list[Command]:
    """What all players say to the open window: each may be said again after it was stored."""
    round_id, phase = table.round.round_id, table.round.phase
    if phase is Phase.BETTING:
        names = [f"{name}-{round_id}" for name in PLAYERS]
        return [PlaceBet(round_id, name, 100 * chance.randint(2, 9), 100, 0) for name in names]
    waiting = [player for player, seat in sorted(table.round.seats.items()) if not seat.is_done]
    return [Decide(round_id, player, chance.choice(OFFERED[phase]), 0, phase) for player in waiting]


async def play(database: Database, seed: int, times: int) -> dict[str, int]:
    """The same round whatever `times` is: so often is everything said, in any order. The answer is what all have."""
    round_id = f"{seed}-{times}"
    table = await BookedTable.open(database, round_id=round_id, table=f"uth-{round_id}")
    chance, order = Random(seed), Random(times)
    cards = list(chance.sample(DECK, 9))
    while not table.round.is_over:
        if table.round.phase is Phase.BETTING or table.round.is_deciding:
            said = answers(table, chance) * times
            order.shuffle(said)
            for command in said:
                await table.do(command)
        if table.round.expects:
            await table.do(DealCard(round_id, cards.pop()))
        elif table.round.due_ms is not None:
            table.now_ms = table.round.due_ms
            await table.ask(*[Advance()] * times)
    found = await balances(database)
    return {name: found[f"player:{name}-{round_id}:cash"].balance for name in PLAYERS}


@pytest.mark.req("LED-5")
async def test_everything_said_in_a_round_up_to_five_times_pays_as_if_said_once(database: Database) -> None:
    rounds = [(seed, times) for seed in range(3) for times in (1, 2, 5)]
    await fill_purses(
        database,
        {f"{name}-{seed}-{times}": currency for seed, times in rounds for name, currency in PLAYERS.items()},
    )
    outcomes = {(seed, times): await play(database, seed, times) for seed, times in rounds}
    for seed, times in rounds:
        assert outcomes[seed, times] == outcomes[seed, 1]
    await check_books(database)
