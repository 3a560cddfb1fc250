"""Responsible gaming at the real service: limits, breaks, reality checks and the cashier, at a real table."""

import asyncio
import sqlite3
import time
from typing import Any

import pytest

from tests.live.clients import Clients, Host, Player
from tests.live.hands import Hand, deal
from tests.live.service import Json, LiveService

HAND = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")
HOUR_MS = 3_600_000

pytestmark = pytest.mark.req("RGP")


async def ask(clients: Clients, player: Json, route: str, body: object = None) -> tuple[int, Json]:
    method, path = route.split()
    headers = {"Authorization": f"Bearer {player['token']}"}
    async with clients.web.request(method, clients.service.address + path, json=body, headers=headers) as answer:
        return answer.status, await answer.json()


async def limit(clients: Clients, player: Player, kind: str, period: str, amount: int) -> None:
    body = {"kind": kind, "period": period, "amount": amount}
    status, reply = await ask(clients, player.signed_in, "PUT /api/responsible/limits", body)
    assert status == 200, reply


async def opened(clients: Clients, kind: str, *players: Player) -> tuple[Host, str, str]:
    """A table with open betting and all players seated."""
    table_id, host = clients.service.table(kind), await clients.host()
    await host.take_over(table_id)
    for player in players:
        await player.join(table_id)
    return host, table_id, await host.start(table_id)


async def refusal(player: Player, table_id: str, round_id: str, ante: int) -> dict[str, Any]:
    answer = await player.call("bet", {"table_id": table_id, "round_id": round_id, "ante": ante, "trips": 0})
    assert answer["ok"] is False, answer
    error: dict[str, Any] = answer["error"]
    assert error["code"] == "limit_reached"
    return error


async def test_loss_limit_holds_for_two_tables_and_leaves_a_hand_alone(clients: Clients) -> None:
    player, bystander = await clients.players(2)
    await limit(clients, player, "loss", "day", 5_000)
    host, table_id, round_id = await opened(clients, "calm", player, bystander)
    _, other_id, other_round = await opened(clients, "lasting", player)
    error = await refusal(player, table_id, round_id, 900)
    assert error["message"].startswith("Your loss limit of 50.00 FUN leaves you 50.00 FUN until ")
    sent = {"reason": "loss_limit", "limit": 5_000, "left": 5_000, "currency": "FUN", "until": 0}
    assert error["params"] | {"until": 0} == sent
    await player.bet(table_id, round_id, 500)
    await bystander.bet(table_id, round_id, 900)
    await refusal(player, other_id, other_round, 500)
    await player.bet(other_id, other_round, 300)
    await limit(clients, player, "loss", "day", 0)
    way = ("play_4x",)
    await deal(host, table_id, round_id, HAND, {player: way, bystander: way})
    assert (await player.result(round_id))["staked"] == 3_000
    _, reply = await ask(clients, player.signed_in, "GET /api/responsible")
    loss = next(one for one in reply["limits"] if (one["kind"], one["period"]) == ("loss", "day"))
    assert (loss["amount"], loss["used"], loss["remaining"]) == (0, 3_000 + 1_800, 0)
    assert (reply["session"]["staked"], reply["session"]["net"]) == (3_000, -3_000)


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("POST /api/responsible/time-out", {"days": 1}),
        ("POST /api/responsible/self-exclusion", {"months": None}),
    ],
)
async def test_break_returns_open_bets_and_settles_closed_ones(clients: Clients, route: str, body: Json) -> None:
    player = await clients.player()
    host, table_id, round_id = await opened(clients, "calm", player)
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    _, other_id, other_round = await opened(clients, "lasting", player)
    await player.bet(other_id, other_round, 700)
    assert await player.money() == (100_000 - 1_000, 100_000 - 2_400)
    status, reply = await ask(clients, player.signed_in, route, body)
    assert (status, reply["exclusion"] is not None) == (200, True)
    assert await player.money() == (99_000, 99_000), "open bets are returned at once"
    await player.until("seat", lambda seat: seat["round_id"] == other_round and seat["bets"]["ante"] == 0)
    await refusal(player, other_id, other_round, 700)
    await deal(host, table_id, round_id, HAND, {player: ("play_4x",)})
    assert (await player.result(round_id))["staked"] == 3_000
    status, reply = await ask(clients, player.signed_in, "POST /api/cashier/deposit", {"amount": 100, "key": "k"})
    assert (status, reply["error"]["code"]) == (409, "limit_reached")


def been_here(service: LiveService, player_id: str, minutes: int) -> None:
    """As if the player had come so long ago, and last been seen a moment ago."""
    now_ms = time.time_ns() // 1_000_000
    with sqlite3.connect(service.database.removeprefix("sqlite:///"), timeout=30) as books:
        visit = (player_id, now_ms - minutes * 60_000, now_ms)
        books.execute("INSERT INTO visits (player_id, from_ms, until_ms) VALUES (?, ?, ?)", visit)
        books.execute("UPDATE safeguards SET at_ms = at_ms - ? WHERE player_id = ?", (HOUR_MS, player_id))
    books.close()


async def test_reality_check_reaches_every_device_between_rounds_and_waits_to_be_seen(clients: Clients) -> None:
    guest = await clients.guest()
    status, _ = await ask(clients, guest, "PUT /api/responsible/reality-check", {"minutes": 30})
    assert status == 200
    been_here(clients.service, guest["user"]["id"], 31)
    first, second = await clients.device(guest), await clients.device(guest)
    reply = [await device.until("reality_check") for device in (first, second)]
    assert reply[0]["elapsed"] >= 31 * 60_000
    assert (reply[0]["staked"], reply[0]["returned"], reply[0]["net"]) == (0, 0, 0)
    late = await clients.device(guest)
    await late.until("reality_check")
    _, table_id, round_id = await opened(clients, "lasting", first)
    error = await refusal(first, table_id, round_id, 500)
    assert error["params"] == {"reason": "reality_check_due"}
    status, shown = await ask(clients, guest, "POST /api/responsible/reality-check/seen", {})
    assert (status, shown["reality_check"]) == (200, {"minutes": 30, "due": False})
    await first.bet(table_id, round_id, 500)
    assert len(first.all("reality_check")) == 1


async def test_session_limit_is_kept_over_all_devices(clients: Clients) -> None:
    guest = await clients.guest()
    body = {"kind": "session", "period": "week", "amount": 2}
    assert (await ask(clients, guest, "PUT /api/responsible/limits", body))[0] == 200
    been_here(clients.service, guest["user"]["id"], 1)
    player = await clients.device(guest)
    _, table_id, round_id = await opened(clients, "lasting", player)
    await player.bet(table_id, round_id, 500)
    been_here(clients.service, guest["user"]["id"], 2)
    error = await refusal(player, table_id, round_id, 600)
    assert error["message"].startswith("Your time limit of 2 minutes is used up until ")
    taken_back = await player.bet(table_id, round_id, 0)
    assert taken_back["available"] == 100_000


async def test_money_from_the_cashier_reaches_every_device_and_can_be_bet(clients: Clients) -> None:
    guest = await clients.guest()
    devices = [await clients.device(guest), await clients.device(guest)]
    status, reply = await ask(clients, guest, "POST /api/cashier/deposit", {"amount": 5_000, "key": "k"})
    assert (status, reply["balance"]) == (200, 105_000)
    for device in devices:
        await device.until("balance", lambda balance: balance == {"balance": 105_000, "available": 105_000})
    _, table_id, round_id = await opened(clients, "lasting", devices[0])
    assert (await devices[0].bet(table_id, round_id, 50_000))["available"] == 5_000


async def test_deposits_of_many_at_once(clients: Clients) -> None:
    guests = [await clients.guest() for _ in range(10)]
    bodies = [{"amount": 100 + number, "key": "k"} for number in range(10)]
    asked = [
        ask(clients, guest, "POST /api/cashier/deposit", body)
        for guest, body in zip(guests, bodies, strict=True)
        for _ in range(3)
    ]
    answers = await asyncio.gather(*asked)
    assert [reply["balance"] for _, reply in answers[::3]] == [100_100 + number for number in range(10)]
    assert all(answers[start] == answers[start + 1] == answers[start + 2] for start in range(0, 30, 3))
