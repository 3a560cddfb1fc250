"""Conformance with the Engine.IO protocol, revision 4, for the example echo server."""

import asyncio

import orjson
import pytest

from tests.socketio.echoing import ENGINE_IO, SOCKET_IO, Echo, echoing
from tests.socketio.raw import BINARY, CLOSE, TEXT, Closed, RawClient, masked

PATHS = pytest.mark.parametrize("path", [ENGINE_IO, SOCKET_IO], ids=["engine.io", "socket.io"])
TERMS = {"pingInterval": 300, "pingTimeout": 200, "maxPayload": 1_000_000}


# Handshake


@PATHS
async def test_handshake_announces_session_upgrades_heartbeat_and_max_payload(path: str) -> None:
    async with echoing(ping_s=0.3, pong_s=0.2) as echo:
        status, text = await echo.request("GET", f"{path}polling")
        polling = orjson.loads(text[1:])
        assert (status, text[0], isinstance(polling.pop("sid"), str)) == (200, "0", True)
        assert polling == {"upgrades": ["websocket"], **TERMS}
        client = await RawClient.open(echo.port, target=f"{path}websocket")
        text = await client.text()
        websocket = orjson.loads(text[1:])
        assert (text[0], isinstance(websocket.pop("sid"), str)) == ("0", True)
        assert websocket == {"upgrades": [], **TERMS}


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("/engine.io/?transport=", 5),
        ("/engine.io/?EIO=3&transport=", 5),
        ("/engine.io/?EIO=abc&transport=", 5),
        ("/engine.io/?EIO=4", 0),
        ("/engine.io/?EIO=4&transport=pigeon", 0),
    ],
)
async def test_a_handshake_without_a_known_version_and_transport_is_a_bad_request(target: str, code: int) -> None:
    async with echoing() as echo:
        polling = target + ("polling" if target.endswith("=") else "")
        status, text = await echo.request("GET", polling)
        assert (status, orjson.loads(text)["code"]) == (400, code)
        websocket = target + ("websocket" if target.endswith("=") else "")
        refused = await RawClient.open(echo.port, target=websocket)
        assert b" 400 " in refused.head


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "HEAD"])
async def test_a_handshake_by_any_method_but_get_is_a_bad_request(method: str) -> None:
    async with echoing() as echo:
        status, text = await echo.request(method, f"{ENGINE_IO}polling")
        assert status == 400
        assert method == "HEAD" or orjson.loads(text) == {"code": 2, "message": "Bad handshake method"}


async def test_put_and_delete_of_an_open_session_are_bad_requests_and_leave_it_open() -> None:
    async with echoing() as echo:
        client = await echo.poller(ENGINE_IO)
        for method in ("PUT", "DELETE"):
            status, _ = await echo.request(method, f"{ENGINE_IO}polling&sid={client.sid}", "4lost")
            assert status == 400
        await client.post("4kept")
        assert await client.packets(1) == ["4kept"]


async def test_pages_of_any_origin_may_read_answers_and_refusals() -> None:
    async with echoing() as echo:
        for target in (f"{ENGINE_IO}polling", "/engine.io/?EIO=4", f"{ENGINE_IO}polling&sid=unknown"):
            async with echo.http.get(echo.url + target, headers={"Origin": "https://page.example"}) as response:
                assert response.headers["Access-Control-Allow-Origin"] == "https://page.example"
        async with echo.http.options(echo.url + ENGINE_IO, headers={"Origin": "https://page.example"}) as response:
            assert response.status == 204
            assert "POST" in response.headers["Access-Control-Allow-Methods"]


# Messages


async def test_polling_carries_one_packet_several_packets_and_binary_packets() -> None:
    async with echoing() as echo:
        client = await echo.poller(ENGINE_IO)
        for payload in ("4hello", "4one\x1e4two\x1e4€ three", "4text\x1ebAQIDBA==\x1e4more"):
            assert await client.post(payload) == (200, "ok")
            assert await client.get() == (200, payload)


async def test_a_websocket_carries_text_and_binary_messages() -> None:
    async with echoing() as echo:
        client = await echo.websocket(ENGINE_IO)
        client.send("4€")
        assert await client.frame() == (TEXT, "4€".encode())
        client.send_binary(b"\x01\x02\x03\x04")
        assert await client.frame() == (BINARY, b"\x01\x02\x03\x04")
        client.writer.write(masked(b"\x05", BINARY, final=False) + masked(b"\x06\x07", 0))
        assert await client.frame() == (BINARY, b"\x05\x06\x07")


async def test_a_message_of_the_largest_payload_comes_back_and_a_larger_one_closes() -> None:
    async with echoing() as echo:
        client = await echo.websocket(ENGINE_IO)
        client.send("4" + "x" * 999_999)
        assert len((await client.frame())[1]) == 1_000_000
        poller = await echo.poller(ENGINE_IO)
        assert await poller.post("4" + "y" * 999_999) == (200, "ok")
        assert len((await poller.get())[1]) == 1_000_000
        client.send("4" + "x" * 1_000_000)
        await client.closed()
        assert (await poller.post("4" + "y" * 1_000_000))[0] == 400
        assert (await poller.get())[0] == 400


@pytest.mark.parametrize("packet", ["abc", "", "0{}", "2", "3", "5", "7", "4ok\x1eabc", "b%%%"])
async def test_an_invalid_packet_closes_a_polling_session(packet: str) -> None:
    async with echoing() as echo:
        client = await echo.poller(ENGINE_IO)
        assert (await client.post(packet))[0] == 400
        assert (await client.get())[0] == 400


@pytest.mark.parametrize("packet", ["abc", "", "0{}", "2", "3", "5", "7", "bAQID"])
async def test_an_invalid_packet_closes_a_websocket(packet: str) -> None:
    async with echoing() as echo:
        client = await echo.websocket(ENGINE_IO)
        client.send(packet)
        await client.closed()


async def test_a_second_poll_at_once_closes_the_session() -> None:
    async with echoing() as echo:
        client = await echo.poller(ENGINE_IO)
        first = asyncio.create_task(client.get())
        await asyncio.sleep(0.05)
        assert (await client.get())[0] == 400
        assert await first == (200, "1")
        assert (await client.get())[0] == 400


async def test_a_second_post_at_once_closes_the_session() -> None:
    async with echoing() as echo:
        client = await echo.poller(ENGINE_IO)
        _, slow = await asyncio.open_connection("127.0.0.1", echo.port)
        slow.write(
            f"POST {ENGINE_IO}polling&sid={client.sid} HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n4h".encode()
        )
        await asyncio.sleep(0.05)
        assert (await client.post("4hello"))[0] == 400
        assert (await client.get())[0] == 400
        slow.close()


# Heartbeat


async def test_a_polling_client_that_answers_pings_stays() -> None:
    async with echoing(ping_s=0.05, pong_s=2) as echo:
        client = await echo.poller(ENGINE_IO)
        for _ in range(4):
            assert await client.get() == (200, "2")
            assert await client.post("3") == (200, "ok")
        assert (await client.post("4here"))[0] == 200


async def test_a_websocket_client_that_answers_pings_stays() -> None:
    async with echoing(ping_s=0.05, pong_s=2) as echo:
        client = await echo.websocket(ENGINE_IO)
        for _ in range(4):
            assert await client.frame() == (TEXT, b"2")
            client.send("3")
        client.send("4here")
        assert await client.text() == "4here"


async def test_a_client_without_a_pong_is_closed() -> None:
    async with echoing(ping_s=0.05, pong_s=0.05) as echo:
        poller = await echo.poller(ENGINE_IO)
        client = await echo.websocket(ENGINE_IO)
        assert await client.frame() == (TEXT, b"2")
        with pytest.raises(Closed):
            await client.frame()
        await asyncio.sleep(0.05)
        assert (await poller.get())[0] == 400
        assert (await poller.post("3"))[0] == 400


# Closing


async def test_a_close_packet_ends_a_polling_session_and_its_pending_poll() -> None:
    async with echoing() as echo:
        client = await echo.poller(ENGINE_IO)
        pending = asyncio.create_task(client.get())
        await asyncio.sleep(0.05)
        assert await client.post("1") == (200, "ok")
        assert await pending == (200, "6")
        assert (await client.get())[0] == 400
        assert (await client.post("4late"))[0] == 400


async def test_a_close_packet_or_a_close_frame_closes_a_websocket() -> None:
    async with echoing() as echo:
        client = await echo.websocket(ENGINE_IO)
        client.send("1")
        await client.closed()
        client = await echo.websocket(ENGINE_IO)
        client.writer.write(masked((1000).to_bytes(2, "big"), CLOSE))
        assert await client.frame() == (CLOSE, (1000).to_bytes(2, "big"))


# Upgrade


async def upgraded(echo: Echo, sid: str, path: str = ENGINE_IO) -> RawClient:
    client = await echo.websocket(path, sid)
    client.send("2probe")
    assert await client.text() == "3probe"
    client.send("5")
    return client


async def test_an_upgrade_ends_the_poll_with_a_noop_and_loses_no_message() -> None:
    async with echoing() as echo:
        poller = await echo.poller(ENGINE_IO)
        pending = asyncio.create_task(poller.get())
        await asyncio.sleep(0.05)
        client = await echo.websocket(ENGINE_IO, poller.sid)
        client.send("2probe")
        assert await client.text() == "3probe"
        assert await pending == (200, "6")
        await poller.post("4sent by polling\x1ebAQID")
        assert await poller.get() == (200, "6")
        client.send("5")
        assert await client.text() == "4sent by polling"
        assert await client.frame() == (BINARY, b"\x01\x02\x03")
        client.send("4sent by websocket")
        assert await client.text() == "4sent by websocket"


async def test_polling_requests_after_an_upgrade_are_bad_requests() -> None:
    async with echoing() as echo:
        poller = await echo.poller(ENGINE_IO)
        client = await upgraded(echo, poller.sid)
        client.send("4hello")
        assert await client.text() == "4hello"
        assert (await poller.get())[0] == 400
        assert (await poller.post("4hello"))[0] == 400
        client.send("4still here")
        assert await client.text() == "4still here"


@PATHS
async def test_a_second_websocket_of_a_session_is_closed_and_the_first_stays(path: str) -> None:
    async with echoing() as echo:
        poller = await echo.poller(path)
        probing = await echo.websocket(path, poller.sid)
        second = await echo.websocket(path, poller.sid)
        assert (await second.frame(2))[0] == CLOSE
        probing.send("2probe")
        assert await probing.text() == "3probe"
        probing.send("5")
        probing.send("40" if path == SOCKET_IO else "4hello")
        assert (await probing.text()).startswith("40" if path == SOCKET_IO else "4hello")
        third = await echo.websocket(path, poller.sid)
        assert (await third.frame(2))[0] == CLOSE
        third.writer.write(masked((1000).to_bytes(2, "big"), CLOSE))
        assert await third.reader.read() == b""
        third.leave()
        second.leave()
        await asyncio.sleep(0.05)  # the server has noticed the end of both
        probing.send('42["message","still here"]' if path == SOCKET_IO else "4still here")
        answers = [await probing.text() for _ in range(2 if path == SOCKET_IO else 1)]
        assert "still here" in answers[-1]


async def test_a_websocket_of_an_unknown_session_is_a_bad_request() -> None:
    async with echoing() as echo:
        refused = await RawClient.open(echo.port, sid="unknown", target=f"{ENGINE_IO}websocket")
        assert b" 400 " in refused.head
