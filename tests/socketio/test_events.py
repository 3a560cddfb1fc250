"""Events of one client: their order, their acknowledgements, and failing handlers."""

import asyncio

import orjson

from casino.socketio import Limits
from tests.socketio.raw import RawClient
from tests.socketio.serving import serving, until


def answer_of(text: str) -> tuple[int, object]:
    assert text.startswith("43/table,"), text
    ack_id, _, body = text.removeprefix("43/table,").partition("[")
    return int(ack_id), orjson.loads("[" + body)[0]


async def test_each_event_is_acknowledged_with_what_its_handler_answers() -> None:
    async with serving() as running:
        client = await RawClient.member(running.port)
        client.send_event("echo", {"a": [1, 2.5, None, "ß"]}, 7)
        assert answer_of(await client.text()) == (7, {"ok": True, "data": {"a": [1, 2.5, None, "ß"]}})


async def test_an_event_without_data_and_one_without_acknowledgement_reach_the_handler() -> None:
    async with serving() as running:
        client = await RawClient.member(running.port)
        client.send('42/table,["bare"]')
        client.send_event("echo", 1, 2)
        assert answer_of(await client.text())[0] == 2
        assert [(name, data) for _, name, data in running.handler.events] == [("bare", None), ("echo", 1)]


async def test_events_begin_in_the_order_of_arrival_and_futures_do_not_hold_back_later_ones() -> None:
    async with serving() as running:
        client = await RawClient.member(running.port)
        client.send_event("later", 1, 1)
        client.send_event("later", 2, 2)
        client.send_event("echo", 3, 3)
        assert answer_of(await client.text())[0] == 3
        first, second = running.handler.futures
        second.set_result({"ok": True, "n": 2})
        first.set_result({"ok": True, "n": 1})
        assert [answer_of(await client.text()) for _ in range(2)] == [
            (2, {"ok": True, "n": 2}),
            (1, {"ok": True, "n": 1}),
        ]


async def test_a_coroutine_holds_back_later_events_of_this_client_and_of_no_other() -> None:
    async with serving() as running:
        client, other = await RawClient.member(running.port), await RawClient.member(running.port)
        for ack_id, name in enumerate(["slow", "echo", "slow", "echo"]):
            client.send_event(name, ack_id, ack_id)
        other.send_event("echo", "free", 9)
        assert answer_of(await other.text())[0] == 9
        assert [data for _, _, data in running.handler.events] == [0, "free"]
        running.handler.gate.set()
        assert [answer_of(await client.text())[0] for _ in range(4)] == [0, 1, 2, 3]


async def test_later_events_do_not_overtake_an_acknowledgement() -> None:
    async with serving() as running:
        client = await RawClient.member(running.port)
        client.send_event("listen", "corner", 1)
        running.handler.gate.set()
        assert answer_of(await client.text()) == (1, {"ok": True})
        assert await client.text() == '42/table,["news","just in time"]'


async def test_failing_handler_is_acknowledged_with_an_error_without_details() -> None:
    async with serving() as running:
        client = await RawClient.member(running.port)
        for ack_id, name in enumerate(["broken", "broken_later", "later"]):
            client.send_event(name, None, ack_id)
        await until(lambda: running.handler.futures)
        running.handler.futures[0].cancel()
        failed = {"ok": False, "error": {"code": "internal", "message": "Something went wrong here."}}
        assert [answer_of(await client.text()) for _ in range(3)] == [(0, failed), (1, failed), (2, failed)]
        client.send_event("echo", "alive", 3)
        assert answer_of(await client.text()) == (3, {"ok": True, "data": "alive"})


async def test_too_many_unanswered_events_close_the_connection() -> None:
    async with serving(Limits(unanswered_events_max=5)) as running:
        client = await RawClient.member(running.port)
        for ack_id in range(6):
            client.send_event("later", None, ack_id)
        await client.closed()
        assert len(running.handler.events) == 5
        await until(lambda: running.handler.disconnects)
        assert running.handler.disconnects[0][1] == "protocol error"


async def test_disconnect_is_reported_once_after_running_handlers_have_ended() -> None:
    async with serving() as running:
        client = await RawClient.member(running.port)
        client.send_event("slow", 1, 1)
        client.send_event("echo", 2, 2)
        await until(lambda: running.handler.events)
        client.leave()
        await until(lambda: running.server.sockets_open == 0)
        await asyncio.sleep(0.05)
        assert not running.handler.disconnects
        running.handler.gate.set()
        await until(lambda: running.handler.disconnects)
        assert len(running.handler.disconnects) == 1
        assert len(running.handler.events) == 1, "what had not begun does not begin any more"


async def test_client_that_leaves_during_authentication_is_reported_to_the_handler() -> None:
    async with serving() as running:
        client = await RawClient.open(running.port)
        client.send('40/table,{"token":"slow"}')
        await until(lambda: running.handler.connects)
        client.leave()
        await until(lambda: running.server.sockets_open == 0)
        running.handler.gate.set()
        await until(lambda: running.handler.disconnects)
        assert running.server.emit_room("/table", "all", "news", 1) == 0


async def test_events_sent_before_the_word_of_the_handler_wait_for_it() -> None:
    async with serving() as running:
        client = await RawClient.open(running.port)
        client.send('40/table,{"token":"slow"}')
        client.send_event("echo", "early", 1)
        await client.text()
        await until(lambda: running.handler.connects)
        assert not running.handler.events
        running.handler.gate.set()
        assert (await client.text()).startswith("40/table,")
        assert answer_of(await client.text()) == (1, {"ok": True, "data": "early"})


async def test_client_that_leaves_while_refused_is_never_reported() -> None:
    async with serving() as running:
        client = await RawClient.open(running.port)
        running.handler.refuse_when_released = True
        client.send('40/table,{"token":"slow"}')
        await until(lambda: running.handler.connects)
        client.leave()
        await until(lambda: running.server.sockets_open == 0)
        running.handler.gate.set()
        await asyncio.sleep(0.05)
        assert not running.handler.disconnects


async def test_failing_disconnect_handler_keeps_no_session() -> None:
    async with serving() as running:
        client, other = await RawClient.member(running.port), await RawClient.member(running.port)
        running.handler.fail_at_goodbye = True
        client.leave()
        await until(lambda: running.server.sockets_open == 1)
        assert running.server.emit_room("/table", "all", "news", 1) == 1
        assert await other.text() == '42/table,["news",1]'


async def test_transport_counts_connections_and_events() -> None:
    seen: list[float] = []
    async with serving(Limits(writes_per_turn=1), observe_fanout=seen.append) as running:
        clients = [await RawClient.member(running.port) for _ in range(3)]
        running.server.emit_room("/table", "all", "news", 1)
        for client in clients:
            await client.text()
        clients[0].send_event("echo", 1, 1)
        await clients[0].text()
        clients[0].leave()
        await until(lambda: running.handler.disconnects)
        counters = running.server.counters
        assert (counters.opened, counters.events, counters.broadcasts, counters.deliveries) == (3, 1, 1, 3)
        assert counters.ended == {"transport close": 1}
        assert counters.write_seconds > 0
        assert len(seen) == 1
        assert running.server.sockets_open == 2
