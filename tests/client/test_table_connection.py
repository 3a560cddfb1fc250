"""A player's line notices what it missed, and knows how much time is left by the server's clock."""

import asyncio

import pytest

from casino.play.door import Door, Member, Payload, Rejected, Unreachable, open_door
from casino.play.line import Line, now_ms
from tests.live.house import House


class CountingLine(Line):
    joins = 0

    async def join(self) -> None:
        self.joins += 1


def round_(seq: int, **changes: object) -> Payload:
    view: Payload = {"seq": seq, "server_time": now_ms() + 5000, "deadline": now_ms() + 15_000, "paused": None}
    return view | changes


@pytest.fixture
async def line() -> CountingLine:
    async with open_door("http://127.0.0.1:1") as door:
        return CountingLine(door, Member("token", "Ann", "player"), "uth-1")


async def test_a_gap_in_the_numbering_means_joining_again(line: CountingLine) -> None:
    hear = line._hearing("round")
    for seq in (7, 8, 9):
        hear(round_(seq))
    await asyncio.sleep(0)
    assert line.joins == 0
    hear(round_(11))
    await asyncio.sleep(0)
    assert line.joins == 1


async def test_time_left_is_by_the_clock_of_the_server(line: CountingLine) -> None:
    hear = line._hearing("round")
    assert line.seconds_left() is None
    hear(round_(1))
    left = line.seconds_left()
    assert left is not None
    assert 9 < left <= 10.1
    hear(round_(2, paused={"reason": "x"}))
    assert line.seconds_left() is None
    hear(round_(3, deadline=0))
    assert line.seconds_left() == 0


async def test_nobody_there_and_nobody_allowed_are_told_apart(house: House) -> None:
    async with open_door("http://127.0.0.1:1") as nowhere:
        with pytest.raises(Unreachable):
            await Line(nowhere, Member("x", "Ann", "player"), "fast-1").open()
    async with open_door(house.address) as door:
        with pytest.raises(Rejected) as refused:
            await Line(door, Member("no such token", "Ann", "player"), "fast-1").open()
        assert refused.value.code == "not_authenticated"
        member = await door.guest()
        line = Line(door, member, "none")
        with pytest.raises(Rejected) as refused:
            await line.open()
        assert refused.value.code == "no_such_table"
        await line.close()


async def test_what_is_not_the_service_is_no_service(house: House) -> None:
    async with open_door(f"{house.address}/") as door:
        assert isinstance(door, Door)
        with pytest.raises(Rejected):
            await door.table("none")
        with pytest.raises(Unreachable, match="is not this service"):
            await door._ask("GET", "/metrics")  # an answer, but no JSON
