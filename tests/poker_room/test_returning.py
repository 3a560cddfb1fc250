"""Buy-in vectors V8.x at a running room: a player who leaves a table and comes back, and Banzai stacks."""

from typing import Any

import pytest

from casino.errors import Code, Refusal
from casino.poker_room.table import PokerTable
from tests.poker_room.running_room import Opened, RunningRoom

MINUTE_MS = 60_000
BANZAI = "banzai-nl1:EUR"


async def left_with(room: RunningRoom, stack: int) -> PokerTable:
    """Ann has left the only table with this stack, which the ledger moved from Bob or to him."""
    table = await room.sit("ann", "bob", "cid", "dan")
    await room.give_chips(table, "bob", "ann", stack - table.stacks["ann"])
    await room.leave("ann")
    return table


async def offered(room: RunningRoom) -> tuple[int, int]:
    reply: dict[str, Any] = await room.join_pool("ann", 0)
    assert reply["status"] == "reserved", reply
    return reply["min"], reply["max"]


@pytest.mark.parametrize(
    ("stack", "minutes", "expected"),
    [
        pytest.param(735, 12, (735, 1000), id="V8.1"),
        pytest.param(1900, 1, (1000, 1900), id="V8.2"),
        pytest.param(1900, 31, (500, 1000), id="V8.4"),
        pytest.param(1000, 1, (1000, 1000), id="V8.5"),
    ],
)
async def test_the_range_of_a_player_who_comes_back(
    opened: Opened, stack: int, minutes: int, expected: tuple[int, int]
) -> None:
    room = await opened()
    await left_with(room, stack)
    await room.pass_idle(minutes * MINUTE_MS)
    assert await offered(room) == expected


async def test_v8_3_the_sixth_return_of_the_day_is_with_exactly_the_stack(opened: Opened) -> None:
    room = await opened()
    table = await left_with(room, 1900)
    for _ in range(5):
        assert await offered(room) == (1000, 1900)
        await room.buy_in("ann", table.terms.table_id, 1900)
        await room.leave("ann")
    assert await offered(room) == (1900, 1900)


async def test_a_banzai_player_brings_a_won_stack_back_or_resets(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", "dan", buy_in=100, pool=BANZAI)
    await room.give_chips(table, "bob", "ann", 50)
    await room.leave("ann")
    reply = await room.join_pool("ann", 0, BANZAI)
    assert (reply["amounts"], reply["min"], reply["max"]) == ([150, 100], 100, 150)
    with pytest.raises(Refusal) as refusal:
        await room.buy_in("ann", reply["table_id"], 120)
    assert refusal.value.code in {Code.ABOVE_MAXIMUM, Code.BELOW_MINIMUM}
    seat = await room.buy_in("ann", reply["table_id"], 150)
    assert seat["stack"] == 150


async def test_at_most_eight_tables_and_four_of_a_banzai_stake(opened: Opened) -> None:
    room = await opened()
    pools = [pool for pool, host in room.room.tables.hosts.items() if pool.endswith(":EUR")]
    assert room.settings.room.cash_tables_max == 8
    for pool in pools[:8]:
        host = room.room.tables.hosts[pool]
        smallest = host.terms.stake.buy_in_min_bb * host.terms.stake.big_blind
        for name in ("ann", "bob", "cid"):
            await room.join_pool(name, smallest, pool)
    assert len(room.room.tables.absences.tables_of("ann")) == 8
    with pytest.raises(Refusal) as refusal:
        await room.join_pool("ann", 0, pools[8])
    assert refusal.value.code == Code.TOO_MANY_TABLES
