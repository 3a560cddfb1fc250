"""Refusals of the protocol: every code, in the documented order, without any effect."""

import asyncio
from typing import Any, Final

import pytest
import socketio

from tests.live.clients import Clients, Device, Host, Player
from tests.live.hands import Hand, deal
from tests.live.service import Json

CREDIT: Final = 100_000
HAND: Final = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")
PRESENTER_ONLY: Final = {"start_round", "scan", "undo_scan"}
MANAGER_ONLY: Final = {"correct_card", "resume", "cancel_round"}
BOTH: Final = {"watch", "open_table", "close_table", "report_problem", "say"}


def complete(event: str, table_id: str, round_id: str = "no round") -> Json:
    """A well-formed message of this name."""
    more: dict[str, Json] = {
        "bet": {"round_id": round_id, "ante": 500, "trips": 0},
        "decide": {"round_id": round_id, "action": "check"},
        "chat": {"text": "Hello"},
        "say": {"text": "Hello"},
        "scan": {"round_id": round_id, "card": "As"},
        "undo_scan": {"round_id": round_id},
        "report_problem": {"reason": "Something is wrong."},
        "correct_card": {"round_id": round_id, "slot": "player_1", "card": "As", "reason": "misread"},
        "cancel_round": {"reason": "Something was wrong."},
    }
    return {"table_id": table_id, **more.get(event, {})}


async def begin(clients: Clients, kind: str, count: int) -> tuple[str, str, Host, list[Player]]:
    """A table with betting open: its id, the round's, the presenter and the players."""
    table_id = clients.service.table(kind)
    host, players = await clients.host(), await clients.players(count)
    await host.take_over(table_id)
    await asyncio.gather(*(player.join(table_id) for player in players))
    return table_id, await host.start(table_id), host, players


async def test_a_bet_is_checked_in_the_promised_order(clients: Clients) -> None:
    """Each bet has every later fault besides, so only the order decides what is said."""
    table_id, round_id, _, (player,) = await begin(clients, "lasting", 1)

    async def bet(ante: object, trips: object, in_round: object = round_id) -> str:
        message = {"table_id": table_id, "round_id": in_round, "ante": ante, "trips": trips}
        return await player.refused("bet", message)

    assert await bet("500", 0, "another") == "bad_request"
    assert await bet(0, 50, "another") == "stale_round"
    assert await bet(0, 50) == "trips_without_ante"
    assert await bet(0, 26_050) == "trips_without_ante"
    assert await bet(50, 26_050) == "below_minimum"
    assert await bet(50_050, 50) == "below_minimum"
    assert await bet(50_050, 150) == "above_maximum"
    assert await bet(150, 25_050) == "above_maximum"
    assert await bet(50_000, 150) == "not_a_chip_multiple"
    assert await bet(150, 100) == "not_a_chip_multiple"
    assert await bet(50_000, 100) == "insufficient_funds"
    assert await player.money() == (CREDIT, CREDIT)


async def test_a_bet_after_the_close_is_refused_before_its_amounts_are_looked_at(clients: Clients) -> None:
    table_id, round_id, host, (player, late) = await begin(clients, "hasty", 2)
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    for ante, trips in ((500, 0), (0, 50), (0, 0)):
        bet = {"table_id": table_id, "round_id": round_id, "ante": ante, "trips": trips}
        assert await late.refused("bet", bet) == "betting_closed"
        assert await player.refused("bet", bet) == "betting_closed"
    assert await player.money() == (CREDIT - 1000, CREDIT - 1000)
    assert await late.money() == (CREDIT, CREDIT)


async def test_bets_are_absolute_and_can_be_taken_back(clients: Clients) -> None:
    table_id, round_id, _, (player,) = await begin(clients, "lasting", 1)
    wanted = [(50_000, 0), (40_000, 10_000), (40_000, 10_000), (100, 100), (0, 0), (0, 0), (500, 0)]
    for ante, trips in wanted:
        answer = await player.bet(table_id, round_id, ante, trips)
        assert answer["bets"] == {"ante": ante, "blind": ante, "trips": trips, "play": 0}
        assert answer["available"] == CREDIT - 2 * ante - trips
        assert await player.money() == (CREDIT, CREDIT - 2 * ante - trips)


async def test_decisions_are_refused_with_their_reasons(clients: Clients) -> None:
    table_id, round_id, host, (ann, ben, carl) = await begin(clients, "calm", 3)
    await ann.bet(table_id, round_id, 500)
    await ben.bet(table_id, round_id, 20_000)

    async def refused(player: Player, action: str, **more: object) -> str:
        message = {"table_id": table_id, "round_id": round_id, "action": action}
        return await player.refused("decide", message | more)

    assert await refused(ann, "play_4x") == "not_offered"  # before cards
    await host.phase(table_id, round_id, "dealing_hole")
    assert await refused(ann, "play_4x") == "not_offered"
    await host.scan(table_id, round_id, HAND.player)
    await ann.phase(table_id, round_id, "deciding_preflop")
    assert await refused(ann, "play_5x") == "bad_request"
    assert await refused(ann, "check", phase="deciding_turn") == "bad_request"
    assert await refused(ann, "check", round_id="another") == "stale_round"
    assert await refused(carl, "check") == "not_in_round"
    for not_yet in ({"action": "play_2x"}, {"action": "fold"}, {"action": "play_2x", "phase": "deciding_flop"}):
        assert await refused(ann, **not_yet) == "not_offered"
    offered = await ben.until("seat", lambda seat: seat["options"] != [])
    assert offered["options"] == ["play_3x", "check"]  # 4x is more than the balance covers
    assert await refused(ben, "play_4x") == "insufficient_funds"
    await ann.decide(table_id, round_id, "check")
    assert await refused(ann, "play_4x") == "already_decided"
    await ann.decide(table_id, round_id, "check")  # a repetition
    played = await ben.decide(table_id, round_id, "play_3x")
    assert (played["bets"]["play"], played["available"]) == (60_000, 0)
    await ann.phase(table_id, round_id, "dealing_flop")
    assert await refused(ann, "play_4x", phase="deciding_preflop") == "too_late"
    await host.scan(table_id, round_id, HAND.flop)
    await ann.phase(table_id, round_id, "deciding_flop")

    # A check for the window before is a repetition of it, and no answer to this one.
    await ann.decide(table_id, round_id, "check", phase="deciding_preflop")
    assert (await ann.join(table_id))["seat"]["options"] == ["play_2x", "check"]
    assert await refused(ann, "play_4x", phase="deciding_preflop") == "too_late"
    assert await refused(ben, "play_2x") == "already_decided"
    assert await refused(ben, "check", phase="deciding_flop") == "already_decided"
    await ben.decide(table_id, round_id, "play_3x", phase="deciding_preflop")
    assert await ben.money() == (0, 0)
    await ann.decide(table_id, round_id, "check", phase="deciding_flop")
    await host.phase(table_id, round_id, "dealing_river")
    await host.scan(table_id, round_id, HAND.turn_river)
    await ann.phase(table_id, round_id, "deciding_river")
    assert await refused(ann, "check") == "not_offered"
    await ann.decide(table_id, round_id, "play_1x")
    await host.phase(table_id, round_id, "showdown")
    await host.scan(table_id, round_id, HAND.dealer)
    await ann.result(round_id)
    for player, action in ((ann, "play_1x"), (ben, "play_3x")):  # still the stored answer, and still nothing moves
        before = await player.money()
        await player.decide(table_id, round_id, action)
        assert await refused(player, "fold") == "too_late"
        assert await player.money() == before
    await host.start(table_id)
    await ann.decide(table_id, round_id, "play_1x")
    assert await refused(ann, "fold") == "stale_round"


@pytest.mark.req("RND-6")
async def test_an_answer_after_the_deadline_is_too_late(clients: Clients) -> None:
    table_id, round_id, host, (player,) = await begin(clients, "hasty", 1)
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, HAND.player)
    await player.phase(table_id, round_id, "dealing_flop")
    decision = {"table_id": table_id, "round_id": round_id, "action": "check"}
    assert await player.refused("decide", decision) == "too_late"  # also what silence was taken for
    assert await player.refused("decide", decision | {"action": "play_4x"}) == "too_late"
    assert await player.money() == (CREDIT - 1000,) * 2


@pytest.mark.req("RND-9")
async def test_a_wrong_card_is_refused_and_changes_nothing(clients: Clients) -> None:
    table_id, round_id, host, (player,) = await begin(clients, "calm", 1)

    async def refused(card: object, in_round: str = round_id) -> str:
        return await host.refused("scan", {"table_id": table_id, "round_id": in_round, "card": card})

    assert await refused("As") == "not_expected"
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    for card in ("1s", "AS ", "as", "10h", "", "Xx", "A", "sA", "A♠", "As\n", "Ａs"):
        assert await refused(card) == "bad_card", card
    assert await refused(5) == await refused(None) == await refused("As" * 21) == "bad_request"
    assert await refused("As", "another") == "stale_round"
    assert await host.refused("undo_scan", {"table_id": table_id, "round_id": round_id}) == "not_expected"
    await host.scan(table_id, round_id, "As")
    assert await refused("As") == "duplicate_card"
    await host.scan(table_id, round_id, "Kd")
    assert await refused("7h") == "not_expected"  # the players decide
    assert await host.refused("undo_scan", {"table_id": table_id, "round_id": round_id}) == "not_expected"
    assert (await player.join(table_id))["round"]["player_cards"] == ["As", "Kd"]
    await player.decide(table_id, round_id, "play_4x")
    await host.scan(table_id, round_id, "7h 7c 2s Jd 3c")  # with no player left to decide dealing continues
    for card in ("As", "3c"):
        assert await refused(card) == "duplicate_card"
    await host.scan(table_id, round_id, HAND.dealer)
    assert await refused("4c") == "not_expected"
    assert (await player.result(round_id))["status"] == "settled"


async def test_a_scanned_card_can_be_taken_back_until_its_street_is_confirmed(clients: Clients) -> None:
    table_id, round_id, host, (player,) = await begin(clients, "confirmed", 1)
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    undo = {"table_id": table_id, "round_id": round_id}
    await host.scan(table_id, round_id, "As Ks")
    await host.ok("undo_scan", undo)
    view = await host.until("host", lambda view: view["expects"] == "player_2" and view["round"]["seq"] > 3)
    assert view["round"]["player_cards"] == ["As"]
    await host.ok("undo_scan", undo)
    assert await host.refused("undo_scan", undo) == "not_expected"
    await host.scan(table_id, round_id, "Ks As")
    window = await player.phase(table_id, round_id, "deciding_preflop")
    assert window["player_cards"] == ["Ks", "As"]
    assert await host.refused("undo_scan", undo) == "not_expected"


async def test_a_console_cannot_deal_at_a_machine_table(clients: Clients) -> None:
    table_id = clients.service.table("paced")
    host, player = await clients.host(), await clients.player()
    await host.ok("watch", {"table_id": table_id})
    await player.join(table_id)
    betting = await player.phase(table_id, None, "betting")
    round_id = betting["round_id"]
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    assert await host.refused("scan", {"table_id": table_id, "round_id": round_id, "card": "As"}) == "forbidden"
    await host.until("host", lambda view: len(view["round"]["player_cards"]) == 1)
    assert await host.refused("undo_scan", {"table_id": table_id, "round_id": round_id}) == "forbidden"
    assert await host.refused("start_round", {"table_id": table_id}) == "forbidden"
    await player.phase(table_id, round_id, "deciding_preflop")


async def test_console_commands_that_do_not_fit_the_table_are_refused(clients: Clients) -> None:
    table_id = clients.service.table("calm")
    host, manager, player = await clients.host(), await clients.host("max"), await clients.player()
    await player.join(table_id)
    bet = complete("bet", table_id)
    assert await player.refused("bet", bet) == "table_closed"
    assert await host.refused("start_round", {"table_id": table_id}) == "table_closed"
    assert await manager.refused("resume", {"table_id": table_id}) == "not_paused"
    await manager.ok("open_table", {"table_id": table_id})
    assert await host.refused("start_round", {"table_id": table_id}) == "no_presenter"
    assert await player.refused("bet", bet) == "stale_round"
    await host.take_over(table_id)
    await host.ok("open_table", {"table_id": table_id})  # repeating is fine
    round_id = await host.start(table_id)
    assert await host.refused("start_round", {"table_id": table_id}) == "not_expected"
    assert await manager.refused("resume", {"table_id": table_id}) == "not_paused"
    correction = complete("correct_card", table_id, round_id)
    assert await manager.refused("correct_card", correction) == "not_paused"
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, "As")
    await host.ok("report_problem", complete("report_problem", table_id))
    await host.ok("report_problem", complete("report_problem", table_id))  # once more changes nothing
    assert await manager.refused("correct_card", correction | {"round_id": "another"}) == "stale_round"
    assert await manager.refused("correct_card", correction | {"slot": "player_2"}) == "not_expected"
    assert await manager.refused("correct_card", correction | {"card": "As"}) == "duplicate_card"
    assert await manager.refused("correct_card", correction | {"card": "1s"}) == "bad_card"
    await manager.ok("resume", {"table_id": table_id})
    assert await manager.refused("resume", {"table_id": table_id}) == "not_paused"
    await manager.ok("cancel_round", complete("cancel_round", table_id))
    assert (await player.result(round_id))["status"] == "cancelled"


@pytest.mark.req("RND-11")
async def test_closing_a_table_takes_no_new_bet_and_lets_the_round_end(clients: Clients) -> None:
    table_id, round_id, host, (ann, ben) = await begin(clients, "calm", 2)
    await ann.bet(table_id, round_id, 500)
    await host.ok("close_table", {"table_id": table_id})
    assert await ben.refused("bet", complete("bet", table_id, round_id)) == "table_closed"
    await host.ok("close_table", {"table_id": table_id})
    await deal(host, table_id, round_id, HAND, {ann: ("play_4x",)})
    assert (await ann.result(round_id))["status"] == "settled"
    assert await host.refused("start_round", {"table_id": table_id}) == "table_closed"
    await host.ok("open_table", {"table_id": table_id})
    assert await host.start(table_id) != round_id


@pytest.mark.req("SEC-6")
async def test_every_event_of_players_is_answered_and_checked(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    signed_in = await clients.guest()
    for event in ("join", "leave", "bet", "decide", "chat"):
        message = complete(event, table_id)
        bad = [{**message, field: None} for field in message]
        bad += [{name: value for name, value in message.items() if name != field} for field in message]
        answers = ["no_such_table"] + ["bad_request"] * (len(bad) + 1)
        for wrong, code in zip([complete(event, "no-such-table"), message | {"more": 1}, *bad], answers, strict=True):
            player = await clients.device(signed_in)  # another one each time, because one may talk only so often
            assert await player.refused(event, wrong) == code, (event, wrong)
            await player.close()
    player = await clients.device(signed_in)
    for event in ("bet", "decide", "chat"):
        assert await player.refused(event, complete(event, table_id)) == "not_in_round"  # not joined
    await player.ok("leave", {"table_id": table_id})
    assert await player.refused("start_round", {"table_id": table_id}) == "bad_request"
    assert await player.refused("__proto__", {"table_id": table_id}) == "bad_request"


@pytest.mark.req("SEC-9")
async def test_each_role_may_do_its_own_and_nothing_else(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    presenter, manager = await clients.host(), await clients.host("max")
    for event in MANAGER_ONLY:
        assert await presenter.refused(event, complete(event, table_id)) == "forbidden", event
    for event in PRESENTER_ONLY:
        assert await manager.refused(event, complete(event, table_id)) == "forbidden", event
    for host, others in ((presenter, MANAGER_ONLY), (manager, PRESENTER_ONLY)):
        for event in sorted((PRESENTER_ONLY | MANAGER_ONLY | BOTH) - others):
            message = complete(event, table_id)
            assert await host.refused(event, complete(event, "no-such-table")) == "no_such_table", event
            assert await host.refused(event, message | {"more": 1}) == "bad_request", event
            for field in message:
                assert await host.refused(event, {**message, field: None}) == "bad_request", (event, field)
        assert await host.refused("bet", complete("bet", table_id)) == "bad_request"
    for event in sorted(BOTH - {"report_problem"}):
        await presenter.ok(event, complete(event, table_id))
        await manager.ok(event, complete(event, table_id))


async def turned_away(clients: Clients, token: str | None, namespace: str) -> Any:  # noqa: ANN401
    device = Device(clients.web, clients.service.address, token, namespace)
    with pytest.raises(socketio.exceptions.ConnectionError):
        await device.connect()
    (refusal,) = device.refusals
    return refusal["data"]["code"]


async def test_namespaces_refuse_missing_sessions_and_wrong_roles(clients: Clients) -> None:
    guest = (await clients.guest())["token"]
    staff = {name: (await clients.sign_in(name))["token"] for name in ("paula", "max", "fiona")}
    for namespace in ("/table", "/host"):
        assert await turned_away(clients, None, namespace) == "not_authenticated"
        assert (
            await turned_away(clients, guest[:-1] + ("A" if guest[-1] != "A" else "B"), namespace)
            == "not_authenticated"
        )
        assert await turned_away(clients, "", namespace) == "not_authenticated"
        assert await turned_away(clients, staff["fiona"], namespace) == "forbidden"
    assert await turned_away(clients, guest, "/host") == "forbidden"
    assert await turned_away(clients, staff["paula"], "/table") == "forbidden"
    assert await turned_away(clients, staff["max"], "/table") == "forbidden"


@pytest.mark.req("SEC-2")
async def test_signing_out_closes_the_sockets_of_that_session_only(clients: Clients) -> None:
    table_id, round_id, _, (ann, ben) = await begin(clients, "lasting", 2)
    await ann.bet(table_id, round_id, 500)
    await ben.bet(table_id, round_id, 500)
    headers = {"Authorization": f"Bearer {ann.signed_in['token']}"}
    async with clients.web.post(f"{clients.service.address}/api/logout", headers=headers) as answer:
        assert answer.status == 200
    await ann.lost()
    assert await turned_away(clients, ann.signed_in["token"], "/table") == "not_authenticated"
    await ben.until("table", lambda table: table["players"] == 1 and table["in_round"] == 1)  # her bet went back
    await ben.bet(table_id, round_id, 600)


@pytest.mark.req("SEC-5")
async def test_flooding_client_is_warned_and_then_disconnected(clients: Clients) -> None:
    table_id, round_id, _, (fast, calm) = await begin(clients, "lasting", 2)
    bet = complete("bet", table_id, round_id)
    answers = await asyncio.gather(*(fast.call("bet", bet) for _ in range(60)))
    codes = [answer["error"]["code"] for answer in answers if not answer["ok"]]
    assert set(codes) == {"rate_limited"}
    assert len(codes) >= 60 - 40
    await calm.bet(table_id, round_id, 700)
    talk = [await calm.call("chat", complete("chat", table_id) | {"text": f"Line {n}"}) for n in range(6)]
    assert [answer["ok"] for answer in talk] == [True] * 5 + [False]
    assert talk[-1]["error"]["code"] == "rate_limited"
    await calm.bet(table_id, round_id, 800)  # talking too much does not stop the game
    for _ in range(300):
        if fast.is_lost:
            break
        await fast.client.emit("bet", bet, namespace="/table")
    await fast.lost()
    await calm.bet(table_id, round_id, 900)


@pytest.mark.req("SEC-5")
async def test_messages_that_do_not_exist_count_as_asking_too(clients: Clients) -> None:
    player = await clients.player()
    answers = await asyncio.gather(*(player.call("nonsense", {}) for _ in range(60)))
    assert {answer["error"]["code"] for answer in answers} == {"bad_request", "rate_limited"}
