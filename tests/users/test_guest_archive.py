"""Archive of inactive guests: their balance returns through the ledger, and personal data is deleted."""

import re
from typing import Any

import pytest
from sqlalchemy import func, select

from casino.ledger.accounts import player_cash_id
from casino.poker_room.hand_store import HandStore, NewTable
from casino.poker_room.seat_money import BuyIn, Place, SeatMoney
from casino.settings.service import Guests
from casino.storage import schema
from casino.storage.database import Database
from casino.users.guest_archive import DAY_MS, GUESTS_AT_ONCE, GuestArchive
from casino.users.guests import add_guest
from casino.users.profile import PersonalSettings, Profiles
from casino.users.roles import Actor, Role
from casino.users.sessions import Lifetime, Sessions
from casino.users.users import NameTaken, User, Users
from casino.uth.phases import Phase
from casino.verify.verifier import verify
from tests.live_table.stored_rounds import BookedTable
from tests.poker_room.stored_tables import fixed_shoe, sealed
from tests.users.conftest import NOON_MS

KEEP_DAYS = 30
LATER_MS = NOON_MS + (KEEP_DAYS + 1) * DAY_MS
GUESTS = Guests(keep_days=KEEP_DAYS)


async def guest(database: Database, at_ms: int = NOON_MS) -> User:
    async with database.writing() as connection:
        return await add_guest(connection, GUESTS, at_ms)


def archive(database: Database, now_ms: int = LATER_MS) -> GuestArchive:
    return GuestArchive(database, KEEP_DAYS, lambda: now_ms)


async def one(database: Database, query: Any) -> Any:  # noqa: ANN401  any question
    async with database.reading() as connection:
        return (await connection.execute(query)).one()


async def state(database: Database, user: User) -> tuple[bool, int]:
    """Whether the guest is archived, and the balance."""
    users, accounts = schema.users, schema.accounts
    row = await one(database, select(users.c.archived_ms, users.c.disabled).where(users.c.id == user.id))
    assert (row.archived_ms is not None) == bool(row.disabled)
    money = await one(database, select(accounts.c.balance).where(accounts.c.id == player_cash_id(user.id)))
    return row.archived_ms is not None, money.balance


async def assert_books_are_true(database: Database) -> None:
    findings = await verify(database)
    assert [fault for check in findings.checks for fault in check.faults] == []


async def test_inactive_guest_is_closed_through_the_ledger_and_forgotten(database: Database) -> None:
    user = await guest(database)
    await Profiles(database, lambda: NOON_MS).change(user.id, PersonalSettings(trainer=True))
    assert await archive(database).archive_some() == 1
    assert await state(database, user) == (True, 0)
    for table in (schema.profiles, schema.sessions):
        assert (await one(database, select(func.count()).select_from(table)))[0] == 0
    posted = select(schema.postings.c.amount, schema.postings.c.destination).join(schema.operations)
    assert tuple(await one(database, posted.where(schema.operations.c.key == f"guest-closed:{user.id}"))) == (
        GUESTS.credit,
        "credit:FUN",
    )
    logged = select(func.count()).where(schema.audit.c.action == "guests_archived")
    assert (await one(database, logged))[0] == 1
    assert await archive(database).archive_some() == 0, "once"
    await assert_books_are_true(database)


async def test_young_guest_and_guest_with_a_session_stay(database: Database) -> None:
    young, signed_in = await guest(database, LATER_MS - DAY_MS), await guest(database)
    sessions = Sessions(database, Lifetime(90 * DAY_MS, 90 * DAY_MS), lambda: NOON_MS)
    async with database.writing() as connection:
        await sessions.begin(connection, signed_in)
    assert await archive(database).archive_some() == 0
    assert await state(database, young) == await state(database, signed_in) == (False, GUESTS.credit)
    assert await archive(database, NOON_MS + 91 * DAY_MS).archive_some() == 2


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.DECIDING_FLOP])
async def test_guest_with_money_in_a_round_stays_until_it_is_long_over(database: Database, phase: Phase) -> None:
    user = await guest(database)
    table = await BookedTable.open(database, at_ms=LATER_MS)
    await table.do(table.bet(user.id, 500))
    if phase is not Phase.BETTING:
        await table.time_out()
    assert await archive(database).archive_some() == 0
    assert (await state(database, user))[0] is False
    await assert_books_are_true(database)


async def test_guest_with_chips_at_a_poker_table_stays(database: Database) -> None:
    """Chips of a paused table would come back to a closed account."""
    user = await guest(database)
    new = NewTable("nl10-1", "nl10:FUN", "FUN", sealed(fixed_shoe()), "{}")
    await HandStore(database).open_table(new, NOON_MS)
    money, place = SeatMoney(database), Place("nl10-1", "nl10:FUN", user.id, "FUN")
    await money.buy_in(BuyIn(place, 1, 1000, "key"), NOON_MS)
    assert await archive(database).archive_some() == 0
    await money.leave(place, LATER_MS)
    assert await archive(database).archive_some() == 1
    await assert_books_are_true(database)


async def test_real_accounts_are_never_archived(database: Database) -> None:
    from casino.users.roles import Actor, Role  # noqa: PLC0415
    from casino.users.users import Users  # noqa: PLC0415

    async with database.writing() as connection:
        boss = Actor("boss", "admin")
        ann = await Users(connection).add("Ann", Role.PLAYER, "EUR", password_hash=None, by=boss, at_ms=NOON_MS)
    assert await archive(database).archive_some() == 0
    assert await state(database, ann) == (False, 0)


async def test_many_are_archived_in_bounded_batches(database: Database) -> None:
    for _ in range(GUESTS_AT_ONCE + 3):
        await guest(database)
    archiving = archive(database)
    assert [await archiving.archive_some() for _ in range(3)] == [GUESTS_AT_ONCE, 3, 0]
    await assert_books_are_true(database)


BOOKS = {"users", "accounts", "operations", "postings", "audit", "rounds", "seats", "holds", "journal"} | {
    "settlements",
    "settled_hands",
    "settled_seats",
    "payments",
    "chains",
}
"""Append-only, hashed or referred to by such rows: here the generated id of a guest may remain."""


async def test_archived_guest_keeps_only_the_generated_name(database: Database) -> None:
    """The books and the exports of closed days name the guest, and no other user may take the name (decision 035)."""
    user = await guest(database)
    await Profiles(database, lambda: NOON_MS).change(user.id, PersonalSettings(trainer=True))
    async with database.writing() as connection:
        await Sessions(database, Lifetime(DAY_MS, DAY_MS), lambda: NOON_MS).begin(connection, user)
    assert await archive(database).archive_some() == 1
    kept = await one(database, select(schema.users).where(schema.users.c.id == user.id))
    assert kept.name == user.name
    assert re.fullmatch(r"Guest [2-9A-HJ-NP-Z]{6}", kept.name), "made up by the service, not chosen by a person"
    assert kept.password_hash is None
    async with database.writing() as connection:
        by = Actor("boss", "admin")
        with pytest.raises(NameTaken):
            await Users(connection).add(user.name, Role.PLAYER, "EUR", password_hash=None, by=by, at_ms=LATER_MS)
    async with database.reading() as connection:
        for table in schema.metadata.sorted_tables:
            found = [row for row in await connection.execute(select(table)) if user.id in str(row)]
            assert not found or table.name in BOOKS, table.name
