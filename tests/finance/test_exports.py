"""Export formats: their layout, the manifest, and identical bytes every time."""

import csv
import hashlib
import io
import json
import re
import zipfile
from decimal import Decimal
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sqlalchemy import select

from casino.errors import Refusal
from casino.finance.columns import CURRENCY, Column, Kind, Layout, Part, Totals
from casino.finance.export_types import ExportKind, Format
from casino.finance.period import period_of
from casino.finance.writers.csv_file import CsvFile
from casino.finance.writers.json_file import JsonFile
from casino.finance.writers.parquet_file import ParquetFile
from casino.finance.writers.xlsx_file import ROWS_MAX, XlsxFile
from casino.storage.database import Database
from casino.storage.schema import users
from tests.finance.month import NAMES
from tests.finance.readers import MONTH, WITHOUT_POKER, Exported, Row, days, exported

PROMISED = (
    "settled_at, table_id, round_id, game_number, presenter, player_id, player_name, currency, ante, blind, trips, "
    "play, ante_returned, blind_returned, trips_returned, play_returned, staked, returned, net, action, automatic, "
    "player_cards, board, dealer_cards, player_hand, dealer_hand, dealer_qualifies, result, status"
).split(", ")
DAY = days("2026-10-09")


def raw(file: Exported) -> list[list[str]]:
    return list(csv.reader(io.StringIO(file.path.read_text(encoding="utf-8"), newline=""), strict=True))


async def test_settlements_have_the_promised_columns_first_and_in_order(month: Database, tmp_path: Path) -> None:
    header, *_ = raw(await exported(month, tmp_path, ExportKind.SETTLEMENTS, Format.CSV, DAY))
    assert header[: len(PROMISED)] == PROMISED


@pytest.mark.req("LED-9")
async def test_formulas_in_what_people_wrote_are_neutralised_in_csv_and_nowhere_else(
    month: Database, exported_rows: dict[ExportKind, list[Row]], tmp_path: Path
) -> None:
    header, *rows = raw(await exported(month, tmp_path, ExportKind.SETTLEMENTS, Format.CSV, MONTH))
    names = {row[header.index("player_name")] for row in rows}
    assert {"'=1+1", "'+49", "'-Bo", "'@ann", "Zoë", 'Al "Ace", jr.', "Ünal 中"} <= names
    assert '\'=HYPERLINK("x")' in {row[header.index("presenter")] for row in rows}
    assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for row in rows for cell in row)
    assert set(NAMES) <= {row["player_name"] for row in exported_rows[ExportKind.SETTLEMENTS]}
    negative = [cell for row in rows for cell in row if cell.startswith("-")]
    assert negative
    assert all(Decimal(cell) < 0 for cell in negative), "only amounts begin with a sign"


SEPARATORS = [",", ";", "|", "\t", ":", " ", "\n", "\r\n", '"', "\u2028", "\xa0", "~", "^"]


@pytest.mark.req("LED-9")
@pytest.mark.parametrize("separator", SEPARATORS, ids=ascii)
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "\t=", '"="', " ="], ids=ascii)
async def test_no_cell_is_a_formula_whichever_separator_a_spreadsheet_splits_at(
    tmp_path: Path, separator: str, sign: str
) -> None:
    layout = Layout((CURRENCY, Column("reason", Kind.FREE_TEXT), Column("actor", Kind.FREE_TEXT)))
    hostile = f"gift{separator}{sign}cmd|' /C calc'!A0"
    file = CsvFile(tmp_path / "rows.csv", layout)
    file.add(Part(layout, [["EUR", "EUR"], [hostile, sign + hostile], [hostile, "x"]]))
    file.close(Totals(layout))
    text = (tmp_path / "rows.csv").read_text(encoding="utf-8")
    for splitting in (",", ";", "|", "\t", ":", " ", separator):
        for cell in re.split(f"[{re.escape(splitting)}\r\n]", text):
            assert not cell.lstrip(' "\t\xa0').startswith(("=", "+", "-", "@", "＝")), (splitting, cell)
    for splitting in (",", ";", "|", "\t", ":", " "):
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=splitting):
            assert not any(cell.startswith(("=", "+", "-", "@", "＝")) for cell in row), (splitting, row)


async def test_xlsx_holds_hostile_text_as_text_and_never_as_formula_or_link(tmp_path: Path) -> None:
    layout = Layout((CURRENCY, Column("reason", Kind.FREE_TEXT)))
    hostile = [
        "=1+1",
        "{=1+1}",
        '=HYPERLINK("http://x")',
        "http://example.com",
        "mailto:a@b",
        "internal:A1",
        "+1",
        "@x",
    ]
    file = XlsxFile(tmp_path / "rows.xlsx", layout)
    file.add(Part(layout, [["EUR"] * len(hostile), hostile]))
    file.close(Totals(layout))
    sheet = openpyxl.load_workbook(tmp_path / "rows.xlsx").worksheets[0]
    cells = [row[1] for row in sheet.iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == hostile
    assert {cell.data_type for cell in cells} <= {"s", "inlineStr"}
    assert not any(cell.hyperlink for cell in cells)
    with zipfile.ZipFile(tmp_path / "rows.xlsx") as book:
        sheets = [name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
        assert sheets
        assert not any(b"<f>" in book.read(name) or b"<f " in book.read(name) for name in sheets)


async def test_csv_is_utf_8_with_crlf_and_amounts_with_their_decimals(month: Database, tmp_path: Path) -> None:
    file = await exported(month, tmp_path, ExportKind.SETTLEMENTS, Format.CSV, DAY)
    text = file.path.read_bytes().decode()
    assert text.count("\r\n") == text.count("\n") == file.manifest.rows + 1
    header, *rows = raw(file)
    assert all(len(row[header.index("net")].partition(".")[2]) == 2 for row in rows)


async def test_json_has_rows_and_totals_and_amounts_as_text(month: Database, tmp_path: Path) -> None:
    file = await exported(month, tmp_path, ExportKind.SUMMARY, Format.JSON, MONTH)
    content = json.loads(file.path.read_bytes())
    assert content.keys() == {"rows", "totals"}
    assert content["totals"] == file.manifest.totals
    assert content["totals"].keys() == {"EUR", "FUN"}
    for currency, totals in content["totals"].items():
        rows = [row for row in content["rows"] if row["currency"] == currency]
        assert totals["rows"] == len(rows)
        assert Decimal(totals["house_result"]) == sum(Decimal(row["house_result"]) for row in rows)


async def test_xlsx_has_types_a_frozen_header_and_totals_on_the_second_sheet(month: Database, tmp_path: Path) -> None:
    file = await exported(month, tmp_path, ExportKind.SETTLEMENTS, Format.XLSX, DAY)
    book = openpyxl.load_workbook(file.path)
    rows, totals = book.worksheets
    assert rows.freeze_panes == "A2"
    header = [cell.value for cell in rows[1]]
    kinds = {name: rows.cell(2, place).data_type for place, name in enumerate(header, 1)}
    assert {kinds[name] for name in ("settled_at", "ante", "net", "returned")} == {"n"}
    assert {kinds[name] for name in ("round_id", "player_id", "status")} <= {"s", "inlineStr"}
    assert rows.cell(2, header.index("net") + 1).number_format == "#,##0.00"
    moment = rows.cell(2, header.index("settled_utc") + 1)
    assert (moment.is_date, rows.auto_filter.ref[:3]) == (True, "A1:")
    names, *lines = totals.iter_rows(values_only=True)
    totals = {line[0]: dict(zip(names[1:], line[1:], strict=True)) for line in lines}
    assert totals.keys() == file.manifest.totals.keys()
    for currency, sums in file.manifest.totals.items():
        assert {name: Decimal(str(totals[currency][name])) for name in sums} == {n: Decimal(s) for n, s in sums.items()}


async def test_parquet_has_a_schema_with_exact_decimals(month: Database, tmp_path: Path) -> None:
    file = await exported(month, tmp_path, ExportKind.SETTLEMENTS, Format.PARQUET, DAY)
    schema = pq.read_schema(file.path)
    assert schema.field("net").type == pa.decimal128(24, 2)
    assert schema.field("round_id").type == pa.string()
    assert schema.field("dealer_qualifies").type == pa.bool_()
    assert schema.field("settled_at").type == pa.int64()
    assert schema.field("settled_utc").type == pa.timestamp("ms", tz="UTC")
    net = pq.read_table(file.path).to_pylist()[0]["net"]
    assert isinstance(net, Decimal)


@pytest.mark.parametrize("format_", Format)
async def test_same_period_gives_the_same_bytes_and_the_manifest_vouches_for_them(
    month: Database, tmp_path: Path, format_: Format
) -> None:
    written = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        file = await exported(month, folder, ExportKind.SETTLEMENTS, format_, days("2026-10-01", "2026-10-12"))
        content = file.path.read_bytes()
        assert file.manifest.sha256 == hashlib.sha256(content).hexdigest()
        assert file.manifest.bytes == len(content)
        written.append(content)
    assert written[0] == written[1]


async def test_days_are_complete_and_none_is_listed_twice(
    month: Database, exported_rows: dict[ExportKind, list[Row]], tmp_path: Path
) -> None:
    one_by_one: list[Row] = []
    for day in range(1, 32):
        one_by_one += (await exported(month, tmp_path, ExportKind.LEDGER, Format.CSV, days(f"2026-10-{day:02}"))).rows
    assert one_by_one == [row for row in exported_rows[ExportKind.LEDGER] if row["posted_utc"] < "2026-11"]


@pytest.mark.parametrize("what", WITHOUT_POKER)
async def test_export_of_one_table_has_its_rows_only(
    month: Database, exported_rows: dict[ExportKind, list[Row]], tmp_path: Path, what: ExportKind
) -> None:
    period = days("2026-10-01", "2026-11-30", "uth-2")
    rows = (await exported(month, tmp_path, what, Format.CSV, period)).rows
    assert rows == [row for row in exported_rows[what] if row["table_id"] == "uth-2"]
    assert rows


def test_currencies_with_different_decimals_are_shown_separately(tmp_path: Path) -> None:
    layout = Layout((CURRENCY, Column("amount", Kind.AMOUNT), Column("is", Kind.FLAG)))
    part = Part(layout, [("EUR", "JPY", "BHD", "EUR"), (-5, 1234, 1234, 10**15), (1, 0, None, 1)])
    totals = Totals(layout)
    totals.add(part)
    files = {}
    for format_, writer in (
        (Format.CSV, CsvFile(tmp_path / "it.csv", layout)),
        (Format.JSON, JsonFile(tmp_path / "it.json", layout)),
        (Format.XLSX, XlsxFile(tmp_path / "it.xlsx", layout)),
        (Format.PARQUET, ParquetFile(tmp_path / "it.parquet", layout, 3)),
    ):
        writer.add(part)
        writer.close(totals)
        files[format_] = tmp_path / f"it.{format_}"
    assert files[Format.CSV].read_text().split() == [
        "currency,amount,is",
        "EUR,-0.05,true",
        "JPY,1234,false",
        "BHD,1.234,",
        "EUR,10000000000000.00,true",
    ]
    right = ["-0.05", "1234", "1.234", "10000000000000.00"]
    assert [row["amount"] for row in json.loads(files[Format.JSON].read_bytes())["rows"]] == right
    sheet = openpyxl.load_workbook(files[Format.XLSX]).worksheets[0]
    assert [Decimal(str(sheet.cell(line, 2).value)) for line in range(2, 6)] == [Decimal(text) for text in right]
    assert pq.read_table(files[Format.PARQUET])["amount"].to_pylist() == [Decimal(text) for text in right]
    assert totals.in_major_units["EUR"] == {"rows": 2, "amount": "9999999999999.95"}
    assert totals.rows == 4


def test_xlsx_refuses_more_rows_than_a_sheet_holds(tmp_path: Path) -> None:
    layout = Layout((CURRENCY,))
    writer = XlsxFile(tmp_path / "big", layout)
    with pytest.raises(Exception, match="1,048,575 rows"):
        writer.add(Part(layout, [["EUR"] * (ROWS_MAX + 1)]))
    writer.close(Totals(layout))


@pytest.mark.req("LED-9")
async def test_export_is_limited_to_a_currency_or_to_real_money(
    month: Database, exported_rows: dict[ExportKind, list[Row]], tmp_path: Path
) -> None:
    async with month.reading() as connection:
        query = select(users.c.currency).distinct().where(users.c.role == "player", users.c.play_money == 0)
        real = set((await connection.execute(query)).scalars())
    assert real
    for what, rows in exported_rows.items():
        every = {row["currency"] for row in rows}
        assert every > real, "the month has play money, too"
        for money, wanted in (("real", real), *((one, {one}) for one in sorted(every))):
            asked = await period_of(month, f"{MONTH.first}", f"{MONTH.last}", None, [], money=money)
            file = await exported(month, tmp_path, what, Format.CSV, asked)
            assert file.rows == [row for row in rows if row["currency"] in wanted], (what, money)
    with pytest.raises(Refusal, match="or a currency like EUR"):
        await period_of(month, "2026-10-01", "2026-10-31", None, [], money="euros")
