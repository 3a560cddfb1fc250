"""Player history at the real service: own rounds only, newest first, each round complete."""

import asyncio

import pytest

from casino.uth.fairness import faults_in
from casino.uth.paytable import STANDARD
from casino.uth.rtp_cache import cache_folder, exact_advice, known_return
from tests.live.clients import Clients, Player
from tests.live.hands import WAYS, WINDOWS, Hand, deal, place
from tests.live.service import Json

AFTER_WINDOW = dict(zip(WINDOWS, ("dealing_flop", "dealing_river", "showdown"), strict=True))
HAND = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")


async def history(clients: Clients, player: Player, query: str = "") -> Json:
    status, answer = await clients.ask("GET", f"/api/history{query}", player.signed_in["token"])
    assert status == 200, answer
    return answer


async def game(clients: Clients, player: Player, round_id: str) -> Json:
    status, answer = await clients.ask("GET", f"/api/history/{round_id}", player.signed_in["token"])
    assert status == 200, answer
    return answer


async def test_rounds_are_paginated_and_each_is_shown_in_full(clients: Clients) -> None:
    table_id = clients.service.table("calm")
    host = await clients.host()
    await host.take_over(table_id)
    ann, ben = await clients.players(2)
    for player in (ann, ben):
        await player.join(table_id)
    played = []
    for number in range(2):
        round_id = await host.start(table_id)
        await place([ann, *([ben] if number == 1 else [])], table_id, round_id, 500, 100)
        ways = {ann: WAYS["play_4x"]} | ({ben: WAYS["fold"]} if number == 1 else {})
        await deal(host, table_id, round_id, HAND, ways)
        await ann.result(round_id)
        played.append(round_id)
    whole = await history(clients, ann)
    assert [one["round_id"] for one in whole["rounds"]] == played[::-1]
    assert whole["next"] is None
    assert await history(clients, ann, "?limit=&before=") == whole, "nothing written is nothing asked for"
    first = await history(clients, ann, "?limit=1")
    second = await history(clients, ann, f"?limit=1&before={first['next']}")
    assert first["rounds"] + second["rounds"] == whole["rounds"]
    assert second["next"] is None
    for one in whole["rounds"]:
        assert set(one) >= {"round_id", "table_id", "game_number", "started_at", "status", "staked", "returned"}
        result = await ann.result(one["round_id"])
        assert (one["status"], one["staked"], one["returned"]) == ("settled", result["staked"], result["returned"])
        reply = await game(clients, ann, one["round_id"])
        assert reply["spots"] == result["spots"]
        assert reply["dealer_cards"] == ["Qh", "Qd"]
        assert reply["presenter"] == "paula"
        assert one.items() <= reply.items()
    assert [one["round_id"] for one in (await history(clients, ben))["rounds"]] == [played[1]]
    both = await game(clients, ben, played[1])
    assert [made["action"] for made in both["decisions"]] == ["check", "check", "fold"]
    assert ann.id not in str(both)
    assert ann.name not in str(both)
    for round_id in (played[0], "no-such-round", "..", "%00", "x" * 500):
        status, answer = await clients.ask("GET", f"/api/history/{round_id}", ben.signed_in["token"])
        assert (status, answer["error"]["code"]) == (404, "not_found"), round_id


@pytest.mark.parametrize(
    "query",
    [
        *("limit=0", "limit=-1", "limit=201", "limit=1.5", "limit=abc", "limit=%EF%BC%95", "limit=1e1"),
        *("before=x", "before=1", "before=%00", "before=1-%00", "before=9999999999999999-a"),
    ],
)
async def test_bad_page_is_refused(clients: Clients, query: str) -> None:
    status, answer = await clients.ask("GET", f"/api/history?{query}", (await clients.guest())["token"])
    assert (status, answer["error"]["code"]) == (400, "bad_request")


async def test_bets_that_went_back_leave_no_round_and_a_cancelled_one_does(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    host, manager = await clients.host(), await clients.host("max")
    await host.take_over(table_id)
    ann, ben = await clients.players(2)
    for player in (ann, ben):
        await player.join(table_id)
    round_id = await host.start(table_id)
    await place([ann, ben], table_id, round_id, 500)
    await ben.ok("leave", {"table_id": table_id})
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "The lights went out."})
    await ann.result(round_id)
    assert (await history(clients, ben))["rounds"] == []
    (one,) = (await history(clients, ann))["rounds"]
    assert (one["status"], one["staked"], one["returned"]) == ("cancelled", 1000, 1000)
    reply = await game(clients, ann, round_id)
    assert [(incident["outcome"], incident["reason"]) for incident in reply["incidents"]] == [
        ("cancelled", "The lights went out.")
    ]


@pytest.mark.req("RND-8")
async def test_machine_proves_its_deal_after_the_round_and_not_before(clients: Clients) -> None:
    table_id = clients.service.table("machine")
    ann = await clients.player()
    await ann.join(table_id)
    round_id = (await ann.phase(table_id, None, "betting"))["round_id"]
    await ann.bet(table_id, round_id, 500)
    promised = (await ann.phase(table_id, round_id, "deciding_preflop"))["commitment"]
    reply = await game(clients, ann, round_id)
    assert (reply["status"], reply["commitment"], reply["fairness"]) == ("open", promised, None)
    assert len(reply["player_cards"]) == 2
    await ann.decide(table_id, round_id, "play_4x")
    await ann.result(round_id)
    reply = await game(clients, ann, round_id)
    proof = reply["fairness"]
    assert (proof["commitment"], proof["version"]) == (promised, 2)
    assert proof["dealt"] == reply["player_cards"] + reply["board"] + reply["dealer_cards"]
    assert faults_in(proof) == []


@pytest.mark.req("RND")
async def test_after_a_round_and_not_before_each_decision_is_weighed_exactly(clients: Clients) -> None:
    """The values are those of `casino advise`, whatever the suits are called; a stranger learns nothing."""
    table_id = clients.service.table("calm")
    host = await clients.host()
    await host.take_over(table_id)
    ann, ben = await clients.players(2)
    await ann.join(table_id)
    round_id = await host.start(table_id)
    await place([ann], table_id, round_id, 500)
    asked = f"/api/history/{round_id}/advice"
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, HAND.player)
    status, answer = await clients.ask("GET", asked, ann.signed_in["token"])
    assert (status, answer["error"]["code"]) == (409, "not_offered")
    for window, cards in zip(WINDOWS, (HAND.flop, HAND.turn_river, HAND.dealer), strict=True):
        await ann.decide(table_id, round_id, "fold" if window == WINDOWS[2] else "check", phase=window)
        await host.phase(table_id, round_id, AFTER_WINDOW[window])
        await host.scan(table_id, round_id, cards)
    await ann.result(round_id)
    status, answer = await clients.ask("GET", asked, ann.signed_in["token"])
    assert status == 200, answer
    first, second, third = answer["decisions"]
    known = known_return(STANDARD, cache_folder())
    assert first["values"] is None if known is None else first["best"] == "play_4x"
    assert (second["phase"], second["action"], second["best"]) == ("deciding_flop", "check", "play_2x")
    assert second["values"] == pytest.approx({"check": 212 / 1265, "play_2x": 24209 / 59455})
    assert second["given_up"] == pytest.approx(24209 / 59455 - 212 / 1265)
    assert (third["action"], third["best"]) == ("fold", "play_1x")
    assert third["values"] == pytest.approx({"fold": -2, "play_1x": -47 / 110})
    for player, path in ((ben, asked), (ann, "/api/history/no-such-round/advice")):
        status, answer = await clients.ask("GET", path, player.signed_in["token"])
        assert (status, answer["error"]["code"]) == (404, "not_found")


@pytest.mark.req("RND")
async def test_at_an_own_hands_table_each_seat_is_weighed_by_its_own_cards(clients: Clients) -> None:
    table_id = clients.service.table("seven")
    ann, ben = await clients.players(2)
    for player in (ann, ben):
        await player.join(table_id)
    round_id = (await ann.phase(table_id, None, "betting"))["round_id"]
    await place([ann, ben], table_id, round_id, 500)
    await ann.phase(table_id, round_id, "deciding_preflop")
    for window in WINDOWS:
        for player in (ann, ben):
            await player.phase(table_id, round_id, window)
            await player.decide(table_id, round_id, "fold" if window == WINDOWS[2] else "check", phase=window)
    for player in (ann, ben):
        await player.result(round_id)
        reply = await game(clients, player, round_id)
        _, answer = await clients.ask("GET", f"/api/history/{round_id}/advice", player.signed_in["token"])
        river = exact_advice(reply["player_cards"], reply["board"][:3], reply["board"][3:], cache_dir=cache_folder())
        assert answer["decisions"][2]["values"] == pytest.approx(
            {str(action): float(value) for action, value in river.values.items()}
        )


async def test_history_is_for_players(clients: Clients) -> None:
    assert (await clients.ask("GET", "/api/history"))[0] == 401
    for name in ("paula", "max", "fiona"):
        assert (await clients.ask("GET", "/api/history", (await clients.sign_in(name))["token"]))[0] == 403


async def test_many_readers_at_once_see_only_their_own(clients: Clients) -> None:
    players = await clients.players(8)
    pages = await asyncio.gather(*(history(clients, player) for player in players))
    assert all(page == {"rounds": [], "next": None} for page in pages)
