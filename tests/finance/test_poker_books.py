"""Poker in the books of finance: exports that agree with the ledger, rake apart from UTH, and closed days."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, update

from casino.audit import log as audit_log
from casino.finance.day_close import (
    ACTION,
    SETTLES_MS,
    UnreconciledError,
    check_closed_days,
    close_day,
    closed_days,
    reconciled_exports,
)
from casino.finance.drilldown import posted_rows
from casino.finance.export_types import ExportKind, Format
from casino.finance.overview import By, overview
from casino.finance.period import Period, day_at, period_of
from casino.finance.poker_rake import RakeBy, rake
from casino.finance.reconciliation import differences
from casino.finance.reports import trial_balance
from casino.ledger.accounts import seat_id
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_hands
from casino.users.roles import Actor
from casino.verify.findings import Check
from casino.verify.snapshot import snapshot
from tests.finance.readers import WITH_POKER, Row, exported, return_of
from tests.live_table.stored_rounds import fill_purses
from tests.poker_room.stored_tables import NOON_MS, PLAYERS, StoredTable, purses
from tests.tampering import unguarded

BOSS = Actor("cli:boss", "operator")
DAY = day_at(NOON_MS)
TODAY = Period.of_day(DAY)
LATER_MS = TODAY.until_ms + SETTLES_MS


@pytest.fixture
async def table(database: Database) -> StoredTable:
    """Three hands, one of them void, a top-up, and one player who has left with the chips."""
    await purses(database)
    await add_users(database)
    table = await StoredTable.open(database)
    await table.play(("raise_to 100", "call", "fold"))
    await table.money.top_up(table.place("ann"), 250, "more", NOON_MS + 90_000)
    await table.play(("raise_to 300",), void=True)
    await table.play(("raise_to 30", "call", "call"))
    await table.money.leave(table.place("bob"), NOON_MS + 600_000)
    return table


async def add_users(database: Database) -> None:
    fixed = {"role": "player", "currency": "EUR", "created_ms": NOON_MS}
    people = [{"id": name, "name": name.title(), "name_folded": name, "name_visual": name} | fixed for name in PLAYERS]
    async with database.writing() as connection:
        await connection.execute(schema.users.insert(), people)


async def rows(database: Database, folder: Path, what: ExportKind, period: Period = TODAY) -> list[Row]:
    return (await exported(database, folder, what, Format.CSV, period)).rows


TABLES = {"nl10-1": "EUR", "nl10-2": "EUR", "dollars-1": "USD", "fun-1": "FUN"}


@pytest.fixture
async def room(database: Database) -> Database:
    """Two hands at each table, one of them void: two tables of one currency, one of another, one of play money."""
    owned = {f"{name}-{currency}": currency for currency in ("EUR", "USD", "FUN") for name in PLAYERS}
    await fill_purses(database, owned)
    async with database.writing() as connection:
        for player, currency in owned.items():
            names = dict.fromkeys(("id", "name", "name_folded", "name_visual"), player)
            kind = {"role": "player", "currency": currency, "play_money": int(currency == "FUN")}
            await connection.execute(schema.users.insert().values(**names, **kind, created_ms=NOON_MS))
    for table_id, currency in TABLES.items():
        seated = tuple(player for player, own in owned.items() if own == currency)
        table = await StoredTable.open(database, table_id, currency=currency, players=seated)
        await table.play(("raise_to 100", "call", "fold"))
        await table.play(("raise_to 300",), void=True)
    return database


@pytest.mark.req("LED-9")
@pytest.mark.parametrize("what", [*WITH_POKER, ExportKind.LEDGER])
async def test_export_of_one_poker_table_has_its_rows_only(room: Database, tmp_path: Path, what: ExportKind) -> None:
    recorded = await rows(room, tmp_path, what)
    for table_id in TABLES:
        period = await period_of(room, f"{DAY}", f"{DAY}", table_id, [])
        alone = await rows(room, tmp_path, what, period)
        assert alone == [row for row in recorded if row["table_id"] == table_id]
        assert alone


@pytest.mark.req("LED-9")
@pytest.mark.parametrize("what", [*WITH_POKER, ExportKind.LEDGER])
async def test_poker_export_is_limited_to_a_currency_or_to_real_money(
    room: Database, tmp_path: Path, what: ExportKind
) -> None:
    recorded = await rows(room, tmp_path, what)
    every, real = {"EUR", "USD", "FUN"}, {"EUR", "USD"}
    assert {row["currency"] for row in recorded} == every
    for money, wanted in (("real", real), *((one, {one}) for one in sorted(every))):
        period = await period_of(room, f"{DAY}", f"{DAY}", None, [], money=money)
        assert await rows(room, tmp_path, what, period) == [row for row in recorded if row["currency"] in wanted], money
        there = await period_of(room, f"{DAY}", f"{DAY}", "nl10-2", [], money=money)
        both = [row for row in recorded if row["currency"] in wanted and row["table_id"] == "nl10-2"]
        assert await rows(room, tmp_path, what, there) == both, money


@pytest.mark.req("LED-9")
async def test_poker_exports_agree_with_each_other_and_with_the_ledger(table: StoredTable, tmp_path: Path) -> None:
    database = table.database
    hands = await rows(database, tmp_path, ExportKind.POKER_HANDS)
    players = await rows(database, tmp_path, ExportKind.POKER_PLAYERS)
    ledger = await rows(database, tmp_path, ExportKind.LEDGER)
    assert [(row["hand_no"], row["status"], row["players"]) for row in hands] == [
        (1, "settled", 3),
        (2, "void", 3),
        (3, "settled", 3),
    ]
    net: dict[tuple[str, str], int] = defaultdict(int)
    for row in ledger:
        if row["kind"] == "poker_hand":
            for side, sign in (("source", -1), ("destination", 1)):
                net[row["key"].removesuffix(":settle"), row[side]] += sign * row["amount"]
    for hand in hands:
        own = [row for row in players if row["hand_id"] == hand["hand_id"]]
        assert sum(row["staked"] for row in own) == (hand["pot"] if hand["status"] == "settled" else 0)
        assert sum(row["rake_share"] for row in own) == hand["rake"] == net[hand["hand_id"], "rake:EUR"]
        for row in own:
            assert row["net"] == row["returned"] - row["staked"]
            assert row["net"] == net[hand["hand_id"], seat_id(hand["table_id"], row["player_id"])]
    assert sum(hand["rake"] for hand in hands) > 0
    for what, expected in ((ExportKind.POKER_HANDS, hands), (ExportKind.POKER_PLAYERS, players)):
        for format_ in (Format.JSON, Format.XLSX, Format.PARQUET):
            assert (await exported(database, tmp_path, what, format_, TODAY)).rows == expected


async def test_ledger_names_the_table_of_every_poker_operation(table: StoredTable, tmp_path: Path) -> None:
    database = table.database
    ledger = await rows(database, tmp_path, ExportKind.LEDGER)
    poker = [row for row in ledger if row["kind"].startswith("poker_")]
    assert {row["kind"] for row in poker} == {"poker_hand", "poker_buy_in", "poker_top_up", "poker_leave"}
    assert {row["table_id"] for row in poker} == {"nl10-1"}
    there = Period(DAY, DAY, "nl10-1")
    assert await rows(database, tmp_path, ExportKind.LEDGER, there) == poker
    assert await rows(database, tmp_path, ExportKind.LEDGER, Period(DAY, DAY, "nl10-2")) == []
    async with database.reading() as connection:
        statement = await posted_rows(connection, TODAY, {"account": seat_id("nl10-1", "bob")}, 0)
    assert statement["rows"][-1]["balance"] == 0
    assert statement["rows"][-1]["destination_owner"] == statement["rows"][-1]["source_owner"] == "Bob"


async def test_rake_is_income_of_its_own_and_chips_are_owed_to_players(table: StoredTable) -> None:
    async with table.database.reading() as connection:
        found = {by: await rake(connection, TODAY, by) for by in RakeBy}
        result = await overview(connection, TODAY, By.DAY, return_of, lambda _: None)
        balance = await trial_balance(connection)
    balances = {row["kind"]: row["balance"] for row in balance["rows"] if row["currency"] == "EUR"}
    raked = balances["rake"]
    assert raked > 0
    assert balances["pot"] == 0
    assert balances["seat"] == sum(await stacks_left(table))
    assert balance["totals"]["EUR"] == 0
    assert result["rows"] == []  # no stake and no result of UTH
    for by, recorded in found.items():
        assert sum(row["rake"] for row in recorded["rows"]) == raked, by
        assert recorded["totals"] == {"EUR": {"hands": 2, "staked": recorded["totals"]["EUR"]["staked"], "rake": raked}}
    assert [row["key"] for row in found[RakeBy.DAY]["rows"]] == [f"{DAY}"]
    assert [row["key"] for row in found[RakeBy.STAKE]["rows"]] == ["nl10"]
    assert [row["name"] for row in found[RakeBy.PLAYER]["rows"]] == ["Ann", "Bob", "Cid"]


async def stacks_left(table: StoredTable) -> list[int]:
    return list((await table.stacks()).values())


async def faults(database: Database) -> list[str]:
    check = Check("closed days", "")
    async with snapshot(database) as books:
        await check_closed_days(books, check, return_of)
    return check.faults


@pytest.mark.req("AUD")
async def test_a_closed_day_records_hands_and_rake(table: StoredTable) -> None:
    database = table.database
    closed, _ = await close_day(database, DAY, by=BOSS, now_ms=LATER_MS, return_of=return_of)
    recorded = closed.exports["poker_hands"]
    assert recorded["rows"] == 3
    assert recorded["totals"]["EUR"]["rake"] != "0.00"
    assert await faults(database) == []
    async with unguarded(database) as connection:
        await connection.execute(update(poker_hands).where(poker_hands.c.no == 1).values(digest="x"))
    assert [fault.partition(": ")[2] for fault in await faults(database)] == [
        "poker_hands are no longer what they were when the day was closed"
    ]


async def test_a_day_that_was_closed_before_poker_stays_valid(table: StoredTable) -> None:
    """Its audit row tells of three exports only."""
    database = table.database
    async with snapshot(database) as books:
        exports = await reconciled_exports(books, TODAY, LATER_MS, return_of)
    before = {what: exports[what] for what in ("settlements", "summary", "ledger")}
    await record(database, before)
    assert await faults(database) == []
    async with database.reading() as connection:
        [day] = await closed_days(connection)
    assert day.exports.keys() == before.keys()


async def record(database: Database, exports: Mapping[str, Any]) -> None:
    async with database.writing() as connection:
        entry = audit_log.Entry("cli:boss", "operator", ACTION, f"day {DAY}", before={}, after=exports)
        await audit_log.write(connection, entry, LATER_MS)


async def test_a_day_does_not_close_if_hands_and_ledger_differ(table: StoredTable) -> None:
    database = table.database
    async with unguarded(database) as connection:
        ann = (poker_hand_players.c.player_id == "ann", poker_hand_players.c.hand_id == "nl10-1-1")
        await connection.execute(
            update(poker_hand_players).where(*ann).values(returned=poker_hand_players.c.returned + 5)
        )
        await connection.execute(update(poker_hands).where(poker_hands.c.no == 3).values(rake=poker_hands.c.rake - 1))
    with pytest.raises(UnreconciledError) as error:
        await close_day(database, DAY, by=BOSS, now_ms=LATER_MS, return_of=return_of)
    named = [found.partition(":")[0] for found in error.value.found]
    assert named == ["poker hand nl10-1-1, account seat", "poker hand nl10-1-3, account rake"]


async def test_money_of_a_missing_hand_is_a_difference(table: StoredTable) -> None:
    database = table.database
    async with unguarded(database) as connection:
        await connection.execute(delete(poker_hand_players).where(poker_hand_players.c.hand_id == "nl10-1-3"))
        await connection.execute(delete(poker_hands).where(poker_hands.c.no == 3))
    async with snapshot(database) as books:
        found = [difference async for difference in differences(books, TODAY)]
    assert found == ["operation nl10-1-3:settle: the ledger has it, and no poker hand ended so at that time"]


async def test_operations_of_no_hand_and_no_round_are_left_alone(database: Database) -> None:
    await purses(database)
    async with snapshot(database) as books:
        assert [difference async for difference in differences(books, TODAY)] == []
    async with database.reading() as connection:
        assert (await connection.execute(schema.operations.select())).first() is not None
