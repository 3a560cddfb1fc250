"""Tips to the presenter on shift at the real service."""

import asyncio

import pytest

from tests.live.clients import Clients
from tests.live.test_chat import seated

CREDIT = 100_000


@pytest.mark.req("LED-5")
async def test_tip_is_paid_once_thanked_for_and_shown_at_the_console(clients: Clients) -> None:
    table_id, host, (ann, ben) = await seated(clients, 2)
    tip = {"table_id": table_id, "amount": 500, "key": "one"}
    for _ in range(3):
        assert await ann.ok("tip", tip) == {"ok": True, "available": CREDIT - 500}
    assert await ann.until("balance") == {"balance": CREDIT - 500, "available": CREDIT - 500}
    thanks = await ben.until("chat")
    assert thanks["text"] == f"{ann.name} tips paula 5.00 FUN. Thank you!"
    assert thanks["role"] == "table"
    view = await host.until("host", lambda view: view["play_tips"] == 500)
    assert view["tips"] == 0, "play money is never mixed with money"
    assert await ann.refused("tip", tip | {"amount": 600}) == "key_reused"
    await ben.ok("tip", tip | {"amount": 600})  # a key is the player's own
    await host.until("host", lambda view: view["play_tips"] == 1100)
    assert await ann.money() == (CREDIT - 500, CREDIT - 500)
    assert len(ben.all("chat")) == 2


async def test_registered_players_tip_counts_in_the_houses_currency(clients: Clients) -> None:
    table_id, host, _ = await seated(clients, 0)
    name = f"Tipper {table_id}"
    _, signed_in = await clients.ask("POST", "/api/register", None, {"name": name, "password": "a long password"})
    done = await asyncio.to_thread(clients.service.command, "credit", name, "20.00", "--reason", "test")
    assert done.returncode == 0, done.stderr
    eva = await clients.device(signed_in)
    await eva.join(table_id)
    assert await eva.ok("tip", {"table_id": table_id, "amount": 700, "key": "k"}) == {"ok": True, "available": 1300}
    view = await host.until("host", lambda view: view["tips"] == 700)
    assert view["play_tips"] == 0
    assert await eva.refused("tip", {"table_id": table_id, "amount": 1400, "key": "l"}) == "insufficient_funds"
    await host.ok("close_table", {"table_id": table_id})
    await host.until("host", lambda view: view["presenter"] is None and view["tips"] == 0)
    assert await eva.refused("tip", {"table_id": table_id, "amount": 100, "key": "m"}) == "no_presenter"
    assert await eva.ok("tip", {"table_id": table_id, "amount": 700, "key": "k"}) == {"ok": True, "available": 1300}


async def test_held_money_is_never_tipped(clients: Clients) -> None:
    table_id, host, (ann,) = await seated(clients, 1)
    round_id = await host.start(table_id)
    await ann.bet(table_id, round_id, 30_000)
    await ann.ok("tip", {"table_id": table_id, "amount": 30_000, "key": "a"})
    assert await ann.refused("tip", {"table_id": table_id, "amount": 10_100, "key": "b"}) == "insufficient_funds"
    assert await ann.ok("tip", {"table_id": table_id, "amount": 10_000, "key": "c"}) == {"ok": True, "available": 0}
    assert await ann.money() == (60_000, 0)


async def test_tip_that_cannot_be_is_refused(clients: Clients) -> None:
    table_id, _, (ann,) = await seated(clients, 1)
    tip = {"table_id": table_id, "amount": 500, "key": "k"}
    assert await ann.refused("tip", tip | {"amount": 99}) == "below_minimum"
    assert await ann.refused("tip", tip | {"amount": 50_001}) == "above_maximum"
    machine = clients.service.table("machine")
    await ann.join(machine)
    assert await ann.refused("tip", tip | {"table_id": machine}) == "no_presenter"
    quiet = clients.service.table("lasting")
    assert await ann.refused("tip", tip | {"table_id": quiet}) == "not_in_round"
    await ann.join(quiet)
    assert await ann.refused("tip", tip | {"table_id": quiet}) == "no_presenter"
    assert await ann.money() == (CREDIT, CREDIT)


@pytest.mark.parametrize(
    "wrong",
    [{"amount": amount} for amount in (0, -1, 1.5, "5", True, None, 2**63, 10**30, "５")]
    + [{"key": key} for key in ("", "a b", "ключ", "x" * 81, "\x00", None, 5)],
    ids=repr,
)
async def test_tip_of_the_wrong_shape_is_a_bad_request(clients: Clients, wrong: dict[str, object]) -> None:
    ann = await clients.player()
    tip = {"table_id": "lasting-1", "amount": 500, "key": "k"} | wrong
    assert await ann.refused("tip", tip) == "bad_request"


@pytest.mark.req("SEC-5")
async def test_ten_tips_in_thirty_seconds_and_no_more(clients: Clients) -> None:
    table_id, _, (ann,) = await seated(clients, 1)
    answers = [await ann.call("tip", {"table_id": table_id, "amount": 100, "key": f"k{n}"}) for n in range(11)]
    assert [answer["ok"] for answer in answers] == [True] * 10 + [False]
    assert answers[-1]["error"]["code"] == "rate_limited"


async def test_tip_during_a_round_takes_away_a_play_it_no_longer_covers(clients: Clients) -> None:
    table_id, host, (ann,) = await seated(clients, 1, "calm")
    round_id = await host.start(table_id)
    await ann.bet(table_id, round_id, 10_000)
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, "As Kd")
    await ann.until("seat", lambda seat: "play_4x" in seat["options"])
    await ann.ok("tip", {"table_id": table_id, "amount": 45_000, "key": "k"})
    left = await ann.until("seat", lambda seat: seat["options"] == ["play_3x", "check"])
    assert left["covers_4x"] is False
    decision = {"table_id": table_id, "round_id": round_id, "action": "play_4x"}
    assert await ann.refused("decide", decision) == "insufficient_funds"
    await ann.decide(table_id, round_id, "play_3x")
    assert await ann.money() == (5_000, 5_000)
