"""Reads exports back with readers that are not ours, and brings all formats to the same values."""

import csv
import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq

from casino.finance.asking import Format, What
from casino.finance.columns import Column, Kind
from casino.finance.export import LAYOUTS, Manifest, Order, write_export
from casino.finance.period import Period, parse_day
from casino.finance.writers.csv_file import FORMULA_SIGNS
from casino.money import decimals
from casino.returns import cache_folder, exact_return
from casino.storage.database import Database
from casino.uth.analysis import Analysis
from casino.uth.paytable import Paytable
from casino.verify.snapshot import snapshot

Row = dict[str, Any]


@dataclass(frozen=True)
class Exported:
    manifest: Manifest
    path: Path

    @property
    def rows(self) -> list[Row]:
        """Amounts in minor units, times and counts whole, flags true, false or None, empty texts None."""
        layout = LAYOUTS[self.manifest.order.what]
        raw = READERS[self.manifest.order.format](self.path)
        assert all(tuple(row) == layout.names for row in raw)
        return [
            {column.name: _value(column, row[column.name], row["currency"]) for column in layout.columns} for row in raw
        ]


def return_of(paytable: Paytable) -> Analysis:
    return exact_return(paytable, cache_folder())


def days(first: str, last: str | None = None, table_id: str | None = None) -> Period:
    return Period(parse_day(first, "from"), parse_day(last or first, "to"), table_id)


MONTH = days("2026-10-01", "2026-11-30")


async def exported(database: Database, folder: Path, what: What, format_: Format, period: Period) -> Exported:
    path = folder / f"{what}.{format_}"
    async with snapshot(database) as books:
        manifest = await write_export(books, Order(what, format_, period), path, return_of)
    return Exported(manifest, path)


def _read_csv(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def _read_json(path: Path) -> list[Row]:
    rows: list[Row] = json.loads(path.read_bytes())["rows"]
    return rows


def _read_xlsx(path: Path) -> list[Row]:
    book = openpyxl.load_workbook(path, read_only=True)
    header, *rows = book.worksheets[0].iter_rows(values_only=True)
    book.close()
    return [dict(zip(header, row, strict=True)) for row in rows]


def _read_parquet(path: Path) -> list[Row]:
    rows: list[Row] = pq.read_table(path).to_pylist()
    return rows


READERS = {Format.CSV: _read_csv, Format.JSON: _read_json, Format.XLSX: _read_xlsx, Format.PARQUET: _read_parquet}


def _value(column: Column, value: Any, currency: str) -> Any:  # noqa: ANN401  of any kind
    match column.kind:
        case Kind.AMOUNT:
            minor = Decimal(str(value)).scaleb(decimals(currency))
            assert minor == int(minor)
            return int(minor)
        case Kind.COUNT | Kind.TIME:
            return int(value)
        case Kind.FLAG:
            return {"true": True, "false": False, "": None}.get(value, value)
        case Kind.FREE_TEXT if value and value.startswith("'") and value[1:].startswith(FORMULA_SIGNS):
            return value[1:]
        case _:
            return value or None
