"""Metrics of the real service, and its rate limits."""

import re

import pytest

from tests.live.clients import Clients


async def figures(clients: Clients) -> dict[str, float]:
    async with clients.web.get(f"{clients.service.address}/metrics") as answer:
        text = await answer.text()
    return {name: float(value) for name, value in re.findall(r"^(casino_\S+) (\S+)$", text, re.MULTILINE)}


@pytest.mark.req("OPS")
async def test_a_round_is_counted_and_timed(clients: Clients) -> None:
    table_id = clients.service.table("hasty")
    host, player = await clients.host(), await clients.player()
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 500)
    bad = {"table_id": table_id, "round_id": round_id, "ante": 1, "trips": 0}
    assert await player.refused("bet", bad) == "below_minimum"
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell."})
    manager = await clients.host("max")
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "It was the wrong deck."})
    await player.result(round_id)
    found = await figures(clients)
    assert found[f'casino_commands_total{{answer="ok",command="PlaceBet",table_id="{table_id}"}}'] == 1
    assert found[f'casino_commands_total{{answer="below_minimum",command="PlaceBet",table_id="{table_id}"}}'] == 1
    assert found[f'casino_rounds_total{{outcome="cancelled",table_id="{table_id}"}}'] == 1
    assert found[f'casino_pauses_total{{table_id="{table_id}"}}'] == 1
    assert found[f'casino_table_failures_total{{table_id="{table_id}"}}'] == 0
    assert found[f'casino_commit_seconds_count{{table_id="{table_id}"}}'] >= 4
    assert found['casino_acknowledged_seconds_count{event="bet"}'] >= 2
    assert found["casino_broadcast_seconds_count"] > 0
    assert found["casino_loop_lag_seconds_count"] > 0
    assert found["casino_sockets"] >= 3


@pytest.mark.req("SEC-5")
async def test_pace_is_counted_over_all_devices_of_an_account(clients: Clients) -> None:
    signed_in = await clients.guest()
    devices = [await clients.device(signed_in) for _ in range(2)]
    bystander = await clients.player()
    leave = {"table_id": clients.service.table("calm")}
    answers = [await devices[turn % 2].call("leave", leave) for turn in range(60)]
    refused = [answer["error"]["code"] for answer in answers if not answer["ok"]]
    assert refused, "forty in five seconds, over however many connections"
    assert set(refused) == {"rate_limited"}
    assert (await bystander.call("leave", leave))["ok"]
