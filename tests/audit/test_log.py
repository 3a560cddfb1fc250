"""Audit log: actor, action and target in one hash chain that reveals every later change."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Row, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log
from casino.audit.log import Entry
from casino.cards.card import DECK
from casino.live_table.accounting import TableUnitOfWork
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.hash_chain import GENESIS, link
from casino.uth.commands import ApproveProposal, CancelRound, CorrectCard, OpenBetting, ReportProblem, Resume
from casino.uth.phases import Phase
from tests.databases import sqlite_url
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.tampering import unguarded
from tests.uth.tabletop import NOON_MS, SHARED

pytestmark = pytest.mark.req("AUD")

AT_MS = 1_700_000_000_000
FIELDS = [column.name for column in schema.audit.columns if column.name != "signature"]
"""Everything the hash chain covers. Signatures need the key; `tests/verify/test_signatures.py` edits them."""
ROWS = 5


async def write(database: Database, number: int) -> None:
    entry = Entry(
        f"max-{number}", "manager", "limit", f"table {number}", "why", {"was": number}, {"is": -number}, "req"
    )
    async with database.writing() as connection:
        await log.write(connection, entry, AT_MS + number)


async def rows(connection: AsyncConnection) -> list[Row[Any]]:
    return list(await connection.execute(select(schema.audit).order_by(schema.audit.c.id)))


async def faults(connection: AsyncConnection) -> list[str]:
    return [fault async for fault in log.faults(connection)]


@pytest.fixture
async def logged(database: Database) -> Database:
    for number in range(1, ROWS + 1):
        await write(database, number)
    return database


async def found_after(logged: Database, *statements: str) -> list[str]:
    """What the check finds after this tampering, which is then undone."""
    async with unguarded(logged) as connection:
        attempt = await connection.begin_nested()
        for statement in statements:
            await connection.execute(text(statement))
        found = await faults(connection)
        await attempt.rollback()
        assert await faults(connection) == []
    return found


async def test_entry_is_stored_with_every_field(logged: Database) -> None:
    async with logged.reading() as connection:
        found = await rows(connection)
        assert await faults(connection) == []
    assert [row.id for row in found] == [1, 2, 3, 4, 5]
    *fields, digest, signature = tuple(found[0])
    assert signature is None  # this database was opened without a key
    assert fields == [1, AT_MS + 1, "max-1", "manager", "limit", "table 1", '{"was": 1}', '{"is": -1}', "why", "req"]
    assert digest == link(GENESIS, fields)


async def test_empty_log_is_whole(database: Database) -> None:
    async with database.reading() as connection:
        assert await faults(connection) == []


async def test_entry_without_before_and_after_says_so(database: Database) -> None:
    async with database.writing() as connection:
        await log.write(connection, Entry("system", "system", "start", "house"), AT_MS)
        (row,) = await rows(connection)
    assert (row.before, row.after, row.reason, row.request_id) == ("", "", "", "")


async def test_entry_of_an_undone_transaction_leaves_no_gap(logged: Database) -> None:
    with suppress(ConnectionError):
        async with logged.writing() as connection:
            await log.write(connection, Entry("a", "b", "c", "d"), AT_MS)
            raise ConnectionError("power cut")
    await write(logged, 6)
    async with logged.reading() as connection:
        assert [row.id for row in await rows(connection)] == [1, 2, 3, 4, 5, 6]
        assert await faults(connection) == []


async def test_edit_of_any_field_of_any_row_is_found(logged: Database) -> None:
    for field, number in product(FIELDS, (1, 3, 5)):
        is_text = schema.audit.c[field].type.python_type is str
        changed = f"'x' || substr({field}, 2)" if is_text else f"{field} + 100"
        statement = f"UPDATE audit SET {field} = {changed} WHERE id = {number}"  # noqa: S608
        found = await found_after(logged, statement)
        row = number + 100 if field == "id" else number
        assert any(f"audit row {row}:" in fault or f"row {number} should" in fault for fault in found), (field, number)


async def test_deletion_of_first_middle_last_or_all_rows_is_found(logged: Database) -> None:
    for which, shown in (("id = 1", 2), ("id = 3", 4), ("id = 5", 5), ("id > 3", 4), ("id < 3", 3), ("1 = 1", 1)):
        found = await found_after(logged, f"DELETE FROM audit WHERE {which}")  # noqa: S608
        assert found, which
        assert found[0].startswith(f"audit row {shown}:"), which


async def test_deletion_that_is_closed_up_by_renumbering_is_found(logged: Database) -> None:
    closing = [f"UPDATE audit SET id = {number - 1} WHERE id = {number}" for number in (4, 5)]  # noqa: S608
    found = await found_after(logged, "DELETE FROM audit WHERE id = 3", *closing, "UPDATE chains SET seq = 4")
    assert found[0].startswith("audit row 3:")


async def test_inserted_row_is_found_at_every_position(logged: Database) -> None:
    fields = "at_ms, actor, role, action, target, before, after, reason, request_id"
    forged = f"INSERT INTO audit SELECT {{id}}, {fields}, {{digest}}, signature "
    for number, digest in ((6, "digest"), (6, f"'{'0' * 64}'"), (0, "digest"), (99, "digest")):
        found = await found_after(logged, forged.format(id=number, digest=digest) + "FROM audit WHERE id = 5")
        assert found, (number, digest)
    moved = [f"UPDATE audit SET id = {number + 1} WHERE id = {number}" for number in (5, 4, 3)]  # noqa: S608
    found = await found_after(logged, *moved, forged.format(id=3, digest="digest") + "FROM audit WHERE id = 2")
    assert found[0].startswith("audit row 3:")


async def test_rows_in_another_order_are_found(logged: Database) -> None:
    """Two rows change places, with or without what links them."""
    found = await found_after(
        logged,
        "UPDATE audit SET id = 99 WHERE id = 2",
        "UPDATE audit SET id = 2 WHERE id = 3",
        "UPDATE audit SET id = 3 WHERE id = 99",
    )
    assert found[0].startswith("audit row 2:")
    found = await found_after(
        logged,
        "UPDATE audit SET actor = 'max-3', target = 'table 3' WHERE id = 2",
        "UPDATE audit SET actor = 'max-2', target = 'table 2' WHERE id = 3",
    )
    assert [fault.partition(":")[0] for fault in found] == ["audit row 2", "audit row 3"]


async def test_change_of_the_head_is_found(logged: Database) -> None:
    for change in ("seq = 4", "seq = 6", "digest = 'x' || substr(digest, 2)"):
        assert await found_after(logged, f"UPDATE chains SET {change} WHERE name = 'audit'"), change  # noqa: S608
    assert await found_after(logged, "DELETE FROM chains WHERE name = 'audit'")


async def test_odd_values_that_only_sqlite_would_keep_are_found_and_stop_nothing(tmp_path: Path) -> None:
    logged = await Database.open(sqlite_url(tmp_path))
    for number in range(1, ROWS + 1):
        await write(logged, number)
    for value in ("x'ff00'", "12345678901", "1.5", "''"):
        found = await found_after(logged, f"UPDATE audit SET reason = {value} WHERE id = 3")  # noqa: S608
        assert found[0].startswith("audit row 3:"), value
    await logged.close()


async def test_many_writers_at_once_keep_one_chain(database_url: str) -> None:
    """As tasks of one process, and as processes: each has a connection of its own."""
    houses = [await Database.open(database_url) for _ in range(3)]
    await asyncio.gather(*(write(houses[number % 3], number) for number in range(60)))
    async with houses[0].reading() as connection:
        found = await rows(connection)
        assert await faults(connection) == []
    assert [row.id for row in found] == list(range(1, 61))
    assert {row.actor for row in found} == {f"max-{number}" for number in range(60)}
    for house in houses:
        await house.close()


async def test_log_has_no_hidden_card_and_no_shoe(database: Database) -> None:
    await fill_purses(database)
    unit_of_work = await TableUnitOfWork.of(database, "uth-1")
    round_ = await unit_of_work.open_round(OpenBetting("r1", "uth-1", SHARED), NOON_MS, sealed_shoe="sealed-shoe")
    table = BookedTable(database, unit_of_work, round_)
    await table.play_to(Phase.DECIDING_FLOP)
    steps: list[Callable[[], Awaitable[None]]] = [
        lambda: table.do(ReportProblem("a card fell", "pia")),
        lambda: table.do(CorrectCard("r1", "flop_1", "8h", "misread", "max")),
        lambda: table.do(ApproveProposal("r1.1", "mia")),
        lambda: table.do(Resume("max")),
        lambda: table.do(CancelRound("the deck is short", "max")),
    ]
    for step in steps:
        await step()
    async with database.reading() as connection:
        found = await rows(connection)
    written = json.dumps([list(row) for row in found])
    proposed = ["proposal_made", "proposal_approved", "card_corrected"]
    assert [row.action for row in found] == ["round_paused", *proposed, "round_resumed", "round_cancelled"]
    assert {card for card in DECK if f'"{card}"' in written.replace("\\", "")} == {"7h", "8h"}
    assert "sealed-shoe" not in written
