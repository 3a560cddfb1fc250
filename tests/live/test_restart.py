"""The house is killed or stopped in the middle of a round, in every phase, and opened again; the players come back."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Final

import pytest
import socketio

from tests.live.clients import WAIT_SECONDS_MAX, Door, Player, door_of
from tests.live.frames import verify_frames
from tests.live.hands import WINDOWS
from tests.live.house import CALM, House, Json, Kind, open_house
from tests.live.stages import CREDIT, HAND, PHASES, bring_to, finish, play_on

KINDS: Final = {
    "calm": Kind(8, seconds=CALM | {"betting": 6.0}),
    "lasting": Kind(2, seconds=CALM | {"betting": 300.0}),
    "machine": Kind(8, dealing="auto", seconds=CALM | {"betting": 6.0, "card": 0.3}),
    "seven": Kind(2, dealing="auto", hands="own", seconds=CALM | {"betting": 6.0}),
    "brief": Kind(1, seconds=CALM | {"resume_within": 0.01}),
}


@pytest.fixture
def house() -> Iterator[House]:
    """A house of its own for each test, because it falls down."""
    with open_house(KINDS, staff=("paula", "max")) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture
async def door(house: House) -> AsyncIterator[Door]:
    async with door_of(house) as opened:
        yield opened
    for frames in opened.frames:
        verify_frames(frames)


async def reopened(house: House) -> None:
    await asyncio.to_thread(house.start)


async def come_back(door: Door, ann: Player) -> Player:
    """The same session, on the same address: sessions survive a restart."""
    await ann.lost()
    return await door.device(ann.signed_in)


@pytest.mark.req("RND-3")
async def test_after_a_kill_every_round_goes_on_where_it_stood(house: House, door: Door) -> None:
    """One presenter's table in each phase; the same cards, the same decisions, the money right."""
    host = await door.host()
    tables = {phase: house.table("calm") for phase in PHASES}
    others = [phase for phase in PHASES if phase != "betting"]
    begun = dict(zip(others, await asyncio.gather(*(bring_to(door, host, tables[p], p) for p in others)), strict=True))
    begun["betting"] = await bring_to(door, host, tables["betting"], "betting")
    house.kill()
    await reopened(house)
    back = await door.host()

    async def come_back_and_finish(phase: str, ann: Player, round_id: str) -> None:
        await finish(back, tables[phase], phase, await come_back(door, ann), round_id)

    await asyncio.gather(*(come_back_and_finish(phase, *one) for phase, one in begun.items()))


async def machine_round(door: Door, table_id: str, phase: str) -> tuple[Player, Json]:
    """A round of the machine that stands in this phase: the last view of it."""
    player = await door.player()
    joined = await player.join(table_id)
    round_id = joined["round"]["round_id"] or (await player.phase(table_id, None, "betting"))["round_id"]
    await player.bet(table_id, round_id, 500)
    for window, action in zip(WINDOWS, ("check", "check", "play_1x"), strict=True):
        if PHASES.index(window) < PHASES.index(phase):
            await player.phase(table_id, round_id, window)
            await player.decide(table_id, round_id, action)
    return player, await player.phase(table_id, round_id, phase)


async def finish_machine(door: Door, table_id: str, player: Player, before: Json) -> None:
    player = await come_back(door, player)
    view = (await player.join(table_id))["round"]
    assert view["round_id"] == before["round_id"]
    for window, action in zip(WINDOWS, ("check", "check", "play_1x"), strict=True):
        if PHASES.index(window) >= PHASES.index(before["phase"]):
            if view["phase"] != window:
                await player.phase(table_id, before["round_id"], window)
            await player.decide(table_id, before["round_id"], action, phase=window)
    settled = await player.phase(table_id, before["round_id"], "settled")
    for cards in ("player_cards", "board", "dealer_cards"):
        assert settled[cards][: len(before[cards])] == before[cards]
    assert settled["commitment"] == before["commitment"]
    result = await player.result(before["round_id"])
    assert await player.money() == (result["balance"],) * 2 == (CREDIT - 1500 + result["returned"],) * 2


@pytest.mark.req("RND-4")
async def test_after_a_kill_the_machine_deals_the_same_deck(house: House, door: Door) -> None:
    tables = {phase: house.table("machine") for phase in PHASES[1:]}
    begun = await asyncio.gather(*(machine_round(door, table_id, phase) for phase, table_id in tables.items()))
    house.kill()
    await reopened(house)
    await asyncio.gather(*(finish_machine(door, at, *one) for at, one in zip(tables.values(), begun, strict=True)))


@pytest.mark.req("RND-4")
async def test_after_a_kill_every_seat_has_its_own_hand_again(house: House, door: Door) -> None:
    """Also of the one who does not come back: the others still see name, seat and cards."""
    table_id = house.table("seven")
    ann, ben = await door.players(2)
    first, second = await ann.join(table_id, seat_no=5), await ben.join(table_id, seat_no=2)
    assert (first["seat"]["seat_no"], second["seat"]["seat_no"]) == (5, 2)
    round_id = (await ann.phase(table_id, None, "betting"))["round_id"]
    await asyncio.gather(ann.bet(table_id, round_id, 500), ben.bet(table_id, round_id, 300))
    before = await ann.phase(table_id, round_id, "deciding_preflop")
    house.kill()
    await reopened(house)
    newcomer = await door.player()
    joined = await newcomer.join(table_id, seat_no=5)
    assert joined["seat"]["seat_no"] not in (2, 5)
    assert joined["round"]["seats"] == before["seats"]
    assert [seat["name"] for seat in before["seats"]] == [ben.name, ann.name]
    ann = await come_back(door, ann)
    seat = (await ann.join(table_id))["seat"]
    assert seat["seat_no"] == 5
    assert seat["player_cards"] == before["seats"][1]["player_cards"]
    await ann.decide(table_id, round_id, "play_4x")
    manager = await door.host("max")
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "Enough is proved."})
    assert (await ann.result(round_id))["returned"] == 3000
    assert await ben.money() == (CREDIT, CREDIT)


@pytest.mark.req("RND-3")
async def test_a_pause_outlasts_a_kill_and_what_cannot_go_on_in_time_is_refunded(house: House, door: Door) -> None:
    host, manager = await door.host(), await door.host("max")
    paused_id, brief_id = house.table("calm"), house.table("brief")
    (ann, paused), (ben, late) = await asyncio.gather(
        *(bring_to(door, host, table_id, "deciding_flop") for table_id in (paused_id, brief_id))
    )
    await manager.ok("report_problem", {"table_id": paused_id, "reason": "The lights went out."})
    house.kill()
    await reopened(house)
    assert await ben.money() == (CREDIT, CREDIT)
    ben = await come_back(door, ben)
    view = (await ben.join(brief_id))["round"]
    assert view["phase"] in ("idle", "cancelled")
    assert view["round_id"] in (None, late)
    ann = await come_back(door, ann)
    joined = await ann.join(paused_id)
    assert joined["round"]["paused"]["reason"] == "The lights went out."
    assert joined["round"]["deadline"] is None
    manager, host = await door.host("max"), await door.host()
    await host.ok("watch", {"table_id": paused_id})
    await manager.ok("resume", {"table_id": paused_id})
    await ann.decide(paused_id, paused, "check")
    await play_on(host, ann, paused_id, paused, PHASES[5:])
    assert (await ann.result(paused))["returned"] == 2900


@pytest.mark.req("RND-2")
async def test_no_acknowledged_bet_or_decision_is_lost_by_a_kill(house: House, door: Door) -> None:
    """The house dies while answers are on their way: what was answered stands."""
    host, table_id = await door.host(), house.table("calm")
    players = await door.players(12)
    await host.take_over(table_id)
    await asyncio.gather(*(player.join(table_id) for player in players))
    round_id = await host.start(table_id)
    await asyncio.gather(*(player.bet(table_id, round_id, 500) for player in players))
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, HAND.player)
    acknowledged: set[str] = set()

    async def decide(player: Player) -> None:
        with suppress(socketio.exceptions.SocketIOError, AssertionError, TimeoutError):
            await player.phase(table_id, round_id, "deciding_preflop")
            await player.decide(table_id, round_id, "play_4x")
            acknowledged.add(player.id)

    deciding = [asyncio.create_task(decide(player)) for player in players]
    await asyncio.wait(deciding, return_when=asyncio.FIRST_COMPLETED, timeout=WAIT_SECONDS_MAX)
    house.kill()
    assert acknowledged
    await reopened(house)
    for task in deciding:
        task.cancel()
    await asyncio.gather(*deciding, return_exceptions=True)
    for player in players:
        back = await come_back(door, player)
        joined = await back.join(table_id)
        assert joined["round"]["round_id"] == round_id
        if player.id in acknowledged:
            assert joined["seat"]["bets"]["play"] == 2000
        assert (await back.money())[0] == CREDIT - 1000 - joined["seat"]["bets"]["play"]
    manager = await door.host("max")
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "Enough is proved."})
    for player in players:
        assert await player.money() == (CREDIT, CREDIT)


async def test_a_stop_returns_open_bets_finishes_closed_rounds_and_ends_with_0(house: House, door: Door) -> None:
    host = await door.host()
    open_id, closed_id, machine_id = house.table("lasting"), house.table("calm"), house.table("machine")
    ann, open_round = await bring_to(door, host, open_id, "betting")
    ben, closed_round = await bring_to(door, host, closed_id, "deciding_flop")
    carl, dealt = await machine_round(door, machine_id, "deciding_preflop")
    machine_round_id = dealt["round_id"]
    assert await ann.money() == (CREDIT, CREDIT - 1100)
    house.signal(signal.SIGTERM)
    returned = await ann.phase(open_id, open_round, "idle")
    assert returned["deadline"] is None
    assert (await ann.until("seat", lambda seat: seat["bets"]["ante"] == 0))["round_id"] == open_round
    await ann.until("balance", lambda balance: balance["available"] == CREDIT)
    await ann.until("table", lambda table: table["status"] == "closed")
    bet = {"table_id": open_id, "round_id": open_round, "ante": 500, "trips": 0}
    assert await ann.refused("bet", bet) == "table_closed"
    assert await host.refused("open_table", {"table_id": open_id}) == "table_closed"
    assert await host.refused("start_round", {"table_id": open_id}) == "table_closed"

    await ben.decide(closed_id, closed_round, "check")
    await play_on(host, ben, closed_id, closed_round, PHASES[5:])
    assert (await ben.result(closed_round))["returned"] == 2900
    for window, action in zip(WINDOWS, ("check", "check", "fold"), strict=True):
        await carl.phase(machine_id, machine_round_id, window)
        await carl.decide(machine_id, machine_round_id, action)
    result = await carl.result(machine_round_id)
    assert result["status"] == "settled"
    assert await asyncio.to_thread(house.ended) == 0
    await asyncio.gather(ann.lost(), ben.lost(), carl.lost())
    await asyncio.to_thread(house.verify)
    await reopened(house)
    assert await ann.money() == (CREDIT, CREDIT)
    for table_id, round_id in ((closed_id, closed_round), (machine_id, machine_round_id)):
        async with door.web.get(f"{house.address}/api/tables/{table_id}/results") as answer:
            (past,) = (await answer.json())["rounds"]
        assert (past["round_id"], past["status"]) == (round_id, "settled"), "what everybody saw can still be looked at"
    assert await ben.money() == (CREDIT + 1300,) * 2
    assert await carl.money() == (result["balance"],) * 2
