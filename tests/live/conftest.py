from collections.abc import AsyncIterator, Iterator

import pytest

from tests.live.clients import Door, door_of
from tests.live.frames import verify_frames
from tests.live.house import House, open_house


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    """One house for all tests that let it run; its books must be right when the last one has gone."""
    with open_house() as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture
async def door(house: House) -> AsyncIterator[Door]:
    """Whoever came in through it is seen out, and whatever they received is searched for hidden cards."""
    async with door_of(house) as opened:
        yield opened
    for frames in opened.frames:
        verify_frames(frames)
