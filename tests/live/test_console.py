"""Console functions besides dealing, for managers and presenters, at the real service."""

import asyncio
from typing import Any

import pytest

from casino.cards.card import DECK
from tests.live.clients import Clients, Host, Player
from tests.live.hands import Hand, deal
from tests.live.service import Json

HAND = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")
ROUTES = "/api/host"


async def at_the_table(clients: Clients, kind: str, players: int) -> tuple[str, Host, list[Player], str]:
    table_id = clients.service.table(kind)
    host = await clients.host()
    await host.take_over(table_id)
    here = await clients.players(players)
    for player in here:
        await player.join(table_id)
    return table_id, host, here, await host.start(table_id)


async def office(clients: Clients, name: str, method: str, path: str, body: object = None) -> tuple[int, Json]:
    token = (await clients.sign_in(name))["token"]
    return await clients.ask(method, f"{ROUTES}{path}", token, body)


async def played(clients: Clients, kind: str = "console") -> tuple[str, str, Player, Player]:
    """A settled round: the first player lost with 4x, the second folded."""
    table_id, host, (ann, bob), round_id = await at_the_table(clients, kind, 2)
    await ann.bet(table_id, round_id, 500, 100)
    await bob.bet(table_id, round_id, 1000)
    await deal(host, table_id, round_id, HAND, {ann: ("play_4x",), bob: ("check", "check", "fold")})
    await ann.result(round_id)
    return table_id, round_id, ann, bob


async def test_class_of_an_incident_decides_what_the_manager_may_do(clients: Clients) -> None:
    table_id, host, (player,), round_id = await at_the_table(clients, "console", 1)
    manager = await clients.host("max")
    await manager.ok("watch", {"table_id": table_id})
    before = await player.money()
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, "As")
    await host.ok("report_problem", {"table_id": table_id, "reason": "Stopped by the presenter."})
    paused = await manager.until("host", lambda view: view["incident"] is not None)
    assert paused["incident"]["incident_class"] is None
    assert paused["incident"]["resolutions"] == ["correct_card", "resume", "cancel"]

    unknown = {"table_id": table_id, "reason": "?", "incident_class": "no_such_class"}
    assert await host.refused("report_problem", unknown) == "bad_request"
    extra = {"table_id": table_id, "reason": "Two cards at once.", "incident_class": "extra_card"}
    await host.ok("report_problem", extra)
    named = await manager.until("host", lambda view: view["incident"] and view["incident"]["incident_class"])
    assert named["incident"]["resolutions"] == ["cancel"]
    assert named["incident"]["title"] == "Extra card dealt"
    assert named["incident"]["steps"]
    assert named["round"]["paused"]["reason"] == "Two cards at once."
    correction = {"table_id": table_id, "round_id": round_id, "slot": "player_1", "card": "2c", "reason": "?"}
    assert await manager.refused("resume", {"table_id": table_id}) == "not_offered"
    assert await manager.refused("correct_card", correction) == "not_offered"

    preview = await manager.ok("preview_cancel", {"table_id": table_id})
    (move,) = preview["moves"]
    assert (move["player_id"], move["amount"], move["balance_before"]) == (player.id, 1000, before[0] - 1000)
    assert move["balance_after"] == before[0]
    assert preview["totals"] == [{"currency": "FUN", "amount": 1000}]
    assert await player.money() == (before[0] - 1000, before[0] - 1000)  # a preview moves nothing
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "Two cards at once."})
    result = await player.result(round_id)
    assert (result["status"], result["balance"]) == ("cancelled", move["balance_after"])
    assert await manager.refused("preview_cancel", {"table_id": table_id}) == "too_late"
    assert await host.refused("start_round", {"table_id": table_id}) == "not_expected", "the deck is in doubt"
    await host.ok("count_deck", {"table_id": table_id})
    for card in DECK:
        await host.ok("count_card", {"table_id": table_id, "card": card})
    await host.start(table_id)


async def test_preview_while_betting_is_open_shows_what_is_released(clients: Clients) -> None:
    table_id, _host, (player,), round_id = await at_the_table(clients, "lasting", 1)
    manager = await clients.host("max")
    balance, _ = await player.money()
    await player.bet(table_id, round_id, 500, 100)
    preview = await manager.ok("preview_cancel", {"table_id": table_id})
    (move,) = preview["moves"]
    assert (move["balance_before"], move["balance_after"]) == (balance, balance)
    assert (move["available_before"], move["available_after"]) == (balance - 1100, balance)
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "Nobody is at the camera."})
    assert await player.money() == (balance, balance)


@pytest.mark.req("AUD")
async def test_new_limits_apply_from_the_next_round_and_are_broadcast(clients: Clients) -> None:
    table_id, host, (player,), round_id = await at_the_table(clients, "console", 1)
    manager = await clients.host("max")
    limits = {"ante_min": 1000, "ante_max": 200000, "trips_min": 500, "trips_max": 50000}
    asked = {"table_id": table_id, "reason": "A busy evening", **limits}
    assert (await manager.ok("set_limits", asked))["in_force"] is False
    await player.bet(table_id, round_id, 500)  # the round keeps what it began with
    assert (await player.join(table_id))["table"]["limits"]["ante_min"] == 100
    await deal(host, table_id, round_id, HAND, {player: ("play_4x",)})
    reply = await player.until("table", lambda view: view["limits"] == limits)
    assert reply["table_id"] == table_id
    _, lobby = await clients.ask("GET", f"/api/tables/{table_id}")
    assert lobby["limits"] == limits
    again = await host.start(table_id)
    bet = {"table_id": table_id, "round_id": again, "ante": 500, "trips": 0}
    assert await player.refused("bet", bet) == "below_minimum"
    await player.bet(table_id, again, 1000)
    wrong: list[dict[str, Any]] = [{"ante_min": 300000}, {"trips_min": 50, "trips_max": 60}]
    for change in wrong:
        assert await manager.refused("set_limits", asked | change) == "bad_request"
    status, log = await office(clients, "max", "GET", f"/audit?action=limits_changed&target={table_id}")
    assert status == 200
    (row,) = log["rows"]
    assert (row["actor"], row["role"], row["reason"]) == ("max", "manager", "A busy evening")
    assert (row["before"]["ante_min"], row["after"]) == (100, limits)


async def test_table_that_wants_its_deck_counted_takes_no_bets_before(clients: Clients) -> None:
    table_id, host = clients.service.table("counted"), await clients.host()
    await host.take_over(table_id)
    at = {"table_id": table_id}
    assert await host.refused("start_round", at) == "not_expected"
    assert await host.refused("count_card", at | {"card": "As"}) == "not_expected"
    await host.ok("count_deck", at)
    for card in DECK[:51]:
        await host.ok("count_card", at | {"card": card})
    await host.ok("count_card", at | {"card": DECK[50]})  # within a second it is the same reading
    assert await host.refused("count_card", at | {"card": DECK[0]}) == "duplicate_card"
    asked = await host.until("host", lambda view: view["deck"]["count"] and view["deck"]["count"]["doubt"])
    assert (asked["deck"]["count"]["doubt"], asked["deck"]["count"]["duplicates"]) == (DECK[0], [])
    for read, code in ((DECK[0], "duplicate_card"), ("Zz", "bad_card"), ("Zz", "bad_card")):
        await asyncio.sleep(1.1)  # a later reading of the same card confirms it
        assert await host.refused("count_card", at | {"card": read}) == code
    assert await host.refused("start_round", at) == "not_expected"
    await host.ok("count_card", at | {"card": DECK[51]})
    spoiled = await host.until("host", lambda view: view["deck"]["count"] and not view["deck"]["count"]["missing"])
    count = spoiled["deck"]["count"]
    assert (count["duplicates"], count["foreign"], spoiled["deck"]["counted_by"]) == ([DECK[0]], ["Zz"], None)
    assert await host.refused("start_round", at) == "not_expected"
    await host.ok("end_count", at)

    await host.ok("count_deck", at)
    for card in reversed(DECK):
        await host.ok("count_card", at | {"card": card})
    counted = await host.until("host", lambda view: view["deck"]["counted_by"] == "paula")
    assert (counted["deck"]["is_due"], counted["deck"]["count"]) == (False, None)
    for _ in range(2):
        round_id = await host.start(table_id)
        await host.phase(table_id, round_id, "idle")
    assert await host.refused("start_round", at) == "not_expected"
    _, log = await office(clients, "fiona", "GET", f"/audit?target={table_id}&limit=10")
    assert [row["action"] for row in log["rows"]] == ["deck_counted", "deck_not_whole", "table_opened"]


async def test_any_round_is_found_and_shown_with_all_players(clients: Clients) -> None:
    table_id, round_id, ann, bob = await played(clients)
    _, by_table = await office(clients, "max", "GET", f"/rounds?table={table_id}")
    (found,) = by_table["rounds"]
    assert (found["round_id"], found["status"], found["players"], found["presenter"]) == (
        round_id,
        "settled",
        2,
        "paula",
    )
    for wish in (f"game_number={found['game_number']}&table={table_id}", f"player={ann.name}", f"player={bob.id}"):
        _, page = await office(clients, "fiona", "GET", f"/rounds?{wish}&day={found['day']}")
        assert [one["round_id"] for one in page["rounds"]] == [round_id], wish
    _, none = await office(clients, "max", "GET", "/rounds?player=Nobody%20of%20this%20name")
    assert none == {"rounds": [], "next": None}

    status, reply = await office(clients, "max", "GET", f"/rounds/{round_id}")
    assert status == 200
    seats = {seat["player_id"]: seat for seat in reply["seats"]}
    assert seats[ann.id]["bets"] == {"ante": 500, "blind": 500, "trips": 100, "play": 2000}
    assert [one["action"] for one in seats[bob.id]["decisions"]] == ["check", "check", "fold"]
    assert [one["card"] for one in reply["cards"]] == "As Kd 7h 7c 2s Jd 3c Qh Qd".split()
    assert [step["kind"] for step in reply["steps"]][:3] == ["betting_opened", "betting_closed", "card_dealt"]
    status, _ = await office(clients, "max", "GET", "/rounds/no-such-round")
    assert status == 404


async def test_rounds_are_paged_without_gap_or_repetition(clients: Clients) -> None:
    table_id, host, (player,), round_id = await at_the_table(clients, "console", 1)
    manager, ids = await clients.host("max"), []
    for _ in range(3):
        await player.bet(table_id, round_id, 500)
        await manager.ok("cancel_round", {"table_id": table_id, "reason": "Once more"})
        ids.append(round_id)
        round_id = await host.start(table_id)
    seen, following = [], ""
    while True:
        _, page = await office(clients, "max", "GET", f"/rounds?player={player.id}&limit=1{following}")
        seen += [one["round_id"] for one in page["rounds"]]
        if page["next"] is None:
            break
        following = f"&before={page['next']}"
    assert seen == ids[::-1]
    for bad in ("limit=0", "limit=101", "day=today", "game_number=noon", "before=yesterday"):
        status, _ = await office(clients, "max", "GET", f"/rounds?{bad}")
        assert status == 400, bad


@pytest.mark.req("AUD")
async def test_settled_round_is_corrected_by_two_people_and_never_by_one(clients: Clients) -> None:
    table_id, round_id, ann, bob = await played(clients)
    ann_before, bob_before = await ann.money(), await bob.money()
    cards = {"dealer_1": "8h", "dealer_2": "9d"}  # the dealer has sevens only: As and a pair of sevens wins
    status, preview = await office(clients, "max", "POST", f"/rounds/{round_id}/preview", {"cards": cards})
    assert status == 200
    moves = {move["player_id"]: move for move in preview["moves"]}
    assert (moves[bob.id]["amount"], moves[ann.id]["covered"]) == (0, True)
    assert moves[ann.id]["amount"] > 0
    proposal = {"round_id": round_id, "cards": cards, "reason": "The camera shows 8h 9d."}
    assert (await office(clients, "fiona", "POST", "/corrections", proposal))[0] == 403
    status, proposed = await office(clients, "max", "POST", "/corrections", proposal)
    assert status == 200
    path = f"/corrections/{proposed['id']}"
    status, refused = await office(clients, "max", "POST", f"{path}/approve", {})
    assert (status, refused["error"]["code"]) == (403, "forbidden")
    assert await ann.money() == ann_before

    answers = await asyncio.gather(
        office(clients, "fiona", "POST", f"{path}/approve", {"remark": "Seen on video"}),
        office(clients, "mona", "POST", f"{path}/approve", {}),
    )
    assert sorted(status for status, _ in answers) == [200, 409]
    corrected = await ann.until("result", lambda result: result["result"] == "win")
    assert corrected["balance"] == moves[ann.id]["balance_after"] == (await ann.money())[0]
    assert await bob.money() == bob_before
    notice = await ann.until("notice", lambda notice: notice["code"] == "round_corrected")
    assert notice["table_id"] == table_id
    _, listed = await office(clients, "fiona", "GET", "/corrections")
    (one,) = [row for row in listed["corrections"] if row["id"] == proposed["id"]]
    assert (one["status"], one["proposed_by"], one["cards"]) == ("approved", "max", cards)
    _, log = await office(clients, "max", "GET", f"/audit?target={round_id}")
    assert sorted(row["action"] for row in log["rows"]) == [
        "correction_approved",
        "correction_proposed",
        "round_corrected",
    ]
    _, found = await office(clients, "max", "GET", f"/rounds/{round_id}")
    assert found["status"] == "corrected"


async def test_old_round_is_corrected_while_another_is_played(clients: Clients) -> None:
    table_id, round_id, ann, _bob = await played(clients)
    host = await clients.host()
    await host.ok("watch", {"table_id": table_id})
    running = await host.start(table_id)
    await ann.bet(table_id, running, 500)
    await host.phase(table_id, running, "dealing_hole")
    body = {"round_id": round_id, "cards": {"dealer_1": "8h", "dealer_2": "9d"}, "reason": "Misread"}
    _, proposed = await office(clients, "mona", "POST", "/corrections", body)
    before = len(ann.received)
    status, answer = await office(clients, "max", "POST", f"/corrections/{proposed['id']}/approve", {})
    assert status == 200, answer
    await ann.until("result", lambda result: (result["round_id"], result["result"]) == (round_id, "win"))
    rounds = [payload["round_id"] for event, payload in ann.received[before:] if event == "round"]
    assert round_id not in rounds, "the table goes on with its own round"
    await deal(host, table_id, running, HAND, {ann: ("play_4x",)})
    await ann.result(running)


async def test_wrong_or_rejected_proposals_move_nothing(clients: Clients) -> None:
    _table_id, round_id, ann, _bob = await played(clients)
    before = await ann.money()
    good = {"round_id": round_id, "cards": {"river": "4c"}, "reason": "Misread"}
    for bad, code in (
        ({"cards": {"river": "As"}}, "duplicate_card"),
        ({"cards": {"river": "Zz"}}, "bad_card"),
        ({"cards": {"seat_9_card_1": "4c"}}, "not_expected"),
        ({"cards": {"river": "3c"}}, "bad_request"),  # as it was settled already
        ({"round_id": "no-such-round"}, "not_found"),
        ({"reason": ""}, "bad_request"),
    ):
        _, answer = await office(clients, "max", "POST", "/corrections", good | bad)
        assert answer["error"]["code"] == code, bad
    _, proposed = await office(clients, "max", "POST", "/corrections", good)
    path = f"/corrections/{proposed['id']}"
    assert (await office(clients, "max", "POST", f"{path}/reject", {"reason": "My mistake"}))[0] == 200
    status, answer = await office(clients, "fiona", "POST", f"{path}/approve", {})
    assert (status, answer["error"]["code"]) == (409, "too_late")
    assert (await office(clients, "fiona", "POST", "/corrections/nothing/approve", {}))[0] == 404
    assert await ann.money() == before


async def test_floor_names_every_table_and_what_is_wrong_there(clients: Clients) -> None:
    table_id, host, (player,), round_id = await at_the_table(clients, "console", 1)

    async def seen() -> Json:
        _, floor = await office(clients, "max", "GET", "/floor")
        paula = next(one for one in floor["staff"] if one["name"] == "paula")
        assert paula["role"] == "presenter"
        assert table_id in paula["tables"]
        return next(table for table in floor["tables"] if table["table_id"] == table_id)

    table = await seen()
    assert (table["presenter"], table["phase"], table["alarms"]) == ("paula", "betting", [])
    await player.bet(table_id, round_id, 500)
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell.", "incident_class": "card_dropped"})
    table = await seen()
    assert table["alarms"] == ["paused"]
    assert table["incident"]["title"] == "Card dropped"
    _, procedure = await office(clients, "paula", "GET", "/incidents")
    assert {"card_dropped", "something_else"} <= {one["incident_class"] for one in procedure["incidents"]}
