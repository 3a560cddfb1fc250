"""User records: adding, finding and changing, on both databases, each change with its row in the audit log."""

import asyncio
import contextlib
import json
import re

import pytest
from sqlalchemy import Row, select

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.storage import schema
from casino.storage.database import Database
from casino.users.roles import Role
from casino.users.users import NameTaken, Users
from tests.live_table.stored_rounds import balances
from tests.users.conftest import ADMIN, NOON_MS, PASSWORD, UserStore

STAFF = [role for role in Role if role is not Role.PLAYER]


async def audit_rows(database: Database) -> list[Row[tuple[object, ...]]]:
    async with database.reading() as connection:
        assert [fault async for fault in audit_log.faults(connection)] == []
        return list(await connection.execute(select(schema.audit).order_by(schema.audit.c.id)))


async def everything_but_hashes(database: Database) -> str:
    """All that is stored anywhere, except the one column that may hold a hash and the database's own identity."""
    async with database.reading() as connection:
        found = []
        for table in schema.metadata.sorted_tables:
            if table is schema.database_identity:
                continue
            columns = [column for column in table.columns if column.name != "password_hash"]
            found += [repr(row) for row in await connection.execute(select(*columns))]
    return "\n".join(found)


async def test_player_gets_an_empty_wallet_in_the_configured_currency(user_store: UserStore) -> None:
    ann = await user_store.add("Ann")
    assert (ann.name, ann.role, ann.currency, ann.is_disabled, ann.created_ms) == (
        "Ann",
        "player",
        "EUR",
        False,
        NOON_MS,
    )
    assert {id_: tuple(found) for id_, found in (await balances(user_store.database)).items()} == {
        f"player:{ann.id}:cash": ("EUR", 0, 0)
    }


@pytest.mark.req("SEC-9")
@pytest.mark.parametrize("role", STAFF)
async def test_staff_have_no_wallet(user_store: UserStore, role: Role) -> None:
    await user_store.add("Pia", role)
    assert await balances(user_store.database) == {}


async def test_user_is_found_by_any_spelling_of_the_name(user_store: UserStore) -> None:
    ann = await user_store.add("Zoë Strauß")
    for name in ("Zoë Strauß", "zoë strauß", "ZOË STRAUSS", "Zoe\u0308 Strauß", "Ｚoë\u00a0strauß"):
        assert await user_store.named(name) == ann
    with pytest.raises(Refusal) as refused:
        await user_store.named("Zoe Strauss")
    assert refused.value.code is Code.NOT_FOUND


async def test_name_is_taken_in_every_spelling_and_the_first_keeps_it(user_store: UserStore) -> None:
    ann = await user_store.add("Ann")
    for name in ("Ann", "ANN", "Ａnn"):
        with pytest.raises(NameTaken):
            await user_store.add(name, Role.ADMIN)
    assert await user_store.named("ann") == ann
    assert len(await audit_rows(user_store.database)) == 1
    assert len(await balances(user_store.database)) == 1


@pytest.mark.parametrize("role", [Role.PLAYER, Role.MANAGER])
@pytest.mark.parametrize("name", ["system", "System", "sys-tem", "syst3m", "systém"])
async def test_name_of_the_service_is_reserved(user_store: UserStore, name: str, role: Role) -> None:
    with pytest.raises(Refusal) as refused:
        await user_store.add(name, role)
    assert refused.value.params["reason"] == "name_reserved"


async def test_concurrent_registrations_of_a_name_succeed_once(user_store: UserStore) -> None:
    added = await asyncio.gather(
        *(user_store.add(name) for name in ["Ann", "ann", "ANN", "aNN"] * 3), return_exceptions=True
    )
    taken = [outcome for outcome in added if isinstance(outcome, NameTaken)]
    assert len(taken) == len(added) - 1
    assert len(await balances(user_store.database)) == len(await audit_rows(user_store.database)) == 1


async def test_longest_name_that_folds_into_twice_its_length_fits(user_store: UserStore) -> None:
    user = await user_store.add("ß" * 40)
    assert await user_store.named("ẞ" * 40) == user


async def test_ids_are_unlike_each_other_and_say_nothing(user_store: UserStore) -> None:
    ids = [(await user_store.add(f"player {number}", at_ms=NOON_MS)).id for number in range(12)]
    assert len(set(ids)) == 12
    assert all(re.fullmatch("[a-z2-7]{24}", id_) for id_ in ids), "120 bits, safe in any URL"
    assert ids != sorted(ids), "and in no order"


async def test_users_are_listed_by_name(user_store: UserStore) -> None:
    for name in ("bob", "Ann", "Ćid"):
        await user_store.add(name, Role.PRESENTER)
    async with user_store.database.reading() as connection:
        assert [user.name for user in await Users(connection).all()] == ["Ann", "bob", "Ćid"]


@pytest.mark.req("AUD")
async def test_disabling_and_enabling_are_logged_once_each(user_store: UserStore) -> None:
    ann = await user_store.add("Ann")
    changed = []
    for disabled in (True, True, False, False):
        async with user_store.database.writing() as connection:
            changed.append(await Users(connection).set_disabled(ann, ADMIN, NOON_MS, disabled=disabled))
        assert (await user_store.named("Ann")).is_disabled is disabled
    assert changed == [True, False, True, False]
    added, *rows = await audit_rows(user_store.database)
    assert [(row.actor, row.role, row.action, row.target) for row in (added, *rows)] == [
        ("admin-1", "admin", "user_added", f"user {ann.id}"),
        ("admin-1", "admin", "user_disabled", f"user {ann.id}"),
        ("admin-1", "admin", "user_enabled", f"user {ann.id}"),
    ]
    assert json.loads(added.after) == {"name": "Ann", "role": "player", "currency": "EUR"}
    assert [(json.loads(row.before), json.loads(row.after)) for row in rows] == [
        ({"disabled": False}, {"disabled": True}),
        ({"disabled": True}, {"disabled": False}),
    ]


@pytest.mark.req("LED-6")
async def test_user_wallet_and_audit_row_are_there_together_or_not_at_all(user_store: UserStore) -> None:
    with contextlib.suppress(ConnectionError):
        async with user_store.database.writing() as connection:
            users = Users(connection)
            await users.add("Ann", Role.PLAYER, "EUR", password_hash="-", by=ADMIN, at_ms=NOON_MS)  # noqa: S106
            raise ConnectionError("power cut")
    assert await everything_but_hashes(user_store.database) == ""
    assert (await user_store.add("Ann")).name == "Ann"


@pytest.mark.req("AUD")
async def test_password_hash_is_stored_in_its_own_column_only(user_store: UserStore) -> None:
    ann = await user_store.add("Ann")
    another = "another secret word"
    async with user_store.database.writing() as connection:
        users = Users(connection)
        first = await users.password_hash(ann)
        await users.change_password(ann, await user_store.passwords.hash(another), ADMIN, NOON_MS)
        second = await users.password_hash(ann)
    assert first
    assert second
    assert first != second
    assert [row.action for row in await audit_rows(user_store.database)] == ["user_added", "password_changed"]
    stored = await everything_but_hashes(user_store.database)
    for secret in (PASSWORD, another, first, second, "argon2"):
        assert secret not in stored


@pytest.mark.parametrize("name", ["", "\u202eann", "x" * 41, "a\x00b", "\ud800"])
async def test_bad_name_is_refused_without_a_new_user(user_store: UserStore, name: str) -> None:
    with pytest.raises(Refusal) as refused:
        await user_store.add(name)
    assert refused.value.code is Code.BAD_REQUEST
    assert await everything_but_hashes(user_store.database) == ""
