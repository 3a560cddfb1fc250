"""Packet order: on every connection, packets of any kind arrive in the order in which they were sent."""

import asyncio
from typing import Any

import orjson
import pytest

from casino.socketio import Limits, fanout
from casino.socketio.engine_session import EngineSession
from tests.socketio.raw import RawClient
from tests.socketio.serving import Running, serving, until


def number(text: str) -> int:
    """Every message of these tests carries the count at which it was sent."""
    body = orjson.loads(text[text.index("[") :])
    found = body[-1]["n"] if isinstance(body[-1], dict) else body[-1]
    assert isinstance(found, int)
    return found


async def numbers(client: RawClient, count: int) -> list[int]:
    return [number(await client.text()) for _ in range(count)]


async def test_acknowledgements_personal_messages_and_broadcasts_keep_one_order_under_load() -> None:
    async with serving(Limits(ping_s=0.02)) as running:
        clients = [await RawClient.member(running.port) for _ in range(20)]
        server, handler = running.server, running.handler
        rounds = 150
        for client in clients:
            for ack_id in range(90):
                client.send_event("later", None, ack_id)
        await until(lambda: len(handler.futures) == 20 * 90)
        sids = [sid for sid, _, _ in handler.connects]
        waiting: dict[str, list[asyncio.Future[Any]]] = {sid: [] for sid in sids}
        for (sid, _, _), future in zip(handler.events, handler.futures, strict=True):
            waiting[sid].append(future)
        expected = 0
        for n in range(rounds):
            server.emit_room("/table", "all", "news", {"n": 3 * n})
            for sid in sids:
                if n < 90:
                    waiting[sid][n].set_result({"n": 3 * n + 1})
            await asyncio.sleep(0)  # the answers of futures go out with the next turn of the loop
            for sid in sids:
                server.emit(sid, "mine", {"n": 3 * n + 2})
            expected += 3 if n < 90 else 2
        for client in clients:
            received = await numbers(client, expected)
            assert received == sorted(received)
            assert len(set(received)) == expected


async def test_a_broadcast_in_slices_is_overtaken_by_nothing() -> None:
    """With 3 writes a turn every broadcast takes many turns, and others begin before it has ended."""
    async with serving(Limits(writes_per_turn=3)) as running:
        clients = [await RawClient.member(running.port) for _ in range(20)]
        sids = [sid for sid, _, _ in running.handler.connects]
        n = 0
        for turn in range(50):
            for _ in range(turn % 3 + 1):
                running.server.emit_room("/table", "all", "news", {"n": n})
                n += 1
            for sid in sids[turn % 4 :: 4]:
                running.server.emit(sid, "mine", {"n": n})
            n += 1
            if turn % 5 == 0:
                await asyncio.sleep(0)
        for client, sid in zip(clients, sids, strict=True):
            count = sum(turn % 3 + 1 + (sids.index(sid) % 4 == turn % 4) for turn in range(50))
            received = await numbers(client, count)
            assert received == sorted(received)
            assert len(set(received)) == count


async def test_other_work_has_its_turn_between_the_slices_of_a_broadcast() -> None:
    async with serving(Limits(writes_per_turn=2)) as running:
        clients = [await RawClient.member(running.port) for _ in range(11)]
        before = running.server.counters.deliveries
        running.server.emit_room("/table", "all", "news", {"n": 1})
        turns = 0

        def turn() -> None:
            nonlocal turns
            turns += 1

        for _ in range(5):
            asyncio.get_running_loop().call_soon(turn)
            await asyncio.sleep(0)
        assert turns == 5
        assert [await numbers(client, 1) for client in clients] == [[1]] * 11
        assert running.server.counters.deliveries - before == 11


async def test_client_that_enters_a_room_during_a_broadcast_gets_later_events_only() -> None:
    async with serving(Limits(writes_per_turn=1)) as running:
        await RawClient.member(running.port)
        await RawClient.member(running.port)
        late = await RawClient.member(running.port)
        sids = [sid for sid, _, _ in running.handler.connects]
        running.server.enter(sids[0], "side")
        running.server.enter(sids[1], "side")
        running.server.emit_room("/table", "side", "news", {"n": 1})
        running.server.enter(sids[2], "side")
        running.server.emit_room("/table", "side", "news", {"n": 2})
        assert await numbers(late, 1) == [2]


@pytest.mark.parametrize("leaver", [0, 5])
async def test_a_client_that_goes_in_mid_broadcast_takes_nothing_from_the_others(leaver: int) -> None:
    async with serving(Limits(writes_per_turn=2)) as running:
        clients = [await RawClient.member(running.port) for _ in range(8)]
        running.server.emit_room("/table", "all", "news", {"n": 1})
        running.server.disconnect(running.handler.connects[leaver][0])
        running.server.emit_room("/table", "all", "news", {"n": 2})
        for client in clients[:leaver] + clients[leaver + 1 :]:
            assert await numbers(client, 2) == [1, 2]


async def test_packets_of_one_turn_leave_in_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[bytes] = []
    put = EngineSession._put

    def recorded(session: EngineSession, wire: asyncio.Transport, frames: bytes) -> None:
        writes.append(frames)
        put(session, wire, frames)

    async with serving() as running:
        client = await RawClient.member(running.port)
        sid = running.handler.connects[0][0]
        monkeypatch.setattr(EngineSession, "_put", recorded)
        running.server.emit(sid, "news", {"n": 1})
        running.server.emit_room("/table", "all", "news", {"n": 2})
        running.server.emit_room_together("/table", "all", [("news", {"n": 3}), ("news", {"n": 4})])
        assert writes == []
        assert await numbers(client, 4) == [1, 2, 3, 4]
        assert len(writes) == 1
        monkeypatch.setattr(fanout, "FEW", 0)  # a broadcast to many clients is written now, after what came before it
        running.server.emit(sid, "news", {"n": 5})
        running.server.emit_room("/table", "all", "news", {"n": 6})
        assert len(writes) == 2
        running.server.emit(sid, "news", {"n": 7})
        await running.server.close()
        assert await numbers(client, 3) == [5, 6, 7]


async def test_rooms_are_entered_left_and_listed() -> None:
    async with serving() as running:
        first, second = await RawClient.member(running.port), await RawClient.member(running.port)
        sids = [sid for sid, _, _ in running.handler.connects]
        await _acked(first, "enter", "red")
        await _acked(second, "enter", "red")
        assert set(running.server.inside("/table", "red")) == set(sids)
        await _acked(second, "leave", "red")
        await _acked(second, "leave", "red")
        assert _emitted(running, "red") == 1
        assert await numbers(first, 1) == [0]
        first.leave()
        await until(lambda: running.server.sockets_open == 1)
        assert running.server.inside("/table", "red") == ()
        assert _emitted(running, "red") == 0
        assert not running.server.enter(sids[0], "red")
        assert not running.server.emit(sids[0], "mine", 1)
        assert not running.server.connected(sids[0])


async def _acked(client: RawClient, name: str, room: str) -> None:
    client.send_event(name, room, 1)
    assert (await client.text()).startswith("43/table,1[")


def _emitted(running: Running, room: str) -> int:
    return running.server.emit_room("/table", room, "news", {"n": 0})
