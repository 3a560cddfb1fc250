"""Invalid sessions and foreign origins, over HTTP, polling and WebSocket."""

import asyncio
import json
import sqlite3
from typing import Final

import pytest

from casino.security.credentials import COOKIE
from casino.users.sessions import id_of
from tests.live.clients import Clients
from tests.live.service import PASSWORD
from tests.live.test_matrix import let_in
from tests.security.scene import registered
from tests.socketio.raw import RawClient

FOREIGN: Final = ("https://evil.example", "null", "http://127.0.0.1.evil.example", "http://localhost:1", "file://")


def tampered(token: str) -> list[str]:
    """Nearly right."""
    flipped = "A" if token[-2] != "A" else "B"
    return [
        token[:-1],
        token + "A",
        token[:-2] + flipped + token[-1],
        token.swapcase(),
        token[::-1],
        f" {token}x",
        id_of(token),
    ]


@pytest.mark.req("SEC-2")
async def test_a_token_that_is_nearly_right_opens_nothing(clients: Clients) -> None:
    token = (await clients.guest())["token"]
    for wrong in tampered(token):
        assert (await clients.ask("GET", "/api/me", wrong))[0] == 401, wrong
        assert await let_in(clients, "/table", wrong) == "not_authenticated", wrong
    assert (await clients.ask("GET", "/api/me", token))[0] == 200


@pytest.mark.req("SEC-2")
async def test_a_token_in_the_address_opens_nothing(clients: Clients) -> None:
    """It would be kept in histories and logs."""
    token = (await clients.guest())["token"]
    for name in ("token", "access_token", "auth", COOKIE):
        assert (await clients.ask("GET", f"/api/me?{name}={token}"))[0] == 401
    client = await RawClient.open(int(clients.service.address.rpartition(":")[2]))
    await client.text()
    client.send(f"40/table?token={token},")
    assert "not_authenticated" in await client.text()
    await RawClient.leave_all()


@pytest.mark.req("SEC-2")
async def test_an_expired_session_ends_its_sockets_and_gives_open_bets_back(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    host, player = await clients.host(), await clients.player()
    await host.take_over(table_id)
    await player.join(table_id)
    await player.bet(table_id, await host.start(table_id), 500)
    account = f"player:{player.id}:cash"
    with sqlite3.connect(clients.service.database.removeprefix("sqlite:///"), timeout=60) as books:
        books.execute("UPDATE sessions SET expires_ms = 1 WHERE id = ?", (id_of(player.signed_in["token"]),))
    await player.lost()
    assert (await clients.ask("GET", "/api/me", player.signed_in["token"]))[0] == 401
    assert await let_in(clients, "/table", player.signed_in["token"]) == "not_authenticated"
    with sqlite3.connect(clients.service.database.removeprefix("sqlite:///"), timeout=60) as books:
        for _ in range(200):
            held = books.execute("SELECT held FROM accounts WHERE id = ?", (account,)).fetchone()
            if held == (0,):
                break
            await asyncio.sleep(0.1)
    assert held == (0,)


@pytest.mark.req("SEC-2")
async def test_session_fixation_is_impossible(clients: Clients) -> None:
    attackers = (await clients.guest())["token"]
    await registered(clients, "Fixed Fred")
    for chosen in (attackers, "x" * 43):
        headers = {"Cookie": f"{COOKIE}={chosen}"}
        body = {"name": "Fixed Fred", "password": PASSWORD}
        async with clients.web.post(f"{clients.service.address}/api/login", json=body, headers=headers) as answer:
            token = (await answer.json())["token"]
            cookie = answer.headers["Set-Cookie"]
        assert token != chosen
        assert f"{COOKIE}={token}" in cookie
        assert all(flag in cookie for flag in ("HttpOnly", "SameSite=Strict", "Path=/"))
    assert (await clients.ask("GET", "/api/me", attackers))[1]["name"].startswith("Guest ")
    assert (await clients.ask("GET", "/api/me", "x" * 43))[0] == 401


@pytest.mark.req("SEC-7")
@pytest.mark.parametrize("origin", FOREIGN)
async def test_pages_of_others_reach_nothing_with_the_visitors_cookie(clients: Clients, origin: str) -> None:
    token = (await clients.guest())["token"]
    address, port = clients.service.address, int(clients.service.address.rpartition(":")[2])
    headers = {"Origin": origin, "Cookie": f"{COOKIE}={token}"}
    socket = f"{address}/socket.io/?EIO=4&transport=polling"
    asked = [
        ("GET", f"{address}/api/me"), ("POST", f"{address}/api/logout"), ("POST", f"{address}/api/cashier/deposit"),
        ("PUT", f"{address}/api/settings"), ("GET", socket), ("POST", f"{socket}&sid=x"), ("OPTIONS", socket),
        ("OPTIONS", f"{address}/api/settings"),
    ]  # fmt: skip
    for method, url in asked:
        async with clients.web.request(method, url, headers=headers) as answer:
            assert answer.status == 403, (method, url)
            assert "Access-Control-Allow-Origin" not in answer.headers
            assert token not in await answer.text()
    client = await RawClient.open(port, headers=f"Origin: {origin}\r\nCookie: {COOKIE}={token}\r\n")
    assert b" 403 " in client.head.splitlines()[0]
    await RawClient.leave_all()
    assert (await clients.ask("GET", "/api/me", token))[0] == 200, "nobody was signed out"


@pytest.mark.req("SEC-7")
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
async def test_a_form_of_another_site_moves_no_money(clients: Clients, kind: str) -> None:
    """What a page can send without asking beforehand; old browsers send it without Origin."""
    player = await registered(clients, f"Form {kind[:9].title()}")
    body = json.dumps({"amount": 100, "key": kind}).encode()
    for more in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        headers = {"Cookie": f"{COOKIE}={player['token']}", "Content-Type": kind, **more}
        async with clients.web.post(
            f"{clients.service.address}/api/cashier/deposit", data=body, headers=headers
        ) as answer:
            assert answer.status in (403, 415)
    assert (await clients.ask("GET", "/api/me", str(player["token"])))[1]["balance"] == 0
