"""Tables that are being opened or closed while players come: nobody waits for ever, and no seat and no chip is lost."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy.exc import OperationalError

from casino.errors import Code, Refusal
from casino.poker_room.hand_store import NewTable
from casino.poker_room.messages import JoinPool, LeavePool
from casino.poker_room.pool import Visitor, Waiting
from casino.poker_room.pool_host import PoolHost
from tests.poker_room.running_room import NAMES, POOL, Opened, RunningRoom, sender


class SlowOpening:
    """The store of hands, whose new tables wait, or fail."""

    def __init__(self, room: RunningRoom, monkeypatch: pytest.MonkeyPatch) -> None:
        self.requested: list[str] = []
        self.may_go = asyncio.Event()
        self.failures: list[Exception] = []
        self._open = room.room.store.open_or_adopt
        monkeypatch.setattr(room.room.store, "open_or_adopt", self.open)

    async def open(self, table: NewTable, at_ms: int) -> None:
        self.requested.append(table.table_id)
        await self.may_go.wait()
        if self.failures:
            raise self.failures.pop(0)
        await self._open(table, at_ms)


async def asked_together(room: RunningRoom, *names: str) -> None:
    """All join before the queue is served."""
    for name in names:
        await room.room.ask(JoinPool(sender(name), POOL, 1000, room.key()))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110  parts of the room without an event
            await asyncio.sleep(0.001)


async def test_a_player_who_joins_a_table_while_others_are_opened_gets_a_seat(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await opened()
    slow = SlowOpening(room, monkeypatch)
    visitors = room.room._desk.visitors

    async def visitors_of_all(host: PoolHost) -> dict[str, Visitor]:
        """The queue is served once all nine have joined, however long each join takes."""
        await until(lambda: len(host.pool.queue) == 9 or bool(host.opening))
        return await visitors(host)

    monkeypatch.setattr(room.room._desk, "visitors", visitors_of_all)
    first = [asyncio.create_task(room.room.ask(JoinPool(sender(name), POOL, 1000, name))) for name in NAMES[:9]]
    await until(lambda: bool(slow.requested))
    host = room.room.tables.hosts[POOL]
    assert len(host.opening) == 2, "one table after the other"
    late = asyncio.create_task(room.room.ask(JoinPool(sender("jim"), POOL, 1000, "jim")))
    await until(lambda: any("jim" in table.players for table in host.pool.tables))
    slow.may_go.set()
    async with asyncio.timeout(60):
        assert (await late)["status"] == "seated"
    await asyncio.gather(*first)
    await room.settle()
    assert not host.opening
    assert sum(len(table.occupants) for table in room.room.tables) == 10
    await room.checked()


async def test_a_table_that_takes_minutes_to_open_is_not_closed(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await opened()
    slow = SlowOpening(room, monkeypatch)
    slow.failures = [OperationalError("away", {}, Exception())]
    monkeypatch.setattr("casino.poker_room.transaction_retry.RETRY_SECONDS", 0.001)
    await asked_together(room, "ann", "bob", "cid")
    await until(lambda: bool(slow.requested))
    for _ in range(3):
        room.clock.now_ms += 60_000
        room.room.upkeep.deadlines.run_due()
    slow.may_go.set()
    await room.settle()
    assert sorted(room.table.occupants) == ["ann", "bob", "cid"]
    await room.checked()


async def test_players_do_not_wait_for_a_table_that_cannot_be_opened(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await opened()
    slow = SlowOpening(room, monkeypatch)
    slow.failures = [ValueError("an impossible table")]
    await asked_together(room, "ann", "bob", "cid")
    await until(lambda: bool(slow.requested))
    host = room.room.tables.hosts[POOL]
    late = asyncio.create_task(room.room.ask(JoinPool(sender("dan"), POOL, 1000, "dan")))
    await until(lambda: any("dan" in table.players for table in host.pool.tables))
    slow.may_go.set()
    with pytest.raises(Refusal) as refusal:
        await late
    assert refusal.value.code == Code.NO_SUCH_TABLE
    await room.settle()
    assert (host.pool.tables, host.pool.queue, host.opening) == ((), (), {})
    for name in ("ann", "bob", "cid"):
        payload = [payload for kind, payload in room.sent.to_players[name] if kind == "seat"][-1]
        assert (payload["state"], payload["reason"]) == ("gone", "internal")
    await room.sit("ann", "bob", "cid")
    await room.checked()


async def test_a_player_of_a_closed_table_who_waits_for_a_seat_has_a_table(opened: Opened) -> None:
    """Eight tables are eight, also while one of them is being closed."""
    room = await opened()
    host = room.room.tables.hosts[POOL]
    host.pool = replace(host.pool, queue=(Waiting("ida", room.clock(), 700), Waiting("jim", room.clock())))
    in_all, of_stake = room.room.tables.counts("nl10")
    assert (in_all["ida"], of_stake["ida"]) == (1, 1)
    assert (in_all["jim"], of_stake["jim"]) == (0, 0)


async def test_a_player_who_asks_again_with_another_amount_pays_this_one(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The requested buy-in may change while the queue is being served."""
    room = await opened()
    await asked_together(room, "ann", "bob")
    desk, visitors = room.room.upkeep.desk, room.room.upkeep.desk.visitors

    async def changing(host: object) -> object:
        found = await visitors(host)  # type: ignore[arg-type]
        if len(found) == 3:
            await room.room.ask(LeavePool(sender("ann"), POOL))
            await room.room.ask(JoinPool(sender("ann"), POOL, 600, "less"))
        return found

    monkeypatch.setattr(desk, "visitors", changing)
    await room.join_pool("cid")
    assert room.table.stacks == {"ann": 600, "bob": 1000, "cid": 1000}
    await room.checked()
