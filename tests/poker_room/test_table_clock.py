"""Clock vectors V7.x at a running table: decision time, time bank, protection, and the default of a silent player."""

from collections.abc import AsyncIterator

import pytest

from casino.errors import Code, Refusal
from casino.poker_room.deadlines import LATE_MS
from casino.poker_room.hand_runner import Phase
from casino.poker_room.table import PokerTable
from casino.storage.database import Database
from tests.poker_room.running_room import RunningRoom

pytestmark = pytest.mark.req("poker_rules 7")


@pytest.fixture
async def room(database: Database) -> AsyncIterator[RunningRoom]:
    room = await RunningRoom.open(database)
    await room.sit("ann", "bob", "cid")
    yield room
    await room.close()


async def dealt(room: RunningRoom, bank_ms: int | None = None) -> tuple[PokerTable, str]:
    """A hand has begun; the first player to act has this time bank."""
    table = await room.deal()
    player_id = room.to_act()
    assert player_id is not None
    if bank_ms is not None:
        await room.fold_out()
        await room.settle()
        for name in table.occupants:
            table.seats = table.seats.changed(name, bank_ms=bank_ms)
        table = await room.deal()
        player_id = room.to_act()
        assert player_id is not None
    return table, player_id


async def acts_after(room: RunningRoom, player_id: str, begun_ms: int | None = None) -> int:
    """How many milliseconds after the question the house acts for the player."""
    begun_ms = room.clock.now_ms if begun_ms is None else begun_ms
    for _ in range(600):
        if room.to_act() != player_id:
            return room.clock.now_ms - begun_ms
        await room.advance(100)
    raise AssertionError("the house never acts")


def automatic(room: RunningRoom) -> list[str]:
    return [step["automatic"] for step in room.sent.steps("acted") if "automatic" in step]


async def test_v7_1_a_silent_player_uses_the_bank_up(room: RunningRoom) -> None:
    table, player_id = await dealt(room, bank_ms=8_000)
    assert await acts_after(room, player_id) == 23_000
    assert automatic(room)[-1] == "clock"
    assert table.live is not None
    assert table.live.players[player_id].bank_ms == 0
    await room.fold_out()
    assert table.seats.seats[player_id].sits_out
    assert table.seats.seats[player_id].bank_ms == 0


async def test_v7_2_a_lost_connection_is_protected_and_keeps_the_bank(room: RunningRoom) -> None:
    table, player_id = await dealt(room)
    await room.lose_connection(player_id)
    assert room.sent.steps("clock")[-1]["turn"]["protection_until"] == room.clock.now_ms + 35_000
    assert await acts_after(room, player_id) == 35_000
    assert automatic(room)[-1] == "line"
    assert table.live is not None
    assert table.live.players[player_id].bank_ms == 15_000


async def test_v7_3_later_decisions_of_the_hand_have_the_protection_that_is_left(room: RunningRoom) -> None:
    table = await room.deal()
    assert table.live is not None
    positions = table.live.hand.positions
    absent = next(name for name, seat in table.seats.seats.items() if seat.seat_no == positions.big_blind)
    await room.lose_connection(absent)
    waits = []
    while table.phase is Phase.PLAYING and (player_id := room.to_act()) is not None:
        if player_id == absent:
            waits.append(await acts_after(room, absent))
        else:
            offered = table.live.options
            assert offered is not None
            await room.act("check" if offered.check else "call")
    assert waits == [35_000, 25_000, 15_000, 15_000]
    assert table.live.players[absent].bank_ms == 15_000


async def test_v7_4_a_player_who_comes_back_has_at_least_five_seconds(room: RunningRoom) -> None:
    _, player_id = await dealt(room, bank_ms=2_000)
    begun_ms = room.clock.now_ms
    await room.lose_connection(player_id)
    await room.advance(25_000)
    joined = await room.come_back(player_id)
    assert joined["options"]["bank_until"] == begun_ms + 30_000
    assert await acts_after(room, player_id, begun_ms) == 30_000


async def test_v7_5_the_bank_grows_with_every_tenth_hand(room: RunningRoom) -> None:
    for _ in range(14):
        await room.deal()
        await room.fold_out()
        await room.settle()
    assert {seat.bank_ms for seat in room.table.seats.seats.values()} == {20_000}


async def test_another_device_at_the_table_counts_as_connected(room: RunningRoom) -> None:
    _, player_id = await dealt(room)
    await room.come_back(player_id, 2)
    await room.lose_connection(player_id, 2, is_last=False)
    assert not room.sent.steps("clock")
    assert await acts_after(room, player_id) == 30_000


async def test_the_newest_device_has_the_seat(room: RunningRoom) -> None:
    table, player_id = await dealt(room)
    await room.come_back(player_id, 2)
    assert [connection.sid for _, connection in room.sent.moved] == [f"{player_id}-1"]
    with pytest.raises(Refusal) as refusal:
        await room.act("fold")
    assert refusal.value.code == Code.NOT_IN_ROUND
    assert room.to_act(table) == player_id


async def test_time_over_is_too_late(room: RunningRoom) -> None:
    table, player_id = await dealt(room)
    assert table.live is not None
    turn = table.live.hand.turn
    await room.advance(31_000)
    with pytest.raises(Refusal) as refusal:
        await room.act("call", player_id, turn=turn)
    assert refusal.value.code == Code.TOO_LATE


async def test_an_action_sent_again_is_answered_again(room: RunningRoom) -> None:
    table, player_id = await dealt(room)
    assert table.live is not None
    turn = table.live.hand.turn
    first = await room.act("call")
    assert await room.act("call", player_id, turn=turn) == first
    assert first == {"turn": turn, "paid": 10, "stack": 990}


async def test_a_delay_of_the_server_costs_no_player_time(room: RunningRoom) -> None:
    _, player_id = await dealt(room)
    room.clock.now_ms += 60_000
    room.room.upkeep.postpone(60_000)
    assert LATE_MS < 60_000
    assert room.to_act() == player_id
    assert await acts_after(room, player_id) == 30_000
