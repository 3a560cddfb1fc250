"""Incident classes as shipped, each with every allowed resolution and the balances that follow."""

import asyncio
import tomllib
from pathlib import Path
from typing import Final

from tests.live.clients import Clients, Host, Player
from tests.live.hands import Hand

CREDIT: Final = 100_000
HAND: Final = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")
SHIPPED: Final = Path(__file__).resolve().parents[2] / "config" / "incidents.toml"
BALANCES: Final = {
    "cancel": CREDIT,
    "resume": CREDIT - 500 - 500 - 100 - 2000,  # a pair of sevens against queens and sevens
    "correct_card": CREDIT + 500 - 100 + 2000,  # aces and sevens; the BLIND pushes, TRIPS lose
}


def ways_out() -> list[tuple[str, str]]:
    classes = tomllib.loads(SHIPPED.read_text())["classes"]
    return [(name, resolution) for name, known in classes.items() for resolution in known["resolutions"]]


async def play_on(host: Host, player: Player, table_id: str, round_id: str) -> None:
    await player.decide(table_id, round_id, "play_4x", phase="deciding_preflop")
    for phase, cards in (("dealing_flop", HAND.flop), ("dealing_river", HAND.turn_river), ("showdown", HAND.dealer)):
        await host.phase(table_id, round_id, phase)
        await host.scan(table_id, round_id, cards)


async def relieve(clients: Clients, manager: Host, table_id: str) -> Host:
    """A colleague takes over from a presenter who cannot go on."""
    per, at = await clients.host("per"), {"table_id": table_id}
    await per.ok("watch", at)
    asked = await per.ok("take_over", at)
    await manager.ok("approve", at | {"proposal_id": asked["proposal_id"]})
    return per


async def play_through(clients: Clients, host: Host, manager: Host, name: str, resolution: str) -> None:
    table_id, player = clients.service.table("incident"), await clients.player()
    at = {"table_id": table_id}
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 500, 100)
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, HAND.player)
    await host.ok("report_problem", at | {"reason": "It has happened.", "incident_class": name})
    await player.until("notice", lambda notice: notice["code"] == "table_paused")
    decision = at | {"round_id": round_id, "action": "check"}
    assert await player.refused("decide", decision) == "table_paused"
    if resolution == "cancel":
        (move,) = (await manager.ok("preview_cancel", at))["moves"]
        assert move["balance_after"] == CREDIT
        await manager.ok("cancel_round", at | {"reason": "As the procedure says."})
    else:
        if resolution == "correct_card":
            correction = {"round_id": round_id, "slot": "player_2", "card": "Ad", "reason": "Misread."}
            await manager.ok("correct_card", at | correction)
        if name == "dealer_ill":
            host = await relieve(clients, manager, table_id)
        await manager.ok("resume", at)
        await play_on(host, player, table_id, round_id)
    result = await player.result(round_id)
    assert (result["balance"], await player.money()) == (BALANCES[resolution], (BALANCES[resolution],) * 2), name


async def test_every_class_of_incident_is_played_through_in_every_way_it_allows(clients: Clients) -> None:
    host, manager = await clients.host(), await clients.host("max")
    ways = ways_out()
    for some in (ways[::2], ways[1::2]):  # one presenter deals at all these tables, and has a pace to keep
        await asyncio.gather(*(play_through(clients, host, manager, *way) for way in some))
