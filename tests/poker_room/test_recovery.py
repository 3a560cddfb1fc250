"""Recovery: a hand that was not stored is void. Stacks, banks and blinds are those of its start; its deck is spent."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from casino.errors import Code, Refusal
from casino.finance.reports import charity
from casino.poker_room import hand_store
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import (
    AutoTopUp,
    FollowLobby,
    Join,
    JoinPool,
    PauseTable,
    ResumeTable,
    ReturnChips,
    ViewFloor,
)
from casino.poker_room.table import PokerTable
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hands, poker_tables
from casino.storage.schema import audit, operations
from casino.users.roles import Person
from casino.verify.verifier import verify
from tests.poker_room.running_room import POOL, Opened, RunningRoom, connection_of, published, sender
from tests.poker_room.stored_tables import balances_of

DAY_MS = 24 * 60 * 60 * 1000
MIA = Person("mia-id", "Mia", "manager")


class Crash(BaseException):
    """The process is gone."""


async def hands_of(database: Database) -> list[Any]:
    async with database.reading() as connection:
        return [*(await connection.execute(select(poker_hands).order_by(poker_hands.c.no))).all()]


def facts(table: PokerTable) -> dict[str, tuple[int, int, int, bool]]:
    return {name: (seat.seat_no, seat.stack, seat.bank_ms, seat.is_current) for name, seat in table.seats.seats.items()}


async def all_joined_again(room: RunningRoom) -> PokerTable:
    table = room.table
    for name in [*table.occupants]:
        await room.ask(Join(sender(name), table.terms.table_id))
    return await room.deal()


async def test_a_running_hand_is_void_and_the_same_big_blind_is_due(opened: Opened, database: Database) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.fold_out()
    before = facts(table)
    table = await room.deal()
    assert table.live is not None
    due, root, hand_id = table.live.hand.positions, table.live.hand.root, table.live.hand.hand_id
    await room.act("raise_to", amount=500)
    after = await room.crash()
    assert facts(after.table) == before
    voided = (await hands_of(database))[-1]
    assert (voided.id, voided.status, voided.root, voided.events) == (hand_id, "void", root, "[]")
    table = await all_joined_again(after)
    assert table.live is not None
    assert table.live.hand.positions == due
    assert table.live.hand.number == 3
    assert table.live.hand.root != root
    await after.play_checking()
    await after.checked()
    await after.close()


@pytest.mark.parametrize("point", ["begun", "written", "complete", "committed"])
async def test_a_crash_at_each_point_of_the_hand_store(
    opened: Opened, database: Database, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    before = facts(table)

    crashed = asyncio.Event()

    def crash(name: str) -> None:
        if name == f"poker_hands_{point}":
            crashed.set()
            raise Crash

    monkeypatch.setattr(hand_store, "crash_point", crash)
    table = room.table
    for _ in range(2):
        await room.act("fold", settle=False)
    assert table.phase is Phase.STORING
    await crashed.wait()
    await asyncio.sleep(0)
    assert not room.sent.steps("settled")
    monkeypatch.undo()
    after = await room.crash()
    hands = await hands_of(database)
    if point == "committed":
        assert [hand.status for hand in hands] == ["settled", "void"]
        assert facts(after.table) != before
    else:
        assert [hand.status for hand in hands] == ["void"]
        assert facts(after.table) == {name: (*fact[:3], False) for name, fact in before.items()}
    await all_joined_again(after)
    await after.play_checking()
    await after.checked()
    await after.close()


async def test_players_are_notified_once_of_a_void_hand(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    await room.deal()
    after = await room.crash()
    for _ in range(2):
        await after.come_back("ann")
    notices = [payload for name, payload in after.sent.received[connection_of("ann")] if name == "notice"]
    assert [notice["code"] for notice in notices] == ["hand_void"]
    assert after.sent.received[connection_of("bob")] == []
    await after.close()


async def test_tables_wait_a_minute_for_their_players_and_the_absent_sit_out(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid", "dan")
    after = await room.crash()
    table = after.table
    for name in ("ann", "bob", "cid"):
        await after.come_back(name)
    await after.advance(59_000)
    assert table.live is None
    await after.advance(5_000)
    assert table.phase is Phase.PLAYING
    assert table.seats.seats["dan"].sits_out
    assert table.occupants["dan"].sit_out_until_ms is not None
    await after.checked()
    await after.close()


async def test_a_table_goes_on_at_once_when_all_its_players_are_back(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    after = await room.crash()
    began_ms = after.clock.now_ms
    await all_joined_again(after)
    assert after.clock.now_ms - began_ms == 3_000
    await after.close()


async def test_empty_tables_are_closed_and_their_deck_is_never_dealt(opened: Opened, database: Database) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    for name in ("ann", "bob", "cid"):
        await room.leave(name)
    after = await room.crash()
    assert not [*after.room.tables]
    async with database.reading() as connection:
        assert (await connection.execute(select(poker_tables.c.status))).scalars().all() == ["closed"]
    assert not await hands_of(database)
    await after.close()


async def test_chips_of_a_stake_that_is_no_longer_offered_go_back(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    room.settings = published(currencies=["FUN"])
    after = await room.crash()
    assert not [*after.room.tables]
    assert await after.room.money.available("ann") == 1_000_000
    await after.checked()
    await after.close()


async def test_a_buy_in_that_was_stored_before_a_crash_has_its_seat(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    message = JoinPool(sender("dan"), POOL, 1000, "before")
    seat = await room.ask(message)
    after = await room.crash()
    assert await after.ask(message) == seat
    await after.checked()
    await after.close()


async def test_a_stop_finishes_running_hands(opened: Opened, database: Database) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    await room.deal()
    stopping = asyncio.create_task(room.room.drain(30))
    await asyncio.sleep(0.01)
    with pytest.raises(Refusal) as refusal:
        await room.room.ask(JoinPool(sender("dan"), POOL, 1000, "late"))
    assert refusal.value.code == Code.INTERNAL
    for _ in range(2):
        await room.act("fold")
    await stopping
    assert [hand.status for hand in await hands_of(database)] == ["settled"]
    await room.checked()


async def test_a_stop_voids_hands_that_are_not_finished_in_time(opened: Opened, database: Database) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.act("call")
    await room.room.drain(0.05)
    assert [hand.status for hand in await hands_of(database)] == ["void"]
    assert set(table.stacks.values()) == {1000}
    assert room.sent.steps("void")
    await room.checked()
    async with database.reading() as connection:
        kinds = (await connection.execute(select(operations.c.kind))).scalars().all()
    assert "poker_hand" not in kinds


async def test_settings_of_a_seat_come_back(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", auto_top_up=True)
    await room.ask(AutoTopUp(sender("bob"), table.terms.table_id, is_on=False))
    await room.deal()
    await room.fold_out()
    after = await room.crash()
    assert {name: occupant.is_auto for name, occupant in after.table.occupants.items()} == {
        "ann": True,
        "bob": False,
        "cid": True,
    }
    await after.close()


async def test_a_pause_outlives_a_restart(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.ask(PauseTable(table.terms.table_id, MIA, "A complaint."))
    paused = table.paused
    assert paused is not None
    await room.fold_out()
    after = await room.crash()
    assert after.table.paused == paused
    for name in ("ann", "bob", "cid"):
        await after.ask(Join(sender(name), table.terms.table_id))
    await after.advance(120_000)
    assert after.table.phase is Phase.WAITING
    await after.ask(ResumeTable(table.terms.table_id, MIA, "Looked into."))
    await after.deal()
    await after.fold_out()
    again = await after.crash()
    assert again.table.paused is None
    await again.close()
    await after.close()


async def test_a_table_that_failed_is_still_paused_after_a_restart(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    room.room.upkeep.fail(table, RuntimeError("broken"))
    await room.settle()
    after = await room.crash()
    assert after.table.paused == table.paused
    assert after.table.paused is not None
    await after.checked()
    await after.close()


@pytest.mark.parametrize(
    "broken",
    [
        {"state": "{}"},
        {"state": '{"version":1,"last":{"bb":2,"dealt_in":5},"seats":{}}'},
        {"hand_no": 7},  # the chain of its hands ends elsewhere
    ],
    ids=["empty", "wrong", "hands missing"],
)
async def test_a_table_that_cannot_go_on_keeps_the_chips_for_staff_and_stops_nothing_else(
    opened: Opened, database: Database, broken: dict[str, Any]
) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    for name in ("dan", "eve", "fay"):
        await room.join_pool(name, 5000, "nl50:EUR")
    table_id = table.terms.table_id
    async with database.writing() as connection:
        await connection.execute(poker_tables.update().where(poker_tables.c.id == table_id).values(broken))
    after = await room.crash()
    assert [*after.table.occupants] == ["dan", "eve", "fay"], "the other table goes on"
    floor = await after.ask(ViewFloor())
    assert len(floor["tables"]) == 1
    (kept,) = floor["unreadable"]
    assert (kept["table_id"], kept["chips"], kept["pool"]) == (table_id, 3000, POOL)
    assert [(one["player_id"], one["seat_no"], one["chips"]) for one in kept["players"]] == [
        ("ann", 1, 1000),
        ("bob", 2, 1000),
        ("cid", 3, 1000),
    ]
    assert "Return the chips" in kept["to_do"]
    lobby = await after.ask(FollowLobby(sender("ann")))
    assert lobby["kept"] == [{"table_id": table_id, "pool": POOL, "chips": 1000}]
    assert await after.room.money.available("ann") == 999_000
    with pytest.raises(Refusal) as refusal:
        await after.ask(ReturnChips(after.table.terms.table_id, MIA, "a table that is fine"))
    assert refusal.value.code is Code.NO_SUCH_TABLE

    assert await after.ask(ReturnChips(table_id, MIA, "Its state is lost.")) == {}
    assert await after.room.money.available("ann") == 1_000_000
    assert after.sent.to_players["ann"] == [("balance", {"balance": 1_000_000, "available": 1_000_000})]
    assert (await after.ask(ViewFloor()))["unreadable"] == []
    await after.checked()
    again = await after.crash()
    assert [*again.table.occupants] == ["dan", "eve", "fay"]
    assert (await again.ask(ViewFloor()))["unreadable"] == []
    await again.close()
    await after.close()


async def test_chips_not_returned_for_ninety_days_go_to_charity(opened: Opened, database: Database) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.fold_out()
    await room.settle()
    await room.leave("cid")
    table_id = table.terms.table_id
    async with database.writing() as connection:
        await connection.execute(poker_tables.update().where(poker_tables.c.id == table_id).values(state="{}"))
    room.clock.now_ms += 90 * DAY_MS
    after = await room.crash()
    assert len((await after.ask(ViewFloor()))["unreadable"]) == 1, "staff have these days to decide"
    chips = (await after.ask(ViewFloor()))["unreadable"][0]["chips"]
    after.clock.now_ms += DAY_MS
    last = await after.crash()
    assert (await last.ask(ViewFloor()))["unreadable"] == []
    assert (await balances_of(database))["charity:EUR"] == chips > 0
    assert (await last.ask(FollowLobby(sender("ann"))))["kept"] == []
    await last.checked()
    assert (await verify(database)).poker_seats.faults == []
    async with database.reading() as connection:
        assert sorted(row["amount"] for row in (await charity(connection))["rows"]) == [995, 1000]
        entries = (await connection.execute(select(audit.c.action, audit.c.actor))).all()
    assert ("poker_chips_forfeited", "system") in [tuple(entry) for entry in entries]
    for opened_room in (last, after, room):
        await opened_room.close()


async def test_a_player_without_chips_has_time_to_decide_after_a_restart(opened: Opened) -> None:
    room = await opened("As Kd 2c Ah Kc 7d 4h 5h 9s Ts Jd")
    await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.act("fold")
    await room.act("raise_to", amount=1000)
    loser = room.to_act()
    await room.act("call")
    await room.advance(10_000)
    assert loser is not None
    assert room.table.stacks[loser] == 0
    after = await room.crash()
    for name in ("ann", "bob", "cid"):
        await after.ask(Join(sender(name), after.table.terms.table_id))
    await after.advance(60_000)
    assert loser in after.table.occupants
    await after.advance(31_000)
    assert loser not in after.table.occupants
    await after.checked()
    await after.close()
