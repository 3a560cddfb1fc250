"""Own-hands tables: seven seats, each with its own cards, bets, decisions and comparison with the dealer."""

import asyncio
from typing import Final

from casino.live_table.seating import IDLE_ROUNDS_MAX
from tests.live.clients import Clients, Player
from tests.live.service import Json

CREDIT: Final = 100_000


async def seated(clients: Clients, table_id: str, *numbers: int) -> list[Player]:
    players = await clients.players(len(numbers))
    for player, number in zip(players, numbers, strict=True):
        joined = await player.join(table_id, seat_no=number)
        assert joined["seat"]["seat_no"] == number
        assert joined["round"]["seats"] == []
    return players


def seat_of(view: Json, number: int) -> Json:
    (found,) = (seat for seat in view["seats"] if seat["seat_no"] == number)
    assert isinstance(found, dict)
    return found


async def test_each_seat_plays_its_own_cards_against_the_dealer(clients: Clients) -> None:
    table_id = clients.service.table("seven-live")
    host = await clients.host()
    await host.take_over(table_id)
    ann, ben = await seated(clients, table_id, 2, 5)
    taken = [{"seat_no": 2, "name": ann.name}, {"seat_no": 5, "name": ben.name}]
    await ann.until("table", lambda table: table["taken"] == taken)
    round_id = await host.start(table_id)
    await asyncio.gather(ann.bet(table_id, round_id, 500), ben.bet(table_id, round_id, 700, 100))
    view = await host.phase(table_id, round_id, "dealing_hole")
    assert view["expects"] == "seat_2_card_1"
    await host.scan(table_id, round_id, "As Ad 3h 4s")
    window = await ann.phase(table_id, round_id, "deciding_preflop")
    assert (window["player_cards"], window["player_hand"]) == ([], None)
    assert set(seat_of(window, 2)) >= {"seat_no", "name", "player_cards", "bets", "decision"}
    assert [(seat["seat_no"], seat["name"], seat["player_cards"]) for seat in window["seats"]] == [
        (2, ann.name, ["As", "Ad"]),
        (5, ben.name, ["3h", "4s"]),
    ]
    assert seat_of(window, 5)["bets"] == {"ante": 700, "blind": 700, "trips": 100, "play": 0}
    for player, number, cards in ((ann, 2, ["As", "Ad"]), (ben, 5, ["3h", "4s"])):
        seat = await player.until("seat", lambda seat: seat["options"] != [])
        assert (seat["seat_no"], seat["player_cards"]) == (number, cards)
    await ann.decide(table_id, round_id, "play_4x")
    await ben.decide(table_id, round_id, "check")
    after = await ben.phase(table_id, round_id, "dealing_flop")
    assert seat_of(after, 2)["decision"] == "play_4x"
    assert seat_of(after, 2)["bets"]["play"] == 2000
    await host.scan(table_id, round_id, "2c 5d 9h")
    await ben.decide(table_id, round_id, "check")
    await host.phase(table_id, round_id, "dealing_river")
    await host.scan(table_id, round_id, "Jc Kd")
    await ben.decide(table_id, round_id, "play_1x")
    await host.phase(table_id, round_id, "showdown")
    await host.scan(table_id, round_id, "Jh 4c")
    won, lost = await ann.result(round_id), await ben.result(round_id)
    assert (won["result"], won["staked"], won["returned"]) == ("win", 3000, 1000 + 500 + 4000)
    assert (lost["result"], lost["staked"], lost["returned"]) == ("lose", 2200, 0)
    assert await ann.money() == (CREDIT + 2500,) * 2
    assert await ben.money() == (CREDIT - 2200,) * 2
    expected = [view["expects"] for view in host.all("host") if view["expects"]]
    assert (
        list(dict.fromkeys(expected))
        == (
            "seat_2_card_1 seat_2_card_2 seat_5_card_1 seat_5_card_2 flop_1 flop_2 flop_3 turn river dealer_1 dealer_2"
        ).split()
    )


async def test_the_machine_deals_every_seat_other_cards(clients: Clients) -> None:
    table_id = clients.service.table("seven")
    ann, ben = await seated(clients, table_id, 7, 1)
    round_id = (await ann.phase(table_id, None, "betting"))["round_id"]
    await asyncio.gather(ann.bet(table_id, round_id, 500), ben.bet(table_id, round_id, 500))
    await ann.phase(table_id, round_id, "deciding_preflop")
    await ann.decide(table_id, round_id, "play_4x")
    await ben.decide(table_id, round_id, "play_3x")
    settled = await ann.phase(table_id, round_id, "settled")
    cards = [card for seat in settled["seats"] for card in seat["player_cards"]]
    cards += settled["board"] + settled["dealer_cards"]
    assert len(set(cards)) == len(cards) == 11
    for player, number in ((ann, 7), (ben, 1)):
        result = await player.result(round_id)
        assert await player.money() == (result["balance"],) * 2
        own = [seat for seat in player.all("seat") if seat["round_id"] == round_id][-1]
        assert (own["seat_no"], own["player_cards"]) == (number, seat_of(settled, number)["player_cards"])


async def test_the_eighth_player_watches_until_a_seat_is_free(clients: Clients) -> None:
    table_id = clients.service.table("seven-live")
    host = await clients.host()
    await host.take_over(table_id)
    players = await seated(clients, table_id, 1, 2, 3, 4, 5, 6, 7)
    eighth = await clients.player()
    for wish in (None, 3):
        joined = await eighth.join(table_id, seat_no=wish)
        assert joined["seat"]["seat_no"] is None
    round_id = await host.start(table_id)
    bet = {"table_id": table_id, "round_id": round_id, "ante": 500, "trips": 0}
    assert await eighth.refused("bet", bet) == "table_full"
    assert await eighth.refused("bet", bet | {"ante": 50}) == "below_minimum"
    assert await eighth.money() == (CREDIT, CREDIT)
    await players[3].bet(table_id, round_id, 500)
    await players[3].ok("leave", {"table_id": table_id})
    assert await players[3].money() == (CREDIT, CREDIT)
    joined = await eighth.join(table_id, seat_no=2)  # taken; the one that is free
    assert joined["seat"]["seat_no"] == 4
    await eighth.bet(table_id, round_id, 500)
    await players[0].bet(table_id, round_id, 500)
    view = await eighth.phase(table_id, round_id, "dealing_hole")
    assert [seat["seat_no"] for seat in view["seats"]] == [1, 4]
    assert await players[3].refused("decide", {"table_id": table_id, "round_id": round_id, "action": "check"}) == (
        "not_in_round"
    )


async def test_seat_with_a_bet_is_kept_for_its_disconnected_player(clients: Clients) -> None:
    table_id = clients.service.table("seven-live")
    host, manager = await clients.host(), await clients.host("max")
    await host.take_over(table_id)
    ann, ben = await seated(clients, table_id, 1, 2)
    round_id = await host.start(table_id)
    await asyncio.gather(ann.bet(table_id, round_id, 500), ben.bet(table_id, round_id, 500))
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, "As Ad 3h 4s")
    await ann.close()
    newcomer = await clients.player()
    assert (await newcomer.join(table_id, seat_no=1))["seat"]["seat_no"] == 3
    back = await clients.device(ann.signed_in)
    joined = await back.join(table_id)
    assert (joined["seat"]["seat_no"], joined["seat"]["player_cards"]) == (1, ["As", "Ad"])
    await back.close()
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "Enough is proved."})
    await ben.result(round_id)
    late = await clients.player()
    assert (await late.join(table_id, seat_no=1))["seat"]["seat_no"] == 1  # free once the round is over
    assert await back.money() == (CREDIT, CREDIT)


async def test_seven_inactive_players_release_a_seat_to_a_waiting_player(clients: Clients) -> None:
    table_id = clients.service.table("seven-live")
    host = await clients.host()
    await host.take_over(table_id)
    sitting = await seated(clients, table_id, 1, 2, 3, 4, 5, 6, 7)
    ann = await clients.player()
    assert (await ann.join(table_id))["seat"]["seat_no"] is None
    for _ in range(IDLE_ROUNDS_MAX):
        round_id = await host.start(table_id)
        await host.phase(table_id, round_id, "idle", "cancelled", "settled")
    assert (await ann.until("notice", lambda notice: notice["code"] == "seat_found"))["table_id"] == table_id
    assert ann.all("seat")[-1]["seat_no"] == 1
    assert (await sitting[0].until("notice", lambda notice: notice["code"] == "seat_lost"))["table_id"] == table_id
    assert sitting[0].all("seat")[-1]["seat_no"] is None
    round_id = await host.start(table_id)
    await ann.bet(table_id, round_id, 500)
    bet = {"table_id": table_id, "round_id": round_id, "ante": 500, "trips": 0}
    assert await sitting[0].refused("bet", bet) == "table_full"
    await sitting[1].bet(table_id, round_id, 500)
