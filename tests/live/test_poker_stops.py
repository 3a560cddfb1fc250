"""Poker room of a real process: stops, kills and lost connections in the middle of a hand."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from tests.live.poker_players import PokerPlayer, Seats, guest, new_pool
from tests.live.poker_service import started_poker
from tests.live.proxy import proxy_to
from tests.live.service import Json, LiveService

SIGNS_OF_LIFE = "[sockets]\nping_seconds = 1.0\npong_seconds = 1.0\n"


@pytest.fixture
def service() -> Iterator[LiveService]:
    """A service of its own for each test, because it ends."""
    with started_poker() as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@asynccontextmanager
async def sitting(service: LiveService, address: str = "") -> AsyncIterator[Seats]:
    """Three players at a table, the first of them by way of this address."""
    pool = new_pool()
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        addresses = [address or service.address, service.address, service.address]
        players = [PokerPlayer(web, where, await guest(web, service)) for where in addresses]
        for player in players:
            await player.connect()
            await player.ask_for_seat(pool)
        for player in players:
            await player.come()
        seats = Seats(players)
        await seats.dealt()
        yield seats
        for player in seats.players:
            await player.close()


async def back(seats: Seats, service: LiveService) -> list[Json]:
    """All players come back with new connections; returns their snapshots."""
    returned = [PokerPlayer(player.web, service.address, player.signed_in) for player in seats.players]
    table_id = seats.table_id
    for player in seats.players:
        await player.close()
    for player in returned:
        await player.connect()
        player.table_id = table_id
    snapshots = [await player.come() for player in returned]
    for player in returned:
        assert (await player.until("notice"))["code"] == "hand_void"
    seats.players = returned
    return snapshots


@pytest.mark.req("RND-11")
async def test_stopped_room_lets_the_running_hand_end(service: LiveService) -> None:
    async with sitting(service) as seats:
        await seats.act(1, "call")
        service.signal(signal.SIGTERM)
        await seats.check_down(2, 12)
        results = {no: (await player.until("hand_over"))["net"] for no, player in seats.by_seat.items()}
        assert results == {1: -10, 2: 19, 3: -10}
        assert await asyncio.to_thread(service.ended) == 0
        numbers = [payload["number"] for player in seats.players for name, payload in player.received if name == "hand"]
        assert max(numbers, default=1) == 1, "no hand begins while the room stops"
        await asyncio.to_thread(service.start)
        snapshots = await back(seats, service)
        assert sorted(snapshot["seat"]["stack"] for snapshot in snapshots) == [990, 990, 1019]


@pytest.mark.req("RND-2")
async def test_killed_room_rolls_the_running_hand_back_and_notifies_players(service: LiveService) -> None:
    async with sitting(service) as seats:
        await seats.act(1, "raise_to", 300)
        await seats.act(2, "call")
        before = seats.hand
        await asyncio.to_thread(service.kill)
        await asyncio.to_thread(service.start)
        snapshots = await back(seats, service)
        assert [snapshot["seat"]["stack"] for snapshot in snapshots] == [1000, 1000, 1000]
        assert [snapshot["hand"] for snapshot in snapshots] == [None, None, None]
        hand = await seats.players[0].until("hand")
        assert hand["number"] == before["number"] + 1
        assert hand["positions"] == before["positions"], "the same big blind is due"
        assert hand["root"] != before["root"] or hand["hand_id"] != before["hand_id"]
        _, listed = await seats.players[0].get("/api/poker/hands")
        assert listed["hands"] == [], "a hand that was rolled back never was"


async def test_stalled_connection_is_protected_and_another_device_goes_on() -> None:
    """Nobody tells the service that the line is dead; it notices by the missing signs of life."""
    with started_poker() as service:
        service.kill()
        with (service.config / "casino.toml").open("a") as settings:
            settings.write(SIGNS_OF_LIFE)
        await asyncio.to_thread(service.start)
        async with proxy_to(service.address) as proxy, sitting(service, proxy.address) as seats:
            stalled, watcher = seats.players[0], seats.players[1]
            asked, _ = await seats.turn(1)
            assert asked is stalled
            proxy.stall()
            await watcher.until(
                "poker_table",
                lambda table: any(seat["name"] == stalled.name and not seat["connected"] for seat in table["seats"]),
            )
            clock = await watcher.until("step", lambda step: step["kind"] == "clock")
            assert clock["turn"]["protection_until"] - clock["turn"]["deadline"] == 20_000
            assert clock["turn"]["bank_until"] is None
            device = PokerPlayer(stalled.web, service.address, stalled.signed_in)
            await device.connect()
            snapshot = await device.come(seats.table_id)
            assert snapshot["hand"]["turn"]["protection_until"] is None
            at = {"table_id": seats.table_id, "hand_id": seats.hand["hand_id"], "turn": 1}
            await device.accepted("act", **at, action="fold")
            await device.close()
            proxy.flow()
        service.verify()
        assert not service.errors()
