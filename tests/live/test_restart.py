"""Restart in the middle of a round, in every phase, after a kill or a stop; the players reconnect."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Final

import pytest
import socketio

from tests.live.clients import WAIT_SECONDS_MAX, Clients, Player, clients_of
from tests.live.frames import verify_frames
from tests.live.hands import WINDOWS
from tests.live.service import CALM, Json, Kind, LiveService, started_service
from tests.live.stages import CREDIT, HAND, PHASES, bring_to, finish, play_on

KINDS: Final = {
    "calm": Kind(8, seconds=CALM | {"betting": 6.0}),
    "lasting": Kind(2, seconds=CALM | {"betting": 300.0}),
    "machine": Kind(8, dealing="auto", seconds=CALM | {"betting": 6.0, "card": 0.3}),
    "slow-machine": Kind(1, dealing="auto", seconds=CALM | {"betting": 6.0, "card": 1.5}),
    "seven": Kind(2, dealing="auto", hands="own", seconds=CALM | {"betting": 6.0}),
    "brief": Kind(1, seconds=CALM | {"resume_within": 0.01}),
}


@pytest.fixture
def service() -> Iterator[LiveService]:
    """A house of its own for each test, because it falls down."""
    with started_service(KINDS, staff=("paula", "max", "mona")) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture
async def clients(service: LiveService) -> AsyncIterator[Clients]:
    async with clients_of(service) as opened:
        yield opened
    for frames in opened.frames:
        verify_frames(frames)


async def reopened(service: LiveService) -> None:
    await asyncio.to_thread(service.start)


async def come_back(clients: Clients, ann: Player) -> Player:
    """The same session, on the same address: sessions survive a restart."""
    await ann.lost()
    return await clients.device(ann.signed_in)


@pytest.mark.req("RND-3")
async def test_after_a_kill_every_round_continues_in_its_phase(service: LiveService, clients: Clients) -> None:
    """One presenter's table in each phase; the same cards, the same decisions, the money right."""
    host = await clients.host()
    tables = {phase: service.table("calm") for phase in PHASES}
    others = [phase for phase in PHASES if phase != "betting"]
    begun = dict(
        zip(others, await asyncio.gather(*(bring_to(clients, host, tables[p], p) for p in others)), strict=True)
    )
    begun["betting"] = await bring_to(clients, host, tables["betting"], "betting")
    service.kill()
    await reopened(service)
    back = await clients.host()

    async def come_back_and_finish(phase: str, ann: Player, round_id: str) -> None:
        await finish(back, tables[phase], phase, await come_back(clients, ann), round_id)

    await asyncio.gather(*(come_back_and_finish(phase, *one) for phase, one in begun.items()))


async def test_proposal_survives_a_kill_and_is_answered_after_it(service: LiveService, clients: Clients) -> None:
    table_id = service.table("machine")
    player, dealt = await machine_round(clients, table_id, "deciding_flop")
    round_id, manager = dealt["round_id"], await clients.host("max")
    at = {"table_id": table_id}
    proposed = await manager.ok("cancel_round", at | {"reason": "The camera is dark."})
    service.kill()
    await reopened(service)
    answer = at | {"proposal_id": proposed["proposal_id"]}
    manager, second = await clients.host("max"), await clients.host("mona")
    waiting = (await second.ok("watch", at))["host"]["proposal"]
    assert (waiting["proposal_id"], waiting["proposed_by"]) == (proposed["proposal_id"], "max")
    assert await manager.refused("approve", answer) == "forbidden"
    player = await come_back(clients, player)
    assert (await player.join(table_id))["round"]["paused"] is not None
    await second.ok("approve", answer)
    assert (await player.result(round_id))["status"] == "cancelled"
    assert await player.money() == (CREDIT, CREDIT)
    assert await second.refused("approve", answer) == "too_late"


async def machine_round(clients: Clients, table_id: str, phase: str) -> tuple[Player, Json]:
    """Brings a machine-dealt round to this phase; returns its last view."""
    player = await clients.player()
    joined = await player.join(table_id)
    round_id = joined["round"]["round_id"] or (await player.phase(table_id, None, "betting"))["round_id"]
    await player.bet(table_id, round_id, 500)
    for window, action in zip(WINDOWS, ("check", "check", "play_1x"), strict=True):
        if PHASES.index(window) < PHASES.index(phase):
            await player.phase(table_id, round_id, window)
            await player.decide(table_id, round_id, action)
    return player, await player.phase(table_id, round_id, phase)


async def finish_machine(clients: Clients, table_id: str, player: Player, before: Json) -> None:
    player = await come_back(clients, player)
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
async def test_after_a_kill_the_machine_deals_the_same_deck(service: LiveService, clients: Clients) -> None:
    """A round goes on by itself from its showdown to its end: it gets there last, and slowly enough for the kill."""
    *others, showdown = PHASES[1:]
    tables = [*(service.table("machine") for _ in others), service.table("slow-machine")]
    *begun, (player, river) = await asyncio.gather(
        *(machine_round(clients, at, phase) for at, phase in zip(tables, [*others, "deciding_river"], strict=True))
    )
    await player.decide(tables[-1], river["round_id"], "play_1x")
    begun.append((player, await player.phase(tables[-1], river["round_id"], showdown)))
    service.kill()
    await reopened(service)
    await asyncio.gather(*(finish_machine(clients, at, *one) for at, one in zip(tables, begun, strict=True)))


@pytest.mark.req("RND-4")
async def test_after_a_kill_every_seat_has_its_own_hand_again(service: LiveService, clients: Clients) -> None:
    """Also of the one who does not come back: the others still see name, seat and cards."""
    table_id = service.table("seven")
    ann, ben = await clients.players(2)
    first, second = await ann.join(table_id, seat_no=5), await ben.join(table_id, seat_no=2)
    assert (first["seat"]["seat_no"], second["seat"]["seat_no"]) == (5, 2)
    round_id = (await ann.phase(table_id, None, "betting"))["round_id"]
    await asyncio.gather(ann.bet(table_id, round_id, 500), ben.bet(table_id, round_id, 300))
    before = await ann.phase(table_id, round_id, "deciding_preflop")
    service.kill()
    await reopened(service)
    newcomer = await clients.player()
    joined = await newcomer.join(table_id, seat_no=5)
    assert joined["seat"]["seat_no"] not in (2, 5)
    assert joined["round"]["seats"] == before["seats"]
    assert [seat["name"] for seat in before["seats"]] == [ben.name, ann.name]
    ann = await come_back(clients, ann)
    seat = (await ann.join(table_id))["seat"]
    assert seat["seat_no"] == 5
    assert seat["player_cards"] == before["seats"][1]["player_cards"]
    await ann.decide(table_id, round_id, "play_4x")
    manager = await clients.host("max")
    proposed = await manager.ok("cancel_round", {"table_id": table_id, "reason": "Enough is proved."})
    mona = await clients.host("mona")
    await mona.ok("approve", {"table_id": table_id, "proposal_id": proposed["proposal_id"]})
    assert (await ann.result(round_id))["returned"] == 3000
    assert await ben.money() == (CREDIT, CREDIT)


@pytest.mark.req("RND-3")
async def test_pause_survives_a_kill_and_rounds_that_cannot_resume_are_refunded(
    service: LiveService, clients: Clients
) -> None:
    host, manager = await clients.host(), await clients.host("max")
    paused_id, brief_id = service.table("calm"), service.table("brief")
    (ann, paused), (ben, late) = await asyncio.gather(
        *(bring_to(clients, host, table_id, "deciding_flop") for table_id in (paused_id, brief_id))
    )
    await manager.ok("report_problem", {"table_id": paused_id, "reason": "The lights went out."})
    service.kill()
    await reopened(service)
    assert await ben.money() == (CREDIT, CREDIT)
    ben = await come_back(clients, ben)
    view = (await ben.join(brief_id))["round"]
    assert view["phase"] in ("idle", "cancelled")
    assert view["round_id"] in (None, late)
    ann = await come_back(clients, ann)
    joined = await ann.join(paused_id)
    assert joined["round"]["paused"]["reason"] == "The lights went out."
    assert joined["round"]["deadline"] is None
    manager, host = await clients.host("max"), await clients.host()
    await host.ok("watch", {"table_id": paused_id})
    await manager.ok("resume", {"table_id": paused_id})
    await ann.decide(paused_id, paused, "check")
    await play_on(host, ann, paused_id, paused, PHASES[5:])
    assert (await ann.result(paused))["returned"] == 2900


@pytest.mark.req("RND-2")
async def test_no_acknowledged_bet_or_decision_is_lost_by_a_kill(service: LiveService, clients: Clients) -> None:
    """The service is killed while replies are on their way: acknowledged commands stay."""
    host, table_id = await clients.host(), service.table("calm")
    players = await clients.players(12)
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
    service.kill()
    assert acknowledged
    await reopened(service)
    for task in deciding:
        task.cancel()
    await asyncio.gather(*deciding, return_exceptions=True)
    for player in players:
        back = await come_back(clients, player)
        joined = await back.join(table_id)
        assert joined["round"]["round_id"] == round_id
        if player.id in acknowledged:
            assert joined["seat"]["bets"]["play"] == 2000
        assert (await back.money())[0] == CREDIT - 1000 - joined["seat"]["bets"]["play"]
    manager = await clients.host("max")
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "Enough is proved."})
    for player in players:
        assert await player.money() == (CREDIT, CREDIT)


async def test_a_stop_returns_open_bets_finishes_closed_rounds_and_ends_with_0(
    service: LiveService, clients: Clients
) -> None:
    host = await clients.host()
    open_id, closed_id, machine_id = service.table("lasting"), service.table("calm"), service.table("machine")
    ann, open_round = await bring_to(clients, host, open_id, "betting")
    ben, closed_round = await bring_to(clients, host, closed_id, "deciding_flop")
    carl, dealt = await machine_round(clients, machine_id, "deciding_preflop")
    machine_round_id = dealt["round_id"]
    assert await ann.money() == (CREDIT, CREDIT - 1100)
    service.signal(signal.SIGTERM)
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
    assert await asyncio.to_thread(service.ended) == 0
    await asyncio.gather(ann.lost(), ben.lost(), carl.lost())
    await asyncio.to_thread(service.verify)
    await reopened(service)
    assert await ann.money() == (CREDIT, CREDIT)
    for table_id, round_id in ((closed_id, closed_round), (machine_id, machine_round_id)):
        async with clients.web.get(f"{service.address}/api/tables/{table_id}/results") as answer:
            (past,) = (await answer.json())["rounds"]
        assert (past["round_id"], past["status"]) == (round_id, "settled"), "what everybody saw can still be looked at"
    assert await ben.money() == (CREDIT + 1300,) * 2
    assert await carl.money() == (result["balance"],) * 2
