"""A small house to attack: quick tables, every role, and a round that was really played there."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.live.clients import Door, door_of
from tests.live.frames import verify_frames
from tests.live.house import CALM, LASTING, House, Kind, open_house
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
def house() -> Iterator[House]:
    """Whatever was tried at it, its books are right when the last one has gone, and nothing went wrong inside."""
    with open_house(KINDS, STAFF) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture(scope="session")
def scene(house: House) -> Scene:
    return asyncio.run(play(house))


@pytest.fixture
async def door(house: House) -> AsyncIterator[Door]:
    """Whatever anybody received is searched for hidden cards."""
    async with door_of(house) as opened:
        yield opened
    for frames in opened.frames:
        verify_frames(frames)
