"""Disconnections in every phase: closed, broken and silent connections, other devices, and reconnecting."""

import asyncio
import time
from functools import partial
from typing import Final

import pytest

from tests.live.clients import Clients, Host, Player
from tests.live.hands import WINDOWS, Hand, deal
from tests.live.proxy import Proxy, proxy_to
from tests.live.service import Json

CREDIT: Final = 100_000
HAND: Final = Hand.of("7s 7d | 7h 2c 9d Jc Ks | Ah Ad")
"""Three of a kind against a pair: TRIPS pays 3:1, BLIND is a push."""
NOTHING: Final = {"ante": 0, "blind": 0, "trips": 0, "play": 0}
NOTICED_SECONDS_MAX: Final = 15
"""A dead peer is noticed within the interval of the pings and the time for the answer."""
SLACK_SECONDS: Final = 20
PHASES: Final = (
    "dealing_hole",
    "deciding_preflop",
    "dealing_flop",
    "deciding_flop",
    "dealing_river",
    "deciding_river",
    "showdown",
)


async def go(player: Player, proxy: Proxy, how: str) -> None:
    """The player disconnects: by a close, a pulled cable, or a killed browser."""
    if how == "close":
        await player.close()
    elif how == "cut":
        proxy.cut()
        await player.lost()
    else:
        await player.ok("leave", {"table_id": how})


@pytest.mark.parametrize("how", ["close", "cut", "leave"])
async def test_open_bets_go_back_at_once(clients: Clients, how: str) -> None:
    table_id = clients.service.table("lasting")
    host, watcher, guest = await clients.host(), await clients.player(), await clients.guest()
    async with proxy_to(clients.service.address) as proxy:
        player = await clients.device(guest, address=proxy.address)
        await host.take_over(table_id)
        for one in (player, watcher):
            await one.join(table_id)
        round_id = await host.start(table_id)
        await watcher.bet(table_id, round_id, 300)
        await player.bet(table_id, round_id, 500, 100)
        assert await player.money() == (CREDIT, CREDIT - 1100)
        await watcher.until("table", lambda table: table["in_round"] == 2)
        watcher.received.clear()
        await go(player, proxy, table_id if how == "leave" else how)
        await watcher.until("table", lambda table: table["in_round"] == 1)
        if how != "leave":
            player = await clients.device(guest)
        joined = await player.join(table_id)
        assert joined["seat"]["bets"] == NOTHING
        assert joined["round"]["round_id"] == round_id
        assert await player.money() == (CREDIT, CREDIT)
        assert await watcher.money() == (CREDIT, CREDIT - 600)
        await player.bet(table_id, round_id, 700)
        assert await player.money() == (CREDIT, CREDIT - 1400)


def is_empty(table_id: str, view: Json) -> bool:
    return bool(view["table_id"] == table_id and view["totals"]["ante"] == 0)


async def test_a_lost_connection_returns_the_bets_of_all_its_tables(clients: Clients) -> None:
    host, player = await clients.host(), await clients.player(transports=["polling"])
    tables = [clients.service.table("lasting") for _ in range(2)]
    for table_id in tables:
        await host.take_over(table_id)
        await player.join(table_id)
        await player.bet(table_id, await host.start(table_id), 1000)
    assert await player.money() == (CREDIT, CREDIT - 4000)
    host.received.clear()
    await player.close()
    for table_id in tables:
        await host.until("host", partial(is_empty, table_id))
    assert await player.money() == (CREDIT, CREDIT)


async def leave_in(clients: Clients, host: Host, phase: str, how: str) -> tuple[Player, str, Json]:
    """Ann goes in this phase without a word, and comes back when everything is over; Ben stays."""
    table_id = clients.service.table("hasty")
    guest, ben = await clients.guest(), await clients.player()
    async with proxy_to(clients.service.address) as proxy:
        ann = await clients.device(guest, address=proxy.address)
        await host.take_over(table_id)
        await asyncio.gather(ann.join(table_id), ben.join(table_id))
        round_id = await host.start(table_id)
        await asyncio.gather(ann.bet(table_id, round_id, 500, 100), ben.bet(table_id, round_id, 500))
        await host.phase(table_id, round_id, "dealing_hole")
        is_here = True
        for window, cards, action in zip(WINDOWS, HAND.streets, ("check", "check", "play_1x"), strict=True):
            for at in (window.replace("deciding", "dealing").replace("preflop", "hole"), window):
                if at == window:
                    await host.scan(table_id, round_id, cards)
                if phase == at:
                    await go(ann, proxy, how)
                    is_here = False
            answering = (ann, ben) if is_here else (ben,)
            await asyncio.gather(*(one.decide(table_id, round_id, action, phase=window) for one in answering))
            after = {"preflop": "dealing_flop", "flop": "dealing_river", "river": "showdown"}
            await host.phase(table_id, round_id, after[window.removeprefix("deciding_")])
        if phase == "showdown":
            await go(ann, proxy, how)
        await host.scan(table_id, round_id, HAND.dealer)
        await ben.result(round_id)
    back = await clients.device(guest)
    return back, round_id, await back.join(table_id)


async def test_closed_bets_of_absent_players_are_settled(clients: Clients) -> None:
    """In every phase after betting, all at the same time at tables of their own."""
    host = await clients.host()
    ways = ("close", "cut")
    gone = await asyncio.gather(
        *(leave_in(clients, host, phase, ways[number % 2]) for number, phase in enumerate(PHASES))
    )
    for phase, (ann, round_id, joined) in zip(PHASES, gone, strict=True):
        assert joined["round"]["round_id"] == round_id, phase
        assert joined["round"]["phase"] == "settled", phase
        assert not ann.all("result"), phase
        if phase == "showdown":  # everything was decided
            balance = CREDIT - 1600 + 1000 + 500 + 400 + 1000
            assert (joined["seat"]["decision"], joined["seat"]["automatic"]) == ("play_1x", None)
        else:
            balance = CREDIT - 1100 + 400
            assert (joined["seat"]["decision"], joined["seat"]["automatic"]) == ("fold", "auto_folded"), phase
        assert await ann.money() == (balance, balance), phase


@pytest.mark.req("RND-7")
@pytest.mark.parametrize("how", ["close", "cut"])
async def test_player_who_returns_during_a_decision_continues_it(clients: Clients, how: str) -> None:
    table_id = clients.service.table("calm")
    host, ben, guest = await clients.host(), await clients.player(), await clients.guest()
    async with proxy_to(clients.service.address) as proxy:
        ann = await clients.device(guest, address=proxy.address)
        await host.take_over(table_id)
        await asyncio.gather(ann.join(table_id), ben.join(table_id))
        round_id = await host.start(table_id)
        await asyncio.gather(ann.bet(table_id, round_id, 500, 100), ben.bet(table_id, round_id, 500))
        await host.phase(table_id, round_id, "dealing_hole")
        for window, cards in zip(WINDOWS, HAND.streets, strict=True):
            await host.scan(table_id, round_id, cards)
            seen = await ben.phase(table_id, round_id, window)
            await ben.decide(table_id, round_id, "fold" if window == "deciding_river" else "check")
            await go(ann, proxy, how)
            still = await ben.join(table_id)  # who is away has still to decide
            assert (still["round"]["phase"], still["table"]["left_to_decide"]) == (window, 1)
            ann = await clients.device(guest, address=proxy.address)
            joined = await ann.join(table_id)
            assert joined["round"] | {"server_time": 0} == seen | {"server_time": 0}
            assert joined["seat"]["bets"] == {"ante": 500, "blind": 500, "trips": 100, "play": 0}
            offered = {"deciding_preflop": ["play_4x", "play_3x", "check"], "deciding_flop": ["play_2x", "check"]}
            assert joined["seat"]["options"] == offered.get(window, ["play_1x", "fold"])
            await ann.decide(table_id, round_id, "play_1x" if window == "deciding_river" else "check", phase=window)
        await host.phase(table_id, round_id, "showdown")
        await host.scan(table_id, round_id, HAND.dealer)
        result = await ann.result(round_id)
    assert (result["result"], result["staked"], result["returned"]) == ("win", 1600, 2900)
    assert result["balance"] == CREDIT + 1300
    assert await ann.money() == (CREDIT + 1300, CREDIT + 1300)


@pytest.mark.req("SEC-3")
async def test_the_newest_device_has_the_seat_and_the_bets_stay(clients: Clients) -> None:
    table_id = clients.service.table("calm")
    host, guest = await clients.host(), await clients.guest()
    phone, laptop, desktop = [await clients.device(guest) for _ in range(3)]
    await host.take_over(table_id)
    await phone.join(table_id)
    round_id = await host.start(table_id)
    await phone.bet(table_id, round_id, 500, 100)
    joined = await laptop.join(table_id)
    assert joined["seat"]["bets"] == {"ante": 500, "blind": 500, "trips": 100, "play": 0}
    assert await phone.until("moved") == {"table_id": table_id}
    assert joined["table"]["players"] == 1
    bet = {"table_id": table_id, "round_id": round_id, "ante": 900, "trips": 0}
    assert await phone.refused("bet", bet) == "not_in_round"
    assert await phone.money() == (CREDIT, CREDIT - 1100)
    await laptop.bet(table_id, round_id, 600, 100)

    again = await phone.join(table_id)  # and back
    assert again["seat"]["bets"]["ante"] == 600
    assert await laptop.until("moved") == {"table_id": table_id}
    await laptop.close()  # who has no seat takes no bet away
    assert (await phone.join(table_id))["seat"]["bets"]["ante"] == 600
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, HAND.player)
    await phone.phase(table_id, round_id, "deciding_preflop")
    tablet = await clients.device(guest)
    assert (await tablet.join(table_id))["seat"]["options"] == ["play_4x", "play_3x", "check"]
    await phone.until("moved", lambda _: len(phone.all("moved")) == 2)
    await phone.close()
    before = len(phone.all("round"))
    await deal(host, table_id, round_id, Hand("", HAND.flop, HAND.turn_river, HAND.dealer), {tablet: ("play_4x",)})
    result = await tablet.result(round_id)
    assert (result["staked"], result["result"]) == (1300 + 2400, "win")
    assert len(phone.all("round")) == before
    assert not phone.all("result")
    # A device at no table learns what happened to the money, and nothing else of the round.
    assert await desktop.result(round_id) == result
    assert await desktop.until("balance", lambda money: money["balance"] == result["balance"])
    assert not desktop.all("round") + desktop.all("seat")


async def test_a_takeover_while_betting_keeps_the_bets_and_a_close_of_the_new_device_returns_them(
    clients: Clients,
) -> None:
    table_id = clients.service.table("lasting")
    host, guest = await clients.host(), await clients.guest()
    phone, laptop = await clients.device(guest), await clients.device(guest)
    await host.take_over(table_id)
    await phone.join(table_id)
    round_id = await host.start(table_id)
    await phone.bet(table_id, round_id, 500)
    await laptop.join(table_id)
    await phone.close()
    assert (await laptop.join(table_id))["seat"]["bets"]["ante"] == 500
    host.received.clear()
    await laptop.close()
    await host.until("host", lambda view: view["totals"]["ante"] == 0)
    tablet = await clients.device(guest)
    assert (await tablet.join(table_id))["seat"]["bets"] == NOTHING
    assert await tablet.money() == (CREDIT, CREDIT)


async def test_a_half_open_connection_is_noticed_and_its_bets_returned(clients: Clients) -> None:
    """The connection falls silent, and the bets are returned within the time for a ping."""
    table_id, other_id = clients.service.table("lasting"), clients.service.table("calm")
    host, watcher, guest = await clients.host(), await clients.player(), await clients.guest()
    async with proxy_to(clients.service.address) as proxy:
        player = await clients.device(guest, address=proxy.address)
        for table in (table_id, other_id):
            await host.take_over(table)
            await player.join(table)
        await watcher.join(table_id)
        closed_id = await host.start(other_id)
        await player.bet(other_id, closed_id, 400)
        await host.phase(other_id, closed_id, "dealing_hole")
        round_id = await host.start(table_id)
        await watcher.bet(table_id, round_id, 300)
        await player.bet(table_id, round_id, 500, 100)
        await watcher.until("table", lambda table: table["in_round"] == 2)
        proxy.stall()
        began = time.monotonic()
        watcher.received.clear()
        await watcher.until("table", lambda table: table["in_round"] == 1)
        assert time.monotonic() - began < NOTICED_SECONDS_MAX + SLACK_SECONDS
        assert await player.money() == (CREDIT - 800, CREDIT - 800)  # the bet of the closed round stays
        assert await watcher.money() == (CREDIT, CREDIT - 600)
        back = await clients.device(guest)
        await back.join(table_id)
        await back.bet(table_id, round_id, 900)
        proxy.flow()  # what arrives too late comes from a connection that is no more
        await player.lost()
        assert (await back.join(table_id))["seat"]["bets"]["ante"] == 900
    assert await back.money() == (CREDIT - 800, CREDIT - 800 - 1800)


async def test_a_slow_link_plays_the_same_round(clients: Clients) -> None:
    table_id = clients.service.table("many")
    host, guest = await clients.host(), await clients.guest()
    async with proxy_to(clients.service.address) as proxy:
        proxy.delay_seconds = 0.3
        player = await clients.device(guest, address=proxy.address)
        await host.take_over(table_id)
        joined = await player.join(table_id)
        round_id = await host.start(table_id)
        await player.bet(table_id, round_id, 500)
        await deal(host, table_id, round_id, HAND, {player: ("check", "check", "play_1x")})
        result = await player.result(round_id)
    assert (result["result"], result["returned"]) == ("win", 1000 + 500 + 1000)
    numbers = [view["seq"] for view in player.all("round")]
    assert numbers == list(range(joined["round"]["seq"] + 1, joined["round"]["seq"] + 1 + len(numbers)))


async def test_a_short_stall_loses_nothing(clients: Clients) -> None:
    """A page that sleeps for some seconds is no disconnection."""
    table_id = clients.service.table("lasting")
    host, watcher, guest = await clients.host(), await clients.player(), await clients.guest()
    async with proxy_to(clients.service.address) as proxy:
        player = await clients.device(guest, address=proxy.address)
        await host.take_over(table_id)
        await watcher.join(table_id)
        await player.join(table_id)
        round_id = await host.start(table_id)
        await player.bet(table_id, round_id, 500)
        proxy.stall()
        await watcher.bet(table_id, round_id, 500)
        asked = asyncio.create_task(player.bet(table_id, round_id, 600))
        await asyncio.sleep(2)
        assert not asked.done()
        proxy.flow()
        assert (await asked)["bets"]["ante"] == 600
    assert not player.is_lost or await watcher.money() == (CREDIT, CREDIT - 1000)
