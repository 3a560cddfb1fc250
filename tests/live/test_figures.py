"""What the house tells those who watch over it, and the pace it asks of everybody."""

import re

import pytest

from tests.live.clients import Door


async def figures(door: Door) -> dict[str, float]:
    async with door.web.get(f"{door.house.address}/metrics") as answer:
        text = await answer.text()
    return {name: float(value) for name, value in re.findall(r"^(casino_\S+) (\S+)$", text, re.MULTILINE)}


@pytest.mark.req("OPS")
async def test_a_round_is_counted_and_timed(door: Door) -> None:
    table_id = door.house.table("hasty")
    host, player = await door.host(), await door.player()
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 500)
    bad = {"table_id": table_id, "round_id": round_id, "ante": 1, "trips": 0}
    assert await player.refused("bet", bad) == "below_minimum"
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell."})
    manager = await door.host("max")
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "It was the wrong deck."})
    await player.result(round_id)
    found = await figures(door)
    assert found[f'casino_commands_total{{answer="ok",command="PlaceBet",table_id="{table_id}"}}'] == 1
    assert found[f'casino_commands_total{{answer="below_minimum",command="PlaceBet",table_id="{table_id}"}}'] == 1
    assert found[f'casino_rounds_total{{outcome="cancelled",table_id="{table_id}"}}'] == 1
    assert found[f'casino_pauses_total{{table_id="{table_id}"}}'] == 1
    assert found[f'casino_table_failures_total{{table_id="{table_id}"}}'] == 0
    assert found[f'casino_stored_seconds_count{{table_id="{table_id}"}}'] >= 4
    assert found['casino_acknowledged_seconds_count{event="bet"}'] >= 2
    assert found["casino_fanned_out_seconds_count"] > 0
    assert found["casino_loop_lag_seconds_count"] > 0
    assert found["casino_sockets"] >= 3


@pytest.mark.req("SEC-5")
async def test_pace_is_counted_over_all_devices_of_an_account(door: Door) -> None:
    signed_in = await door.guest()
    devices = [await door.device(signed_in) for _ in range(2)]
    bystander = await door.player()
    leave = {"table_id": door.house.table("calm")}
    answers = [await devices[turn % 2].call("leave", leave) for turn in range(60)]
    refused = [answer["error"]["code"] for answer in answers if not answer["ok"]]
    assert refused, "forty in five seconds, over however many connections"
    assert set(refused) == {"rate_limited"}
    assert (await bystander.call("leave", leave))["ok"]
