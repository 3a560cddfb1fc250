"""Password hashing: argon2id, off the event loop, bounded concurrency, constant time."""

import asyncio
import os
import threading
import time
from typing import Literal

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type

from casino.errors import Code, Refusal
from casino.users import passwords as module
from casino.users.passwords import Passwords, verify_password

pytestmark = pytest.mark.req("SEC-1")

SECRET = "correct horse battery"  # noqa: S105


async def test_hash_is_argon2id_with_the_cost_that_was_asked_for(passwords: Passwords) -> None:
    hashed = await passwords.hash(SECRET)
    found = extract_parameters(hashed)
    assert (found.type, found.memory_cost, found.time_cost, found.parallelism) == (Type.ID, 19_456, 2, 1)
    assert (found.salt_len, found.hash_len) == (16, 32)
    assert SECRET not in hashed


async def test_password_fits_its_own_hash_only(passwords: Passwords) -> None:
    hashed = await passwords.hash(SECRET)
    assert await passwords.matches(SECRET, hashed)
    for other in (SECRET + " ", SECRET.upper(), SECRET[:-1], "", "\ud800", "x" * 10**6):
        assert not await passwords.matches(other, hashed)
    assert hashed != await passwords.hash(SECRET), "every hash has a salt of its own"


async def test_overlong_passwords_are_not_truncated(passwords: Passwords) -> None:
    longest = "ü" * 256
    hashed = await passwords.hash(longest)
    assert await passwords.matches(longest, hashed)
    assert not await passwords.matches(longest + "x", hashed)


@pytest.mark.parametrize("password", ["", "1234567", "x" * 257, "ü" * 7])
async def test_too_short_and_too_long_passwords_are_refused_unhashed(passwords: Passwords, password: str) -> None:
    with pytest.raises(Refusal) as refused:
        await passwords.hash(password)
    assert refused.value.code is (Code.BAD_REQUEST if len(password) > 256 else Code.WEAK_PASSWORD)
    with pytest.raises(Refusal):
        verify_password(password)


async def test_user_without_a_password_hash_never_matches(passwords: Passwords) -> None:
    assert not await passwords.matches(SECRET, None)
    parameters = extract_parameters(module._nobodys_hash())
    assert parameters == extract_parameters(await passwords.hash(SECRET)), "it costs what any other costs"


async def test_unknown_name_costs_as_much_as_a_wrong_password(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compares the work, not the time it takes: argon2 does the same for the same parameters and lengths."""
    hashed = await passwords.hash(SECRET)
    work = []

    class Recorder(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002 - its name there
            work.append((extract_parameters(str(hash)), len(hash), password))
            return super().verify(hash, password)

    monkeypatch.setattr(module, "_HASHER", Recorder(module.PASSES, module.MEMORY_KIB, module.LANES, type=Type.ID))
    for against in (hashed, None):
        assert not await passwords.matches("a wrong password", against)
    wrong, unknown = work
    assert unknown == wrong


async def test_event_loop_goes_on_while_a_password_is_hashed(passwords: Passwords) -> None:
    loop_thread = threading.get_ident()
    ran_in: list[int] = []
    await passwords._run(lambda: ran_in.append(threading.get_ident()))
    assert ran_in != [loop_thread]
    hashing = asyncio.gather(*(passwords.hash(SECRET) for _ in range(4)))
    turns = 0
    while not hashing.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 100


async def test_concurrent_hashing_is_bounded() -> None:
    passwords = Passwords(at_once=2, waiting_max=50)
    now, most, lock = 0, 0, threading.Lock()

    def work() -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.01)
        with lock:
            now -= 1

    await asyncio.gather(*(passwords._run(work) for _ in range(20)))
    passwords.close()
    assert most == 2


async def test_excess_requests_are_refused_and_the_first_are_served() -> None:
    passwords = Passwords(at_once=1, waiting_max=3)
    gate = threading.Event()
    first = [asyncio.ensure_future(passwords._run(gate.wait)) for _ in range(4)]
    await asyncio.sleep(0)
    with pytest.raises(Refusal) as refused:
        await passwords.matches(SECRET, None)
    assert refused.value.code is Code.RATE_LIMITED
    gate.set()
    assert all(await asyncio.gather(*first))
    assert not await passwords.matches(SECRET, None), "and then there is room again"
    passwords.close()


async def test_password_hashing_runs_at_low_priority(passwords: Passwords) -> None:
    def patience() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    assert await passwords._run(patience) > patience()
