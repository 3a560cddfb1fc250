"""Authentication: valid credentials, and indistinguishable failures."""

from typing import Literal

import pytest
from argon2 import Parameters, PasswordHasher, extract_parameters
from argon2.low_level import Type

from casino.errors import Code, Refusal
from casino.users import passwords as passwords_module
from casino.users.authentication import authenticate
from casino.users.passwords import Passwords
from casino.users.roles import Role
from casino.users.users import Users
from tests.users.conftest import ADMIN, NOON_MS, PASSWORD, UserStore

pytestmark = pytest.mark.req("SEC-1")


class Counting(Passwords):
    """Counts how often a hash was worked out."""

    checked = 0

    async def matches(self, password: str, password_hash: str | None, *, is_known_device: bool = False) -> bool:
        self.checked += 1
        return await super().matches(password, password_hash, is_known_device=is_known_device)


async def refusal(user_store: UserStore, name: str, password: str) -> tuple[Code, str, int]:
    counting = Counting()
    with pytest.raises(Refusal) as refused:
        await authenticate(user_store.database, counting, name, password)
    counting.close()
    return refused.value.code, refused.value.message, counting.checked


@pytest.mark.parametrize("role", [Role.PLAYER, Role.ADMIN])
async def test_right_name_and_password_sign_in(user_store: UserStore, role: Role) -> None:
    ann = await user_store.add("Ann", role)
    assert (await authenticate(user_store.database, user_store.passwords, "aNN", PASSWORD)).user == ann


async def test_every_way_to_be_wrong_looks_and_costs_the_same(user_store: UserStore) -> None:
    await user_store.add("Ann")
    bob = await user_store.add("Bob")
    async with user_store.database.writing() as connection:
        await Users(connection).set_disabled(bob, ADMIN, NOON_MS, disabled=True)
    answers = {
        await refusal(user_store, *wrong)
        for wrong in (
            ("Ann", PASSWORD + "x"),
            ("Ann", ""),
            ("Cid", PASSWORD),
            ("Bob", PASSWORD),
            ("", PASSWORD),
            ("a\x00b", PASSWORD),
            ("\ud800", PASSWORD),
            ("x" * 10**6, PASSWORD),
        )
    }
    assert answers == {(Code.NOT_AUTHENTICATED, "Wrong username or password.", 1)}


async def test_every_way_to_be_wrong_costs_the_processor_the_same(
    user_store: UserStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compares the work, not its time: argon2 does the same for the same parameters, whatever the password."""
    await user_store.add("Ann")
    work: list[Parameters] = []

    class Recorder(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002 - its name there
            work.append(extract_parameters(str(hash)))
            return super().verify(hash, password)

    costs = (passwords_module.PASSES, passwords_module.MEMORY_KIB, passwords_module.LANES)
    monkeypatch.setattr(passwords_module, "_HASHER", Recorder(*costs, type=Type.ID))
    ways = (("Ann", PASSWORD + "x"), ("Cid", PASSWORD), ("a\x00b", PASSWORD), ("Ann", "x" * 300))
    for way in ways:
        with pytest.raises(Refusal):
            await authenticate(user_store.database, user_store.passwords, *way)
    assert len(work) == len(ways), "each is hashed once"
    assert all(parameters == work[0] for parameters in work)


async def test_user_without_a_password_cannot_sign_in(user_store: UserStore) -> None:
    ann = await user_store.add("Ann")
    async with user_store.database.writing() as connection:
        await Users(connection).change_password(ann, passwords_module._nobodys_hash(), ADMIN, NOON_MS)
    assert (await refusal(user_store, "Ann", PASSWORD))[0] is Code.NOT_AUTHENTICATED


async def test_changed_password_replaces_the_old_one(user_store: UserStore) -> None:
    ann = await user_store.add("Ann")
    async with user_store.database.writing() as connection:
        new = await user_store.passwords.hash("another secret word")
        await Users(connection).change_password(ann, new, ADMIN, NOON_MS)
    assert (await authenticate(user_store.database, user_store.passwords, "Ann", "another secret word")).user == ann
    assert (await refusal(user_store, "Ann", PASSWORD))[0] is Code.NOT_AUTHENTICATED


@pytest.mark.req("SEC-2")
@pytest.mark.parametrize("what", ["password changed", "disabled"])
async def test_user_changed_during_the_password_check_is_refused(user_store: UserStore, what: str) -> None:
    ann = await user_store.add("Ann")
    proof = await authenticate(user_store.database, user_store.passwords, "Ann", PASSWORD)
    async with user_store.database.reading() as connection:
        await proof.verify_still_true(connection)
    new = await user_store.passwords.hash("another secret word")
    async with user_store.database.writing() as connection:
        if what == "disabled":
            await Users(connection).set_disabled(ann, ADMIN, NOON_MS, disabled=True)
        else:
            await Users(connection).change_password(ann, new, ADMIN, NOON_MS)
    async with user_store.database.writing() as connection:
        with pytest.raises(Refusal, match="Wrong"):
            await proof.verify_still_true(connection)
