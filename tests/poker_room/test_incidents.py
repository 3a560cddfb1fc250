"""Pauses, voided hands, failures of a table, and database outages: no chip moves wrongly, other tables continue."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from casino.errors import Code, Refusal
from casino.poker_room.hand_record import HandRecord
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import Join, Leave, PauseTable, PreviewVoid, ResumeTable, TopUp, VoidRunningHand
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hands
from casino.storage.schema import audit
from casino.users.roles import Person
from tests.poker_room.running_room import Opened, RunningRoom, sender

MIA = Person("mia-id", "mia", "manager")


async def statuses(database: Database) -> list[str]:
    async with database.reading() as connection:
        return [*(await connection.execute(select(poker_hands.c.status).order_by(poker_hands.c.no))).scalars()]


async def test_a_pause_lets_the_hand_end_and_begins_no_other(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.ask(PauseTable(table.terms.table_id, MIA, "a fault"))
    await room.fold_out()
    assert table.paused is not None
    await room.advance(120_000)
    assert table.phase is Phase.WAITING
    assert table.hand_no == 1
    await room.ask(ResumeTable(table.terms.table_id, MIA, "repaired"))
    await room.deal()
    with pytest.raises(Refusal) as refusal:
        await room.ask(ResumeTable(table.terms.table_id, MIA, "repaired"))
    assert refusal.value.code == Code.NOT_PAUSED


async def test_a_hand_is_voided_in_two_steps(opened: Opened, database: Database) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.act("raise_to", amount=300)
    preview = await room.ask(PreviewVoid(table.terms.table_id))
    assert {(entry["stack"], entry["start"]) for entry in preview["returns"]} == {
        (700, 1000),
        (995, 1000),
        (990, 1000),
    }
    with pytest.raises(Refusal) as refusal:
        await room.ask(VoidRunningHand(table.terms.table_id, "another-1", MIA, "a fault"))
    assert refusal.value.code == Code.STALE_ROUND
    assert await room.ask(VoidRunningHand(table.terms.table_id, preview["hand_id"], MIA, "a fault")) == {}
    assert set(table.stacks.values()) == {1000}
    assert await statuses(database) == ["void"]
    assert room.sent.steps("void")[-1]["reason"] == "a fault"
    async with database.reading() as connection:
        actions = [*(await connection.execute(select(audit.c.action))).scalars()]
    assert actions == ["poker_hand_voided"]
    before = table.live.hand.positions if table.live is not None else None
    await room.deal()
    assert table.live is not None
    assert table.live.hand.positions == before  # the voided hand did not count
    await room.checked()


async def test_audit_log_does_not_claim_a_void_that_came_too_late(
    opened: Opened, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last player folds while the entry is written."""
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    assert table.live is not None
    incidents, hand_id = room.room._incidents, table.live.hand.hand_id
    note = incidents._note

    async def slow(*entry: Any) -> None:  # noqa: ANN401
        await note(*entry)
        while table.phase is Phase.PLAYING:
            await room.act("fold", settle=False)

    monkeypatch.setattr(incidents, "_note", slow)
    with pytest.raises(Refusal) as refusal:
        await room.ask(VoidRunningHand(table.terms.table_id, hand_id, MIA, "a fault"))
    assert refusal.value.code == Code.NOT_OFFERED
    await room.settle()
    assert await statuses(database) == ["settled"]
    async with database.reading() as connection:
        query = select(audit.c.action, audit.c.actor, audit.c.target).order_by(audit.c.id)
        entries = [tuple(row) for row in await connection.execute(query)]
    assert entries == [("poker_hand_voided", "mia", hand_id), ("poker_hand_not_voided", "mia", hand_id)]


async def test_a_failing_table_voids_its_hand_and_pauses(
    opened: Opened, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    live = table.live
    assert live is not None

    def fail(*_arguments: Any) -> int:  # noqa: ANN401
        raise ZeroDivisionError

    monkeypatch.setattr(live, "act", fail)
    with pytest.raises(Refusal) as refusal:
        await room.act("fold")
    assert refusal.value.code == Code.INTERNAL
    await room.settle()
    assert table.paused is not None
    assert await statuses(database) == ["void"]
    await room.checked()


async def test_a_hand_that_cannot_be_stored_is_void(
    opened: Opened, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    store = room.room.store.store

    async def refuse_settled(record: HandRecord) -> None:
        if record.status == "settled":
            raise ValueError("an impossible hand")
        await store(record)

    monkeypatch.setattr(room.room.store, "store", refuse_settled)
    await room.play_checking()
    assert await statuses(database) == ["void"]
    assert table.paused is not None
    assert set(table.stacks.values()) == {1000}
    assert "settled" not in [step["kind"] for step in room.sent.steps()]
    await room.checked()


async def test_a_finished_hand_waits_for_the_database(
    opened: Opened, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    store = room.room.store
    commit, is_away = store._commit, True

    async def away(records: list[HandRecord]) -> None:
        if is_away:
            raise OperationalError("away", {}, Exception())
        await commit(records)

    monkeypatch.setattr(store, "_commit", away)
    for _ in range(2):
        await room.act("fold", settle=False)
    assert table.phase is Phase.STORING
    room.clock.now_ms += 2_000
    room.room.upkeep.deadlines.run_due()
    assert [payload["code"] for name, payload in room.sent.public if name == "notice"] == ["hand_delayed"]
    snapshot = await room.room.ask(Join(sender("ann"), table.terms.table_id))
    assert snapshot["hand"]["status"] == "playing"
    left = await room.room.ask(leave_of(room, "ann"))
    assert left["after_hand"] is True
    assert await statuses(database) == []
    is_away = False
    await room.settle()
    assert await statuses(database) == ["settled"]
    assert room.sent.steps("settled")
    assert "ann" not in table.occupants
    await room.checked()


def leave_of(room: RunningRoom, player_id: str) -> Leave:
    return Leave(sender(player_id), room.table_of(player_id).terms.table_id)


async def test_a_top_up_that_waits_for_the_database_stops_no_other_player(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thirty seconds without chips end while the chips are on their way: the player keeps the seat."""
    room = await opened("As Kd 2c Ah Kc 7d 4h 5h 9s Ts Jd")
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.act("fold")
    await room.act("raise_to", amount=1000)
    loser = room.to_act()
    assert loser is not None
    await room.act("call")
    await room.advance(10_000)
    answered, top_up = asyncio.Event(), room.room.money.top_up

    async def slow(*arguments: Any) -> Any:  # noqa: ANN401
        await answered.wait()
        return await top_up(*arguments)

    monkeypatch.setattr(room.room.money, "top_up", slow)
    reply = room.room.post(TopUp(sender(loser), table.terms.table_id, 500, "slow"), room.clock())
    while not table.occupants[loser].is_moving_money:  # noqa: ASYNC110  until the transaction has begun
        await asyncio.sleep(0.001)
    room.clock.now_ms += 60_000
    room.room.upkeep.deadlines.run_due()
    answered.set()
    assert (await reply)["stack"] == 500
    await room.settle()
    assert loser in table.occupants
    await room.checked()
