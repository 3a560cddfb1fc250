from collections.abc import AsyncIterator, Iterator

import pytest

from tests.live.clients import Clients, clients_of
from tests.live.frames import verify_frames
from tests.live.service import LiveService, started_service


@pytest.fixture(scope="session")
def service() -> Iterator[LiveService]:
    """One service for all tests that let it run; its books must be right after the last one."""
    with started_service() as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture
async def clients(service: LiveService) -> AsyncIterator[Clients]:
    """Whoever came in through it is seen out, and whatever they received is searched for hidden cards."""
    async with clients_of(service) as opened:
        yield opened
    for frames in opened.frames:
        verify_frames(frames)
