"""Conformance with the Socket.IO protocol, revision 5, for the example echo server."""

import asyncio
import time

import orjson
import pytest

from tests.socketio.echoing import Echo, echoing
from tests.socketio.raw import BINARY, TEXT, RawClient

NAMESPACES = pytest.mark.parametrize("place", ["", "/custom,"], ids=["main", "custom"])
ONE = '{"_placeholder":true,"num":0}'
TWO = '{"_placeholder":true,"num":1}'


# Connecting


@NAMESPACES
@pytest.mark.parametrize("auth", ["", '{"token":"123"}'], ids=["no payload", "payload"])
async def test_connect_is_answered_with_a_session_id_and_the_payload_reaches_the_server(place: str, auth: str) -> None:
    async with echoing() as echo:
        client = await echo.websocket()
        client.send(f"40{place}{auth}")
        answer = await client.text()
        assert answer.startswith(f"40{place}{{")
        assert list(orjson.loads(answer.removeprefix(f"40{place}"))) == ["sid"]
        assert await client.text() == f'42{place}["auth",{auth or "{}"}]'


async def test_the_comma_after_the_namespace_may_be_missing_at_the_end() -> None:
    async with echoing() as echo:
        client = await echo.websocket()
        client.send("40/custom")
        assert (await client.text()).startswith("40/custom,{")


@pytest.mark.parametrize("packet", ["40/random", "40/random,", '40/random,{"token":1}'])
async def test_an_unknown_namespace_is_refused_exactly_as_specified(packet: str) -> None:
    async with echoing() as echo:
        client = await echo.websocket()
        client.send(packet)
        assert await client.text() == '44/random,{"message":"Invalid namespace"}'


async def test_a_client_may_be_in_several_namespaces_at_once() -> None:
    async with echoing() as echo:
        client = await echo.member()
        client.send("40/custom,")
        assert (await client.text()).startswith("40/custom,")
        assert await client.text() == '42/custom,["auth",{}]'
        client.send('42["message",1]')
        client.send('42/custom,["message",2]')
        assert await client.text() == '42["message-back",1]'
        assert await client.text() == '42/custom,["message-back",2]'


async def test_a_connection_without_connect_is_closed_after_the_timeout() -> None:
    async with echoing(connect_s=0.3) as echo:
        silent, refused, member = await echo.websocket(), await echo.websocket(), await echo.member()
        refused.send("40/random,")
        started = time.monotonic()
        assert await silent.closed() == ["1"]
        assert time.monotonic() - started > 0.1
        assert await refused.closed() == ['44/random,{"message":"Invalid namespace"}', "1"]
        member.send('42["message"]')
        assert await member.text() == '42["message-back"]'


@pytest.mark.parametrize(
    "packet",
    [
        "4",
        "4abc",
        "4-1",
        "47",
        '42["message"]',
        '42/custom,["message"]',
        "41",
        "41/custom,",
        "430[]",
        '44{"message":"no"}',
        '40{"token":',
        "40[]",
        '40"token"',
        f'451-["message",{ONE}]',
    ],
)
async def test_a_connection_that_begins_with_anything_but_connect_is_closed_at_once(packet: str) -> None:
    async with echoing(connect_s=60) as echo:
        client = await echo.websocket()
        client.send(packet)
        assert await client.closed() == ["1"]


async def test_two_connects_to_one_namespace_close_the_connection() -> None:
    async with echoing() as echo:
        client = await echo.member()
        client.send("40")
        assert await client.closed() == ["1"]


# Disconnecting


async def test_leaving_the_only_namespace_closes_the_connection() -> None:
    async with echoing() as echo:
        client = await echo.member()
        client.send("41")
        assert await client.closed() == ["1"]


async def test_leaving_one_namespace_keeps_the_other() -> None:
    async with echoing() as echo:
        client = await echo.member()
        client.send("40/custom")
        await client.text()
        await client.text()
        client.send("41/custom")
        client.send('42/custom,["message","ignored: sent after the disconnect"]')
        client.send('42["message","to the main namespace"]')
        assert await client.text() == '42["message-back","to the main namespace"]'


async def test_a_packet_to_a_namespace_that_is_not_connected_closes_the_connection() -> None:
    async with echoing() as echo:
        for packet in ('42/custom,["message"]', '42/random,["message"]', "41/custom,", "43/custom,1[]"):
            client = await echo.member()
            client.send(packet)
            assert await client.closed() == ["1"]


# Events and acknowledgements


@NAMESPACES
@pytest.mark.parametrize("args", ["", ',1,"2",{"3":[true]}', ",null", ",[],{},[[]]", ',"€ 😀 \\u001e"', ",1" * 50])
async def test_an_event_carries_any_number_of_arguments(place: str, args: str) -> None:
    async with echoing() as echo:
        client = await echo.member(f"40{place}")
        client.send(f'42{place}["message"{args}]')
        assert await client.text() == f'42{place}["message-back"{args}]'


@NAMESPACES
@pytest.mark.parametrize("args", ["", '1,"2",{"3":[false]}', "null"])
async def test_an_acknowledgement_carries_the_id_and_any_number_of_arguments(place: str, args: str) -> None:
    async with echoing() as echo:
        client = await echo.member(f"40{place}")
        for ack_id in (0, 456):
            client.send(f'42{place}{ack_id}["message-with-ack"{"," if args else ""}{args}]')
            assert await client.text() == f"43{place}{ack_id}[{args}]"


async def test_every_event_with_an_id_is_acknowledged() -> None:
    async with echoing() as echo:
        client = await echo.member()
        client.send('4212["message",7]')
        assert await client.text() == '42["message-back",7]'
        assert await client.text() == "4312[]"
        client.send('4213["unknown",7]')
        assert await client.text() == "4313[]"


@pytest.mark.parametrize(
    "packet",
    [
        "4abc",
        "42",
        "42{}",
        '42"message"',
        "42[]",
        "42[null]",
        "42[[]]",
        '42[{"message":1}]',
        '42["message"',
        '42["message",NaN]',
        "421[]",
        '421-["message"]',
        '41["message"]',
        "43",
        "430",
        "430[]",
        "43[1]",
        "47[]",
        '45["message"]',
        '45-["message"]',
        '4599999-["message"]',
    ],
)
async def test_a_malformed_packet_closes_the_connection(packet: str) -> None:
    async with echoing() as echo:
        client = await echo.member()
        client.send(packet)
        assert await client.closed() == ["1"]


async def test_a_malformed_packet_closes_a_polling_session() -> None:
    async with echoing() as echo:
        client = await echo.poller()
        assert await client.post("40") == (200, "ok")
        assert len(await client.packets(2)) == 2
        assert (await client.post("42{}"))[0] == 400
        assert (await client.get())[0] == 400


# Binary events and acknowledgements


async def binary_answer(client: RawClient, count: int) -> tuple[str, list[bytes]]:
    head = await client.text()
    frames = [await client.frame() for _ in range(count)]
    assert [opcode for opcode, _ in frames] == [BINARY] * count
    return head, [payload for _, payload in frames]


@NAMESPACES
async def test_a_binary_event_keeps_its_attachments_in_order(place: str) -> None:
    async with echoing() as echo:
        client = await echo.member(f"40{place}")
        client.send(f'452-{place}["message",{ONE},{{"deep":[{TWO}]}}]')
        client.send_binary(b"\x01\x02\x03")
        client.send_binary(b"")
        head, attachments = await binary_answer(client, 2)
        assert head == f'452-{place}["message-back",{ONE},{{"deep":[{TWO}]}}]'
        assert attachments == [b"\x01\x02\x03", b""]


async def test_placeholders_name_their_attachment_by_number() -> None:
    async with echoing() as echo:
        client = await echo.member()
        client.send(f'452-["message",{TWO},{ONE},{TWO}]')
        client.send_binary(b"zero")
        client.send_binary(b"one")
        _, attachments = await binary_answer(client, 3)
        assert attachments == [b"one", b"zero", b"one"]


@NAMESPACES
async def test_a_binary_event_is_acknowledged_with_its_attachments(place: str) -> None:
    async with echoing() as echo:
        client = await echo.member(f"40{place}")
        client.send(f'452-{place}789["message-with-ack",{ONE},{TWO}]')
        client.send_binary(b"\x01\x02\x03")
        client.send_binary(b"\x04")
        head, attachments = await binary_answer(client, 2)
        assert head == f"462-{place}789[{ONE},{TWO}]"
        assert attachments == [b"\x01\x02\x03", b"\x04"]


async def test_a_binary_event_without_attachments_is_an_event() -> None:
    async with echoing() as echo:
        client = await echo.member()
        client.send('450-["message",1]')
        assert await client.text() == '42["message-back",1]'


async def test_binary_events_travel_as_base64_while_the_client_polls() -> None:
    async with echoing() as echo:
        client = await echo.poller()
        await client.post("40")
        assert len(await client.packets(2)) == 2
        assert await client.post(f'451-["message",{ONE}]\x1ebAQIDBA==') == (200, "ok")
        assert await client.packets(2) == [f'451-["message-back",{ONE}]', "bAQIDBA=="]
        assert await client.post(f'451-7["message-with-ack",{ONE}]') == (200, "ok")
        assert await client.post("bAQIDBA==") == (200, "ok")
        assert await client.packets(2) == [f"461-7[{ONE}]", "bAQIDBA=="]


async def test_a_heartbeat_may_come_between_a_packet_and_its_attachments() -> None:
    async with echoing(ping_s=0.1, pong_s=5) as echo:
        client = await echo.member()
        client.send(f'451-["message",{ONE}]')
        while await client.frame() != (TEXT, b"2"):
            pass
        client.send("3")
        client.send_binary(b"late")
        _, attachments = await binary_answer(client, 1)
        assert attachments == [b"late"]


async def send_broken_binary(client: RawClient, *messages: str | bytes) -> None:
    for message in messages:
        if isinstance(message, str):
            client.send(message)
        else:
            client.send_binary(message)


@pytest.mark.parametrize(
    "messages",
    [
        (b"\x01",),
        (f'451-["message",{ONE}]', '42["message"]'),
        (f'452-["message",{ONE},{TWO}]', b"\x01", '42["message"]'),
        (f'451-["message",{ONE}]', f'451-["message",{ONE}]'),
        (f'451-["message",{ONE}]', "41"),
        (f'451-["message",{TWO}]', b"\x01"),
        ('451-["message",{"_placeholder":true,"num":-1}]', b"\x01"),
        ('451-["message",{"_placeholder":true,"num":"0"}]', b"\x01"),
        ('451-["message",{"_placeholder":true}]', b"\x01"),
        (f"451-[{ONE}]", b"\x01"),
        ('451-{"message":1}', b"\x01"),
        (f'451-["message",{ONE}', b"\x01"),
        ('4511-["message"]',),
        (f"461-0[{ONE}]", b"\x01"),
    ],
    ids=[
        "attachment of no packet",
        "event instead of an attachment",
        "event instead of the last attachment",
        "binary event instead of an attachment",
        "disconnect instead of an attachment",
        "number too large",
        "number negative",
        "number is text",
        "no number",
        "name is an attachment",
        "no array",
        "no JSON",
        "too many attachments",
        "acknowledgement of no event",
    ],
)
async def test_a_broken_binary_packet_closes_the_connection(messages: tuple[str | bytes, ...]) -> None:
    async with echoing() as echo:
        client = await echo.member()
        await send_broken_binary(client, *messages)
        assert await client.closed() == ["1"]


async def test_an_attachment_more_than_announced_closes_the_connection() -> None:
    async with echoing() as echo:
        client = await echo.member()
        await send_broken_binary(client, f'451-["message",{ONE}]', b"\x01", b"\x02")
        assert await client.closed() == [f'451-["message-back",{ONE}]', "1"]


async def test_attachments_that_never_come_close_the_connection_in_time() -> None:
    async with echoing(attachments_s=0.2) as echo:
        client, in_time = await echo.member(), await echo.member()
        await send_broken_binary(in_time, f'451-["message",{ONE}]', b"\x01")
        await send_broken_binary(client, f'452-["message",{ONE},{TWO}]', b"\x01")
        started = time.monotonic()
        assert await client.closed() == ["1"]
        assert time.monotonic() - started > 0.1
        _, attachments = await binary_answer(in_time, 1)
        assert attachments == [b"\x01"]
        await asyncio.sleep(0.3)
        in_time.send('42["message"]')
        assert await in_time.text() == '42["message-back"]'


async def test_deeply_nested_data_with_attachments_is_read() -> None:
    async with echoing() as echo:
        client = await echo.member()
        depth = 200
        client.send(f'451-["message",{"[" * depth}{ONE}{"]" * depth}]')
        client.send_binary(b"deep")
        _, attachments = await binary_answer(client, 1)
        assert attachments == [b"deep"]
        client.send(f'451-["nothing",{"[" * 1_000}{ONE}{"]" * 1_000}]')
        client.send_binary(b"deeper")
        client.send('42["message"]')
        assert await client.text() == '42["message-back"]'


@pytest.mark.parametrize(
    "messages", [(f'451-["message",{ONE}]',), (b"\x01",), ('450-["message"]',), ("460-0[]",)], ids=str
)
async def test_binary_packets_are_refused_by_a_setting(messages: tuple[str | bytes, ...]) -> None:
    async with echoing(binary=False) as echo:
        client = await echo.member()
        await send_broken_binary(client, *messages)
        assert await client.closed() == ["1"]
        await refused_by_polling(echo)


async def refused_by_polling(echo: Echo) -> None:
    poller = await echo.poller()
    await poller.post("40")
    assert len(await poller.packets(2)) == 2
    assert (await poller.post("bAQID"))[0] == 400
