"""Service killed and stopped in every phase of a round, on both databases.

It is also killed while it stops, while it recovers, and while other processes read the same books.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from tests.databases import PostgresServer
from tests.live.clients import Clients, Host, Player, clients_of
from tests.live.frames import verify_frames
from tests.live.service import CALM, Kind, LiveService, started_service
from tests.live.stages import CREDIT, PHASES, bring_to, finish

IN_ORDER_SECONDS_MAX: Final = 30
KINDS: Final = {
    "calm": Kind(7, seconds=CALM | {"betting": 6.0}),
    "lasting": Kind(1, seconds=CALM | {"betting": 300.0}),
}
Begun = dict[str, tuple[Player, str]]


@pytest.fixture(params=["sqlite", "postgresql"])
def service(request: pytest.FixtureRequest) -> Iterator[LiveService]:
    """A house of its own for each test, because it falls down."""
    url = ""
    if request.param == "postgresql":
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.fresh_database()
    with started_service(KINDS, staff=("paula",), database=url) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture
async def clients(service: LiveService) -> AsyncIterator[Clients]:
    async with clients_of(service) as opened:
        yield opened
    for frames in opened.frames:
        verify_frames(frames)


async def stand_in_every_phase(service: LiveService, clients: Clients, host: Host) -> tuple[dict[str, str], Begun]:
    tables = {phase: service.table("lasting" if phase == "betting" else "calm") for phase in PHASES}
    begun = await asyncio.gather(*(bring_to(clients, host, tables[phase], phase) for phase in PHASES))
    return tables, dict(zip(PHASES, begun, strict=True))


async def come_back_and_finish(clients: Clients, tables: dict[str, str], begun: Begun) -> None:
    host = await clients.host()

    async def one(phase: str, ann: Player, round_id: str) -> None:
        await ann.lost()
        await finish(host, tables[phase], phase, await clients.device(ann.signed_in), round_id)

    await asyncio.gather(*(one(phase, *begun[phase]) for phase in PHASES))


def read_books(service: LiveService, folder: Path) -> None:
    """Reads the books while the service is killed and restarted."""
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    for what, written in (("settlements", "csv"), ("ledger", "json")):
        out = str(folder / f"{what}.{written}")
        done = service.command("export", what, "--from", today, "--to", today, "--format", written, "--out", out)
        assert done.returncode == 0, done.stderr
    service.verify()


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-3")
@pytest.mark.req("RND-4")
async def test_after_repeated_kills_every_round_continues_in_its_phase(
    service: LiveService, clients: Clients, tmp_path: Path
) -> None:
    """In every phase; then twice more while it is putting that in order, each time at another place."""
    tables, begun = await stand_in_every_phase(service, clients, await clients.host())
    reading = asyncio.create_task(asyncio.to_thread(read_books, service, tmp_path))
    await asyncio.to_thread(service.kill)
    await asyncio.to_thread(service.die, "batch_stored_not_committed:3")
    await asyncio.to_thread(service.die, "round_recovered:4")
    began = time.monotonic()
    await asyncio.to_thread(service.start)
    assert time.monotonic() - began < IN_ORDER_SECONDS_MAX
    await reading
    await come_back_and_finish(clients, tables, begun)


@pytest.mark.req("RND-3")
async def test_after_a_kill_during_a_stop_every_round_continues_in_its_phase(
    service: LiveService, clients: Clients
) -> None:
    """Open bets have been returned by then; the rest waits for those who are no longer let finish."""
    tables, begun = await stand_in_every_phase(service, clients, await clients.host())
    service.signal(signal.SIGTERM)
    await begun["betting"][0].until("balance", lambda balance: balance["available"] == balance["balance"])
    service.signal(signal.SIGTERM)
    await asyncio.to_thread(service.kill)
    await asyncio.to_thread(service.start)
    await come_back_and_finish(clients, tables, begun)


@pytest.mark.req("RND-11")
async def test_stopped_in_every_phase_what_is_closed_is_played_to_its_end(
    service: LiveService, clients: Clients
) -> None:
    host = await clients.host()
    tables, begun = await stand_in_every_phase(service, clients, host)
    service.signal(signal.SIGTERM)
    await begun["betting"][0].until("balance", lambda balance: balance["available"] == balance["balance"])
    await asyncio.gather(*(finish(host, tables[phase], phase, *begun[phase], is_closing=True) for phase in PHASES))
    assert await asyncio.to_thread(service.ended) == 0
    await asyncio.to_thread(service.start)
    for phase in PHASES:
        assert await begun[phase][0].money() == ((CREDIT if phase == "betting" else CREDIT + 1300),) * 2
