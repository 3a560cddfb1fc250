"""Table connection: detects missed events, and computes the remaining time by the server's clock."""

import asyncio

import pytest

from casino.client.http_api import HttpApi, Member, Payload, Rejected, Unreachable, open_http_api
from casino.client.table_connection import TableConnection, now_ms
from tests.live.service import LiveService


class CountingLine(TableConnection):
    joins = 0

    async def join(self) -> None:
        self.joins += 1


def round_(seq: int, **changes: object) -> Payload:
    view: Payload = {"seq": seq, "server_time": now_ms() + 5000, "deadline": now_ms() + 15_000, "paused": None}
    return view | changes


@pytest.fixture
async def connection() -> CountingLine:
    async with open_http_api("http://127.0.0.1:1") as clients:
        return CountingLine(clients, Member("token", "Ann", "player"), "uth-1")


async def test_a_gap_in_the_numbering_means_joining_again(connection: CountingLine) -> None:
    handle = connection._handler("round")
    for seq in (7, 8, 9):
        handle(round_(seq))
    await asyncio.sleep(0)
    assert connection.joins == 0
    handle(round_(11))
    await asyncio.sleep(0)
    assert connection.joins == 1


async def test_time_left_is_by_the_clock_of_the_server(connection: CountingLine) -> None:
    handle = connection._handler("round")
    assert connection.seconds_left() is None
    handle(round_(1))
    left = connection.seconds_left()
    assert left is not None
    assert 9 < left <= 10.1
    handle(round_(2, paused={"reason": "x"}))
    assert connection.seconds_left() is None
    handle(round_(3, deadline=0))
    assert connection.seconds_left() == 0


async def test_unreachable_and_unauthorized_are_different_errors(service: LiveService) -> None:
    async with open_http_api("http://127.0.0.1:1") as nowhere:
        with pytest.raises(Unreachable):
            await TableConnection(nowhere, Member("x", "Ann", "player"), "fast-1").open()
    async with open_http_api(service.address) as clients:
        with pytest.raises(Rejected) as refused:
            await TableConnection(clients, Member("no such token", "Ann", "player"), "fast-1").open()
        assert refused.value.code == "not_authenticated"
        member = await clients.guest()
        connection = TableConnection(clients, member, "none")
        with pytest.raises(Rejected) as refused:
            await connection.open()
        assert refused.value.code == "no_such_table"
        await connection.close()


async def test_other_servers_are_not_accepted(service: LiveService) -> None:
    async with open_http_api(f"{service.address}/") as clients:
        assert isinstance(clients, HttpApi)
        with pytest.raises(Rejected):
            await clients.table("none")
        with pytest.raises(Unreachable, match="is not this service"):
            await clients._ask("GET", "/metrics")  # an answer, but no JSON
