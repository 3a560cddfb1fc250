"""Credit by the back office: from the account of credits to a player, once for each key, with its audit row."""

import asyncio
import json

import pytest
from sqlalchemy import func, select

from casino.errors import Code, Refusal
from casino.money import MINOR_MAX
from casino.storage import schema
from casino.users.credit import Credit
from casino.users.roles import Role
from tests.live_table.stored_rounds import balances, purse
from tests.users.conftest import UserStore
from tests.users.test_users import STAFF, audit_rows


async def operations(user_store: UserStore) -> int:
    async with user_store.database.reading() as connection:
        return (await connection.execute(select(func.count()).select_from(schema.operations))).scalar_one()


@pytest.mark.req("AUD")
@pytest.mark.req("LED-1")
async def test_credit_comes_from_its_own_account_and_is_logged(user_store: UserStore) -> None:
    ann = await user_store.add("Ann")
    assert await user_store.credit(ann, 25_000, "k1", "Welcome gift")
    found = await balances(user_store.database)
    assert found["credit:EUR"].balance == -25_000
    assert found[f"player:{ann.id}:cash"].balance == found[f"player:{ann.id}:cash"].available == 25_000
    row = (await audit_rows(user_store.database))[-1]
    assert (row.actor, row.role, row.action, row.target, row.reason) == (
        *("admin-1", "admin", "credit", f"user {ann.id}", "Welcome gift"),
    )
    assert json.loads(row.after) == {"amount_minor": 25_000, "currency": "EUR", "key": "k1"}


@pytest.mark.req("LED-5")
async def test_same_key_moves_money_once_and_with_other_input_not_at_all(user_store: UserStore) -> None:
    ann, bob = await user_store.add("Ann"), await user_store.add("Bob")
    assert [await user_store.credit(ann, 500, "k1") for _ in range(5)] == [True, False, False, False, False]
    for user, amount, reason in ((ann, 501, "Welcome"), (bob, 500, "Welcome"), (ann, 500, "Sorry")):
        with pytest.raises(Refusal) as refused:
            await user_store.credit(user, amount, "k1", reason)
        assert refused.value.code is Code.KEY_REUSED
    purses = [await purse(user_store.database, one.id) for one in (ann, bob)]
    assert [one.balance for one in purses] == [500, 0]
    assert await operations(user_store) == 1
    assert [row.action for row in await audit_rows(user_store.database)] == ["user_added", "user_added", "credit"]


@pytest.mark.req("LED-5")
async def test_same_key_from_many_sides_at_once_moves_money_once(user_store: UserStore) -> None:
    ann = await user_store.add("Ann")
    moved = await asyncio.gather(*(user_store.credit(ann, 500, "k1") for _ in range(20)))
    assert sorted(moved) == [False] * 19 + [True]
    assert (await purse(user_store.database, ann.id)).balance == 500


@pytest.mark.req("SEC-9")
@pytest.mark.parametrize("role", STAFF)
async def test_staff_cannot_be_credited(user_store: UserStore, role: Role) -> None:
    pia = await user_store.add("Pia", role)
    with pytest.raises(Refusal) as refused:
        await user_store.credit(pia, 500, "k1")
    assert refused.value.code is Code.FORBIDDEN
    assert await balances(user_store.database) == {}
    assert len(await audit_rows(user_store.database)) == 1


async def test_currencies_stay_apart(user_store: UserStore) -> None:
    ann, gus = await user_store.add("Ann"), await user_store.add("Gus", currency="FUN")
    await user_store.credit(ann, 500, "k1")
    await user_store.credit(gus, 700, "k2")
    found = await balances(user_store.database)
    assert (found["credit:EUR"].balance, found["credit:FUN"].balance) == (-500, -700)


@pytest.mark.parametrize(
    ("amount", "reason", "key"),
    [
        (0, "Welcome", "k1"),
        (-1, "Welcome", "k1"),
        (MINOR_MAX + 1, "Welcome", "k1"),
        (500, "", "k1"),
        (500, "  ", "k1"),
        (500, "x" * 201, "k1"),
        (500, "two\nlines", "k1"),
        (500, "\u202eemocleW", "k1"),
        (500, "a\x00b", "k1"),
        (500, "\ud800", "k1"),
        (500, "Welcome", ""),
        (500, "Welcome", "k 1"),
        (500, "Welcome", "k" * 81),
        (500, "Welcome", "ключ"),
        (500, "Welcome", "=k1"),
        (500, "Welcome", "k;-1"),
    ],
)
def test_credit_without_amount_reason_or_key_is_refused(amount: int, reason: str, key: str) -> None:
    with pytest.raises(Refusal) as refused:
        Credit(amount, reason, key)
    assert refused.value.code is Code.BAD_REQUEST
