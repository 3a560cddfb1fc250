"""Namespace `/poker`: messages passed to the room, the order of events, and refusals by the gateway."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from socketio import exceptions

from casino.errors import Code, Refusal
from casino.hosting.interfaces import Connection
from casino.poker.betting import Action
from casino.poker_room import messages
from casino.poker_room.tournament import messages as tournament_messages
from casino.wire.outbound import Payload
from casino.wire.player_events import BALANCE
from casino.wire.poker_client_events import FROM_POKER_PLAYERS
from casino.wire.poker_events import ACKS_TO_POKER_PLAYERS, CARDS, POKER_SEAT, STEP
from casino.wire.protocol.poker_examples import EMITTED, SENT
from tests.gateway.poker_script import Json, ScriptedGateway, started_gateway
from tests.wire.validation import holds_reply

AT = {"table_id": "nl10-FUN-7"}
CLASSES: dict[str, type] = {
    "lobby": messages.FollowLobby,
    "join_pool": messages.JoinPool,
    "sit": messages.Sit,
    "leave_pool": messages.LeavePool,
    "join": messages.Join,
    "leave": messages.Leave,
    "act": messages.ActInHand,
    "pre_act": messages.PreAct,
    "sit_out": messages.SitOut,
    "wait_for_bb": messages.WaitForBigBlind,
    "auto_top_up": messages.AutoTopUp,
    "top_up": messages.TopUp,
    "show": messages.ShowCards,
    "register": tournament_messages.RegisterEntry,
    "unregister": tournament_messages.UnregisterEntry,
    "rebuy": tournament_messages.BuyChips,
    "add_on": tournament_messages.BuyChips,
    "re_enter": tournament_messages.RegisterEntry,
    "decline": tournament_messages.DeclineOffer,
    "hexa_register": tournament_messages.RegisterHexa,
    "hexa_cancel": tournament_messages.CancelHexa,
    "follow": tournament_messages.FollowTournament,
    "unfollow": tournament_messages.UnfollowTournament,
    "report": messages.Report,
    "chat": messages.MayChat,
}


@pytest.fixture
async def gateway() -> AsyncIterator[ScriptedGateway]:
    async with started_gateway() as opened:
        yield opened


def step(seq: int) -> Any:  # noqa: ANN401
    return STEP(EMITTED["step"] | {"seq": seq})  # type: ignore[arg-type]


@pytest.mark.parametrize("event", FROM_POKER_PLAYERS)
async def test_every_event_reaches_the_room_and_is_acknowledged_with_its_reply(
    gateway: ScriptedGateway, event: str
) -> None:
    device = await gateway.device("ann")
    answer = await device.call(event, SENT[event])
    assert answer["ok"], answer
    holds_reply(ACKS_TO_POKER_PLAYERS[event], answer)
    (received,) = gateway.room.received
    assert type(received) is CLASSES[event]
    sender = received.sender  # type: ignore[union-attr]
    assert (sender.player_id, sender.name, sender.currency) == ("ann-id", "ann", "FUN")
    await device.close()


@pytest.mark.parametrize("event", FROM_POKER_PLAYERS)
async def test_bad_input_never_reaches_the_room(gateway: ScriptedGateway, event: str) -> None:
    device, example = await gateway.device("ann"), SENT[event]
    required = [name for name, field in FROM_POKER_PLAYERS[event].model_fields.items() if field.is_required()]
    wrong: list[object] = [None, 7, "x", [], example | {"extra": 1}]
    wrong += [{name: value for name, value in example.items() if name != missing} for missing in required]
    bad: list[object] = [[], {}, -1, 1.5, "", "a\0b", "x" * 5000, 2**70]
    wrong += [example | {name: value} for name in example for value in bad]
    if event == "chat":
        wrong.remove(example | {"text": "a\0b"})  # the filter takes invisible characters out
    for fields in wrong:
        answer = await device.call(event, fields)
        assert not answer["ok"], fields
        assert answer["error"]["code"] == "bad_request", fields
    assert gateway.room.received == []
    await device.close()


@pytest.mark.parametrize(
    "fields",
    [{"action": "raise_to", "amount": None}, {"action": "call", "amount": 5}, {"action": "bet", "amount": 5}],
)
async def test_amount_belongs_to_a_raise_and_only_to_it(gateway: ScriptedGateway, fields: Json) -> None:
    device = await gateway.device("ann")
    assert (await device.call("act", SENT["act"] | fields))["error"]["code"] == "bad_request"
    assert (await device.call("act", SENT["act"] | {"action": "call", "amount": None}))["ok"]
    (acted,) = gateway.room.received
    assert isinstance(acted, messages.ActInHand)
    assert (acted.action, acted.amount) == (Action.CALL, 0)
    await device.close()


async def test_pool_without_a_currency_is_that_of_the_player_and_another_one_is_refused(
    gateway: ScriptedGateway,
) -> None:
    device = await gateway.device("ann")
    assert (await device.call("leave_pool", {"pool": "nl10"}))["ok"]
    assert (await device.call("leave_pool", {"pool": "nl10:EUR"}))["error"]["code"] == "not_found"
    assert [asked.pool_id for asked in gateway.room.received if isinstance(asked, messages.LeavePool)] == ["nl10:FUN"]
    await device.close()


async def test_refusal_of_the_room_is_the_acknowledgement(gateway: ScriptedGateway) -> None:
    def refuse(_message: object) -> Payload:
        raise Refusal(Code.NOT_YOUR_TURN, "It isn't your turn.", {"reason": "x"})

    gateway.room.answers = {messages.ActInHand: refuse, messages.Join: refuse}
    device = await gateway.device("ann")
    for event in ("act", "join"):
        answer = await device.call(event, SENT[event])
        error = {"code": "not_your_turn", "message": "It isn't your turn.", "params": {"reason": "x"}}
        assert answer == {"ok": False, "error": error}
    await device.close()


async def test_events_of_a_joining_connection_come_after_its_snapshot_and_none_is_missed(
    gateway: ScriptedGateway,
) -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()
    device = await gateway.device("ann")
    answers: list[str] = []

    async def join() -> None:
        await device.call("join", AT)
        answers.append(f"after {len(device.received)}")

    async def ask(message: messages.Message) -> Payload:
        assert isinstance(message, messages.Join)
        connection = message.sender.connection
        assert connection is not None
        gateway.publisher.subscribe("nl10-FUN-7", connection)
        gateway.publisher.to_table("nl10-FUN-7", step(5))
        gateway.publisher.to_connection(connection, CARDS(EMITTED["cards"]))  # type: ignore[arg-type]
        asked.set()
        await may_answer.wait()
        return {}

    gateway.room.ask = ask  # type: ignore[method-assign]
    joining = asyncio.create_task(join())
    await asked.wait()
    gateway.publisher.to_table("nl10-FUN-7", step(6))
    await asyncio.sleep(0.05)
    assert device.received == []
    may_answer.set()
    await joining
    gateway.publisher.to_table("nl10-FUN-7", step(7))
    assert await device.until(4) == ["step", "cards", "step", "step"]
    assert [payload["seq"] for event, payload in device.received if event == "step"] == [5, 6, 7]
    assert answers == ["after 0"]
    await device.close()


async def test_older_device_is_notified_and_gets_no_more_table_events(gateway: ScriptedGateway) -> None:
    older, newer = await gateway.device("ann"), await gateway.device("ann")

    def take(message: messages.Join) -> Payload:
        assert message.sender.connection is not None
        if holders:
            gateway.publisher.seat_moved("nl10-FUN-7", holders.pop())
        holders.append(message.sender.connection)
        gateway.publisher.subscribe("nl10-FUN-7", message.sender.connection)
        return {}

    holders: list[Connection] = []
    gateway.room.answers = {messages.Join: take}
    await older.call("join", AT)
    await newer.call("join", AT)
    gateway.publisher.to_table("nl10-FUN-7", step(9))
    gateway.publisher.to_player("ann-id", BALANCE({"balance": 1, "available": 1}))
    assert await newer.until(2) == ["step", "balance"]
    assert await older.until(2) == ["moved", "balance"]
    await older.close()
    await newer.close()
    lost = await lost_lines(gateway, 2)
    assert sorted(line.is_last for line in lost) == [False, True]
    assert not lost[0].is_last


async def lost_lines(gateway: ScriptedGateway, count: int) -> list[messages.ConnectionLost]:
    async with asyncio.timeout(60):
        while True:
            lost = [message for message in gateway.room.received if isinstance(message, messages.ConnectionLost)]
            if len(lost) == count:
                return lost
            gateway.room.has_received.clear()
            await gateway.room.has_received.wait()


async def test_changed_pools_are_merged_and_sent_to_followers_of_their_currency(gateway: ScriptedGateway) -> None:
    follower, other = await gateway.device("ann"), await gateway.device("bo")
    await follower.call("lobby", {})
    (pool,) = EMITTED["lobby"]["pools"]
    for players in (1, 2, 3):
        changed: Any = ("lobby", {"pools": [pool | {"players": players}], "lines": [], "tournaments": []})
        gateway.publisher.to_lobby("FUN", changed)
        gateway.publisher.to_lobby("EUR", changed)
    gateway.feed.broadcast_changes()
    gateway.feed.broadcast_changes()
    assert await follower.until(1) == ["lobby"]
    assert follower.received[0][1] == {"pools": [pool | {"players": 3}], "lines": [], "tournaments": []}
    assert other.received == []
    await follower.close()
    await other.close()


async def test_chat_goes_to_the_table_if_the_room_allows_it(gateway: ScriptedGateway) -> None:
    writer, reader = await gateway.device("ann"), await gateway.device("bo")

    def subscribe(message: messages.Join) -> Payload:
        assert message.sender.connection is not None
        gateway.publisher.subscribe(message.table_id, message.sender.connection)
        return {}

    def closed(_message: object) -> Payload:
        raise Refusal(Code.NOT_OFFERED, "The chat is closed while you hold cards.")

    gateway.room.answers = {messages.Join: subscribe}
    for device in (writer, reader):
        await device.call("join", AT)
    assert (await writer.call("chat", AT | {"text": "Good evening"}))["ok"]
    assert await reader.until(1) == ["chat"]
    joined = await reader.call("join", AT)
    assert [line["text"] for line in joined["chat"]] == ["Good evening"]
    assert not (await writer.call("chat", AT | {"text": "see www.example.com"}))["ok"]
    gateway.room.answers[messages.MayChat] = closed
    assert (await writer.call("chat", AT | {"text": "Nice hand"}))["error"]["code"] == "not_offered"
    await writer.close()
    await reader.close()


async def test_staff_and_strangers_are_not_admitted(gateway: ScriptedGateway) -> None:
    for name in ("staff", None):
        with pytest.raises(exceptions.ConnectionError):
            await gateway.device(name)  # type: ignore[arg-type]
    assert gateway.room.received == []


async def test_actions_are_limited_per_account_and_abuse_ends_the_connection() -> None:
    async with started_gateway(plays=10) as gateway:
        device = await gateway.device("ann")
        answers = [await device.call("act", SENT["act"]) for _ in range(12)]
        assert [answer["ok"] for answer in answers] == [True] * 10 + [False] * 2
        assert answers[-1]["error"]["code"] == "rate_limited"
        assert (await device.call("join", AT))["ok"], "a player who clicked too fast can still rejoin"
        await device.close()


async def test_personal_events_of_other_tables_do_not_wait_for_a_join(gateway: ScriptedGateway) -> None:
    device = await gateway.device("ann")
    (sid,) = gateway.server.inside("/poker", "person:ann-id")
    gateway.publisher.begin_join("nl10-FUN-7", sid)
    other = POKER_SEAT(EMITTED["seat"] | {"table_id": "nl10-FUN-8"})  # type: ignore[arg-type]
    gateway.publisher.to_connection(Connection("local", sid), other)
    assert await device.until(1) == ["seat"]
    await device.close()
