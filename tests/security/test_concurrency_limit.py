"""Concurrency limit: bounded, in order, and without state of idle clients."""

import asyncio

from casino.security.concurrency_limit import ConcurrencyLimiter


async def test_concurrency_per_key_is_bounded_and_idle_keys_are_forgotten() -> None:
    turns, done, gate = ConcurrencyLimiter(2), list[str](), asyncio.Event()

    async def work(key: str, number: int) -> None:
        async with turns.of(key):
            done.append(f"{key}{number}")
            await gate.wait()

    work_of_all = [asyncio.create_task(work(key, number)) for number in range(4) for key in "ab"]
    for _ in range(5):
        await asyncio.sleep(0)
    assert done == ["a0", "b0", "a1", "b1"]
    gate.set()
    await asyncio.gather(*work_of_all)
    assert done[4:] == ["a2", "b2", "a3", "b3"]
    assert len(turns) == 0
