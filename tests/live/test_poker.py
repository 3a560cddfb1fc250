"""Poker room of a real process over real sockets: hands, reloads, lost connections, two devices, bad input, roles."""

from collections.abc import AsyncIterator, Iterator

import aiohttp
import pytest
from socketio import exceptions

from casino.cards.card import Card
from casino.cards.merkle import CardProof, is_proven
from casino.wire import client_events
from casino.wire.poker_client_events import FROM_POKER_PLAYERS
from casino.wire.protocol.poker_examples import SENT
from tests.live.clients import Device
from tests.live.poker_players import PokerPlayer, Seats, guest, hole_cards, leaked_cards, new_pool, seated_players
from tests.live.poker_service import started_poker
from tests.live.service import PASSWORD, STAFF, Json, LiveService

STREETS = {3: 3, 6: 4, 9: 5, 12: 0}
"""Decisions made when a street ends with three players who check, and cards on the board then."""


@pytest.fixture(scope="module")
def service() -> Iterator[LiveService]:
    with started_poker("max", "paula", "fiona", "adam") as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture
async def seats(service: LiveService) -> AsyncIterator[Seats]:
    async with seated_players(service) as seated:
        yield seated


async def test_a_whole_hand_with_a_known_deck(seats: Seats) -> None:
    """Aces, kings and queens check it down; the aces win less the rake, and everybody can prove the cards."""
    hand = seats.hand
    assert (hand["number"], hand["positions"]) == (1, {"button": 1, "sb": 2, "bb": 3, "posters": []})
    await seats.check_down(1, 12)
    results = {}
    for seat_no, player in seats.by_seat.items():
        over = await player.until("hand_over", lambda over: over["hand_id"] == hand["hand_id"])
        results[seat_no] = over["net"]
        for proof in over["proofs"]:
            path = tuple(proof["path"])
            assert is_proven(hand["root"], CardProof(proof["index"], Card(proof["card"]), proof["salt"], path))
    assert results == {1: -10, 2: 19, 3: -10}, "30 in the pot, of which one cent is rake"
    assert {tuple(hole_cards(player)) for player in seats.players} == {("Ah", "Ad"), ("Kh", "Kd"), ("Qh", "Qd")}
    for player in seats.players:
        others = [other for other in seats.players if other is not player]
        assert leaked_cards(player, others) == set()
    winner = seats.by_seat[2]
    status, listed = await winner.get("/api/poker/hands")
    assert (status, [one["net"] for one in listed["hands"]][-1]) == (200, 19)
    status, past = await winner.get(f"/api/poker/hands/{hand['hand_id']}")
    assert (status, past["cards"], past["net"]) == (200, ["Ah", "Ad"], 19)
    assert past["opened"]["root"] == hand["root"]


async def test_table_is_the_same_after_a_reload_on_every_street(seats: Seats) -> None:
    """A snapshot says what the events before it said, and has the own cards and the own options again."""
    done = 0
    for decisions, cards in STREETS.items():
        await seats.check_down(done + 1, decisions)
        done = decisions
        for player in seats.players:
            snapshot = await player.come()
            hand = snapshot["hand"]
            if decisions == 12:
                assert hand["hand_id"] != seats.hand["hand_id"] or hand["status"] in ("playing", "settled")
                continue
            assert (hand["hand_id"], len(hand["board"])) == (seats.hand["hand_id"], cards)
            assert snapshot["cards"]["cards"] == hole_cards(player)
            assert hand["pot"] == 30
            asked = seats.by_seat[hand["turn"]["seat"]] is player
            assert (snapshot["options"]["turn"] is not None) == asked
    await seats.players[0].until("hand_over")


async def test_player_who_loses_the_connection_is_protected_and_comes_back_with_another_device(
    service: LiveService, seats: Seats
) -> None:
    player, _ = await seats.turn(1)
    watcher = next(other for other in seats.players if other is not player)
    await player.close()
    await watcher.until(
        "poker_table",
        lambda table: any(seat["name"] == player.name and not seat["connected"] for seat in table["seats"]),
    )
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        device = PokerPlayer(web, service.address, player.signed_in)
        await device.connect()
        snapshot = await device.come(seats.table_id)
        assert snapshot["options"]["turn"] == 1
        assert snapshot["cards"]["cards"] == hole_cards(player)
        at = {"table_id": seats.table_id, "hand_id": seats.hand["hand_id"], "turn": 1}
        assert (await device.accepted("act", **at, action="fold"))["turn"] == 1
        await device.accepted("leave", table_id=seats.table_id)
        await device.close()
    acted = await watcher.until("step", lambda step: step["kind"] == "acted")
    assert "automatic" not in acted


async def test_newest_device_has_the_seat(service: LiveService, seats: Seats) -> None:
    player, _ = await seats.turn(1)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        newer = PokerPlayer(web, service.address, player.signed_in)
        await newer.connect()
        await newer.come(seats.table_id)
        assert (await player.until("moved"))["table_id"] == seats.table_id
        at = {"table_id": seats.table_id, "hand_id": seats.hand["hand_id"], "turn": 1, "action": "fold"}
        assert await player.code("act", **at) == "not_in_round"
        before = len(player.all("step"))
        await newer.accepted("act", **at)
        await newer.until("step", lambda step: step["kind"] == "acted")
        assert len(player.all("step")) == before, "the older device receives no more of the table"
        await newer.accepted("leave", table_id=seats.table_id)
        await newer.close()


async def test_bad_input_to_every_event_is_refused_without_effect(seats: Seats) -> None:
    asked, _ = await seats.turn(1)
    attacker = next(player for player in seats.players if player is not asked)
    before = len(asked.received)
    at = {"table_id": seats.table_id, "hand_id": seats.hand["hand_id"]}
    bad: list[object] = [None, {}, "x" * 5_000]  # tests/gateway has more of it: a client this fast is cut off
    for event, example in SENT.items():
        own = {name: at.get(name, value) for name, value in example.items()}
        for value in bad:
            answer = await attacker.call(event, value)
            assert not answer["ok"] or (event, value) == ("lobby", {}), (event, value)
            for name in own:
                answer = await attacker.call(event, own | {name: value})
                is_meant = isinstance(value, bool) or (event == "sit_out" and name == "table_id" and value is None)
                is_none = value is None and name in ("amount", "price")
                assert not answer["ok"] or is_meant or is_none, (event, name, value)
    assert await attacker.code("act", **at, turn=1, action="fold") == "not_your_turn"
    assert await attacker.code("act", **at, turn=99, action="fold") in ("too_late", "not_your_turn")
    assert await attacker.code("act", **(at | {"hand_id": "another"}), turn=1, action="fold") == "stale_round"
    assert await attacker.code("join", table_id="no-such-table") == "no_such_table"
    assert await attacker.code("show", **at, cards=["As"]) != ""
    steps = [payload for event, payload in asked.received[before:] if event == "step" and payload["kind"] == "acted"]
    assert steps == [], "the hand of the others has not moved"


async def test_options_are_exactly_what_is_accepted(seats: Seats) -> None:
    player, options = await seats.turn(1)
    at = {"table_id": seats.table_id, "hand_id": seats.hand["hand_id"], "turn": 1}
    assert (options["check"], options["call"], options["raise"]["min"]) == (False, {"amount": 10}, 20)
    assert await player.code("act", **at, action="check") == "not_offered"
    assert await player.code("act", **at, action="raise_to", amount=19) == "below_minimum"
    assert await player.code("act", **at, action="raise_to", amount=options["raise"]["max"] + 1) == "above_maximum"
    first = await player.accepted("act", **at, action="raise_to", amount=20)
    assert (first["paid"], first["stack"]) == (20, 980)
    assert await player.accepted("act", **at, action="raise_to", amount=20) == first, "the same again is the same"
    assert not (await player.call("act", {**at, "action": "fold"}))["ok"]


async def test_pre_action_is_kept_and_hidden_from_other_players(seats: Seats) -> None:
    hand_id = seats.hand["hand_id"]
    small_blind = seats.by_seat[seats.hand["positions"]["sb"]]
    await small_blind.accepted("pre_act", table_id=seats.table_id, hand_id=hand_id, choice="fold")
    watcher = seats.by_seat[seats.hand["positions"]["bb"]]
    assert not any("pre_action" in payload for event, payload in watcher.received if event != "seat")
    await seats.act(1, "call")
    folded = await watcher.until("step", lambda step: step["kind"] == "acted" and step["action"] == "fold")
    assert folded["seat"] == seats.hand["positions"]["sb"]


async def test_leaving_in_a_hand_returns_the_chips_after_it(seats: Seats) -> None:
    player, _ = await seats.turn(1)
    left = await player.accepted("leave", table_id=seats.table_id)
    assert left["after_hand"]
    await seats.act(2, "fold")
    gone = await player.until("seat", lambda seat: seat["state"] == "gone")
    assert gone["reason"] == "left"
    _, me = await player.get("/api/me")
    assert me["balance"] == 100_000


async def test_queue_shows_place_and_missing_players_and_may_be_left(service: LiveService) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        player = PokerPlayer(web, service.address, await guest(web, service))
        await player.connect()
        pool = new_pool().removesuffix(":FUN")
        queued = await player.ask_for_seat(pool)
        assert (queued["status"], queued["place"], queued["missing"]) == ("queued", 1, 2)
        assert await player.code("join_pool", pool=f"{pool}:EUR", buy_in=1000, key="b") == "not_found"
        assert await player.code("join_pool", pool="t99", buy_in=1000, key="c") in ("not_found", "no_such_table")
        await player.accepted("leave_pool", pool=pool)
        lobby = await player.accepted("lobby")
        assert {pool["currency"] for pool in lobby["pools"]} == {"FUN"}
        assert lobby["seats"] == []
        await player.close()


async def test_lobby_followers_receive_changes_when_players_sit_down(service: LiveService) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        follower = PokerPlayer(web, service.address, await guest(web, service))
        await follower.connect()
        await follower.accepted("lobby")
        name = new_pool()
        async with seated_players(service, name):
            update = await follower.until(
                "lobby", lambda update: any(pool["pool"] == name and pool["players"] == 3 for pool in update["pools"])
            )
        follower.verify_received()
        assert all(pool["currency"] == "FUN" for pool in update["pools"])
        await follower.close()


@pytest.mark.parametrize("role", ["nobody", "presenter", "manager", "finance", "admin"])
async def test_staff_and_strangers_have_no_seat(service: LiveService, role: str) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        token = None if role == "nobody" else await token_of(web, service, role)
        device = Device(web, service.address, token, "/poker")
        with pytest.raises(exceptions.ConnectionError):
            await device.connect()
        assert device.refusals[0]["data"]["code"] == ("not_authenticated" if role == "nobody" else "forbidden")


NOWHERE = {
    "join_pool": "not_found",
    "leave_pool": "not_found",
    "lobby": "ok",
    "sit_out": "not_in_round",
    "report": "not_found",
    **dict.fromkeys(("register", "re_enter", "rebuy", "add_on", "decline", "follow"), "not_found"),
    **dict.fromkeys(("unregister", "hexa_cancel"), "not_registered"),
    "unfollow": "ok",
    "hexa_register": "not_found",
}
"""Answers about a pool, table, hand or tournament that does not exist; `no_such_table` where nothing is named."""


@pytest.mark.req("SEC-6")
@pytest.mark.parametrize("role", ["guest", "player"])
async def test_every_event_is_for_players(service: LiveService, role: str) -> None:
    """Roles without a connection have no event (above). No event of another namespace is one here."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        if role == "guest":
            token = (await guest(web, service))["token"]
        else:
            name = {"name": "Matrix player", "password": PASSWORD}
            async with web.post(f"{service.address}/api/register", json=name) as registered:
                token = (await registered.json())["token"]
        device = Device(web, service.address, token, "/poker")
        await device.connect()
        for event, example in SENT.items():
            nowhere = {"table_id": "no-such-table", "pool": "no-such-pool", "product": "no-such-product"}
            answer = await device.call(event, example | {name: nowhere[name] for name in example.keys() & nowhere})
            code = "ok" if answer["ok"] else answer["error"]["code"]
            assert code == NOWHERE.get(event, "no_such_table"), event
        others = {*client_events.FROM_PLAYERS, *client_events.FROM_HOSTS} - set(SENT)
        for event in sorted(others | {"message", "step", "hand_over", "__proto__", ""}):
            assert await device.refused(event, {"table_id": "uth-1"}) == "bad_request", event
        await device.close()


async def token_of(web: aiohttp.ClientSession, service: LiveService, role: str) -> str:
    name = next(name for name, of in STAFF.items() if of == role)
    async with web.post(f"{service.address}/api/login", json={"name": name, "password": PASSWORD}) as answer:
        return str((await answer.json())["token"])


async def ask(web: aiohttp.ClientSession, url: str, token: str, body: Json | None = None) -> Json:
    headers = {"Authorization": f"Bearer {token}"}
    async with web.request("GET" if body is None else "POST", url, headers=headers, json=body) as answer:
        reply: Json = await answer.json()
        return reply | {"status": answer.status}


async def test_manager_pauses_voids_after_a_preview_and_resumes(service: LiveService, seats: Seats) -> None:
    await seats.act(1, "raise_to", 30)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        manager, room = await token_of(web, service, "manager"), f"{service.address}/api/host/poker"

        async def say(what: str, **body: object) -> Json:
            return await ask(web, f"{room}/tables/{seats.table_id}/{what}", manager, body)

        floor = await ask(web, f"{room}/floor", manager)
        assert seats.table_id in {table["table_id"] for table in floor["tables"]}
        assert (await say("pause", reason="A question of the floor"))["status"] == 200
        preview = await say("void/preview")
        assert preview["hand_id"] == seats.hand["hand_id"]
        assert sorted(one["start"] - one["stack"] for one in preview["returns"]) == [5, 10, 30]
        assert (await say("void", hand_id="another-hand", reason="x"))["status"] in (404, 409)
        assert (await say("void", hand_id=preview["hand_id"], reason="The deal was wrong"))["status"] == 200
        void = await seats.players[0].until("step", lambda step: step["kind"] == "void")
        assert void["turn"] is None
        await seats.players[0].until(
            "poker_table",
            lambda table: bool(table["paused"]) and {seat["stack"] for seat in table["seats"]} == {1000},
        )
        assert (await say("resume"))["status"] == 200
    await seats.players[0].until("hand", lambda hand: hand["number"] == 2)


def test_every_event_has_bad_input() -> None:
    assert set(SENT) == set(FROM_POKER_PLAYERS)
