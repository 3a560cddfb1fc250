"""Agreement of the three exports, the ledger and an independent recount, to the minor unit, in every format."""

from collections import defaultdict
from pathlib import Path

import pytest
from sqlalchemy import select

from casino.finance.export_types import ExportKind, Format
from casino.storage.database import Database
from casino.storage.schema import accounts, operations, postings, rounds, users
from tests.finance.agreement import ExportedRows, check_recount, check_settlements, check_summary
from tests.finance.readers import MONTH, exported
from tests.finance.recount import recount


@pytest.mark.req("LED-9")
@pytest.mark.parametrize("what", [ExportKind.SETTLEMENTS, ExportKind.SUMMARY, ExportKind.LEDGER])
async def test_all_formats_hold_the_same_rows(
    month: Database, exported_rows: ExportedRows, tmp_path: Path, what: ExportKind
) -> None:
    assert len(exported_rows[what]) > 100
    for format_ in (Format.JSON, Format.XLSX, Format.PARQUET):
        assert (await exported(month, tmp_path, what, format_, MONTH)).rows == exported_rows[what]


@pytest.mark.req("LED-9")
@pytest.mark.req("RND-10")
async def test_settlements_equal_an_independent_recount_of_the_journal(
    month: Database, exported_rows: ExportedRows
) -> None:
    counted = await recount(month)
    check_recount(exported_rows, counted)
    assert {row[2] for row in counted} == {"settled", "cancelled", "reversal", "corrected"}
    assert {row[7] for row in counted} == {"win", "lose", "tie", "fold", None}


@pytest.mark.req("LED-9")
@pytest.mark.req("LED-4")
def test_every_settlement_has_moved_in_the_ledger_exactly_what_it_says(exported_rows: ExportedRows) -> None:
    check_settlements(exported_rows)


@pytest.mark.req("LED-9")
def test_summary_is_the_sum_of_the_settlements_and_the_tips_of_the_ledger(exported_rows: ExportedRows) -> None:
    check_summary(exported_rows)


@pytest.mark.req("LED-9")
async def test_ledger_export_has_every_posting_and_adds_up_to_every_balance(
    month: Database, exported_rows: ExportedRows
) -> None:
    ours = exported_rows[ExportKind.LEDGER]
    async with month.reading() as connection:
        joined = select(operations.c.id, postings).join(postings, postings.c.operation_id == operations.c.id)
        stored = {(str(row[0]), row.line): tuple(row[3:]) for row in await connection.execute(joined)}
        balances = {row.id: row.balance for row in await connection.execute(select(accounts)) if row.balance}
    found = {(row["operation_id"], row["line"]): row for row in ours}
    moved = ("source", "destination", "amount", "currency")
    assert {key: tuple(row[name] for name in moved) for key, row in found.items()} == stored
    net: dict[str, int] = defaultdict(int)
    for row in ours:
        net[row["source"]] -= row["amount"]
        net[row["destination"]] += row["amount"]
    assert {account: amount for account, amount in net.items() if amount} == balances


async def test_exports_name_players_presenters_and_cards(month: Database, exported_rows: ExportedRows) -> None:
    async with month.reading() as connection:
        names = {row.id: row.name for row in await connection.execute(select(users))}
        played = {row.id: row for row in await connection.execute(select(rounds))}
    for row in exported_rows[ExportKind.SETTLEMENTS]:
        round_ = played[row["round_id"]]
        assert row["player_name"] == names[row["player_id"]]
        assert (row["table_id"], row["game_number"]) == (round_.table_id, round_.game_number)
        assert row["presenter"] == round_.presenter
        if row["status"] != "cancelled":
            assert [len(row[cards].split()) for cards in ("player_cards", "board", "dealer_cards")] == [2, 5, 2]
            assert row["dealer_qualifies"] is (row["dealer_hand"] != "high_card")
