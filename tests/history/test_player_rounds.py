"""Rounds of a player: ownership, order, amounts, pagination and query cost."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import Executable
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.history.player_round import game_of
from casino.history.player_rounds import BEHIND, NEWEST, PAGE_MAX, PAYOUTS, STAKES, Place, Played, page_of
from casino.ledger.accounts import player_cash_id
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.phases import Phase
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.verify.full_books import build

PLAYED = 20_000


async def history(database: Database, player_id: str, limit: int = PAGE_MAX) -> list[Played]:
    """All of it, page by page."""
    found: list[Played] = []
    before: Place | None = None
    async with database.reading() as connection:
        while True:
            page, before = await page_of(connection, player_id, limit, before)
            found += page
            if before is None:
                return found
            assert len(page) == limit
            before = Place.parse(str(before))


async def test_every_round_is_listed_once_newest_first_with_what_its_game_says(database: Database) -> None:
    await build(database)
    for player_id in ("ann", "bob", "gus", "liz"):
        listed = await history(database, player_id, limit=3)
        assert [(one.started_ms, one.round_id) for one in listed] == sorted(
            ((one.started_ms, one.round_id) for one in listed), reverse=True
        )
        assert listed == await history(database, player_id)
        for one in listed:
            if one.status == "forfeited":
                continue  # nothing can be read of its game
            async with database.reading() as connection:
                game = await game_of(connection, player_id, one.round_id, lambda _: None)
            assert {
                "round_id": one.round_id,
                "table_id": one.table_id,
                "game_number": one.game_number,
                "started_at": one.started_ms,
                "status": one.status,
                "staked": one.staked,
                "returned": one.returned,
                "currency": one.currency,
            }.items() <= game.items()


async def test_amounts_of_every_end_of_a_round(database: Database) -> None:
    await build(database)
    found = {one.round_id: (one.status, one.staked, one.returned) for one in await history(database, "ann")}
    assert found["settled"] == ("settled", 3_000, 0)
    assert found["corrected"] == ("corrected", 3_000, 0)
    assert found["cancelled"] == ("cancelled", 1_000, 1_000)
    assert found["cancelled-betting"] == ("cancelled", 1_000, 1_000)
    assert found["forfeited"] == ("forfeited", 2_000, 0)
    assert {status for status, _, _ in found.values()} == {"open", "settled", "cancelled", "corrected", "forfeited"}
    assert not any(round_id.startswith("void") for round_id in found), "bets that went back leave no round"
    assert await history(database, "liz") == [], "a bet taken back is no round"
    assert await history(database, "nobody") == []


async def test_play_of_an_open_round_is_part_of_the_stake(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_PREFLOP)
    await table.do(table.answer("ann", Action.PLAY_4X))
    other = await BookedTable.open(database, round_id="r2", table="uth-2")
    await other.play_to(Phase.DEALING_HOLE)
    found = {one.round_id: (one.status, one.staked, one.returned) for one in await history(database, "ann")}
    assert found == {"r1": ("open", 3_000, 0), "r2": ("open", 1_000, 0)}


@pytest.mark.parametrize("limit", [0, -1, 201, 10**30])
async def test_page_has_1_to_200_rounds(database: Database, limit: int) -> None:
    async with database.reading() as connection:
        with pytest.raises(Refusal) as refused:
            await page_of(connection, "ann", limit)
    assert refused.value.code is Code.BAD_REQUEST


@pytest.mark.parametrize(
    "written",
    ["", "-", "abc", "1", "1-", "-r", "１-r", "1-r\x00", "1-" + "r" * 41, "9" * 16 + "-r", "1-r;DROP", " 1-r"],
)
def test_place_that_no_page_gave_is_refused(written: str) -> None:
    with pytest.raises(Refusal) as refused:
        Place.parse(written)
    assert refused.value.code is Code.BAD_REQUEST


# What a page costs


_LONG_LIFE = {
    "accounts": "SELECT 'player:old:cash', 'player', 'EUR', 0, 0 UNION ALL SELECT 'house:EUR', 'house', 'EUR', 0, 0",
    "rounds": "SELECT 'r' || n, 'uth-1', '2026-11-16', '' || n, 'settled', n, n, NULL, NULL FROM numbers",
    "seats": "SELECT 'r' || n, 'old', 'EUR', n FROM numbers",
    "escrows": "SELECT 'round:r' || n || ':escrow:EUR', 'escrow', 'EUR', 0, 0 FROM numbers",
    "captures": "SELECT 3 * n, 'r' || n || ':capture', 'capture', 'r' || n, 'system', '', n, '', '' FROM numbers",
    "settlements": "SELECT 3 * n + 1, 'r' || n || ':settle', 'settle', 'r' || n, 'system', '', n, '', '' FROM numbers",
    "stakes": "SELECT 3 * n, 0, 'player:old:cash', 'round:r' || n || ':escrow:EUR', 100, 'EUR' FROM numbers",
    "payouts": "SELECT 3 * n + 1, 0, 'round:r' || n || ':escrow:EUR', 'player:old:cash', 70, 'EUR' FROM numbers",
}
_INTO = {
    "escrows": "accounts",
    "captures": "operations",
    "settlements": "operations",
    "stakes": "postings",
    "payouts": "postings",
}


async def live_long(connection: AsyncConnection) -> None:
    """Somebody has played many rounds. Only what a page reads is written, as many rows as it would have."""
    numbers = f"WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {PLAYED})"  # noqa: S608
    for what, rows in _LONG_LIFE.items():
        into = _INTO.get(what, what)
        columns = {"operations": "(id, key, kind, round_id, actor, reason, at_ms, input_hash, digest)"}.get(into, "")
        overriding = "OVERRIDING SYSTEM VALUE" if into == "operations" and connection.dialect.name != "sqlite" else ""
        await connection.exec_driver_sql(f"INSERT INTO {into} {columns} {overriding} {numbers} {rows}")
    await connection.exec_driver_sql("ANALYZE")


@asynccontextmanager
async def long_life(database: Database) -> AsyncIterator[AsyncConnection]:
    async with database.writing() as connection:
        await live_long(connection)
    async with database.reading() as connection:
        yield connection


def statements(depth: int) -> list[Executable]:
    """What is asked for the page behind so many newer rounds."""
    newest = PLAYED - depth + 1
    page = BEHIND.bindparams(player_id="old", limit=51, started_ms=newest, round_id=f"r{newest}")
    span = {"cash": player_cash_id("old"), "first": 3 * (newest - 51), "last": 3 * newest}
    return (
        [page, STAKES.params(span), PAYOUTS.params(span)] if depth else [NEWEST.bindparams(player_id="old", limit=51)]
    )


async def explained(connection: AsyncConnection, how: str, depth: int) -> list[Any]:
    answers: list[Any] = []
    for statement in statements(depth):
        written = statement.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})  # type: ignore[attr-defined]
        answers += (await connection.exec_driver_sql(f"{how} {written}")).all()
    return [answer[-1] for answer in answers]


async def work(connection: AsyncConnection, depth: int) -> int:
    """What the database does for a page: steps of SQLite's machine, pages that PostgreSQL touches."""
    if connection.dialect.name != "sqlite":
        plans = await explained(connection, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)", depth)
        tops = [plan["Plan"] for (plan,) in plans]
        return sum(top["Shared Hit Blocks"] + top["Shared Read Blocks"] for top in tops)
    driver = (await connection.get_raw_connection()).driver_connection
    assert driver is not None
    steps = [0]
    await driver.set_progress_handler(lambda: steps.__setitem__(0, steps[0] + 1), 10)
    page, _ = await page_of(connection, "old", 50, Place(PLAYED - depth + 1, f"r{PLAYED - depth + 1}"))
    await driver.set_progress_handler(None, 0)
    assert len(page) == 50
    return 10 * steps[0]


async def test_page_is_found_by_indexes_and_costs_the_same_at_any_depth(database: Database) -> None:
    async with long_life(database) as connection:
        for depth in (0, PLAYED // 2):
            plan = await explained(connection, "EXPLAIN QUERY PLAN" if database.is_sqlite else "EXPLAIN", depth)
            plan_text = "\n".join(plan)
            assert "ix_seats_player_id_started_ms_round_id" in plan_text, plan_text
            assert not [line for line in plan if "Seq Scan" in line or re.match(r"SCAN (?!page)", line)], plan_text
        assert "ix_postings_source_operation_id" in plan_text
        assert "ix_postings_destination_operation_id" in plan_text
        first, deep, deepest = [await work(connection, depth) for depth in (100, PLAYED // 2, PLAYED - 100)]
    assert deep <= 1.5 * first, "what lies before a page is not read"
    assert deepest <= 1.5 * first
    assert first < PLAYED, "and neither is what lies behind it"


async def test_long_history_has_its_amounts(database: Database) -> None:
    async with long_life(database) as connection:
        page, place = await page_of(connection, "old", 2, Place(101, "r101"))
    assert [(one.round_id, one.staked, one.returned) for one in page] == [("r100", 100, 70), ("r99", 100, 70)]
    assert place == Place(99, "r99")
