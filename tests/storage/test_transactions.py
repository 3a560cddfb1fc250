"""Transactions: atomic, isolated until the commit, and on SQLite in order of arrival."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.accounts import player_cash_id
from casino.storage.bulk import change_balances, insert_rows
from casino.storage.database import Database
from casino.storage.schema import accounts
from tests.databases import sqlite_url
from tests.live_table.stored_rounds import fill_purses, purse

ACCOUNT = ("id", "kind", "currency")


async def count(database: Database) -> int:
    async with database.reading() as connection:
        return (await connection.execute(select(func.count()).select_from(accounts))).scalar_one()


async def test_uncommitted_changes_are_invisible(database: Database) -> None:
    async with database.writing() as connection:
        await insert_rows(connection, accounts, ACCOUNT, [("house:EUR", "house", "EUR")])
        assert await count(database) == 0
    assert await count(database) == 1


@pytest.mark.req("LED-6")
async def test_failed_or_cancelled_transaction_leaves_nothing_and_the_next_one_goes_on(database: Database) -> None:
    async def write(number: int, failure: BaseException | None) -> None:
        async with database.writing() as connection:
            await insert_rows(connection, accounts, ACCOUNT, [(f"house:{number:03}", "house", f"{number:03}")])
            if failure:
                raise failure

    for failure in (ValueError("wrong"), asyncio.CancelledError(), None):
        with suppress(ValueError, asyncio.CancelledError):
            await write(1, failure)
    stuck = asyncio.create_task(wait_within(database))
    await asyncio.sleep(0.05)
    stuck.cancel()
    with suppress(asyncio.CancelledError):
        await stuck
    await write(2, None)
    assert await count(database) == 2


async def wait_within(database: Database) -> None:
    async with database.writing() as connection:
        await insert_rows(connection, accounts, ACCOUNT, [("house:003", "house", "003")])
        await asyncio.sleep(60)


async def test_one_bad_row_of_many_leaves_none_of_them(database: Database) -> None:
    rows = [(f"house:{number:03}", "house", f"{number:03}") for number in range(500)]
    with pytest.raises(IntegrityError):
        async with database.writing() as connection:
            await insert_rows(connection, accounts, ACCOUNT, [*rows, rows[250]])
    assert await count(database) == 0
    async with database.writing() as connection:
        await insert_rows(connection, accounts, ACCOUNT, rows)
        await insert_rows(connection, accounts, ACCOUNT, [])
    assert await count(database) == 500


@pytest.mark.req("LED-2")
async def test_one_overdrawn_account_of_many_leaves_all_as_they_were(database: Database) -> None:
    async with database.writing() as connection:
        await insert_rows(connection, accounts, ACCOUNT, [(f"player:{n}:cash", "player", "EUR") for n in range(100)])
        await change_balances(connection, [(50, 0, f"player:{n}:cash") for n in range(100)])
    with pytest.raises(IntegrityError):
        async with database.writing() as connection:
            await change_balances(connection, [(-50 if n != 70 else -51, 0, f"player:{n}:cash") for n in range(100)])
    async with database.reading() as connection:
        balances = await connection.execute(text("SELECT DISTINCT balance FROM accounts"))
        assert balances.scalars().all() == [50]


async def test_writers_of_sqlite_queue_in_order_of_arrival(tmp_path: Path) -> None:
    database = await Database.open(sqlite_url(tmp_path))
    order: list[int] = []

    async def write(number: int) -> None:
        async with database.writing():
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(write(number) for number in range(50)))
    assert order == list(range(50))
    await database.close()


async def test_work_that_lost_a_race_is_done_again(database: Database) -> None:
    """Two transactions want the same two accounts in opposite orders, and each has the first before it asks on."""
    await fill_purses(database, {"ann": "EUR", "bob": "EUR"})
    tries = 0
    both_have_one = asyncio.Barrier(2)

    async def touch(connection: AsyncConnection, *players: str) -> None:
        nonlocal tries
        tries += 1
        is_first_try = tries <= 2
        for player in players:
            change = "UPDATE accounts SET held = held + 1 WHERE id = :id"
            await connection.execute(text(change), {"id": player_cash_id(player)})
            if is_first_try and player == players[0] and not database.is_sqlite:  # which has one writer at a time
                await both_have_one.wait()

    await asyncio.gather(
        database.run_transaction(lambda connection: touch(connection, "ann", "bob")),
        database.run_transaction(lambda connection: touch(connection, "bob", "ann")),
    )
    assert tries == (2 if database.is_sqlite else 3)
    assert [(await purse(database, player)).held for player in ("ann", "bob")] == [2, 2]
