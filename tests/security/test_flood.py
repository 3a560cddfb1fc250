"""Flooding client: it is slowed down or disconnected, and other clients are served.

How much slower the others are is measured by `python -m benchmarks flood`, not here.
"""

import asyncio
import time
from typing import Final

import aiohttp
import pytest

from casino.settings.service import Rates
from tests.live.clients import Clients, Player
from tests.security.test_hostile_players import open_table
from tests.socketio.raw import RawClient

pytestmark = [pytest.mark.req("SEC-4"), pytest.mark.req("SEC-5")]

SECONDS: Final = 4.0
AT_ONCE: Final = 50
PER_SECOND: Final = Rates().requests_per_second


async def play_on(player: Player, table_id: str, round_id: str, until: float) -> int:
    """Bets again and again as a person would; how many were acknowledged."""
    bets = 0
    while time.monotonic() < until:
        await player.bet(table_id, round_id, 500 + 100 * (bets % 2))
        bets += 1
        await asyncio.sleep(0.2)
    return bets


@pytest.mark.parametrize(
    "path", ["/api/tables", "/", "/nowhere", "/api/me", "/socket.io/?EIO=4&transport=polling&sid=nobody"]
)
async def test_fast_http_client_waits_and_others_do_not(clients: Clients, path: str) -> None:
    player = await clients.player()
    table_id, round_id, _ = await open_table(clients, "lasting", player)
    answered = 0

    async def ask(web: aiohttp.ClientSession, until: float) -> None:
        nonlocal answered
        while time.monotonic() < until:
            async with web.get(clients.service.address + path) as answer:
                await answer.read()
            answered += 1

    begun = time.monotonic()
    connector = aiohttp.TCPConnector(limit=AT_ONCE)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as web:
        flood = asyncio.gather(*(ask(web, begun + SECONDS) for _ in range(AT_ONCE)))
        bets = await play_on(player, table_id, round_id, begun + SECONDS)
        await flood
    elapsed = time.monotonic() - begun
    assert answered <= PER_SECOND * (elapsed + 1) + AT_ONCE
    assert bets >= 2, "a bet after the first, while the flood lasts"
    assert not player.is_lost


async def test_flooding_socket_is_disconnected_and_others_are_not(clients: Clients) -> None:
    player, flooder = await clients.player(), await clients.guest()
    table_id, round_id, _ = await open_table(clients, "lasting", player)
    port = int(clients.service.address.rpartition(":")[2])
    begun = time.monotonic()
    playing = asyncio.create_task(play_on(player, table_id, round_id, begun + SECONDS))
    cut = 0
    while time.monotonic() < begun + SECONDS:
        client = await RawClient.member(port, "/table", f'{{"token":"{flooder["token"]}"}}')
        for number in range(400):
            client.send_event("bet", {"table_id": table_id, "round_id": round_id, "ante": 500, "trips": 0}, number)
        said = await client.closed()
        assert not any("internal" in one for one in said)
        cut += 1
    await RawClient.leave_all()
    assert cut >= 1
    assert await playing >= 3
    assert not player.is_lost
