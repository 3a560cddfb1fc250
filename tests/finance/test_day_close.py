"""Day close: reconciled to the minor unit, written into the audit chain once, unchanged afterwards."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Table, delete, select, update

from casino.errors import Refusal
from casino.finance.day_close import (
    SETTLES_MS,
    UnreconciledError,
    check_closed_days,
    close_day,
    closed_days,
    open_rounds,
)
from casino.finance.export_types import ExportKind, Format
from casino.finance.period import Period, day_at
from casino.ledger.book import Book
from casino.ledger.posting import Operation, Posting
from casino.storage import schema
from casino.storage.database import Database
from casino.users.roles import Actor
from casino.uth.bets import Action
from casino.uth.commands import CorrectRound
from casino.uth.phases import Phase
from casino.verify.findings import Check
from casino.verify.snapshot import snapshot
from tests.finance.readers import exported, return_of
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.tampering import unguarded
from tests.uth.tabletop import NOON_MS

BOSS = Actor("cli:boss", "operator")
DAY = day_at(NOON_MS)
MIDNIGHT_MS = Period.of_day(DAY).until_ms
LATER_MS = MIDNIGHT_MS + SETTLES_MS


@pytest.fixture
async def played(database: Database) -> BookedTable:
    """A day with one settled round, and one that goes on after midnight."""
    await fill_purses(database)
    unfinished = await BookedTable.open(database, round_id="r0", table="uth-2")
    await unfinished.play_to(Phase.DECIDING_FLOP)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_PREFLOP)
    await table.do(table.answer("ann", Action.PLAY_4X))
    await table.time_out()
    for street in ("7h 7c 2s", "Jd 3c"):
        await table.deal(street)
        await table.time_out()
    await table.deal("Qh Qd")
    assert table.round.phase is Phase.SETTLED
    return table


async def closed(database: Database, now_ms: int = LATER_MS) -> tuple[int, bool]:
    found, is_new = await close_day(database, DAY, by=BOSS, now_ms=now_ms, return_of=return_of)
    return found.audit_id, is_new


async def faults(database: Database) -> list[str]:
    check = Check("closed days", "")
    async with snapshot(database) as books:
        await check_closed_days(books, check, return_of)
    return check.faults


@pytest.mark.req("AUD")
@pytest.mark.req("LED-9")
async def test_closed_day_records_rows_totals_and_hashes_of_its_exports_once(
    played: BookedTable, tmp_path: Path
) -> None:
    database = played.database
    audit_id, is_new = await closed(database)
    assert is_new
    assert await closed(database, LATER_MS + 1) == (audit_id, False)
    async with database.reading() as connection:
        [day] = await closed_days(connection)
        assert (await connection.execute(select(schema.audit).where(schema.audit.c.action == "day_closed"))).all()
    for what in ExportKind:
        file = await exported(database, tmp_path, what, Format.CSV, Period.of_day(DAY))
        recorded = day.exports[what]
        assert (recorded["rows"], recorded["sha256"]) == (file.manifest.rows, file.manifest.sha256)
        assert recorded["totals"] == file.manifest.totals
    assert day.exports["summary"]["totals"]["EUR"]["house_result"] == "53.00"
    assert await faults(database) == []


async def test_day_that_is_not_over_cannot_be_closed(played: BookedTable) -> None:
    for now_ms in (NOON_MS, MIDNIGHT_MS - 1, LATER_MS - 1):
        with pytest.raises(Refusal, match=r"2023-11-14 is not over\. Close it from 2023-11-15T00:01:00"):
            await closed(played.database, now_ms)


async def test_correction_after_the_close_falls_into_its_own_day_and_changes_nothing_before(
    played: BookedTable, tmp_path: Path
) -> None:
    database, today = played.database, Period.of_day(DAY)
    await closed(database)
    before = (await exported(database, tmp_path, ExportKind.SETTLEMENTS, Format.CSV, today)).path.read_bytes()
    played.now_ms = LATER_MS + 3_600_000
    await played.do(CorrectRound((("dealer_1", "8h"), ("dealer_2", "4d")), "misread", "mia"))
    assert (await exported(database, tmp_path, ExportKind.SETTLEMENTS, Format.CSV, today)).path.read_bytes() == before
    tomorrow = Period.of_day(day_at(LATER_MS))
    first = {
        row["player_id"]: row
        for row in (await exported(database, tmp_path, ExportKind.SETTLEMENTS, Format.CSV, today)).rows
    }
    anew = (await exported(database, tmp_path, ExportKind.SETTLEMENTS, Format.CSV, tomorrow)).rows
    assert [row["status"] for row in anew] == ["reversal"] * 3 + ["corrected"] * 3
    for row in anew[:3]:
        was = first[row["player_id"]]
        for name in ("ante", "blind", "trips", "play", "ante_returned", "trips_returned", "staked", "returned", "net"):
            assert row[name] == -was[name]
    assert {row["result"] for row in anew[3:]} == {"win", "fold"}
    assert await faults(database) == []


@pytest.mark.req("LED-9")
@pytest.mark.parametrize(
    ("table", "change", "recorded"),
    [
        (schema.settled_seats, {"ante_returned": 1}, "round r1, settle, account player:ann:cash: journal"),
        (schema.postings, {"amount": 77}, "round r1, settle, account house:EUR: journal"),
        (schema.settlements, {"round_id": "r0"}, "account"),
        (schema.journal, {"data": "{}"}, "round r1: its journal cannot be replayed"),
        (schema.journal, {"round_id": "r0"}, "round r1: its journal cannot be replayed: its journal is empty"),
    ],
    ids=lambda value: value.name if isinstance(value, Table) else None,
)
async def test_difference_stops_the_close_and_names_round_and_account(
    played: BookedTable, table: Table, change: dict[str, object], recorded: str
) -> None:
    database = played.database
    async with unguarded(database) as connection:
        settle = select(schema.operations.c.id).where(schema.operations.c.key == "r1:settle").scalar_subquery()
        where = table.c.round_id == "r1" if table is schema.journal else table.c.operation_id == settle
        if table is schema.settled_seats:
            where &= table.c.player_id == "ann"
        await connection.execute(update(table).where(where).values(**change))
    with pytest.raises(UnreconciledError) as stopped:
        await closed(database)
    assert any(recorded in difference for difference in stopped.value.found), stopped.value.found
    async with database.reading() as connection:
        assert await closed_days(connection) == []


@pytest.mark.req("LED-9")
async def test_money_the_journal_does_not_lead_to_stops_the_close(played: BookedTable) -> None:
    """Though every hash of the ledger is as it should be."""
    database = played.database
    extra = Operation("r1:bonus", "settle", (Posting("house:EUR", "player:ann:cash", 5, "EUR"),), "eve", "", "r1")
    async with database.writing() as connection:
        await Book(connection).post(extra, NOON_MS)
    with pytest.raises(UnreconciledError) as stopped:
        await closed(database)
    [difference] = stopped.value.found
    assert "round r1, account" in difference
    assert "the ledger has r1:bonus, and the journal does not lead to it" in difference


@pytest.mark.req("LED-9")
async def test_round_that_has_lost_all_its_money_stops_the_close(played: BookedTable) -> None:
    database = played.database
    async with unguarded(database) as connection:
        own = select(schema.operations.c.id).where(schema.operations.c.round_id == "r1").scalar_subquery()
        for table in (schema.settled_seats, schema.settled_hands, schema.settlements, schema.postings):
            await connection.execute(delete(table).where(table.c.operation_id.in_(own)))
        await connection.execute(delete(schema.operations).where(schema.operations.c.round_id == "r1"))
    with pytest.raises(UnreconciledError) as stopped:
        await closed(database)
    assert any("round r1: the ledger has no r1:settle" in difference for difference in stopped.value.found)


async def test_rounds_that_go_on_after_midnight_are_named(played: BookedTable) -> None:
    async with played.database.reading() as connection:
        assert await open_rounds(connection, DAY) == ["r0"]
        assert await open_rounds(connection, DAY - timedelta(days=1)) == []


@pytest.mark.req("AUD")
async def test_change_to_a_closed_day_is_found_though_its_books_agree(played: BookedTable) -> None:
    """What agrees with itself but is not what was closed: a round's presenter, an operation slipped in."""
    database = played.database
    await closed(database)
    async with unguarded(database) as connection:
        await connection.execute(update(schema.settlements).values(presenter="eve"))
        await connection.execute(update(schema.rounds).values(presenter="eve"))
    [fault] = await faults(database)
    assert "day 2023-11-14: settlements are no longer" in fault
