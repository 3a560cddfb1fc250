"""Random rounds to every possible end: holds end once, escrows end empty, and no player pays another."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select

from casino.cards.card import DECK
from casino.ledger.accounts import house
from casino.storage import schema
from casino.storage.database import Database
from casino.uth.commands import Advance, CancelRound, Command, CorrectRound, DealCard, VoidBetting, WithdrawBet
from casino.uth.phases import OFFERED, Phase
from casino.uth.terms import Terms
from tests.databases import PostgresServer, sqlite_url
from tests.ledger.invariants import check_books
from tests.live_table.stored_rounds import BookedTable, balances, fill_purses
from tests.storage.test_migrations import contents
from tests.uth.tabletop import NOON_MS, OWN, SHARED

PLAYERS = {"ann": "EUR", "bob": "EUR", "cid": "EUR", "eva": "FUN", "gus": "FUN"}
ENDS = ("settled", "settled", "settled", "cancelled", "corrected", "void")


async def play(table: BookedTable, end: str, chance: Random) -> None:
    stop_after = chance.randint(0, 20) if end == "cancelled" else 1_000
    cards = chance.sample(DECK, 52)
    steps = 0
    while not table.round.is_over and (steps := steps + 1) <= stop_after:
        if table.round.phase is Phase.BETTING:
            await bet(table, chance)
            if end == "void":
                await table.do(VoidBetting("the house closes"))
        elif table.round.is_deciding:
            await answer(table, chance)
        if table.round.expects:
            await table.do(DealCard(table.round.round_id, cards.pop()))
        elif table.round.due_ms is not None:
            table.now_ms = table.round.due_ms
            await table.do(Advance())
    if end == "cancelled" and not table.round.is_over:
        await table.do(CancelRound("a card fell", "max"))
    if end == "corrected" and table.round.phase is Phase.SETTLED:
        await table.ask(CorrectRound((("dealer_1", cards.pop()),), "misread", "max"))


async def bet(table: BookedTable, chance: Random) -> None:
    """Some bet, some bet again, some leave: at an own-hands table all players have a seat."""
    wishes: list[Command] = []
    for seat_no, player in enumerate(PLAYERS, 1):
        for _ in range(chance.randint(0, 2)):
            wish = table.bet(player, 100 * chance.randint(2, 20), 100 * chance.randint(0, 3))
            own = table.round.terms is OWN
            wishes.append(type(wish)(wish.round_id, player, wish.ante, wish.trips, 0, None, seat_no if own else None))
        if chance.random() < 0.1:
            wishes.append(WithdrawBet(player))
    await table.ask(*wishes)


async def answer(table: BookedTable, chance: Random) -> None:
    for player, seat in sorted(table.round.seats.items()):
        if not seat.is_done and chance.random() < 0.8:
            await table.ask(table.answer(player, chance.choice(OFFERED[table.round.phase])))


async def evening(database: Database, rounds: int) -> Counter[str]:
    await fill_purses(database, PLAYERS, amount=10**7)
    chance = Random(7)
    phases: Counter[str] = Counter()
    for number in range(rounds):
        terms: Terms = OWN if number % 4 == 3 else SHARED
        at_ms = NOON_MS + number * 1_000_000
        table = await BookedTable.open(database, terms, round_id=f"r{number}", at_ms=at_ms)
        await play(table, ENDS[number % len(ENDS)], chance)
        phases[table.round.phase] += 1
    return phases


@pytest.mark.req("LED-3")
@pytest.mark.req("LED-4")
@pytest.mark.req("LED-8")
async def test_after_any_evening_the_books_are_in_order(database: Database) -> None:
    phases = await evening(database, 18)
    assert {Phase.SETTLED, Phase.CANCELLED} <= set(phases)
    await check_books(database)
    await check_ends(database)
    await check_house(database)


async def check_ends(database: Database) -> None:
    """Every hold has ended, in one way for each round; every escrow is empty; nothing went from player to player."""
    found = await balances(database)
    assert not any(balance.held for balance in found.values())
    assert not any(balance.balance for id_, balance in found.items() if id_.startswith("round:"))
    async with database.reading() as connection:
        ends: dict[str, set[str]] = {}
        for hold in await connection.execute(select(schema.holds)):
            ends.setdefault(hold.round_id, set()).add(hold.status)
        status = {row.id: row.status for row in await connection.execute(select(schema.rounds))}
        pairs = {
            (row.source.partition(":")[0], row.destination.partition(":")[0])
            for row in await connection.execute(select(schema.postings))
        }
    assert {status[round_id] for round_id in status} >= {"settled", "cancelled", "corrected", "void"}
    for round_id, states in ends.items():
        assert states == {"released"} if status[round_id] == "void" else states <= {"captured", "released"}
    assert pairs <= {
        *(("cashier", "player"), ("player", "round"), ("round", "player")),
        *(("round", "house"), ("house", "round")),
    }


async def check_house(database: Database) -> None:
    """Stakes are payouts and what the house kept, in each currency by itself."""
    async with database.reading() as connection:
        postings = (await connection.execute(select(schema.postings))).all()
    for currency in ("EUR", "FUN"):
        own = [posting for posting in postings if posting.currency == currency]
        staked = sum(one.amount for one in own if one.source.startswith("player:"))
        paid = sum(
            one.amount for one in own if one.source.startswith("round:") and one.destination.startswith("player:")
        )
        kept = (await balances(database))[house(currency).id].balance
        # What a correction took back went from the player into the escrow again: it is on both sides.
        assert staked - paid == kept


@pytest.mark.req("LED-10")
async def test_both_databases_keep_the_same_books(tmp_path: Path, postgres_url: str) -> None:
    """The same evening leaves the same rows in every table, to the last digest, wherever it is kept."""
    kept = []
    for url in (sqlite_url(tmp_path), postgres_url):
        database = await Database.open(url)
        await evening(database, 6)
        async with database.reading() as connection:
            kept.append(await contents(connection))
        await database.close()
    for books in kept:
        assert books.pop("database_identity")  # random for each database
    assert kept[0] == kept[1]


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> str:
    return postgres.fresh_database()
