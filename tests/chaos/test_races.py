"""Races: for one balance, for accounts in opposite orders, for one table, for a partly stored round."""

import asyncio
from random import Random

import asyncpg
import pytest
from sqlalchemy import util
from sqlalchemy.exc import DBAPIError

from casino.errors import Code
from casino.ledger import accounts
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.recovery import Recovered, recover
from casino.storage import database as database_module
from casino.storage.database import Database, is_serialization_failure
from casino.storage.hash_chain import ForkedChainError
from casino.uth.phases import Phase
from tests.chaos.books import check_books
from tests.chaos.player_process import play_on
from tests.chaos.random_rounds import fill_purses as fill_croupiers_purses
from tests.chaos.traps import Snap, commit_trap
from tests.live_table.stored_rounds import BookedTable, fill_purses, purse
from tests.uth.tabletop import NOON_MS

TASKS = 100


async def open_tables(database: Database, number: int) -> list[BookedTable]:
    return [
        await BookedTable.open(database, round_id=f"r{table}", table=f"uth-{table}") for table in range(1, number + 1)
    ]


@pytest.mark.req("LED-2")
async def test_one_balance_is_spent_once_however_many_race_for_it(database: Database) -> None:
    await fill_purses(database, {"ann": "EUR", "bob": "EUR"}, amount=1_000)
    tables = await open_tables(database, TASKS)
    refusals = await asyncio.gather(*(table.refusal(table.bet("ann", 500)) for table in tables))
    assert [refusal.code for refusal in refusals if refusal] == [Code.INSUFFICIENT_FUNDS] * (TASKS - 1)
    assert await purse(database, "ann") == ("EUR", 1_000, 1_000)
    assert await purse(database, "bob") == ("EUR", 1_000, 0)
    await check_books(database)


@pytest.mark.req("LED-2")
async def test_whatever_fits_a_balance_is_taken_and_no_more(database: Database) -> None:
    """Everybody races for two players at every table, in either order, and some bet again."""
    await fill_purses(database, {"ann": "EUR", "bob": "FUN"}, amount=10_000)
    tables = await open_tables(database, TASKS // 4)
    chance = Random(4)

    async def bet_twice(table: BookedTable) -> None:
        for _ in range(2):
            bets = [table.bet(player, 100 * chance.randint(2, 9), 100) for player in ("ann", "bob")]
            await table.ask(*chance.sample(bets, 2))

    await asyncio.gather(*(bet_twice(table) for table in tables))
    await check_books(database)
    for player in ("ann", "bob"):
        on_tables = sum(table.round.seats[player].bets.total for table in tables if player in table.round.seats)
        found = await purse(database, player)
        assert found.held == on_tables
        assert 0 <= found.available < 2_000, "the poorest bet would still have found room"


@pytest.mark.req("LED-3")
async def test_tables_with_the_same_players_do_not_block_each_other(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bets, decisions, settlements and corrections at once; not even a race is lost, which would cost a second."""
    lost: list[DBAPIError] = []

    def noted(error: DBAPIError) -> bool:
        lost.append(error)
        return is_serialization_failure(error)

    monkeypatch.setattr(database_module, "is_serialization_failure", noted)
    await fill_croupiers_purses(database)
    await play_on(database, Recovered(), NOON_MS, rounds=12, chance=Random(3), say=lambda *_: None)
    await check_books(database)
    assert not lost


async def test_lost_race_is_run_again(postgres_url: str) -> None:
    """Somebody locks the accounts the wrong way round: PostgreSQL must let one of the two fail."""
    database = await Database.open(postgres_url)
    await fill_purses(database)
    table = await BookedTable.open(database)
    rude = await asyncpg.connect(postgres_url)
    lock = "SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE"
    transaction = rude.transaction()
    await transaction.start()
    await rude.execute("SET LOCAL deadlock_timeout = '10s'")  # so that it is not the one to fail
    await rude.fetch(lock, accounts.player_cash_id("bob"))
    bets = asyncio.create_task(table.do(table.bet("ann", 500), table.bet("bob", 500)))
    await asyncio.sleep(0.1)
    await rude.fetch(lock, accounts.player_cash_id("ann"))
    await transaction.rollback()
    await bets
    await rude.close()
    assert (await purse(database, "bob")).held == 1_000
    await check_books(database)
    await database.close()


@pytest.mark.req("RND-1")
async def test_second_writer_of_a_table_is_found_out_by_its_first_bet(database: Database) -> None:
    await fill_purses(database)
    first = await BookedTable.open(database)
    second = BookedTable(database, await TableUnitOfWork.of(database, "uth-1"), first.round)
    await first.do(first.bet("ann", 500))
    with pytest.raises(ForkedChainError):
        await second.do(second.bet("bob", 500))
    await first.do(first.bet("bob", 300))
    await first.time_out()
    await check_books(database)


@pytest.mark.req("RND-3")
async def test_recovery_waits_for_a_commit_that_is_still_on_its_way(database_url: str) -> None:
    """The old process is dead, but what it sent off last may be stored a moment later: betting was closed after all."""
    old, new = await Database.open(database_url), await Database.open(database_url)
    await fill_purses(old)
    table = await BookedTable.open(old)
    await table.do(table.bet("ann", 500))
    sent_off, release = asyncio.Event(), asyncio.Event()

    def hold_up() -> None:
        sent_off.set()
        util.await_only(release.wait())

    with commit_trap(old, Snap.ELSEWHERE) as trap:
        trap.set(1)
        trap.then = hold_up
        closing = asyncio.create_task(table.time_out())
        await sent_off.wait()
        recovering = asyncio.create_task(recover(new, {"uth-1": 300_000}, table.now_ms + 1))
        await asyncio.sleep(0.3)
        assert not recovering.done()
        release.set()
        recovered = await recovering
        await closing
    assert recovered.outcomes == {"r1": Phase.DEALING_HOLE}
    await check_books(new)
    await old.close()
    await new.close()
