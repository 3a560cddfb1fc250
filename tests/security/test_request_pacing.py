"""Request pacing: requests above the pace wait, and do not delay other clients."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from casino.security.request_pacing import PacedQueue

pytestmark = pytest.mark.req("SEC-4")


@contextmanager
def frozen_time() -> Iterator[None]:
    """No time passes on the running event loop, so no request becomes due, however slow the machine is."""
    loop = asyncio.get_running_loop()
    now = loop.time()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "time", lambda: now)
        yield


async def passed(queue: PacedQueue, key: str, count: int) -> float:
    begun = time.monotonic()
    assert all(await asyncio.gather(*(queue.turn(key, lambda: False) for _ in range(count))))
    return time.monotonic() - begun


async def test_a_queue_lets_a_few_pass_at_once_and_the_rest_at_its_pace() -> None:
    queue = PacedQueue(100)
    await passed(queue, "a", 20)
    assert await passed(queue, "a", 20) > 0.15
    assert await queue.turn("b", lambda: False)


async def test_departed_clients_cost_nothing() -> None:
    queue = PacedQueue(10)
    with frozen_time():
        await passed(queue, "a", 2)
        gone = [asyncio.create_task(queue.turn("a", lambda: True)) for _ in range(500)]
        await asyncio.sleep(0)
    assert await passed(queue, "a", 1) < 5.0, "500 before it would take 50 seconds"
    left = await asyncio.gather(*gone, return_exceptions=True)
    assert all(isinstance(one, ConnectionResetError) for one in left)


async def test_a_queue_is_no_longer_than_it_may_be() -> None:
    queue = PacedQueue(1, length_max=2)
    waiting = [asyncio.create_task(queue.turn("a", lambda: False)) for _ in range(4)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [task.done() and task.result() for task in waiting] == [True, False, False, False]
    assert waiting[3].done()
    for task in waiting:
        task.cancel()


async def test_remembered_queues_are_bounded() -> None:
    queue = PacedQueue(10, keys_max=3)
    for key in "abcde":
        assert await queue.turn(key, lambda: False)
    assert len(queue) == 3


async def test_a_late_turn_releases_as_few_as_any_other() -> None:
    """Lateness allows no burst: a late server has no time for one."""
    queue = PacedQueue(500)
    passed = 0

    async def pass_() -> None:
        nonlocal passed
        await queue.turn("a", lambda: False)
        passed += 1

    with frozen_time():
        waiting = [asyncio.create_task(pass_()) for _ in range(60)]
        await asyncio.sleep(0)
    assert passed == 10, "the burst"
    for _ in range(5):
        before = passed
        time.sleep(0.05)  # noqa: ASYNC251 - the server is late
        await asyncio.sleep(0.001)
        await asyncio.sleep(0)
        assert passed - before <= 2, "two turns at most"
    await asyncio.gather(*waiting)


async def test_a_turn_releases_requests_of_few_keys_however_many_wait() -> None:
    """A flood from many addresses at once must not fill a turn, either."""
    queue = PacedQueue(500)
    passed = 0

    async def pass_(key: int) -> None:
        nonlocal passed
        await queue.turn(key, lambda: False)
        passed += 1

    with frozen_time():
        waiting = [asyncio.create_task(pass_(key)) for key in range(40) for _ in range(12)]
        await asyncio.sleep(0)
    assert passed == 400, "the bursts"
    for _ in range(4):
        before = passed
        time.sleep(0.05)  # noqa: ASYNC251 - the server is late
        await asyncio.sleep(0.001)
        await asyncio.sleep(0)
        assert 1 <= passed - before <= 8, "four keys in each of two turns at most"
    await asyncio.gather(*waiting)


async def test_keys_take_turns() -> None:
    queue = PacedQueue(50)
    order: list[str] = []

    async def pass_(key: str) -> None:
        await queue.turn(key, lambda: False)
        order.append(key)

    for key in "ab":
        await passed(queue, key, 10)
    await asyncio.gather(*(pass_("a") for _ in range(8)), pass_("b"))
    assert order.index("b") <= 2, "eight requests of another key do not come first"
