"""Fixtures of the attack tests: a small service with short windows, every role, and a played round."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.live.clients import Clients, clients_of
from tests.live.frames import verify_frames
from tests.live.service import CALM, LASTING, Kind, LiveService, started_service
from tests.security.scene import Scene, play

KINDS = {
    "calm": Kind(4, seconds=CALM),
    "lasting": Kind(30, seconds=LASTING),
    "quick": Kind(12, seconds=CALM | {"betting": 1.0}),
    "attacked": Kind(12, seconds=CALM | {"decide_preflop": 300.0}),
    "machine": Kind(2, dealing="auto", seconds=CALM | {"betting": 3.0}),
    "seven": Kind(2, dealing="auto", hands="own", seconds=CALM | {"betting": 5.0}),
}
STAFF = ("paula", "max", "fiona", "adam", "pest", "mob")


@pytest.fixture(scope="session")
def service() -> Iterator[LiveService]:
    """After all attacks its books are right and its log has no error."""
    with started_service(KINDS, STAFF, has_poker=True) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture(scope="session")
def scene(service: LiveService) -> Scene:
    return asyncio.run(play(service))


@pytest.fixture
async def clients(service: LiveService) -> AsyncIterator[Clients]:
    """Searches every received frame for hidden cards."""
    async with clients_of(service) as opened:
        yield opened
    for frames in opened.frames:
        verify_frames(frames)
