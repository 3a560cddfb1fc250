"""Second person: actions that one member of staff cannot take alone, at the real service."""

import asyncio

import pytest

from tests.live.clients import Clients, Host, Player
from tests.live.hands import Hand
from tests.live.service import Json

pytestmark = [pytest.mark.req("SEC-9")]

CREDIT = 100_000
HAND = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")
SLOTS = ("player_1", "player_2", "flop_1", "flop_2", "flop_3", "turn", "river", "dealer_1", "dealer_2")


async def machine_round(clients: Clients, kind: str = "committed") -> tuple[str, str, Player]:
    """A machine-dealt round whose first window is open: its table, its id, and the one who plays it."""
    table_id, player = clients.service.table(kind), await clients.player()
    await player.join(table_id)
    round_id = (await player.phase(table_id, None, "betting"))["round_id"]
    await player.bet(table_id, round_id, 500)
    await player.phase(table_id, round_id, "deciding_preflop")
    return table_id, round_id, player


async def presented_round(
    clients: Clients, *, is_window_closed: bool = False, others: int = 0
) -> tuple[str, str, Host, Player]:
    """A round with hole cards out; `others` have bet too and do not decide."""
    table_id, host, player = clients.service.table("calm"), await clients.host(), await clients.player()
    await host.take_over(table_id)
    players = [player, *[await clients.player() for _ in range(others)]]
    for one in players:
        await one.join(table_id)
    round_id = await host.start(table_id)
    for one in players:
        await one.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, HAND.player)
    if is_window_closed:
        await player.decide(table_id, round_id, "check")
        await host.phase(table_id, round_id, "dealing_flop")
    return table_id, round_id, host, player


async def finance(clients: Clients, method: str, path: str, body: object = None) -> tuple[int, Json]:
    token = (await clients.sign_in("fiona"))["token"]
    return await clients.ask(method, f"/api/finance/proposals{path}", token, body)


async def audited(clients: Clients, round_id: str) -> list[tuple[str, str]]:
    """Action and actor, oldest first."""
    token = (await clients.sign_in("max"))["token"]
    _, log = await clients.ask("GET", f"/api/host/audit?target={round_id}&limit=100", token)
    return [(row["action"], row["actor"]) for row in reversed(log["rows"])]


async def test_no_manager_can_change_a_card_of_a_machine_dealt_round(clients: Clients) -> None:
    """The attack that paid 268,250.00 on 3,250.00: report a problem, correct the cards, resume."""
    table_id, round_id, player = await machine_round(clients)
    manager = await clients.host("max")
    correction = {"table_id": table_id, "round_id": round_id, "card": "2c", "reason": "misread"}
    for slot in SLOTS:
        assert await manager.refused("correct_card", correction | {"slot": slot}) == "forbidden"
    await manager.ok("report_problem", {"table_id": table_id, "reason": "A card fell."})
    for slot in SLOTS:
        assert await manager.refused("correct_card", correction | {"slot": slot}) == "forbidden"
    assert await manager.refused("correct_card", correction | {"slot": "turn", "round_id": "r-0"}) == "forbidden"
    await manager.ok("resume", {"table_id": table_id})
    await player.decide(table_id, round_id, "play_4x", phase="deciding_preflop")
    settled = await player.phase(table_id, round_id, "settled")
    cards = {"river": next(c for c in ("2c", "2d", "3c") if c not in {*settled["board"], *settled["player_cards"]})}
    body = {"round_id": round_id, "cards": cards, "reason": "misread"}
    token = (await clients.sign_in("max"))["token"]
    status, answer = await clients.ask("POST", "/api/host/corrections", token, body)
    assert (status, answer["error"]["code"]) == (403, "forbidden")
    status, _ = await clients.ask("POST", f"/api/host/rounds/{round_id}/preview", token, {"cards": cards})
    assert status == 403


async def test_two_managers_cancel_a_machine_dealt_round_once_cards_are_out(clients: Clients) -> None:
    table_id, round_id, player = await machine_round(clients)
    at = {"table_id": table_id}
    manager, second, presenter = await clients.host("max"), await clients.host("mona"), await clients.host()
    await second.ok("watch", at)
    proposed = await manager.ok("cancel_round", at | {"reason": "No confidence."})
    assert proposed["pending"] is True
    assert await manager.ok("cancel_round", at | {"reason": "No confidence."}) == proposed  # repeated, the same one
    answer = at | {"proposal_id": proposed["proposal_id"]}
    view = await second.until("host", lambda view: view["proposal"] is not None)
    assert (view["proposal"]["proposed_by"], view["proposal"]["proposes"]) == ("max", "cancel_round")
    assert view["round"]["paused"] is not None
    decision = at | {"round_id": round_id, "action": "check"}
    assert await player.refused("decide", decision) == "table_paused"
    assert await player.money() == (CREDIT - 1000, CREDIT - 1000)
    assert await manager.refused("approve", answer) == "forbidden"
    assert await manager.refused("reject", answer | {"reason": "No."}) == "forbidden"
    assert await presenter.refused("approve", answer) == "forbidden"
    assert await second.refused("approve", at | {"proposal_id": "no-such-proposal"}) == "not_found"
    answers = await asyncio.gather(second.call("approve", answer), second.call("approve", answer))
    assert sorted(one["ok"] for one in answers) == [False, True]
    assert [one["error"]["code"] for one in answers if not one["ok"]] == ["too_late"]
    result = await player.result(round_id)
    assert (result["status"], result["returned"]) == ("cancelled", 1000)
    assert await player.money() == (CREDIT, CREDIT)
    assert await audited(clients, round_id) == [
        ("round_paused", "max"),
        ("proposal_made", "max"),
        ("proposal_approved", "mona"),
        ("round_cancelled", "max"),
    ]
    tokens = {name: (await clients.sign_in(name))["token"] for name in ("max", "fiona")}
    _, counted = await clients.ask("GET", "/api/host/cancellations", tokens["max"])
    [row] = [row for row in counted["rows"] if row["table_id"] == table_id]
    both = {"phase": "deciding_preflop", "by": "max", "proposed_by": "max", "approved_by": "mona", "lapsed": False}
    assert row == both | {"table_id": table_id, "rounds": 1}
    day = (await clients.ask("GET", f"/api/host/rounds/{round_id}", tokens["max"]))[1]["day"]
    _, reply = await clients.ask("GET", f"/api/finance/refunds?from={day}&to={day}&table={table_id}", tokens["fiona"])
    assert both.items() <= reply["rows"][0].items()


async def test_finance_sees_and_answers_proposals(clients: Clients) -> None:
    table_id, round_id, player = await machine_round(clients)
    manager = await clients.host("max")
    at = {"table_id": table_id}
    first = await manager.ok("cancel_round", at | {"reason": "Too bright."})
    status, reply = await finance(clients, "GET", "")
    (one,) = [one for one in reply["proposals"] if one["table_id"] == table_id]
    assert (status, one["proposal_id"], one["round_id"], one["reason"]) == (
        200,
        first["proposal_id"],
        round_id,
        "Too bright.",
    )
    assert [(move["player_id"], move["amount"]) for move in one["moves"]] == [(player.id, 1000)]
    path = f"/{first['proposal_id']}"
    assert (await finance(clients, "POST", f"{path}/reject", {}))[0] == 400
    assert await finance(clients, "POST", f"{path}/reject", {"reason": "Play on."}) == (200, {})
    assert (await finance(clients, "POST", f"{path}/approve"))[1]["error"]["code"] == "too_late"
    assert await player.money() == (CREDIT - 1000, CREDIT - 1000)
    again = await manager.ok("cancel_round", at | {"reason": "It is dark now."})
    assert again["proposal_id"] != first["proposal_id"]
    assert (await finance(clients, "POST", f"/{again['proposal_id']}/approve", {}))[0] == 200
    assert (await player.result(round_id))["status"] == "cancelled"
    assert (await finance(clients, "POST", f"/{again['proposal_id']}/approve", {}))[0] == 409
    assert (await finance(clients, "POST", "/nothing/approve", {}))[0] == 404
    assert ("proposal_approved", "fiona") in await audited(clients, round_id)


async def test_resumed_round_plays_on_and_its_proposal_is_too_late(clients: Clients) -> None:
    table_id, round_id, player = await machine_round(clients)
    at = {"table_id": table_id}
    manager, second = await clients.host("max"), await clients.host("mona")
    proposed = await manager.ok("cancel_round", at | {"reason": "No confidence."})
    await second.ok("resume", at)
    answer = at | {"proposal_id": proposed["proposal_id"]}
    assert await second.refused("approve", answer) == "too_late"
    await player.decide(table_id, round_id, "play_4x", phase="deciding_preflop")
    assert (await player.result(round_id))["status"] == "settled"
    assert await second.refused("approve", answer) == "too_late"
    assert await second.refused("reject", answer | {"reason": "No."}) == "too_late"


async def test_unanswered_proposal_cancels_and_refunds(clients: Clients) -> None:
    table_id, round_id, player = await machine_round(clients, "unanswered")
    manager = await clients.host("max")
    proposed = await manager.ok("cancel_round", {"table_id": table_id, "reason": "No confidence."})
    assert (await player.result(round_id))["status"] == "cancelled"
    assert await player.money() == (CREDIT, CREDIT)
    assert (await audited(clients, round_id))[-1] == ("round_cancelled", "system")
    tokens = {name: (await clients.sign_in(name))["token"] for name in ("max", "fiona")}
    _, log = await clients.ask("GET", f"/api/host/audit?action=round_cancelled&target={round_id}", tokens["max"])
    assert log["rows"][0]["after"] == {"phase": "deciding_preflop", "proposal": "lapsed", "proposed_by": "max"}
    lapsed = {"phase": "deciding_preflop", "by": "system", "proposed_by": "max", "approved_by": None, "lapsed": True}
    _, counted = await clients.ask("GET", "/api/host/cancellations", tokens["max"])
    assert lapsed | {"table_id": table_id, "rounds": 1} in counted["rows"]
    day = (await clients.ask("GET", f"/api/host/rounds/{round_id}", tokens["max"]))[1]["day"]
    _, reply = await clients.ask("GET", f"/api/finance/refunds?from={day}&to={day}&table={table_id}", tokens["fiona"])
    assert lapsed.items() <= reply["rows"][0].items()
    assert lapsed | {"table_id": table_id, "rounds": 1} in reply["cancellations"]
    second = await clients.host("mona")
    answer = {"table_id": table_id, "proposal_id": proposed["proposal_id"]}
    assert await second.refused("approve", answer) == "too_late"


@pytest.mark.req("RND-3")
async def test_machine_dealt_round_that_one_manager_leaves_paused_plays_on(clients: Clients) -> None:
    """Doing nothing cancels nothing, even if the class of the incident allows people only to cancel."""
    table_id, round_id, player = await machine_round(clients, "unanswered")
    manager = await clients.host("max")
    at = {"table_id": table_id}
    await manager.ok("report_problem", at | {"reason": "Let me see.", "incident_class": "deck_incomplete"})
    assert await manager.refused("resume", at) == "not_offered"
    await player.until("notice", lambda notice: notice["code"] == "resumed")
    await player.decide(table_id, round_id, "play_4x", phase="deciding_preflop")
    assert (await player.result(round_id))["status"] == "settled"
    assert (await audited(clients, round_id))[-1] == ("round_resumed", "system")


async def test_correction_after_a_closed_window_needs_a_second_manager(clients: Clients) -> None:
    table_id, round_id, host, player = await presented_round(clients, is_window_closed=True)
    at = {"table_id": table_id}
    manager, second = await clients.host("max"), await clients.host("mona")
    correction = at | {"round_id": round_id, "slot": "player_2", "card": "Ad", "reason": "misread"}
    await host.ok("report_problem", at | {"reason": "Misread."})
    proposed = await manager.ok("correct_card", correction)
    assert proposed["pending"] is True
    assert (await player.join(table_id))["round"]["player_cards"] == ["As", "Kd"]
    answer = at | {"proposal_id": proposed["proposal_id"]}
    assert await manager.refused("approve", answer) == "forbidden"
    await second.ok("approve", answer)
    assert (await player.join(table_id))["round"]["player_cards"] == ["As", "Ad"]
    cancelled = await manager.ok("cancel_round", at | {"reason": "It cannot go on."})  # here one is enough
    assert cancelled["pending"] is False
    assert (await player.result(round_id))["status"] == "cancelled"


async def test_correction_before_a_window_has_closed_takes_one_manager(clients: Clients) -> None:
    table_id, round_id, host, player = await presented_round(clients, is_window_closed=False)
    manager = await clients.host("max")
    await host.ok("report_problem", {"table_id": table_id, "reason": "Misread."})
    correction = {"table_id": table_id, "round_id": round_id, "slot": "player_2", "card": "Ad", "reason": "misread"}
    assert (await manager.ok("correct_card", correction))["pending"] is False
    assert (await player.join(table_id))["round"]["player_cards"] == ["As", "Ad"]


async def test_correction_after_the_first_decision_takes_two_while_the_window_is_open(clients: Clients) -> None:
    table_id, round_id, host, player = await presented_round(clients, others=1)
    at, manager = {"table_id": table_id}, await clients.host("max")
    await player.decide(table_id, round_id, "play_4x", phase="deciding_preflop")
    assert (await player.join(table_id))["round"]["phase"] == "deciding_preflop"
    await host.ok("report_problem", at | {"reason": "Misread."})
    correction = at | {"round_id": round_id, "slot": "player_2", "card": "Ad", "reason": "misread"}
    proposed = await manager.ok("correct_card", correction)
    assert proposed["pending"] is True
    assert (await player.join(table_id))["round"]["player_cards"] == ["As", "Kd"]
    await (await clients.host("mona")).ok("approve", at | {"proposal_id": proposed["proposal_id"]})
    assert (await player.join(table_id))["round"]["player_cards"] == ["As", "Ad"]


async def test_presenters_only_watch_a_machine_dealt_table(clients: Clients) -> None:
    table_id, round_id, player = await machine_round(clients)
    host = await clients.host()
    at = {"table_id": table_id}
    await host.ok("watch", at)
    for event, more in presenter_commands(round_id, player).items():
        assert await host.refused(event, at | more) == "forbidden", event
    assert await host.refused("take_over", at) == "forbidden"
    assert (await player.join(table_id))["round"]["paused"] is None


def presenter_commands(round_id: str, player: Player) -> dict[str, Json]:
    return {
        "open_table": {},
        "close_table": {},
        "start_round": {},
        "scan": {"round_id": round_id, "card": "2c"},
        "undo_scan": {"round_id": round_id},
        "report_problem": {"reason": "Something."},
        "count_deck": {},
        "count_card": {"card": "2c"},
        "end_count": {},
        "say": {"text": "Hello"},
        "mute": {"player_id": player.id, "minutes": 5},
        "unmute": {"player_id": player.id},
    }


@pytest.mark.parametrize("who", ["paula", "max"])
async def test_colleague_takes_over_only_by_a_hand_over(clients: Clients, who: str) -> None:
    table_id, round_id, host, player = await presented_round(clients, is_window_closed=True)
    at, other = {"table_id": table_id}, await clients.host("per")
    await other.ok("watch", at)
    for event, more in presenter_commands(round_id, player).items():
        assert await other.refused(event, at | more) == "forbidden", event
    asked = await other.ok("take_over", at)
    assert asked["pending"] is True
    answer = at | {"proposal_id": asked["proposal_id"]}
    assert await other.refused("approve", answer) == "forbidden"
    scan = at | {"round_id": round_id, "card": "7h"}
    assert await other.refused("scan", scan) == "forbidden"
    view = await host.until("host", lambda view: view["hand_over"] is not None)
    assert view["hand_over"]["by"] == "per"
    if who == "max":
        await host.close()  # the colleague's console is closed: a manager confirms
        host = await clients.host("max")
    await host.ok("approve", answer)
    await other.ok("scan", scan)
    assert await host.refused("approve", answer) == "too_late"
    if who == "paula":
        assert await host.refused("scan", at | {"round_id": round_id, "card": "7c"}) == "forbidden"
    token = (await clients.sign_in("max"))["token"]
    _, log = await clients.ask("GET", f"/api/host/audit?target={table_id}&limit=100", token)
    (row,) = [row for row in log["rows"] if row["action"] == "table_handed_over"]
    assert (row["actor"], row["before"], row["after"]) == (who, {"presenter": "paula"}, {"requested_by": "per"})


async def test_refused_hand_over_changes_nothing_and_a_free_table_is_opened(clients: Clients) -> None:
    table_id, host, other = clients.service.table("calm"), await clients.host(), await clients.host("per")
    at = {"table_id": table_id}
    assert await other.refused("take_over", at) == "no_presenter"
    await host.take_over(table_id)
    assert await other.refused("open_table", at) == "forbidden"
    asked = await other.ok("take_over", at)
    answer = at | {"proposal_id": asked["proposal_id"]}
    await host.ok("reject", answer | {"reason": "Not now."})
    assert await host.refused("approve", answer) == "too_late"
    assert await other.refused("close_table", at) == "forbidden"
    assert (await host.ok("take_over", at))["pending"] is False  # the own table
    await host.ok("close_table", at)
    await other.ok("open_table", at)


async def test_limits_stay_within_the_bounds_of_the_tables_file(clients: Clients) -> None:
    table_id, manager = clients.service.table("bounded"), await clients.host("max")
    limits = {"ante_min": 500, "ante_max": 60_000, "trips_min": 500, "trips_max": 250_000}
    asked = {"table_id": table_id, "reason": "A busy evening", **limits}
    for change in ({"ante_max": 60_100}, {"trips_max": 250_100}, {"ante_min": 50}):
        refused = await manager.call("set_limits", asked | change)
        assert refused["error"]["code"] == "bad_request", change
        assert "the table's file allows" in refused["error"]["message"]
    await manager.ok("set_limits", asked)
    host = (await manager.ok("watch", {"table_id": table_id}))["host"]
    assert (host["limits"], host["limit_bounds"]["ante_max"]) == (limits, 60_000)


async def test_cancellations_are_counted_by_phase(clients: Clients) -> None:
    table_id, round_id, _host, player = await presented_round(clients, is_window_closed=True)
    manager = await clients.host("max")
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "The deck is not complete."})
    await player.result(round_id)
    tokens = {name: (await clients.sign_in(name))["token"] for name in ("max", "fiona")}
    _, counted = await clients.ask("GET", "/api/host/cancellations", tokens["max"])
    expected = {"table_id": table_id, "phase": "dealing_flop", "rounds": 1}
    expected |= {"by": "max", "proposed_by": None, "approved_by": None, "lapsed": False}
    assert expected in counted["rows"]
    _, found = await clients.ask("GET", f"/api/host/rounds/{round_id}", tokens["max"])
    day = found["day"]
    _, reply = await clients.ask("GET", f"/api/finance/refunds?from={day}&to={day}&table={table_id}", tokens["fiona"])
    assert reply["cancellations"] == [expected]
    assert reply["rows"][0]["phase"] == "dealing_flop"
    async with clients.web.get(f"{clients.service.address}/metrics") as answer:
        figure = f'casino_cancellations_total{{phase="dealing_flop",table_id="{table_id}"}} 1.0'
        assert figure in await answer.text()
    _, log = await clients.ask("GET", f"/api/host/audit?action=round_cancelled&target={round_id}", tokens["max"])
    assert log["rows"][0]["after"] == {"phase": "dealing_flop"}
