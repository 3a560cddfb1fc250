"""Atomicity of journal, postings, round status and audit row: the last statement is made to fail."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from casino.storage.database import Database
from casino.users.credit import Credit, give_credit
from casino.users.roles import Actor, Role
from casino.users.users import User, Users
from casino.uth.commands import CancelRound, CorrectRound
from casino.uth.phases import Phase
from tests.ledger.invariants import check_books
from tests.live_table.stored_rounds import BookedTable, fill_purses, statuses
from tests.storage.test_migrations import contents

pytestmark = pytest.mark.req("LED-6")

ADMIN = Actor("admin-1", "admin")


@asynccontextmanager
async def failing(database: Database, full: str) -> AsyncIterator[None]:
    """Nothing can be written there, as when a disk is full just then."""
    if database.is_sqlite:
        make = [f"CREATE TRIGGER full BEFORE {full} BEGIN SELECT RAISE(ABORT, 'disk full'); END"]
        drop = "DROP TRIGGER full"
    else:
        make = [
            "CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full'; END $$",
            f"CREATE TRIGGER full_disk BEFORE {full} FOR EACH STATEMENT EXECUTE FUNCTION disk_full()",
        ]
        drop = "DROP FUNCTION disk_full CASCADE"
    async with database.writing() as connection:
        for statement in make:
            await connection.execute(text(statement))
    yield
    async with database.writing() as connection:
        await connection.execute(text(drop))


async def check_undone(database: Database, full: str, work: Callable[[], Awaitable[object]]) -> None:
    before = await everything(database)
    async with failing(database, full):
        with pytest.raises(DBAPIError, match="disk full"):
            await work()
        assert await everything(database) == before


async def everything(database: Database) -> dict[str, list[tuple[object, ...]]]:
    async with database.reading() as connection:
        return await contents(connection)


async def test_settlement_that_cannot_be_stored_has_not_happened(database: Database) -> None:
    await fill_purses(database)
    booked = await BookedTable.open(database)
    await booked.play_to(Phase.SHOWDOWN)
    await booked.deal("Qh")
    for full in (
        "INSERT ON operations",
        "INSERT ON postings",
        "UPDATE ON accounts",
        "UPDATE ON rounds",
        "INSERT ON journal",
    ):
        await check_undone(database, full, lambda: booked.deal("Qd"))
    await booked.deal("Qd")  # the last card, and with it the settlement
    assert await statuses(database) == {"r1": "settled"}
    await check_books(database)


async def test_cancellation_that_cannot_be_stored_has_not_happened(database: Database) -> None:
    await fill_purses(database)
    booked = await BookedTable.open(database)
    await booked.play_to(Phase.DECIDING_FLOP)
    for full in (
        "INSERT ON postings",
        "UPDATE ON accounts",
        "UPDATE ON rounds",
        "INSERT ON audit",
        "INSERT ON journal",
    ):
        await check_undone(database, full, lambda: booked.do(CancelRound("a card fell", "max")))
    await booked.do(CancelRound("a card fell", "max"))
    assert await statuses(database) == {"r1": "cancelled"}
    await check_books(database)


async def test_correction_that_cannot_be_stored_has_not_happened(database: Database) -> None:
    await fill_purses(database)
    booked = await BookedTable.open(database)
    await booked.play_to(Phase.SETTLED)
    correction = CorrectRound((("dealer_1", "2h"),), "misread", "max")
    for full in (
        "INSERT ON postings",
        "UPDATE ON accounts",
        "UPDATE ON rounds",
        "INSERT ON audit",
        "INSERT ON journal",
    ):
        await check_undone(database, full, lambda: booked.do(correction))
    await booked.do(correction)
    assert await statuses(database) == {"r1": "corrected"}
    await check_books(database)


async def test_closing_that_cannot_be_stored_has_not_happened(database: Database) -> None:
    await fill_purses(database)
    booked = await BookedTable.open(database)
    await booked.play_to(Phase.BETTING)
    for full in ("INSERT ON postings", "UPDATE ON accounts", "UPDATE ON holds", "INSERT ON seats", "INSERT ON journal"):
        await check_undone(database, full, booked.time_out)
    await booked.time_out()
    await check_books(database)


async def test_credit_that_cannot_be_logged_is_not_given(database: Database) -> None:
    async with database.writing() as connection:
        users = Users(connection)
        ann = await users.add("Ann", Role.PLAYER, "EUR", password_hash=None, by=ADMIN, at_ms=1)
    for full in (
        "INSERT ON operations",
        "INSERT ON postings",
        "UPDATE ON accounts",
        "INSERT ON audit",
        "UPDATE ON chains",
    ):
        await check_undone(database, full, lambda: credit(database, ann))
    assert await credit(database, ann), "the key is still free"
    await check_books(database)


async def credit(database: Database, user: User) -> bool:
    async with database.writing() as connection:
        return await give_credit(connection, user, Credit(500, "Welcome", "k1"), ADMIN, 2)
