"""Interventions of staff at the real service: swapped cards, an unwell presenter, cards confirmed early."""

import pytest

from tests.live.clients import Clients
from tests.live.test_second_person import HAND, audited, presented_round

pytestmark = [pytest.mark.req("SEC-9")]


async def test_two_cards_are_swapped_as_one_correction(clients: Clients) -> None:
    table_id, round_id, host, player = await presented_round(clients)
    manager, at = await clients.host("max"), {"table_id": table_id}
    await manager.ok("watch", at)
    await host.ok("report_problem", at | {"reason": "Wrong order.", "incident_class": "wrong_order"})
    swap = at | {"round_id": round_id, "slot": "player_1", "other_slot": "player_2", "reason": "The video shows it."}
    assert await host.refused("swap_cards", swap) == "forbidden"
    assert await manager.refused("swap_cards", swap | {"other_slot": "flop_1"}) == "not_expected"
    assert await manager.ok("swap_cards", swap) == {"ok": True, "pending": False, "proposal_id": None}
    swapped = await player.until("round", lambda view: view["player_cards"] == ["Kd", "As"])
    assert swapped["paused"] is not None
    for reply in (player, host):
        notice = await reply.until("notice", lambda notice: notice["code"] == "card_corrected")
        assert notice["changed"] == "PLAYER 1: A♠ → K♦, PLAYER 2: K♦ → A♠"
    await manager.ok("resume", at)
    await player.decide(table_id, round_id, "check", phase="deciding_preflop")
    assert [row for row in await audited(clients, round_id) if row[0] != "round_resumed"] == [
        ("round_paused", "paula"),
        ("incident_classified", "paula"),
        ("cards_swapped", "max"),
    ]


async def test_swap_after_a_decision_waits_for_a_second_person(clients: Clients) -> None:
    table_id, round_id, host, player = await presented_round(clients, is_window_closed=True)
    await host.scan(table_id, round_id, HAND.flop)
    await host.phase(table_id, round_id, "deciding_flop")
    manager, second, at = await clients.host("max"), await clients.host("mona"), {"table_id": table_id}
    await second.ok("watch", at)
    await host.ok("report_problem", at | {"reason": "Wrong order.", "incident_class": "wrong_order"})
    swap = at | {"round_id": round_id, "slot": "flop_3", "other_slot": "player_2", "reason": "The video shows it."}
    proposed = await manager.ok("swap_cards", swap)
    assert proposed["pending"] is True
    assert await manager.ok("swap_cards", swap) == proposed
    view = await second.until("host", lambda view: view["proposal"] is not None)
    reply = {"proposes": "swap_cards", "slot": "flop_3", "other_slot": "player_2", "was": "2s", "card": "Kd"}
    assert reply.items() <= view["proposal"].items()
    answer = at | {"proposal_id": proposed["proposal_id"]}
    assert await manager.refused("approve", answer) == "forbidden"
    await second.ok("approve", answer)
    swapped = await player.until("round", lambda view: view["player_cards"] == ["As", "2s"])
    assert swapped["board"] == ["7h", "7c", "Kd"]
    assert [row for row in await audited(clients, round_id) if "swap" in row[0] or "proposal" in row[0]] == [
        ("proposal_made", "max"),
        ("proposal_approved", "mona"),
        ("cards_swapped", "max"),
    ]
    token = (await clients.sign_in("max"))["token"]
    _, log = await clients.ask("GET", f"/api/host/audit?target={round_id}&action=cards_swapped", token)
    (row,) = log["rows"]
    assert (row["proposed_by"], row["approved_by"], row["after_text"]) == ("max", "mona", "FLOP 3 K♦, PLAYER 2 2♠")


async def test_unwell_presenter_is_relieved_before_the_round_resumes(clients: Clients) -> None:
    table_id, round_id, paula, player = await presented_round(clients, is_window_closed=True)
    per, manager, at = await clients.host("per"), await clients.host("max"), {"table_id": table_id}
    await manager.ok("watch", at)
    await paula.ok("report_problem", at | {"reason": "Presenter unwell.", "incident_class": "dealer_ill"})
    view = await manager.until("host", lambda view: view["incident"] and view["incident"]["incident_class"])
    assert (view["incident"]["change_presenter"], view["incident"]["presenter"]) == (True, "paula")
    assert await manager.refused("resume", at) == "no_presenter"
    asked = await per.ok("take_over", at)
    assert asked["pending"] is True
    assert await manager.refused("resume", at) == "no_presenter"
    await manager.ok("approve", at | {"proposal_id": asked["proposal_id"]})
    await manager.ok("resume", at)
    await per.scan(table_id, round_id, HAND.flop)
    assert await paula.refused("scan", at | {"round_id": round_id, "card": "9h"}) == "forbidden"
    await player.phase(table_id, round_id, "deciding_flop")


async def test_street_is_confirmed_early(clients: Clients) -> None:
    table_id, host, player = clients.service.table("confirmed"), await clients.host(), await clients.player()
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    confirm = {"table_id": table_id, "round_id": round_id}
    assert await host.refused("confirm_cards", confirm) == "not_expected"
    await host.scan(table_id, round_id, HAND.player)
    view = await host.until("host", lambda view: view["confirm_until"] is not None)
    assert await (await clients.host("per")).refused("confirm_cards", confirm) == "forbidden"
    await host.ok("confirm_cards", confirm)
    opened = await player.phase(table_id, round_id, "deciding_preflop")
    assert opened["server_time"] < view["confirm_until"]


async def test_manager_opens_decisions_again_that_were_made_on_a_wrong_card(clients: Clients) -> None:
    table_id, round_id, host, player = await presented_round(clients, others=1)
    manager, second, at = await clients.host("max"), await clients.host("mona"), {"table_id": table_id}
    await manager.ok("watch", at)
    await second.ok("watch", at)
    played = await player.ok("decide", at | {"round_id": round_id, "action": "play_4x"})
    await host.ok("report_problem", at | {"reason": "Wrong card.", "incident_class": "wrong_card_scanned"})
    wrong = at | {"round_id": round_id, "slot": "player_1", "card": "2c", "reason": "The camera shows 2♣."}
    assert await manager.refused("resume", at | {"reopen": True}) == "not_offered"
    proposed = await manager.ok("correct_card", wrong)
    await second.ok("approve", at | {"proposal_id": proposed["proposal_id"]})
    view = await manager.until("host", lambda view: view["incident"] and view["incident"]["reopens"])
    assert view["incident"]["reopens"] == "deciding_preflop"
    await manager.ok("resume", at | {"reason": "Decided on the wrong card.", "reopen": True})
    reply = await player.until("notice", lambda notice: notice["code"] == "decisions_reopened")
    assert reply["level"] == "warning"
    seat = await player.until("seat", lambda seat: seat["decision"] is None and seat["options"])
    assert seat["bets"]["play"] == 0
    assert (await player.join(table_id))["available"] == played["available"] + 2000
    await player.decide(table_id, round_id, "play_3x", phase="deciding_preflop")
    await manager.ok("cancel_round", at | {"reason": "Enough."})
    result = await player.result(round_id)
    assert (result["staked"], result["returned"]) == (2500, 2500)
    _, listed = await clients.ask("GET", "/api/history", player.signed_in["token"])
    assert [(row["staked"], row["returned"]) for row in listed["rounds"]] == [(2500, 2500)]
    rows = [row for row in await audited(clients, round_id) if row[0] == "decisions_reopened"]
    assert rows == [("decisions_reopened", "max")]


async def test_round_counts_for_the_presenter_with_most_cards_and_tips_by_day(clients: Clients) -> None:
    """Paula opens the round and deals two cards, Per takes over and deals the other seven."""
    table_id, round_id, paula, player = await presented_round(clients, is_window_closed=True)
    tip = {"table_id": table_id, "amount": 700, "key": "for-paula"}
    per, at, token = await clients.host("per"), {"table_id": table_id}, (await clients.sign_in("paula"))["token"]
    _, before = await clients.ask("GET", "/api/host/tips", token)
    await per.ok("watch", at)
    await player.ok("tip", tip)
    asked = await per.ok("take_over", at)
    await paula.ok("approve", at | {"proposal_id": asked["proposal_id"]})
    await player.ok("tip", tip | {"amount": 300, "key": "for-per"})
    await per.scan(table_id, round_id, HAND.flop)
    await player.decide(table_id, round_id, "check", phase="deciding_flop")
    await per.phase(table_id, round_id, "dealing_river")
    await per.scan(table_id, round_id, HAND.streets[2])
    await player.decide(table_id, round_id, "fold", phase="deciding_river")
    await per.phase(table_id, round_id, "showdown")
    await per.scan(table_id, round_id, HAND.dealer)
    await player.phase(table_id, round_id, "settled")
    manager = (await clients.sign_in("max"))["token"]
    _, reply = await clients.ask("GET", f"/api/host/rounds/{round_id}", manager)
    assert (reply["presenter"], reply["dealers"]) == ("per", {"paula": 2, "per": 7})
    of_per = f"/api/finance/rows?from={reply['day']}&to={reply['day']}&presenter=per"
    _, rows = await clients.ask("GET", of_per, (await clients.sign_in("fiona"))["token"])
    assert round_id in {row["round_id"] for row in rows["rows"]}
    _, today = await clients.ask("GET", "/api/host/tips", token)
    assert sum(today["tips"].values()) - sum(before["tips"].values()) == 700
