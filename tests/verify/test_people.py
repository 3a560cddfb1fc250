"""Accounts of people, changed directly in the database."""

from typing import Any

import pytest
from sqlalchemy import delete, insert, update

from casino.settings.service import Guests
from casino.storage.database import Database
from casino.storage.schema import users
from casino.users.guest_archive import GuestArchive
from casino.users.guests import add_guest
from casino.users.roles import Actor, Role
from casino.users.users import User, Users
from casino.verify.verifier import verify
from tests.tampering import unguarded
from tests.uth.tabletop import NOON_MS

pytestmark = [pytest.mark.req("AUD")]

ROOT = Actor("root", "operator")
DAY_MS = 86_400_000


async def faults(database: Database) -> list[str]:
    return (await verify(database)).people.faults


async def add(database: Database, name: str, role: Role) -> User:
    async with database.writing() as connection:
        return await Users(connection).add(name, role, "EUR", password_hash=None, by=ROOT, at_ms=NOON_MS)


async def change(database: Database, user: User, **values: Any) -> None:  # noqa: ANN401
    async with unguarded(database) as connection:
        await connection.execute(update(users).where(users.c.id == user.id).values(**values))


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"name": "Bea"}, "name"),
        ({"role": "finance"}, "role"),
        ({"currency": "DKK"}, "currency"),
        ({"disabled": 1}, "state"),
    ],
)
async def test_changed_account_is_found(database: Database, changed: dict[str, Any], word: str) -> None:
    mona = await add(database, "mona", Role.MANAGER)
    await change(database, mona, **changed)
    assert await faults(database) == [f"user {mona.id}: {word} differ from the audit log"]


async def test_inserted_staff_and_deleted_accounts_are_found(database: Database) -> None:
    """A second person made of one row, and a first one who is not there any more."""
    await add(database, "Ann", Role.PLAYER)
    fay = await add(database, "fay", Role.FINANCE)
    async with database.writing() as connection:
        row = {"id": "eve-id", "name": "eve", "name_folded": "eve", "name_visual": "eve"}
        await connection.execute(insert(users).values(**row, role="finance", currency="EUR", created_ms=NOON_MS))
        await connection.execute(delete(users).where(users.c.id == fay.id))
    assert await faults(database) == [
        "user eve-id: the audit log does not say who added this finance",
        f"user {fay.id}: the audit log has this account, and it is not there",
    ]


async def test_changes_by_people_and_the_archive_are_in_order(database: Database) -> None:
    mona = await add(database, "mona", Role.MANAGER)
    ann = await add(database, "Ann", Role.PLAYER)
    async with database.writing() as connection:
        people = Users(connection)
        await people.change_role(mona, Role.FINANCE, ROOT, NOON_MS)
        await people.set_disabled(ann, ROOT, NOON_MS, disabled=True)
        await people.set_disabled(ann, ROOT, NOON_MS, disabled=False)
        await people.set_disabled(mona, ROOT, NOON_MS, disabled=True)
        await add_guest(connection, Guests(), NOON_MS)
    assert await GuestArchive(database, 1, lambda: NOON_MS + 2 * DAY_MS).archive_some() == 1
    assert await faults(database) == []
