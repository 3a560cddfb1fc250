"""Polling clients, and clients that upgrade from polling to a WebSocket: same events, same order."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import orjson

from casino.socketio import Limits
from tests.socketio.raw import RawClient
from tests.socketio.serving import Running, serving, until


class Poller:
    """A polling session by hand."""

    def __init__(self, running: Running, web: aiohttp.ClientSession) -> None:
        self.url = f"{running.url}/socket.io/?EIO=4&transport=polling"
        self.web = web
        self.sid = ""

    async def open(self) -> None:
        (opened,) = await self.poll()
        terms = orjson.loads(opened[1:])
        assert terms["upgrades"] == ["websocket"]
        assert terms["maxPayload"] == 16 * 1024
        self.sid = terms["sid"]
        self.url += f"&sid={self.sid}"
        await self.post("40/table,")
        assert (await self.poll())[0].startswith("40/table,")

    async def poll(self) -> list[str]:
        async with self.web.get(self.url) as answer:
            assert answer.status == 200
            return (await answer.text()).split("\x1e")

    async def post(self, *texts: str) -> None:
        async with self.web.post(self.url, data="\x1e".join(texts)) as answer:
            assert answer.status == 200


async def test_packets_wait_for_the_next_poll_in_order() -> None:
    async with serving() as running, aiohttp.ClientSession() as web:
        client = Poller(running, web)
        await client.open()
        await client.post('42/table,1["echo",1]', '42/table,2["to_all","news"]', '42/table,3["to_me","mine"]')
        assert await client.poll() == [
            '43/table,1[{"ok":true,"data":1}]',
            '42/table,["news","news"]',
            '43/table,2[{"ok":true,"data":"news"}]',
            '42/table,["mine","mine"]',
            '43/table,3[{"ok":true,"data":"mine"}]',
        ]
        waiting = asyncio.create_task(client.poll())
        await asyncio.sleep(0.05)
        assert not waiting.done()
        running.server.emit_room("/table", "all", "news", "late")
        assert await waiting == ['42/table,["news","late"]']


async def test_a_polling_client_is_pinged_and_says_goodbye() -> None:
    async with serving(Limits(ping_s=0.05)) as running, aiohttp.ClientSession() as web:
        client = Poller(running, web)
        await client.open()
        for _ in range(3):
            assert await client.poll() == ["2"]
            await client.post("3")
        await client.post("1")
        assert running.handler.disconnects[0][1] == "client disconnect"
        assert running.server.sockets_open == 0


async def test_a_pending_poll_ends_with_the_session() -> None:
    async with serving(Limits(close_timeout_s=0.05)) as running, aiohttp.ClientSession() as web:
        client = Poller(running, web)
        await client.open()
        running.server.disconnect(running.handler.connects[0][0])
        assert await client.poll() == ["41/table,"]
        assert await client.poll() == ["1"]


async def test_the_order_is_kept_across_the_upgrade() -> None:
    async with serving() as running, aiohttp.ClientSession() as web:
        client = Poller(running, web)
        await client.open()
        count = 0

        def news(times: int) -> None:
            nonlocal count
            for _ in range(times):
                running.server.emit_room("/table", "all", "news", count)
                count += 1

        received: list[str] = []
        news(3)
        received += await client.poll()
        pending = asyncio.create_task(client.poll())
        socket = await RawClient.open(running.port, sid=client.sid)
        await asyncio.sleep(0.05)
        socket.send("2probe")
        assert await socket.text() == "3probe"
        news(3)  # held back: neither by the poll that is ended, nor before the upgrade
        assert await pending == ["6"]
        assert await client.poll() == ["6"]
        news(3)
        socket.send("5")
        await asyncio.sleep(0.05)
        news(3)
        received += [await socket.text() for _ in range(9)]
        assert received == [f'42/table,["news",{n}]' for n in range(12)]
        socket.send_event("echo", "direct", 1)
        assert "direct" in await socket.text()
        async with web.get(client.url) as answer:
            assert answer.status == 400
        async with web.post(client.url, data='42/table,["echo",1]') as answer:
            assert answer.status == 400
        assert running.server.sockets_open == 1
        socket.leave()
        await until(lambda: running.handler.disconnects)


async def test_an_upgrade_that_comes_to_nothing_leaves_the_client_polling() -> None:
    async with serving(Limits(upgrade_s=0.1)) as running, aiohttp.ClientSession() as web:
        client = Poller(running, web)
        await client.open()
        for said in ([], ["junk"], ["2probe"], ["2probe", "no"]):
            socket = await RawClient.open(running.port, sid=client.sid)
            for text in said:
                socket.send(text)
            pending = asyncio.create_task(client.poll())
            await socket.closed()
            running.server.emit_room("/table", "all", "news", 1)
            answers = await pending
            if answers == ["6"]:
                answers = await client.poll()
            assert answers == ['42/table,["news",1]']
        assert running.server.sockets_open == 1


async def test_only_one_upgrade_at_a_time() -> None:
    async with serving() as running, aiohttp.ClientSession() as web:
        client = Poller(running, web)
        await client.open()
        first = await RawClient.open(running.port, sid=client.sid)
        first.send("2probe")
        await first.text()
        assert await (await RawClient.open(running.port, sid=client.sid)).closed(1) == []
        first.send("5")
        first.send_event("echo", "here", 1)
        assert "here" in await first.text()
        assert await (await RawClient.open(running.port, sid=client.sid)).closed(1) == []
        first.send_event("echo", "still here", 2)
        assert "still here" in await first.text()


async def test_of_several_upgrades_of_one_session_only_the_first_is_accepted() -> None:
    """The others would be connections without a heartbeat."""
    async with serving() as running, aiohttp.ClientSession() as web:
        client = Poller(running, web)
        await client.open()
        first, *others = [await RawClient.open(running.port, sid=client.sid) for _ in range(5)]
        assert b" 101 " in first.head
        for other in others:
            other.send("2probe")
            other.send("5")
            assert await other.closed(1) == []
        first.send("2probe")
        assert await first.text() == "3probe"
        first.send("5")
        first.send_event("echo", "here", 1)
        assert "here" in await first.text()


async def test_an_upgrade_that_came_to_nothing_may_be_tried_again() -> None:
    async with serving() as running, aiohttp.ClientSession() as web:
        client = Poller(running, web)
        await client.open()
        first = await RawClient.open(running.port, sid=client.sid)
        first.send("nonsense")
        await first.closed()
        second = await RawClient.open(running.port, sid=client.sid)
        second.send("2probe")
        assert await second.text() == "3probe"


async def test_a_body_that_does_not_arrive_ends_its_session() -> None:
    async def halting() -> AsyncIterator[bytes]:
        yield b"40"
        await asyncio.Event().wait()

    async with serving(Limits(body_s=0.1)) as running, aiohttp.ClientSession() as web:
        client = Poller(running, web)
        await client.open()
        async with web.post(client.url, data=halting()) as answer:
            assert answer.status == 400
        assert running.server.sockets_open == 0
