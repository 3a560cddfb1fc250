"""Backfill of settlements for older books: computed from the journal by a migration, on both databases.

`books_before_settlements.json` was made by the code of that time: rounds settled, corrected twice, cancelled, voided,
forfeited and left open in every phase, with shared and own hands, and no row of a settlement.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.finance.export_types import ExportKind, Format
from casino.ledger.accounts import player_cash_id
from casino.storage import schema
from casino.storage.database import BUSY_SECONDS, Database
from casino.storage.engines import engines_of
from casino.storage.migrate import migrate
from casino.storage.url import async_url
from casino.verify.verifier import verify
from tests.finance.readers import days, exported
from tests.tampering import unguarded

BOOKS: Final = json.loads(Path(__file__).with_name("books_before_settlements.json").read_text(encoding="utf-8"))
ENDED: Final = {
    "settled": ["settled"],
    "corrected": ["corrected", "corrected", "reversal", "reversal", "settled"],
    "troubled": ["settled"],
    "cancelled": ["cancelled"],
    "cancelled-betting": ["cancelled"],
    "own": ["settled"],
}
"""By round, the settlements that its life leads to."""


async def load(connection: AsyncConnection) -> None:
    await migrate(connection, BOOKS["revision"])
    for table, stored in BOOKS["tables"].items():
        names = ", ".join(stored["columns"])
        places = ", ".join(f":{name}" for name in stored["columns"])
        rows = [dict(zip(stored["columns"], row, strict=True)) for row in stored["rows"]]
        await connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({places})"), rows)  # noqa: S608


@pytest.fixture
async def old_books(empty_database_url: str) -> str:
    database = Database(engines_of(async_url(empty_database_url), BUSY_SECONDS))
    async with database.writing() as connection:
        await load(connection)
    await database.close()
    return empty_database_url


async def settlements_of(database: Database) -> dict[str, list[str]]:
    found = defaultdict(list)
    async with database.reading() as connection:
        for row in await connection.execute(select(schema.settlements.c.round_id, schema.settlements.c.status)):
            found[row.round_id].append(row.status)
    return {round_id: sorted(statuses) for round_id, statuses in found.items()}


async def test_every_round_of_old_books_gets_its_settlements_and_verify_finds_them_true(old_books: str) -> None:
    database = await Database.open(old_books)
    assert await settlements_of(database) == ENDED
    findings = await verify(database)
    assert [fault for check in findings.checks for fault in check.faults] == []
    assert findings.settled.counted > 0
    await database.close()


async def test_exports_of_old_books_agree_with_the_ledger(old_books: str, tmp_path: Path) -> None:
    database = await Database.open(old_books)
    file = await exported(database, tmp_path, ExportKind.SETTLEMENTS, Format.JSON, days("2000-01-01", "2099-12-31"))
    returned: dict[str, int] = defaultdict(int)
    for row in json.loads(file.path.read_bytes())["rows"]:
        returned[player_cash_id(row["player_id"])] += round(float(row["returned"]) * 100)
    paid: dict[str, int] = defaultdict(int)
    o, p = schema.operations.c, schema.postings.c
    async with database.reading() as connection:
        query = select(p.source, p.destination, p.amount).join(schema.operations, o.id == p.operation_id)
        for row in await connection.execute(query.where(o.kind.in_(("settle", "refund", "reversal")))):
            paid[row.destination] += row.amount
            paid[row.source] -= row.amount
    await database.close()
    assert returned
    assert returned == {account: amount for account, amount in paid.items() if account.startswith("player:")}


async def test_settlement_that_is_there_already_stays_as_it_is(old_books: str) -> None:
    database = Database(engines_of(async_url(old_books), BUSY_SECONDS))
    async with database.writing() as connection:
        await migrate(connection, "0006")
        number = await connection.scalar(select(schema.operations.c.id).where(schema.operations.c.key == "own:settle"))
        row = {"operation_id": number, "round_id": "own", "status": "settled", "table_id": "own-1"}
        kept_as = {"game_number": "kept", "board": "", "dealer_cards": "", "paytable": ""}
        await connection.execute(schema.settlements.insert(), row | kept_as)
        await migrate(connection)
        kept = select(schema.settlements.c.game_number).where(schema.settlements.c.round_id == "own")
        assert (await connection.scalars(kept)).all() == ["kept"]
    assert await settlements_of(database) == ENDED
    await database.close()


async def test_round_whose_money_moved_otherwise_is_left_for_verify_to_name(old_books: str) -> None:
    database = Database(engines_of(async_url(old_books), BUSY_SECONDS))
    async with unguarded(database) as connection:
        number = await connection.scalar(select(schema.operations.c.id).where(schema.operations.c.key == "own:settle"))
        forged = schema.postings.update().where(schema.postings.c.operation_id == number)
        await connection.execute(forged.values(amount=schema.postings.c.amount + 1))
    await database.close()
    database = await Database.open(old_books)
    assert await settlements_of(database) == {name: ended for name, ended in ENDED.items() if name != "own"}
    findings = await verify(database)
    assert any(fault.startswith(f"settlement {number}: it is missing") for fault in findings.settled.faults)
    await database.close()
