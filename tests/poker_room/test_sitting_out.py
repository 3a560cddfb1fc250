"""Sit-out requests can be withdrawn, and a moved player keeps time bank, requests and absence."""

import asyncio
from typing import Any

import pytest

from casino.poker_room.messages import Leave
from casino.poker_room.pool import Seated, Visitor, seat
from casino.poker_room.seat_money import Money
from casino.poker_room.table import PokerTable
from tests.poker_room.running_room import POOL, Opened, RunningRoom, sender

MINUTE_MS = 60_000


async def test_a_request_to_sit_out_before_the_big_blind_is_taken_back(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    for name in ("ann", "bob", "cid"):
        await room.sit_out(name, at_big_blind=True, table=table.terms.table_id)
        assert table.seats.seats[name].sits_out_at_bb
        await room.sit_out(name, at_big_blind=True, on=False, table=table.terms.table_id)
        assert not table.seats.seats[name].sits_out_at_bb
        assert room.sent.to_players[name][-1][1]["sit_out_next_bb"] is False
    for _ in range(3):
        await room.deal()
        await room.fold_out()
    assert not any(seat.sits_out for seat in table.seats.seats.values())
    await room.checked()


async def test_a_silent_player_who_is_back_before_the_end_of_the_hand_does_not_sit_out(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", "dan")
    await room.deal()
    silent = room.to_act()
    assert silent is not None
    await room.advance(31_000)
    assert room.to_act() != silent
    await room.sit_out(silent, on=False)
    await room.fold_out()
    assert not table.seats.seats[silent].sits_out
    await room.checked()


async def moved(room: RunningRoom, first: PokerTable, second: PokerTable) -> None:
    """The second table cannot play any more, and its last player comes to the first one."""
    for name in ("ann", "bob", "cid"):
        await room.leave(name)
    for name in ("gus", "hal"):
        await room.leave(name)
    await room.fold_hands(first)
    await room.fold_hands(second)
    await room.advance(70_000)


@pytest.mark.parametrize("is_absent", [False, True])
async def test_a_player_who_is_moved_keeps_bank_and_absence(opened: Opened, is_absent: bool) -> None:  # noqa: FBT001
    room = await opened()
    first = await room.sit("ann", "bob", "cid", "dan", "eve", "fay")
    second = await room.sit("gus", "hal", "ida")
    if is_absent:
        await room.sit_out("ida")
    until_ms = second.occupants["ida"].sit_out_until_ms
    second.seats = second.seats.changed("ida", bank_ms=1_234, hands=9)
    await moved(room, first, second)
    assert room.table_of("ida") is first
    seat = first.seats.seats["ida"]
    assert (seat.bank_ms, seat.hands) == (1_234, 9)
    assert seat.sits_out is is_absent
    assert first.occupants["ida"].sit_out_until_ms == until_ms, "moving gives no more time to come back"
    if until_ms is not None:
        await room.advance(until_ms + 1 - room.clock.now_ms)
        assert "ida" not in first.occupants
    await room.checked()


async def test_a_player_who_leaves_while_being_moved_leaves_the_new_table(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await opened()
    first = await room.sit("ann", "bob", "cid", "dan", "eve", "fay")
    second = await room.sit("gus", "hal", "ida")
    money, begun, going = room.room.money, asyncio.Event(), asyncio.Event()
    move = money.move

    async def slow(*of: Any) -> Money:  # noqa: ANN401
        begun.set()
        await going.wait()
        return await move(*of)

    monkeypatch.setattr(money, "move", slow)
    moving = asyncio.create_task(moved(room, first, second))
    await begun.wait()
    leaving = asyncio.create_task(room.room.ask(Leave(sender("ida"), second.terms.table_id)))
    await asyncio.sleep(0)
    going.set()
    await leaving
    await moving
    assert not any("ida" in table.occupants for table in room.room.tables)
    assert await money.available("ida") == 1_000_000
    pool = room.room.tables.hosts[POOL].pool
    assert not any("ida" in table.players for table in pool.tables), "no seat is kept for a player who has left"
    await room.checked()


async def test_a_seat_is_freed_if_its_player_left_before_the_move_began(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    host = room.room.tables.hosts[POOL]
    visitor = Visitor("ida", 0, stack=1000)
    host.pool, given = seat(host.pool, visitor, table.terms.table_id, room.clock(), lambda _bound: 0)
    assert isinstance(given, Seated)
    await room.room.upkeep.desk.move(host, given)
    assert "ida" not in host.pool.table(table.terms.table_id).players


async def test_a_failing_departure_stops_its_table_with_an_incident(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table whose chips cannot be moved pauses with an incident, instead of waiting for them without a word."""
    room = await opened()
    table = await room.sit("ann", "bob", "cid")

    async def impossible(*_: object) -> None:
        raise RuntimeError("an impossible row")

    await room.sit_out("ann")
    monkeypatch.setattr(room.room.money, "leave", impossible)
    await room.advance(10 * MINUTE_MS + 1)
    assert table.paused is not None
    assert "ann" in table.occupants
    assert table.terms.pool_id == POOL
