"""Connecting: authentication, origins, connection limits, and timeouts."""

import asyncio
import time

import aiohttp
import pytest

from casino.socketio import Limits
from tests.socketio.raw import RawClient
from tests.socketio.serving import serving, until

POLL = "/socket.io/?EIO=4&transport=polling"


@pytest.mark.parametrize(
    ("token", "code"), [("wrong", "not_authenticated"), ("broken", "internal")], ids=["refused", "failing"]
)
async def test_refused_client_gets_a_code_and_no_events(token: str, code: str) -> None:
    async with serving() as running:
        client = await RawClient.open(running.port)
        await client.text()
        client.send(f'40/table,{{"token":"{token}"}}')
        answer = await client.text()
        assert answer.startswith("44/table,")
        assert f'"code":"{code}"' in answer
        client.send_event("echo", 1, 1)
        running.server.emit_room("/table", "all", "news", 1)
        with pytest.raises(TimeoutError):
            await client.text(0.1)
        assert not running.handler.events


@pytest.mark.req("SEC-5")
async def test_a_connection_without_a_namespace_is_closed_in_time() -> None:
    async with serving(Limits(connect_s=0.2)) as running:
        silent, refused, member = (
            await RawClient.open(running.port),
            await RawClient.open(running.port),
            await RawClient.member(running.port),
        )
        refused.send('40/table,{"token":"wrong"}')
        started = time.monotonic()
        await silent.closed()
        await refused.closed()
        assert time.monotonic() - started < 10, "a ping would have come"
        member.send_event("echo", 1, 1)
        assert await member.text()
        assert running.server.sockets_open == 1


async def test_slow_session_lookup_is_no_reason_to_disconnect() -> None:
    """Thousands come back at once after a cut line, and the last has to wait for all the others."""
    async with serving(Limits(connect_s=0.1)) as running:
        client = await RawClient.open(running.port)
        await client.text()
        client.send('40/table,{"token":"slow"}')
        await asyncio.sleep(0.4)
        running.handler.gate.set()
        assert (await client.text()).startswith("40/table,")
        client.send_event("echo", 1, 1)
        assert await client.text()


@pytest.mark.req("SEC-5")
async def test_origins_are_checked_on_every_way_in() -> None:
    async with serving() as running, aiohttp.ClientSession() as web:
        own = f"Origin: http://127.0.0.1:{running.port}\r\n"
        assert b" 101 " in (await RawClient.open(running.port, headers=own)).head
        foreign = "Origin: https://evil.example\r\n"
        assert b" 403 " in (await RawClient.open(running.port, headers=foreign)).head
        async with web.get(running.url + POLL, headers={"Origin": "https://evil.example"}) as answer:
            assert answer.status == 403
            assert "Access-Control-Allow-Origin" not in answer.headers
        async with web.options(running.url + POLL, headers={"Origin": "https://evil.example"}) as answer:
            assert answer.status == 403


async def test_the_application_may_allow_other_origins() -> None:
    friend = "https://friend.example"
    async with (
        serving(origin_allowed=lambda origin, _request: origin == friend) as running,
        aiohttp.ClientSession(headers={"Origin": friend}) as web,
    ):
        assert b" 101 " in (await RawClient.open(running.port, headers=f"Origin: {friend}\r\n")).head
        async with web.options(running.url + POLL) as answer:
            assert answer.status == 204
        async with web.get(running.url + POLL) as answer:
            assert answer.status == 200
            assert answer.headers["Access-Control-Allow-Origin"] == friend


@pytest.mark.req("SEC-5")
async def test_connections_are_bounded_in_all_per_address_and_per_account() -> None:
    async with serving(Limits(connections_max=2)) as running:
        first = await RawClient.member(running.port)
        await RawClient.member(running.port)
        assert b" 503 " in (await RawClient.open(running.port)).head
        first.leave()
        await until(lambda: running.server.sockets_open == 1)
        assert b" 101 " in (await RawClient.open(running.port)).head
    async with serving(Limits(connections_per_address_max=1)) as running:
        await RawClient.member(running.port)
        assert b" 429 " in (await RawClient.open(running.port)).head
    async with serving(Limits(connections_per_account_max=1)) as running:
        running.handler.account = "17"
        first = await RawClient.member(running.port)
        second = await RawClient.open(running.port)
        await second.text()
        second.send("40/table,")
        assert "rate_limited" in await second.text()
        await until(lambda: len(running.handler.disconnects) == 1)
        first.leave()
        await until(lambda: len(running.handler.disconnects) == 2)
        await RawClient.member(running.port)
        assert running.server.occupancy.by_account == {"17": 1}


@pytest.mark.parametrize(
    "query",
    [
        "EIO=3&transport=polling",
        "EIO=4&transport=pigeon",
        "EIO=4",
        "EIO=4&transport=polling&j=0",
        "EIO=4&transport=polling&sid=none",
    ],
)
async def test_bad_requests_are_refused(query: str) -> None:
    async with serving() as running, aiohttp.ClientSession() as web:
        for method in ("GET", "POST"):
            async with web.request(method, f"{running.url}/socket.io/?{query}") as answer:
                assert answer.status == 400
                assert "message" in await answer.json()
        async with web.head(f"{running.url}{POLL}") as answer:
            assert answer.status == 400
        async with web.get(f"{running.url}/socket.io/?EIO=4&transport=websocket") as answer:
            assert answer.status == 400
        assert running.server.sockets_open == 0


@pytest.mark.req("SEC-5")
async def test_compression_is_offered_by_browsers_and_never_accepted() -> None:
    async with serving() as running:
        offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
        client = await RawClient.open(running.port, headers=offer)
        assert b" 101 " in client.head
        assert b"extensions" not in client.head.lower()
        await client.text()
        client.send("40/table,")
        await client.text()
        client.send_event("echo", "a" * 2000, 1)
        assert "a" * 2000 in await client.text()
    async with (
        serving() as running,
        aiohttp.ClientSession() as web,
        web.get(running.url + POLL, headers={"Accept-Encoding": "gzip, deflate"}) as answer,
    ):
        assert "Content-Encoding" not in answer.headers


async def test_the_server_disconnects_one_client_for_good() -> None:
    async with serving(Limits(close_timeout_s=0.1)) as running:
        client, other = await RawClient.member(running.port), await RawClient.member(running.port)
        client.send_event("out", None)
        assert await client.text() == "41/table,"
        assert running.handler.disconnects[0][1] == "server disconnect"
        running.server.emit_room("/table", "all", "news", 1)
        assert await client.closed() == ["1"]
        assert await other.text() == '42/table,["news",1]'
        assert running.server.sockets_open == 1


async def test_a_client_leaves_a_namespace_and_may_come_back_on_the_same_connection() -> None:
    async with serving(Limits(close_timeout_s=0.3)) as running:
        client = await RawClient.member(running.port)
        client.send("41/table,")
        await until(lambda: running.handler.disconnects)
        assert running.handler.disconnects[0][1] == "client disconnect"
        client.send("40/table,")
        assert (await client.text()).startswith("40/table,")
        await asyncio.sleep(0.4)
        client.send_event("echo", 1, 1)
        assert await client.text()


async def test_shutdown_closes_every_connection_and_notifies_every_handler() -> None:
    async with serving() as running:
        clients = [await RawClient.member(running.port) for _ in range(5)]
    for client in clients:
        assert await client.closed() == ["1"]
    assert [reason for _, reason in running.handler.disconnects] == ["server shutdown"] * 5
