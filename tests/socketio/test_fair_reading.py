"""Frames per turn: one client's frames are processed in bounded portions, in their order."""

import asyncio
from collections import Counter

import pytest

from casino.socketio import Limits
from casino.socketio.engine_session import EngineSession
from tests.socketio.raw import RawClient
from tests.socketio.serving import serving, until

pytestmark = pytest.mark.req("SEC-5")


@pytest.mark.parametrize(
    ("limits", "size", "most"),
    [
        (Limits(frames_per_turn=4), 1, 4),
        (Limits(bytes_per_turn=2_000), 900, 3),
        (Limits(), 1, 16),
        (Limits(), 8_000, 5),  # 32 KB
    ],
    ids=["frames", "bytes", "16 frames by default", "32 KB by default"],
)
async def test_other_work_has_its_turn_between_the_frames_of_one_client(
    limits: Limits, size: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = 0
    taken: Counter[int] = Counter()
    plain_take = EngineSession.take

    def take(connection: EngineSession, text: str) -> None:
        taken[turn] += 1
        plain_take(connection, text)

    async def count_turns() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    async with serving(limits) as running:
        client = await RawClient.member(running.port)
        monkeypatch.setattr(EngineSession, "take", take)
        counting = asyncio.create_task(count_turns())
        for number in range(60):
            client.send_event("note", [number, "x" * size])
        await until(lambda: len(running.handler.events) == 60)
        counting.cancel()
    assert max(taken.values()) <= 2 * most, "a turn may hold the end of one read and the first share of the next"
    assert [data[0] for _, _, data in running.handler.events if isinstance(data, list)] == list(range(60))
