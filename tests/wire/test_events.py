"""Events of a real service in played rounds: exactly the fields of the models."""

from collections.abc import AsyncIterator, Iterator

import pytest
from pydantic import ValidationError

from casino.wire import events
from casino.wire.protocol.examples import EMITTED
from tests.live.clients import Clients, Device, Host, Player, clients_of
from tests.live.service import CALM, Json, Kind, LiveService, started_service
from tests.wire.validation import holds, holds_reply

QUICK = CALM | {"betting": 1.0}
KINDS = {
    "calm": Kind(1, seconds=QUICK),
    "seven": Kind(1, dealing="auto", hands="own", seconds=QUICK | {"betting": 2.0}),
    "lasting": Kind(2, seconds=CALM | {"betting": 300.0}),
}


@pytest.fixture(scope="module")
def service() -> Iterator[LiveService]:
    with started_service(KINDS, staff=("paula", "max")) as opened:
        yield opened


@pytest.fixture
async def clients(service: LiveService) -> AsyncIterator[Clients]:
    """Compares every received event with the models at the end."""
    async with clients_of(service) as opened:
        yield opened
        for device in opened.devices:
            verify_received(device)


def verify_received(device: Device) -> None:
    models = events.TO_HOSTS if isinstance(device, Host) else events.TO_PLAYERS
    for event, payload in device.received:
        try:
            holds(models[event], payload)
        except ValidationError as error:
            raise AssertionError(f"{event}: {error}\n{payload}") from None


async def say(device: Device, event: str, **fields: object) -> Json:
    """Sends the event, and holds its acknowledgement against its model."""
    acks = events.ACKS_TO_HOSTS if isinstance(device, Host) else events.ACKS_TO_PLAYERS
    answer: Json = await device.call(event, fields)
    if answer["ok"]:
        holds_reply(acks[event], answer)
    else:
        holds(events.Refused, answer)
    return answer


def received_by(devices: list[Device]) -> set[str]:
    return {event for device in devices for event, _ in device.received}


async def test_a_round_dealt_by_a_presenter(clients: Clients) -> None:
    table_id = clients.service.table("calm")
    host, player = await clients.host(), await clients.player()
    at = {"table_id": table_id}
    before = await say(player, "join", **at)
    assert before["round"]["round_id"] is None
    await say(host, "watch", **at)
    await say(host, "open_table", **at)
    round_id = await host.start(table_id)
    in_it = at | {"round_id": round_id}
    assert (await say(player, "bet", **in_it, ante=500, trips=100))["ok"]
    assert not (await say(player, "bet", **in_it, ante=1, trips=0))["ok"]
    await host.phase(table_id, round_id, "dealing_hole")
    await say(host, "scan", **in_it, card="As")
    await say(host, "undo_scan", **in_it)
    assert not (await say(host, "scan", **in_it, card="XX"))["ok"]
    for cards, action in (("As Kd", "check"), ("7h 7c 2s", "check"), ("Jd 3c", "play_1x")):
        for card in cards.split():
            assert (await say(host, "scan", **in_it, card=card))["ok"]
        await say(player, "join", **at)
        assert (await say(player, "decide", **in_it, action=action))["ok"]
    for card in ("Qh", "Qd"):
        assert (await say(host, "scan", **in_it, card=card))["ok"]
    await player.result(round_id)
    await player.until("balance")
    await say(player, "chat", **at, text="Thanks")
    await say(host, "say", **at, text="Welcome")
    await player.until("chat", lambda chat: chat["text"] == "Welcome")
    await say(host, "close_table", **at)
    await player.until("table", lambda table: table["status"] == "closed")
    assert (await say(player, "leave", **at))["ok"]
    assert received_by([player]) >= {"round", "seat", "result", "balance", "chat", "table"}


async def test_a_pause_a_correction_and_a_cancelled_round(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    host, manager, player = await clients.host(), await clients.host("max"), await clients.player()
    at = {"table_id": table_id}
    await say(player, "join", **at)
    await say(manager, "watch", **at)
    await host.take_over(table_id)
    assert (await say(host, "start_round", **at))["ok"]
    opened = await player.until("round", lambda view: view["phase"] == "betting")
    in_it = at | {"round_id": opened["round_id"]}
    await say(player, "bet", **in_it, ante=500, trips=0)
    assert (await say(host, "report_problem", **at, reason="A card fell down."))["ok"]
    await player.until("notice", lambda notice: notice["code"] == "table_paused")
    assert not (await say(player, "bet", **in_it, ante=900, trips=0))["ok"]
    assert not (await say(manager, "correct_card", **in_it, slot="flop_1", card="As", reason="x"))["ok"]
    assert (await say(manager, "resume", **at))["ok"]
    await player.until("notice", lambda notice: notice["code"] == "resumed")
    assert (await say(manager, "cancel_round", **at, reason="Enough."))["ok"]
    assert (await player.result(opened["round_id"]))["status"] == "cancelled"
    assert received_by([manager]) >= {"host", "notice"}


async def test_own_hands(clients: Clients) -> None:
    table_id = clients.service.table("seven")
    players: list[Player] = await clients.players(2)
    for player in players:
        assert (await say(player, "join", table_id=table_id))["seat"]["seat_no"]
    opened = await players[1].phase(table_id, None, "betting")
    in_it = {"table_id": table_id, "round_id": opened["round_id"]}
    for player in players:
        assert (await say(player, "bet", **in_it, ante=500, trips=0))["ok"]
    await players[0].phase(table_id, opened["round_id"], "deciding_preflop")
    for player in players:
        assert (await say(player, "decide", **in_it, action="play_4x", phase="deciding_preflop"))["ok"]
    for player in players:
        await player.result(opened["round_id"])
    settled = await players[0].phase(table_id, opened["round_id"], "settled")
    assert len(settled["seats"]) == 2


async def test_a_seat_that_is_taken_over(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    signed_in = await clients.guest()
    first, second = await clients.device(signed_in), await clients.device(signed_in)
    for device in (first, second):
        await say(device, "join", table_id=table_id)
    await first.until("moved")


@pytest.mark.parametrize("change", [{"extra": 1}, {"seq": "7"}, {"seq": None}, {"board": ["1s"]}, {"phase": "later"}])
def test_models_are_strict(change: Json) -> None:
    holds(events.Round, EMITTED["round"])
    with pytest.raises(ValidationError):
        holds(events.Round, EMITTED["round"] | change)


def test_no_field_may_be_missing() -> None:
    for missing in EMITTED["round"]:
        with pytest.raises(ValidationError):
            holds(events.Round, {name: value for name, value in EMITTED["round"].items() if name != missing})
