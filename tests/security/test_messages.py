"""Invalid socket messages: a clear error or a closed connection, without effect on other clients."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from pydantic import BaseModel

from casino.wire.client_events import FROM_HOSTS, FROM_PLAYERS
from tests.deep import count
from tests.live.clients import Clients, Device, Host, Player
from tests.live.service import Json
from tests.live.test_bad_input import CODES, CREDIT, Bystander, attack
from tests.security.messages import Message, messages
from tests.socketio.raw import Closed, RawClient, masked
from tests.socketio.test_bad_input import ANSWERED, CLOSING

pytestmark = [pytest.mark.req("SEC-5"), pytest.mark.req("SEC-6"), pytest.mark.req("RND-8")]

EXAMPLES: Final = 20 * count("CASINO_FUZZ_EXAMPLES", usual=6, deep=20)
MAY_SUCCEED: Final = {"join", "leave", "lobby", "chat", "tip"}
"""Of players who have no bet, while the cards of others are on the table."""

MUTES: Final = {"mute", "unmute"}

Connect = Callable[[], Awaitable[Device]]

_LEAVE: Final = masked(b"41/table,")
_LONG: Final = b'"' + b"x" * 15_000 + b'"'
FLOODS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "300 messages to a namespace the client has left": lambda _: _LEAVE + masked(b'42/table,1["join",{}]') * 300,
    "two megabytes to a namespace the client has left": lambda _: (
        _LEAVE + masked(b'42/table,1["x",' + _LONG + b"]") * 140
    ),
    "two megabytes of events": lambda _: masked(b'42/table,1["chat",' + _LONG + b"]") * 140,
    "eleven events that cannot be read": lambda _: masked(b'42/table,1["join",NaN]') * 11,
    "coming and going": lambda auth: (_LEAVE + masked(b"40/table," + auth)) * 50,
}
"""Each ends by a limit of the transport. Bets and other events of an account have limits of their own before these:
`tests/security/test_flood.py`."""

PROTOCOL_ERROR: Final = (1002).to_bytes(2, "big")
"""Status of the closing frame. A client that only left the namespace is closed with another one, a second later."""


def generated(namespace: str, models: Mapping[str, type[BaseModel]], right: Mapping[str, Any]) -> list[Message]:
    """The same number of messages for every event, so that no draw leaves an event out."""
    per_event = -(-EXAMPLES // len(models))
    return [one for event in sorted(models) for one in _drawn(per_event, namespace, {event: models[event]}, right)]


def _drawn(
    number: int, namespace: str, models: Mapping[str, type[BaseModel]], right: Mapping[str, Any]
) -> list[Message]:
    found: list[Message] = []

    @given(message=messages(namespace, models, right))
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        derandomize="CASINO_FUZZ_EXAMPLES" not in os.environ,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def gather(message: Message) -> None:
        found.append(message)

    gather()
    return found


def verify(outcomes: list[tuple[Message, str]], may_succeed: set[str]) -> None:
    for (event, data), code in outcomes:
        reply = (event, str(data)[:200], code)
        assert code in CODES | {"closed", "ok"}, reply
        assert code != "ok" or event in may_succeed, reply


async def test_players_can_say_anything_and_only_tips_move_money(clients: Clients) -> None:
    bystander = await Bystander.at(clients)
    await bystander.until_decision()
    guests: list[Json] = []

    async def connect() -> Device:
        guests.append(await clients.guest())
        player = Player(clients.web, clients.service.address, guests[-1])
        clients.devices.append(player)
        await player.connect()
        await player.join(bystander.table_id)
        return player

    right = {"table_id": bystander.table_id, "round_id": bystander.round_id, "seat_no": None, "amount": 100}
    outcomes = await attack(generated("/table", FROM_PLAYERS, right), [connect] * 4)
    verify(outcomes, MAY_SUCCEED)
    assert {code for _, code in outcomes} >= {"ok", "bad_request"}
    given: list[Any] = [data for (event, data), code in outcomes if event == "tip" and code == "ok"]
    tips = sum(tip["amount"] for tip in given)
    money = [await Player(clients.web, clients.service.address, guest).money() for guest in guests]
    assert all(balance == available for balance, available in money)
    assert CREDIT * len(guests) - sum(balance for balance, _ in money) <= tips  # a key said twice is one tip
    await bystander.finish()


def mute_notices(outcomes: list[tuple[Message, str]], player_id: str) -> list[tuple[str, str]]:
    """Table and code of every notice that the accepted mutes and unmutes owe to this player, in order."""
    owed: list[tuple[str, str]] = []
    muted_at: set[str] = set()
    for (event, data), code in outcomes:
        if code != "ok" or data["player_id"] != player_id:
            continue
        if event == "mute":
            owed.append((data["table_id"], "muted"))
            muted_at.add(data["table_id"])
        elif data["table_id"] in muted_at:
            owed.append((data["table_id"], "unmuted"))
            muted_at.remove(data["table_id"])
    return owed


@pytest.mark.parametrize("name", ["pest", "mob"])
async def test_consoles_may_write_anything_and_other_tables_do_not_get_it(clients: Clients, name: str) -> None:
    """A mute is for one player at one table: its notice reaches that player wherever the player is, and no other."""
    bystander = await Bystander.at(clients)
    attacked_id = clients.service.table("lasting")
    here, there = await clients.players(2)
    await here.join(bystander.table_id)
    await there.join(attacked_id)
    await bystander.until_decision()
    signed_in = await clients.sign_in(name)

    async def connect() -> Device:
        host = Host(clients.web, clients.service.address, signed_in)
        clients.devices.append(host)
        await host.connect()
        return host

    role = {"pest": "presenter", "mob": "manager"}[name]
    whom = {"table_id": attacked_id, "player_id": bystander.player.id}
    right = whom | {"card": "As"}
    models = {event: model for event, (model, _) in FROM_HOSTS.items()}
    ways = generated("/host", models, right)
    outcomes = await attack([way for way in ways if way[0] not in MUTES], [connect] * 3)
    mute, unmute = ("mute", whom | {"minutes": 10, "reason": "Insults"}), ("unmute", whom)
    mutes = [*(way for way in ways if way[0] in MUTES), mute, unmute, unmute, mute, unmute]
    muted = await attack(mutes, [connect])  # one connection, so that the outcomes are in the order of the messages
    outcomes += muted
    allowed = {event for event, (_, roles) in FROM_HOSTS.items() if role in roles}
    verify(outcomes, allowed)
    assert {code for (event, _), code in outcomes if event not in allowed} <= {"forbidden", "bad_request", "closed"}
    owed = mute_notices(muted, bystander.player.id)
    assert {table_id for table_id, _ in owed} <= {attacked_id}
    assert role != "manager" or {code for _, code in owed} == {"muted", "unmuted"}
    await bystander.player.ok("chat", {"table_id": bystander.table_id, "text": "Not muted here"})
    await bystander.finish(owed)
    assert not here.all("notice")
    assert not {notice["code"] for notice in there.all("notice")} & {"muted", "unmuted"}


async def test_broken_frames_close_only_their_own_connection_of_a_real_service(clients: Clients) -> None:
    bystander = await Bystander.at(clients)
    await bystander.until_decision()
    port = int(clients.service.address.rpartition(":")[2])
    guest = await clients.guest()
    auth = json.dumps({"token": guest["token"]})
    for what, frames in CLOSING.items():
        client = await RawClient.member(port, "/table", auth)
        client.writer.write(frames(client))
        assert not any("internal" in said for said in await client.closed()), what
    for what, frame in ANSWERED.items():
        client = await RawClient.member(port, "/table", auth)
        client.writer.write(masked(frame))
        assert "bad_request" in await client.text(), what
        client.leave()
    await RawClient.leave_all()
    assert await Player(clients.web, clients.service.address, guest).money() == (CREDIT, CREDIT)
    await bystander.finish()


async def close_status(client: RawClient) -> bytes:
    """The status with which the server closes the connection; empty if it sent none."""
    try:
        async with asyncio.timeout(20):
            while True:
                assert "internal" not in await client.text()
    except Closed as closed:
        return bytes(closed.args[0][:2]) if closed.args else b""


@pytest.mark.parametrize("what", FLOODS)
async def test_floods_at_the_real_service_end_their_connection_and_nothing_else(clients: Clients, what: str) -> None:
    bystander = await Bystander.at(clients)
    await bystander.until_decision()
    guest = await clients.guest()
    auth = json.dumps({"token": guest["token"]})
    client = await RawClient.member(int(clients.service.address.rpartition(":")[2]), "/table", auth)
    client.writer.write(FLOODS[what](auth.encode()))
    assert await close_status(client) == PROTOCOL_ERROR
    await RawClient.leave_all()
    assert await Player(clients.web, clients.service.address, guest).money() == (CREDIT, CREDIT)
    await bystander.finish()
