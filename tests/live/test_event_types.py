"""Message fields: every message of the service has the documented fields, in every phase."""

import asyncio
from typing import Final

import pytest

from tests.live.clients import Clients
from tests.live.hands import Hand, deal
from tests.live.service import Json

ROUND: Final = set(
    "table_id seq server_time round_id game_number phase deadline paused player_cards board dealer_cards "
    "player_hand dealer_hand dealer_qualifies players".split()
)
SEAT: Final = set(
    "table_id round_id bets decision automatic options hand seat_no player_cards".split()
)  # fmt: skip
RESULT: Final = set("table_id round_id status result spots staked returned balance".split())
TABLE: Final = set("table_id status presenter players limits".split())
LIMITS: Final = set("ante_min ante_max trips_min trips_max".split())
HOST: Final = set("table_id round expects totals seats tips presenter".split())
SPOTS: Final = ("ante", "blind", "trips", "play")
HAND: Final = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")


def verify_round(view: Json) -> None:
    assert set(view) >= ROUND
    assert isinstance(view["seq"], int)
    assert view["deadline"] is None or isinstance(view["deadline"], int)
    for cards in ("player_cards", "board", "dealer_cards"):
        assert isinstance(view[cards], list)
    for hand in ("player_hand", "dealer_hand"):
        assert view[hand] is None or set(view[hand]) == {"category", "cards"}


def verify_seat(seat: Json) -> None:
    assert set(seat) >= SEAT
    assert set(seat["bets"]) == set(SPOTS)
    assert isinstance(seat["options"], list)
    assert seat["automatic"] in (None, "auto_checked", "auto_folded")
    assert seat["hand"] is None or set(seat["hand"]) == {"category", "cards"}


def verify_joined(joined: Json) -> None:
    assert set(joined) >= {"ok", "round", "seat", "table"}
    verify_round(joined["round"])
    verify_seat(joined["seat"])
    assert set(joined["table"]) >= TABLE
    assert set(joined["table"]["limits"]) == LIMITS


async def test_a_join_gives_a_whole_snapshot_in_every_phase(clients: Clients) -> None:
    """By a player who has just joined, and by one after a short disconnection."""
    table_id = clients.service.table("lasting")
    host, player = await clients.host(), await clients.player()
    seen: list[tuple[str, list[str], Json]] = []

    async def look() -> None:
        stranger = await clients.player()
        joined = await stranger.join(table_id)
        verify_joined(joined)
        assert joined["seat"]["bets"] == dict.fromkeys(SPOTS, 0)
        assert joined["seat"]["options"] == []
        await stranger.close()
        again = await player.join(table_id)  # joining again changes nothing
        verify_joined(again)
        assert again["round"]["seq"] == joined["round"]["seq"]
        seen.append((again["round"]["phase"], again["seat"]["options"], again))

    closed = await player.join(table_id)
    verify_joined(closed)
    assert closed["round"]["phase"] == "idle"
    assert closed["round"]["round_id"] is None
    assert closed["table"]["status"] == "closed"
    assert closed["table"]["presenter"] is None
    await host.take_over(table_id)
    manager = await clients.host("max")
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 500, 100)
    await look()
    await manager.ok("report_problem", {"table_id": table_id, "reason": "A card fell down."})
    await look()
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "Too many cards on the floor."})
    await look()
    phases = [(phase, options) for phase, options, _ in seen]
    assert phases == [("betting", []), ("betting", []), ("cancelled", [])]
    assert seen[0][2]["round"]["deadline"] - seen[0][2]["round"]["server_time"] <= 300_000
    assert seen[0][2]["table"] | {"players": 0} == {
        **seen[0][2]["table"],
        "table_id": table_id,
        "status": "open",
        "presenter": "paula",
        "players": 0,
    }
    assert seen[1][2]["round"]["deadline"] is None
    assert set(seen[1][2]["round"]["paused"]) == {"reason", "since", "incident_id"}
    assert seen[0][2]["seat"]["bets"] == {"ante": 500, "blind": 500, "trips": 100, "play": 0}


async def test_a_join_while_cards_are_out_shows_them_and_what_is_offered(clients: Clients) -> None:
    table_id = clients.service.table("calm")
    host, player, watcher = await clients.host(), await clients.player(), await clients.player()
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 500)
    seen: list[tuple[str, int, int, int, list[str]]] = []

    async def look() -> None:
        joined = await player.join(table_id)
        verify_joined(joined)
        verify_joined(await watcher.join(table_id))
        view, seat = joined["round"], joined["seat"]
        cards = len(view["player_cards"]), len(view["board"]), len(view["dealer_cards"])
        assert seat["player_cards"] == view["player_cards"]
        assert seat["hand"] == view["player_hand"]
        seen.append((view["phase"], *cards, seat["options"]))

    await host.phase(table_id, round_id, "dealing_hole")
    await look()
    for cards, action in (("As Kd", "check"), ("7h 7c 2s", "check"), ("Jd 3c", "play_1x")):
        await host.scan(table_id, round_id, cards)
        await look()
        await player.decide(table_id, round_id, action)
        await look()
    await host.scan(table_id, round_id, "Qh")
    await look()
    await host.scan(table_id, round_id, "Qd")
    await look()
    assert seen == [
        ("dealing_hole", 0, 0, 0, []),
        ("deciding_preflop", 2, 0, 0, ["play_4x", "play_3x", "check"]),
        ("dealing_flop", 2, 0, 0, []),
        ("deciding_flop", 2, 3, 0, ["play_2x", "check"]),
        ("dealing_river", 2, 3, 0, []),
        ("deciding_river", 2, 5, 0, ["play_1x", "fold"]),
        ("showdown", 2, 5, 0, []),
        ("showdown", 2, 5, 1, []),
        ("settled", 2, 5, 2, []),
    ]


@pytest.mark.req("RND-1")
async def test_every_event_of_a_round_fits_its_type_and_is_numbered(clients: Clients) -> None:
    table_id = clients.service.table("calm")
    host, player = await clients.host(), await clients.player()
    await host.take_over(table_id)
    joined = await player.join(table_id)
    round_id = await host.start(table_id)
    answer = await player.bet(table_id, round_id, 500, 100)
    assert answer["bets"] == {"ante": 500, "blind": 500, "trips": 100, "play": 0}
    assert answer["available"] == 100_000 - 1100
    await deal(host, table_id, round_id, HAND, {player: ("check", "play_2x")})
    result = await player.result(round_id)
    assert set(result) >= RESULT
    assert set(result["spots"]) == set(SPOTS)
    for spot in result["spots"].values():
        assert set(spot) == {"bet", "outcome", "returned"}
    for view in player.all("round"):
        verify_round(view)
    numbers = [view["seq"] for view in player.all("round")]
    assert numbers == list(range(joined["round"]["seq"] + 1, joined["round"]["seq"] + 1 + len(numbers)))
    phases = list(dict.fromkeys(view["phase"] for view in player.all("round")))
    assert phases == [
        "betting",
        "dealing_hole",
        "deciding_preflop",
        "dealing_flop",
        "deciding_flop",
        "dealing_river",
        "showdown",
        "settled",
    ]
    for seat in player.all("seat"):
        verify_seat(seat)
    assert player.all("seat")[-1]["bets"] == {"ante": 500, "blind": 500, "trips": 100, "play": 1000}
    for balance in player.all("balance"):
        assert set(balance) == {"balance", "available"}
    assert player.all("balance")[-1] == {"balance": result["balance"], "available": result["balance"]}
    for view in host.all("host"):
        assert set(view) >= HOST
        verify_round(view["round"])
        assert set(view["totals"]) == set(SPOTS)
    expected = "player_1 player_2 flop_1 flop_2 flop_3 turn river dealer_1 dealer_2".split()
    assert list(dict.fromkeys(view["expects"] for view in host.all("host") if view["expects"])) == expected
    assert host.all("host")[-1]["totals"] == {"ante": 500, "blind": 500, "trips": 100, "play": 1000}


async def test_player_count_and_presenter_are_broadcast(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    host, player = await clients.host(), await clients.player()
    await player.join(table_id)
    await host.take_over(table_id)
    opened = await player.until("table", lambda table: table["status"] == "open")
    assert set(opened) >= TABLE
    assert set(opened["limits"]) == LIMITS
    assert opened["presenter"] == "paula"
    assert (await host.until("host", lambda view: view["presenter"] == "paula"))["tips"] == 0
    others = await clients.players(3)
    await asyncio.gather(*(other.join(table_id) for other in others))
    assert (await player.until("table", lambda table: table["players"] == 4))["table_id"] == table_id
    await others[0].ok("leave", {"table_id": table_id})
    await others[1].close()
    await player.until("table", lambda table: table["players"] == 2)
    await host.ok("close_table", {"table_id": table_id})
    await player.until("table", lambda table: table["status"] == "closed")


async def test_the_console_sees_the_money_on_each_spot_while_it_is_bet(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    host, player = await clients.host(), await clients.player()
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 700, 300)
    view = await host.until("host", lambda view: view["totals"]["ante"] == 700)
    assert view["totals"] == {"ante": 700, "blind": 700, "trips": 300, "play": 0}
    (seat,) = view["seats"]
    assert (seat["name"], seat["bets"]["trips"]) == (player.name, 300)


async def test_pause_is_announced_to_all_players_and_ends_with_full_time(clients: Clients) -> None:
    table_id = clients.service.table("calm")
    host, manager, player = await clients.host(), await clients.host("max"), await clients.player()
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, 500)
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, "As Kd")
    window = await player.phase(table_id, round_id, "deciding_preflop")
    await host.ok("report_problem", {"table_id": table_id, "reason": "Two cards stick."})
    paused = await player.until("round", lambda view: view["paused"] is not None)
    assert paused["deadline"] is None
    assert paused["paused"]["reason"] == "Two cards stick."
    assert paused["paused"]["incident_id"]
    notice = await player.until("notice")
    assert set(notice) == {"table_id", "level", "code", "text", "incident_id"}
    assert (notice["code"], notice["incident_id"]) == ("table_paused", paused["paused"]["incident_id"])
    chat = await player.until("chat")
    assert set(chat) == {"table_id", "from", "role", "text", "at", "code", "incident_id"}
    await host.until("notice")
    assert (await player.until("seat", lambda seat: seat["options"] == []))["round_id"] == round_id
    decision = {"table_id": table_id, "round_id": round_id, "action": "check"}
    assert await player.refused("decide", decision) == "table_paused"
    bet = {"table_id": table_id, "round_id": round_id, "ante": 500, "trips": 0}
    assert await player.refused("bet", bet) == "table_paused"
    scan = {"table_id": table_id, "round_id": round_id, "card": "2s"}
    assert await host.refused("scan", scan) == "table_paused"
    correction = {"table_id": table_id, "round_id": round_id, "slot": "player_2", "card": "Kc", "reason": "misread"}
    await manager.ok("correct_card", correction)
    corrected = await player.until("round", lambda view: view["player_cards"] == ["As", "Kc"])
    assert corrected["paused"] is not None
    await player.until("seat", lambda seat: seat["player_cards"] == ["As", "Kc"])
    await manager.ok("resume", {"table_id": table_id})
    resumed = await player.until("round", lambda view: view["seq"] > corrected["seq"] and view["paused"] is None)
    assert resumed["phase"] == "deciding_preflop"
    assert resumed["deadline"] >= resumed["server_time"] + 59_000
    assert resumed["deadline"] > window["deadline"]
    assert (await player.until("notice", lambda notice: notice["code"] == "resumed"))["level"] == "info"
    hand = Hand("", HAND.flop, HAND.turn_river, HAND.dealer)
    await deal(host, table_id, round_id, hand, {player: ("play_4x",)})
    assert (await player.result(round_id))["status"] == "settled"


async def test_cancelled_round_returns_every_bet_to_every_player(clients: Clients) -> None:
    table_id = clients.service.table("calm")
    host, manager, (ann, ben) = await clients.host(), await clients.host("max"), await clients.players(2)
    await host.take_over(table_id)
    for player in (ann, ben):
        await player.join(table_id)
    round_id = await host.start(table_id)
    await ann.bet(table_id, round_id, 500, 100)
    await ben.bet(table_id, round_id, 900)
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, "As Kd")
    await ann.decide(table_id, round_id, "play_4x")
    assert await ann.money() == (100_000 - 3100, 100_000 - 3100)
    await ben.close()
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "The shoe was wrong."})
    result = await ann.result(round_id)
    assert (result["status"], result["staked"], result["returned"]) == ("cancelled", 3100, 3100)
    assert result["balance"] == 100_000
    assert {name: spot["returned"] for name, spot in result["spots"].items()} == {
        "ante": 500,
        "blind": 500,
        "trips": 100,
        "play": 2000,
    }
    assert await ann.money() == await ben.money() == (100_000, 100_000)
    notice = await ann.until("notice", lambda notice: notice["code"] == "round_cancelled")
    assert notice["table_id"] == table_id
    assert result["incident_id"] == notice["incident_id"]
    assert notice["text"].endswith(f"Incident {notice['incident_id']}.")
    assert (await ann.phase(table_id, round_id, "cancelled"))["deadline"] is None
    again = {"table_id": table_id, "reason": "Once more."}
    assert await manager.refused("cancel_round", again) == "too_late"
    assert await ann.money() == (100_000, 100_000)
    assert await host.start(table_id) != round_id


async def test_chat_reaches_the_table_and_the_console(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    host, (ann, ben) = await clients.host(), await clients.players(2)
    await host.ok("watch", {"table_id": table_id})
    await ann.join(table_id)
    await ben.join(table_id)
    await ann.ok("chat", {"table_id": table_id, "text": "Good luck!"})
    for device in (ann, ben, host):
        received = await device.until("chat")
        assert {**received, "at": 0} == {
            "table_id": table_id,
            "from": ann.name,
            "role": "player",
            "text": "Good luck!",
            "at": 0,
            "code": None,
            **({"player_id": ann.id} if device is host else {}),
        }
    await host.ok("say", {"table_id": table_id, "text": "Thank you."})
    said = await ben.until("chat", lambda chat: chat["text"] == "Thank you.")
    assert (said["from"], said["role"]) == ("paula", "presenter")
