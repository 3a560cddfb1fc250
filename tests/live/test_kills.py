"""The process is killed and stopped with a round in every phase, on both databases: again while it stops, again while
it puts things in order, and while others read the same books.
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
from tests.live.clients import Door, Host, Player, door_of
from tests.live.frames import verify_frames
from tests.live.house import CALM, House, Kind, open_house
from tests.live.stages import CREDIT, PHASES, bring_to, finish

IN_ORDER_SECONDS_MAX: Final = 30
KINDS: Final = {
    "calm": Kind(7, seconds=CALM | {"betting": 6.0}),
    "lasting": Kind(1, seconds=CALM | {"betting": 300.0}),
}
Begun = dict[str, tuple[Player, str]]


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    """A house of its own for each test, because it falls down."""
    url = ""
    if request.param == "postgresql":
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.fresh_database()
    with open_house(KINDS, staff=("paula",), database=url) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture
async def door(house: House) -> AsyncIterator[Door]:
    async with door_of(house) as opened:
        yield opened
    for frames in opened.frames:
        verify_frames(frames)


async def stand_in_every_phase(house: House, door: Door, host: Host) -> tuple[dict[str, str], Begun]:
    tables = {phase: house.table("lasting" if phase == "betting" else "calm") for phase in PHASES}
    begun = await asyncio.gather(*(bring_to(door, host, tables[phase], phase) for phase in PHASES))
    return tables, dict(zip(PHASES, begun, strict=True))


async def come_back_and_finish(door: Door, tables: dict[str, str], begun: Begun) -> None:
    host = await door.host()

    async def one(phase: str, ann: Player, round_id: str) -> None:
        await ann.lost()
        await finish(host, tables[phase], phase, await door.device(ann.signed_in), round_id)

    await asyncio.gather(*(one(phase, *begun[phase]) for phase in PHASES))


def read_books(house: House, folder: Path) -> None:
    """As an accountant does while the house falls down and stands up again."""
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    for what, written in (("settlements", "csv"), ("ledger", "json")):
        out = str(folder / f"{what}.{written}")
        done = house.command("export", what, "--from", today, "--to", today, "--format", written, "--out", out)
        assert done.returncode == 0, done.stderr
    house.verify()


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-3")
@pytest.mark.req("RND-4")
async def test_killed_again_and_again_every_round_goes_on_where_it_stood(
    house: House, door: Door, tmp_path: Path
) -> None:
    """In every phase; then twice more while it is putting that in order, each time at another place."""
    tables, begun = await stand_in_every_phase(house, door, await door.host())
    reading = asyncio.create_task(asyncio.to_thread(read_books, house, tmp_path))
    await asyncio.to_thread(house.kill)
    await asyncio.to_thread(house.die, "batch_stored_not_committed:3")
    await asyncio.to_thread(house.die, "round_recovered:4")
    began = time.monotonic()
    await asyncio.to_thread(house.start)
    assert time.monotonic() - began < IN_ORDER_SECONDS_MAX
    await reading
    await come_back_and_finish(door, tables, begun)


@pytest.mark.req("RND-3")
async def test_killed_while_it_stops_every_round_goes_on_where_it_stood(house: House, door: Door) -> None:
    """Open bets have been returned by then; the rest waits for those who are no longer let finish."""
    tables, begun = await stand_in_every_phase(house, door, await door.host())
    house.signal(signal.SIGTERM)
    await begun["betting"][0].until("balance", lambda balance: balance["available"] == balance["balance"])
    house.signal(signal.SIGTERM)
    await asyncio.to_thread(house.kill)
    await asyncio.to_thread(house.start)
    await come_back_and_finish(door, tables, begun)


@pytest.mark.req("RND-11")
async def test_stopped_in_every_phase_what_is_closed_is_played_to_its_end(house: House, door: Door) -> None:
    host = await door.host()
    tables, begun = await stand_in_every_phase(house, door, host)
    house.signal(signal.SIGTERM)
    await begun["betting"][0].until("balance", lambda balance: balance["available"] == balance["balance"])
    await asyncio.gather(*(finish(host, tables[phase], phase, *begun[phase], is_closing=True) for phase in PHASES))
    assert await asyncio.to_thread(house.ended) == 0
    await asyncio.to_thread(house.start)
    for phase in PHASES:
        assert await begun[phase][0].money() == ((CREDIT if phase == "betting" else CREDIT + 1300),) * 2
