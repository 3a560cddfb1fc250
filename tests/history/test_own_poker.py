"""Poker day of a player: today's result, and buy-in offers after leaving a table with chips."""

from casino.history.own_poker import own_poker
from casino.poker.terms import Format
from casino.settings.poker import load_poker
from casino.storage.database import Database
from casino.wire.poker_history import OwnPoker
from tests.live.service import POKER_CONFIG
from tests.poker_room.stored_tables import NOON_MS, StoredTable, purses
from tests.wire.validation import holds

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
RATHOLE_MINUTES = 30


async def own(database: Database, player_id: str, now_ms: int) -> OwnPoker:
    stakes = load_poker(POKER_CONFIG).stakes
    assert stakes["nl10"].format is Format.REGULAR
    found = await own_poker(database, player_id, stakes, RATHOLE_MINUTES, now_ms)
    holds(OwnPoker, dict(found))
    return found


async def test_today_counts_settled_hands_and_their_net_result(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    stacks = await table.stacks()
    await table.play(["raise_to 30", "call", "fold"])
    await table.play(void=True)
    after = await table.stacks()
    for player_id in table.players:
        today = (await own(database, player_id, NOON_MS + 10 * MINUTE_MS))["today"]
        assert today == {
            "since": NOON_MS // 86_400_000 * 86_400_000,
            "hands": 1,
            "net": after[player_id] - stacks[player_id],
        }
    assert (await own(database, "ann", NOON_MS + DAY_MS))["today"]["hands"] == 0


async def test_a_stack_left_with_decides_the_next_buy_in_for_half_an_hour(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database, buy_in=2_410)
    assert (await own(database, "ann", NOON_MS))["left"] == []
    left_ms = NOON_MS + MINUTE_MS
    await table.money.leave(table.place("ann"), left_ms)
    (left,) = (await own(database, "ann", left_ms + 9 * MINUTE_MS))["left"]
    assert left == {
        "pool": "nl10:EUR",
        "table_id": "nl10-1",
        "table": "1",
        "stack": 2_410,
        "left_at": left_ms,
        "until": left_ms + RATHOLE_MINUTES * MINUTE_MS,
        "min": 1_000,
        "max": 2_410,
        "amounts": [],
    }
    assert (await own(database, "ann", left_ms + 30 * MINUTE_MS))["left"] == []
    assert (await own(database, "bob", left_ms + 9 * MINUTE_MS))["left"] == []
