"""Hostile players: bets and decisions repeated, from two devices, in haste, or with a connection cut on purpose."""

import asyncio
from typing import Any, Final

import pytest

from tests.live.clients import Clients, Player
from tests.live.hands import WINDOWS, Hand, deal
from tests.live.service import Json
from tests.security.scene import HAND, registered

CREDIT: Final = 100_000
TRIES: Final = 8


async def codes(*asked: Any) -> list[str]:  # noqa: ANN401  calls under way
    """Replies by message; `closed` if the connection ended before."""
    answers = await asyncio.gather(*asked, return_exceptions=True)
    return [_code(answer) for answer in answers]


def _code(answer: object) -> str:
    if isinstance(answer, dict):
        return "ok" if answer["ok"] else str(answer["error"]["code"])
    return "closed"


async def open_table(clients: Clients, kind: str, *players: Player) -> tuple[str, str, Any]:
    table_id, host = clients.service.table(kind), await clients.host()
    await host.take_over(table_id)
    for player in players:
        await player.join(table_id)
    return table_id, await host.start(table_id), host


@pytest.mark.req("SEC-3")
async def test_two_devices_racing_for_a_seat_never_hold_two_bets(clients: Clients) -> None:
    one = await clients.player()
    two = await clients.device(one.signed_in)
    table_id, round_id, _ = await open_table(clients, "lasting", one)
    for turn in range(TRIES):
        bet = {"table_id": table_id, "round_id": round_id, "trips": 0}
        found = await codes(
            one.call("bet", bet | {"ante": 500 + 100 * turn}),
            two.call("join", {"table_id": table_id}),
            two.call("bet", bet | {"ante": 2000}),
            one.call("bet", bet | {"ante": 700}),
            one.call("leave", {"table_id": table_id}),
            one.call("join", {"table_id": table_id}),
        )
        assert set(found) <= {"ok", "not_in_round", "rate_limited"}, found
        seat = (await one.join(table_id))["seat"]
        balance, available = await one.money()
        assert balance == CREDIT
        assert balance - available == sum(seat["bets"].values())
        await asyncio.sleep(1.1)  # below what one account may ask
    await one.ok("leave", {"table_id": table_id})
    assert await one.money() == (CREDIT, CREDIT)


@pytest.mark.req("LED-2")
async def test_one_balance_at_three_tables_is_spent_once(clients: Clients) -> None:
    player = await clients.player()
    tables = [await open_table(clients, "lasting", player) for _ in range(3)]
    ways = [
        player.call("bet", {"table_id": table_id, "round_id": round_id, "ante": ante, "trips": 0})
        for ante in (40_000, 30_000, 20_000)
        for table_id, round_id, _ in tables
    ]
    assert set(await codes(*ways)) <= {"ok", "insufficient_funds"}
    seats = [(await player.join(table_id))["seat"]["bets"] for table_id, _, _ in tables]
    balance, available = await player.money()
    assert (balance, available) == (CREDIT, CREDIT - sum(sum(bets.values()) for bets in seats))
    assert available >= 0


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-6")
async def test_disconnecting_as_betting_closes_leaves_a_bet_or_none(clients: Clients) -> None:
    """Some at the very moment, some before, some after; no returned bet is paid."""
    players = await clients.players(TRIES)
    table_id, round_id, host = await open_table(clients, "quick", *players)
    stays = await clients.player()
    await stays.join(table_id)
    await stays.bet(table_id, round_id, 500)
    betting = await stays.phase(table_id, round_id, "betting", "dealing_hole")
    close_ms = betting["deadline"] or betting["server_time"]
    left_s = max(0.0, (close_ms - betting["server_time"]) / 1000)

    async def hit_and_run(number: int, player: Player) -> str:
        await asyncio.sleep(max(0.0, left_s + (number - TRIES / 2) * 0.01))
        bet = asyncio.create_task(
            player.call("bet", {"table_id": table_id, "round_id": round_id, "ante": 500, "trips": 100})
        )
        await asyncio.sleep(0.002 * (number % 4))
        await player.client.eio.disconnect(abort=True)
        bet.cancel()
        return (await codes(bet))[0]

    await asyncio.gather(*(hit_and_run(number, player) for number, player in enumerate(players)))
    await deal(host, table_id, round_id, HAND, {stays: ("check", "check", "fold")})
    for player in players:
        status, history = await clients.ask("GET", "/api/history", player.signed_in["token"])
        assert status == 200
        played = history["rounds"]
        balance, available = await player.money()
        assert balance == available
        assert balance == CREDIT + sum(one["returned"] - one["staked"] for one in played)
        assert all(one["status"] == "settled" and one["staked"] == 1100 for one in played)


@pytest.mark.req("LED-5")
async def test_a_decision_sent_ten_times_from_two_devices_is_paid_once(clients: Clients) -> None:
    one = await clients.player()
    two = await clients.device(one.signed_in)
    table_id, round_id, host = await open_table(clients, "quick", one)
    await one.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, HAND.player)
    await one.phase(table_id, round_id, WINDOWS[0])
    decide = {"table_id": table_id, "round_id": round_id}
    ways = [
        device.call("decide", decide | {"action": action})
        for action in ("play_4x", "play_3x", "check", "play_4x", "play_3x")
        for device in (one, two)
    ]
    found = await codes(*ways)
    assert set(found) <= {"ok", "already_decided", "not_in_round", "too_late"}  # all have decided: it is closed
    seat = (await one.join(table_id))["seat"]
    assert seat["decision"] in ("play_4x", "play_3x", "check")
    assert await one.money() == (CREDIT - sum(seat["bets"].values()),) * 2
    rest = Hand("", HAND.flop, HAND.turn_river, HAND.dealer)
    assert seat["decision"] == "play_4x", "the first to arrive counts"
    await deal(host, table_id, round_id, rest, {})
    result = await one.result(round_id)
    assert (result["staked"], await one.money()) == (3000, (CREDIT - 3000 + result["returned"],) * 2)


@pytest.mark.req("LED-5")
async def test_payments_and_tips_said_twenty_times_at_once_happen_once(clients: Clients) -> None:
    signed_in = await registered(clients, "Twenty Times")
    one, two = await clients.device(signed_in), await clients.device(signed_in)
    token = one.signed_in["token"]

    async def pay(path: str, amount: int, key: str) -> int:
        return (await clients.ask("POST", f"/api/cashier/{path}", token, {"amount": amount, "key": key}))[0]

    statuses = await asyncio.gather(*(pay("deposit", 1000 + (n % 2), "same-key") for n in range(20)))
    assert sorted(set(statuses)) == [200, 409]
    balance, _ = await one.money()
    assert balance in (1000, 1001)
    statuses = await asyncio.gather(*(pay("withdraw", balance, f"all-of-it-{n}") for n in range(20)))
    assert sorted(statuses) == [200] + [409] * 19
    assert await one.money() == (0, 0)
    assert await pay("deposit", 5000, "more") == 200
    table_id, _, _ = await open_table(clients, "lasting", one)
    tip = {"table_id": table_id, "amount": 500, "key": "thank-you"}
    found = await codes(*(one.call("tip", tip) for _ in range(5)))
    assert set(found) == {"ok"}
    await two.join(table_id)
    assert set(await codes(two.call("tip", tip), two.call("tip", tip | {"amount": 400}))) == {"ok", "key_reused"}
    assert await one.money() == (4500, 4500)


@pytest.mark.parametrize("amount", [-1, 0, 2**53, 2**63, 10**30, 1.5, "5", True, None])
async def test_impossible_amounts_move_nothing(clients: Clients, amount: object) -> None:
    token = (await clients.guest())["token"]
    for path in ("deposit", "withdraw"):
        status, reply = await clients.ask("POST", f"/api/cashier/{path}", token, {"amount": amount, "key": "k"})
        assert (status, reply["error"]["code"]) == (400, "bad_request")
    assert (await clients.ask("GET", "/api/me", token))[1]["balance"] == CREDIT


async def test_a_seat_at_an_own_hands_table_is_given_to_one(clients: Clients) -> None:
    table_id = clients.service.table("seven")
    players = await clients.players(9)
    joined = await asyncio.gather(*(player.join(table_id, seat_no=1) for player in players))
    taken = [one["seat"]["seat_no"] for one in joined if one["seat"]["seat_no"] is not None]
    assert sorted(taken) == sorted(set(taken))
    assert taken.count(1) == 1
    assert len(taken) <= 7
    owner = players[[one["seat"]["seat_no"] for one in joined].index(1)]
    other = await clients.device(owner.signed_in)
    again = await other.join(table_id, seat_no=2)
    assert again["seat"]["seat_no"] == 1, "one player has one seat, whatever the second device asks for"


@pytest.mark.req("SEC-8")
async def test_rounds_of_others_cannot_be_read_by_any_trick(clients: Clients) -> None:
    owner, thief = await clients.players(2)
    table_id, round_id, host = await open_table(clients, "quick", owner)
    await owner.bet(table_id, round_id, 500)
    await deal(host, table_id, round_id, HAND, {owner: ("check", "check", "fold")})
    await owner.result(round_id)
    own = (await clients.ask("GET", "/api/history", owner.signed_in["token"]))[1]["rounds"][0]
    token = thief.signed_in["token"]
    for path in (round_id, f"{round_id}/advice", f"{round_id}%2f", f"{round_id}'--", "%25", "_", "*"):
        status, reply = await clients.ask("GET", f"/api/history/{path}", token)
        assert (status, reply["error"]["code"]) == (404, "not_found"), path
    cursors = (f"{own['started_at'] + 1}-{round_id}", f"999999999999999-{round_id}", "999999999999999-zzz", "0-a")
    for before in cursors:
        status, reply = await clients.ask("GET", f"/api/history?before={before}", token)
        assert (status, reply) == (200, {"rounds": [], "next": None}), before
    for query in (
        "before=-1-x",
        "before=1",
        "before=1-%27",
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=1e2",
    ):
        assert (await clients.ask("GET", f"/api/history?{query}", token))[0] == 400, query
    for query in (f"player_id={owner.id}", f"user={owner.id}", "limit=1&limit=200"):
        assert (await clients.ask("GET", f"/api/history?{query}", token))[1]["rounds"] == [], query


async def test_settings_with_keys_of_the_language_are_refused(clients: Clients) -> None:
    token = (await clients.guest())["token"]
    before = (await clients.ask("GET", "/api/settings", token))[1]
    hostile: list[Json] = [
        {"__proto__": {"trainer": True}}, {"constructor": {}}, {"voice": {"__proto__": {"volume": 1}}}, {"role": "x"},
        {"voice": {"muted": False, "volume": 101}}, {"language": "../en"}, {"chat_shown": "false"}, {"sound": []},
    ]  # fmt: skip
    for settings in hostile:
        assert (await clients.ask("PUT", "/api/settings", token, settings))[0] == 400, settings
    assert (await clients.ask("GET", "/api/settings", token))[1] == before


@pytest.mark.req("RGP")
async def test_self_exclusion_while_betting_returns_the_bet(clients: Clients) -> None:
    for number in range(4):
        player = await clients.player()
        table_id, round_id, _ = await open_table(clients, "lasting", player)
        token = player.signed_in["token"]
        bets = [
            player.call("bet", {"table_id": table_id, "round_id": round_id, "ante": 500 + 100 * n, "trips": 0})
            for n in range(6)
        ]
        exclude = clients.ask("POST", "/api/responsible/time-out", token, {"days": 1})
        (status, _), *found = await asyncio.gather(exclude, *bets)
        assert status == 200
        assert {_code(answer) for answer in found} <= {"ok", "limit_reached"}, number
        assert (await player.join(table_id))["seat"]["bets"]["ante"] == 0
        assert await player.money() == (CREDIT, CREDIT)
        bet = {"table_id": table_id, "round_id": round_id, "ante": 500, "trips": 0}
        assert await player.refused("bet", bet) == "limit_reached"


@pytest.mark.req("CHT")
async def test_messages_are_shown_without_invisible_characters(clients: Clients) -> None:
    speaker, listener = await clients.players(2)
    table_id, _, _ = await open_table(clients, "lasting", speaker, listener)
    await speaker.ok("chat", {"table_id": table_id, "text": "Good\u202e eve\u200bning <b>all</b>\r\nsystem: you won"})
    line = await listener.until("chat", lambda line: line["from"] == speaker.name)
    assert line["text"] == "Good evening <b>all</b> system: you won"
    assert line["role"] == "player"
    for text in ("еvil.соm", "evil dot com", "fuсk", "\u202e\u200b", "www evil"):
        assert await speaker.refused("chat", {"table_id": table_id, "text": text}) in ("bad_request", "rate_limited")
