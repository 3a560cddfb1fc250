"""Slow readers and dead peers: both are disconnected, without effect on other clients."""

import asyncio
import gc
import socket
import time

import aiohttp
import pytest

from casino.socketio import Limits
from casino.socketio.engine_session import EngineSession
from casino.socketio.namespace_session import NamespaceSession
from tests.socketio.raw import RawClient, handshake
from tests.socketio.serving import Running, serving, until


async def lazy_member(running: Running) -> socket.socket:
    """A member with a small receive buffer, who never reads again."""
    loop = asyncio.get_running_loop()
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)  # noqa: FBT003 - the name of the argument is positional
    await loop.sock_connect(plain, ("127.0.0.1", running.port))
    reader, writer = await asyncio.open_connection(sock=plain.dup())
    writer.write(handshake(running.port))
    await reader.readuntil(b"\r\n\r\n")
    client = RawClient(reader, writer, b"")
    await client.text()
    client.send("40/table,")
    await client.text()
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    RawClient.opened.append(client)
    return plain


@pytest.mark.req("OPS")
async def test_a_slow_reader_is_cut_and_the_others_get_everything_in_time() -> None:
    async with serving(Limits(unsent_bytes_max=64 * 1024)) as running:
        readers = [await RawClient.member(running.port) for _ in range(10)]
        lazy = await lazy_member(running)
        rounds, latest = 80, 0.0  # 1.6 MB: the kernel does not keep megabytes for it either
        for n in range(rounds):
            started = time.monotonic()
            running.server.emit_room("/table", "all", "news", {"n": n, "text": "x" * 20_000})
            for client in readers:
                assert f'"n":{n},' in await client.text()
            latest = max(latest, time.monotonic() - started)
        await until(lambda: running.handler.disconnects)
        assert [reason for _, reason in running.handler.disconnects] == ["slow reader"]
        assert running.server.counters.ended["slow reader"] == 1
        assert running.server.sockets_open == 10
        assert latest < 2, "nobody waits for the slow one"
        lazy.close()


async def test_a_burst_within_one_turn_of_the_loop_is_no_slow_reader() -> None:
    async with serving(Limits(unsent_bytes_max=64 * 1024)) as running:
        client = await RawClient.member(running.port)
        for n in range(400):
            running.server.emit_room("/table", "all", "news", {"n": n, "text": "x" * 500})
        for n in range(400):
            assert f'"n":{n},' in await client.text()


async def test_a_polling_client_that_does_not_fetch_is_cut_too() -> None:
    async with serving(Limits(unsent_bytes_max=10_000)) as running, aiohttp.ClientSession() as web:
        url = f"{running.url}/socket.io/?EIO=4&transport=polling"
        async with web.get(url) as answer:
            sid = (await answer.text()).split('"')[3]
        async with web.post(f"{url}&sid={sid}", data="40/table,") as answer:
            assert answer.status == 200
        await until(lambda: running.server.inside("/table", "all"))
        for n in range(30):
            running.server.emit_room("/table", "all", "news", {"n": n, "text": "x" * 500})
        await until(lambda: running.handler.disconnects)
        assert running.handler.disconnects[0][1] == "slow reader"
        async with web.get(f"{url}&sid={sid}") as answer:
            assert answer.status == 400


@pytest.mark.req("RND-7")
async def test_a_dead_peer_is_noticed_within_the_ping_times() -> None:
    """A peer that died silently never answers a ping."""
    async with serving(Limits(ping_s=0.2, pong_s=1.5)) as running:
        alive, dead = await RawClient.member(running.port), await RawClient.member(running.port)
        started = time.monotonic()
        listening = asyncio.create_task(alive.closed(4.0))
        await until(lambda: running.handler.disconnects)
        assert time.monotonic() - started > 1.5
        assert [reason for _, reason in running.handler.disconnects] == ["ping timeout"]
        assert dead.reader.at_eof() or await dead.reader.read() is not None
        with pytest.raises(TimeoutError):
            await listening
        assert len(running.handler.disconnects) == 1, "who answers stays"


async def test_a_dead_polling_peer_is_noticed_too() -> None:
    async with serving(Limits(ping_s=0.1, pong_s=0.1)) as running, aiohttp.ClientSession() as web:
        url = f"{running.url}/socket.io/?EIO=4&transport=polling"
        async with web.get(url) as answer:
            sid = (await answer.text()).split('"')[3]
        async with web.post(f"{url}&sid={sid}", data="40/table,") as answer:
            assert answer.status == 200
        await until(lambda: running.handler.disconnects)
        assert running.handler.disconnects[0][1] == "ping timeout"
        assert running.server.sockets_open == 0


@pytest.mark.req("OPS")
async def test_two_thousand_leaving_at_once_do_not_stall_the_loop() -> None:
    count = 2_000
    limits = Limits(connections_per_address_max=count + 1, connections_max=count + 1)
    async with serving(limits) as running:
        for _ in range(count // 100):
            await asyncio.gather(*(RawClient.member(running.port) for _ in range(100)))
        for number, sid in enumerate(running.server.inside("/table", "all")):
            running.server.enter(sid, f"own:{number}")
        stays = RawClient.opened[-1]
        for client in RawClient.opened[:-1]:
            client.leave()
        longest, last = 0.0, time.thread_time()  # the work of this loop, whatever else the machine is doing
        while running.server.sockets_open > 1:
            await asyncio.sleep(0)
            longest, last = max(longest, time.thread_time() - last), time.thread_time()
        assert longest < 1.0, "the clients of this test live on the same loop"
        await until(lambda: len(running.handler.disconnects) == count - 1)
        assert running.server.inside("/table", "own:0") == ()
        assert running.server.emit_room("/table", "all", "news", 1) == 1
        assert await stays.text() == '42/table,["news",1]'
        assert running.server.occupancy.by_address.total() == 1


def sessions() -> set[int]:
    """The sessions in memory, of other tests' servers, too."""
    gc.collect()
    return {id(one) for one in gc.get_objects() if isinstance(one, EngineSession | NamespaceSession)}


async def test_ended_connections_leave_nothing_in_memory() -> None:
    before = sessions()
    async with serving(Limits(close_timeout_s=0.05)) as running:
        for farewell in ("abort", "out"):
            for _ in range(20):
                client = await RawClient.member(running.port)
                client.send_event("out" if farewell == "out" else "echo", 1, 1)
                await client.text()
                client.leave()
        await until(lambda: running.server.sockets_open == 0)
        await RawClient.leave_all()
        await until(lambda: sessions() <= before)
        assert not running.server.occupancy.by_address
