"""Passwords: argon2id, beside the event loop, so many at once, and nothing to learn from how long it takes."""

import asyncio
import os
import threading
import time

import pytest
from argon2 import extract_parameters
from argon2.low_level import Type

from casino.errors import Code, Refusal
from casino.people import passwords as module
from casino.people.passwords import Passwords, verify_password

pytestmark = pytest.mark.req("SEC-1")

SECRET = "correct horse battery"  # noqa: S105


async def test_hash_is_argon2id_with_the_cost_that_was_asked_for(passwords: Passwords) -> None:
    hashed = await passwords.hashed(SECRET)
    found = extract_parameters(hashed)
    assert (found.type, found.memory_cost, found.time_cost, found.parallelism) == (Type.ID, 19_456, 2, 1)
    assert (found.salt_len, found.hash_len) == (16, 32)
    assert SECRET not in hashed


async def test_password_fits_its_own_hash_only(passwords: Passwords) -> None:
    hashed = await passwords.hashed(SECRET)
    assert await passwords.fits(SECRET, hashed)
    for other in (SECRET + " ", SECRET.upper(), SECRET[:-1], "", "\ud800", "x" * 10**6):
        assert not await passwords.fits(other, hashed)
    assert hashed != await passwords.hashed(SECRET), "every hash has a salt of its own"


async def test_what_stands_after_the_longest_password_is_not_cut_off(passwords: Passwords) -> None:
    longest = "ü" * 256
    hashed = await passwords.hashed(longest)
    assert await passwords.fits(longest, hashed)
    assert not await passwords.fits(longest + "x", hashed)


@pytest.mark.parametrize("password", ["", "1234567", "x" * 257, "ü" * 7])
async def test_too_short_and_too_long_passwords_are_refused_unhashed(passwords: Passwords, password: str) -> None:
    with pytest.raises(Refusal) as refused:
        await passwords.hashed(password)
    assert refused.value.code is Code.BAD_REQUEST
    with pytest.raises(Refusal):
        verify_password(password)


async def test_nobodys_password_never_fits(passwords: Passwords) -> None:
    assert not await passwords.fits(SECRET, None)
    parameters = extract_parameters(module._nobodys_hash())
    assert parameters == extract_parameters(await passwords.hashed(SECRET)), "it costs what any other costs"


async def test_unknown_name_costs_what_a_wrong_password_costs(passwords: Passwords) -> None:
    hashed = await passwords.hashed(SECRET)
    took: dict[str | None, list[float]] = {hashed: [], None: []}
    for _ in range(15):
        for against, times in took.items():
            began = time.perf_counter()
            await passwords.fits("a wrong password", against)
            times.append(time.perf_counter() - began)
    wrong, unknown = (min(times) for times in took.values())  # what else runs here only ever adds to it
    assert unknown == pytest.approx(wrong, rel=0.35)


async def test_event_loop_goes_on_while_a_password_is_hashed(passwords: Passwords) -> None:
    loop_thread = threading.get_ident()
    ran_in: list[int] = []
    await passwords._run(lambda: ran_in.append(threading.get_ident()))
    assert ran_in != [loop_thread]
    hashing = asyncio.gather(*(passwords.hashed(SECRET) for _ in range(4)))
    turns = 0
    while not hashing.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 100


async def test_only_so_many_are_worked_on_at_once() -> None:
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


async def test_crowd_is_told_to_come_back_and_the_first_are_served() -> None:
    passwords = Passwords(at_once=1, waiting_max=3)
    gate = threading.Event()
    first = [asyncio.ensure_future(passwords._run(gate.wait)) for _ in range(4)]
    await asyncio.sleep(0)
    with pytest.raises(Refusal) as refused:
        await passwords.fits(SECRET, None)
    assert refused.value.code is Code.RATE_LIMITED
    gate.set()
    assert all(await asyncio.gather(*first))
    assert not await passwords.fits(SECRET, None), "and then there is room again"
    passwords.close()


async def test_hashing_leaves_the_processor_to_everybody_else(passwords: Passwords) -> None:
    def patience() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    assert await passwords._run(patience) > patience()
