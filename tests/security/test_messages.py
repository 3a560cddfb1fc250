"""Whatever anybody sends over a socket: a clear error or a closed connection, and a bystander who notices nothing."""

import json
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from pydantic import BaseModel

from casino.sockets.incoming import FROM_HOSTS, FROM_PLAYERS
from tests.live.clients import Device, Door, Host, Player
from tests.live.house import Json
from tests.live.test_bad_input import CODES, CREDIT, Bystander, attack
from tests.security.messages import Message, messages
from tests.sockets.transport.raw import RawClient, masked
from tests.sockets.transport.test_bad_input import ANSWERED, CLOSING

pytestmark = [pytest.mark.req("SEC-5"), pytest.mark.req("SEC-6"), pytest.mark.req("RND-8")]

EXAMPLES: Final = 20 * int(os.environ.get("CASINO_FUZZ_EXAMPLES", "10"))
MAY_SUCCEED: Final = {"join", "leave", "lobby", "chat", "tip"}
"""Of players who have no bet, while the cards of others are on the table."""

Connect = Callable[[], Awaitable[Device]]


def generated(namespace: str, models: Mapping[str, type[BaseModel]], right: Mapping[str, Any]) -> list[Message]:
    found: list[Message] = []

    @given(message=messages(namespace, models, right))
    @settings(
        max_examples=EXAMPLES,
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
        told = (event, str(data)[:200], code)
        assert code in CODES | {"closed", "ok"}, told
        assert code != "ok" or event in may_succeed, told


async def test_players_can_say_anything_and_only_tips_move_money(door: Door) -> None:
    bystander = await Bystander.at(door)
    await bystander.until_decision()
    guests: list[Json] = []

    async def connect() -> Device:
        guests.append(await door.guest())
        player = Player(door.web, door.house.address, guests[-1])
        door.devices.append(player)
        await player.connect()
        await player.join(bystander.table_id)
        return player

    right = {"table_id": bystander.table_id, "round_id": bystander.round_id, "seat_no": None, "amount": 100}
    outcomes = await attack(generated("/table", FROM_PLAYERS, right), [connect] * 4)
    verify(outcomes, MAY_SUCCEED)
    assert {code for _, code in outcomes} >= {"ok", "bad_request"}
    given: list[Any] = [data for (event, data), code in outcomes if event == "tip" and code == "ok"]
    tips = sum(tip["amount"] for tip in given)
    money = [await Player(door.web, door.house.address, guest).money() for guest in guests]
    assert all(balance == available for balance, available in money)
    assert CREDIT * len(guests) - sum(balance for balance, _ in money) <= tips  # a key said twice is one tip
    await bystander.finish()


@pytest.mark.parametrize("name", ["pest", "mob"])
async def test_consoles_can_say_anything_and_another_table_hears_nothing_of_it(door: Door, name: str) -> None:
    bystander = await Bystander.at(door)
    await bystander.until_decision()
    signed_in = await door.sign_in(name)

    async def connect() -> Device:
        host = Host(door.web, door.house.address, signed_in)
        door.devices.append(host)
        await host.connect()
        return host

    role = {"pest": "presenter", "mob": "manager"}[name]
    right = {"table_id": door.house.table("lasting"), "player_id": bystander.player.id, "card": "As"}
    models = {event: model for event, (model, _) in FROM_HOSTS.items()}
    outcomes = await attack(generated("/host", models, right), [connect] * 3)
    allowed = {event for event, (_, roles) in FROM_HOSTS.items() if role in roles}
    verify(outcomes, allowed)
    assert {code for (event, _), code in outcomes if event not in allowed} <= {"forbidden", "bad_request", "closed"}
    await bystander.finish()


async def test_broken_frames_at_the_real_house_end_their_connection_and_nothing_else(door: Door) -> None:
    bystander = await Bystander.at(door)
    await bystander.until_decision()
    port = int(door.house.address.rpartition(":")[2])
    guest = await door.guest()
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
    assert await Player(door.web, door.house.address, guest).money() == (CREDIT, CREDIT)
    await bystander.finish()
