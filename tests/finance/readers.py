"""Reads exports with independent readers, and converts all formats to the same values."""

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq

from casino.finance.columns import Column, Kind
from casino.finance.export import LAYOUTS, Manifest, Order, write_export
from casino.finance.export_types import ExportKind, Format
from casino.finance.period import Period, parse_day, time_text
from casino.money import decimals
from casino.storage.database import Database
from casino.uth.rtp_cache import memoized_exact_return
from casino.verify.snapshot import snapshot

Row = dict[str, Any]
Columns = tuple[Sequence[str], Sequence[Sequence[Any]]]
"""Their names, and the values of each; no values if there is no row."""


@dataclass(frozen=True)
class Exported:
    manifest: Manifest
    path: Path

    @property
    def rows(self) -> list[Row]:
        """Amounts in minor units, times and counts whole, flags true, false or None, empty texts None."""
        layout = LAYOUTS[self.manifest.order.what]
        names, columns = READERS[self.manifest.order.format](self.path)
        assert tuple(names) == layout.names
        if not columns:
            return []
        currencies = columns[layout.currency_at]
        values = [_values(column, raw, currencies) for column, raw in zip(layout.columns, columns, strict=True)]
        return [dict(zip(layout.names, row, strict=True)) for row in zip(*values, strict=True)]


return_of = memoized_exact_return()


def days(first: str, last: str | None = None, table_id: str | None = None) -> Period:
    return Period(parse_day(first, "from"), parse_day(last or first, "to"), table_id)


WITH_POKER = (ExportKind.POKER_HANDS, ExportKind.POKER_PLAYERS)
"""Exports of what the month does not have. What holds for every export is proved for these in test_poker_books.py."""
WITHOUT_POKER = tuple(what for what in ExportKind if what not in WITH_POKER)

MONTH = days("2026-10-01", "2026-11-30")


async def exported(database: Database, folder: Path, what: ExportKind, format_: Format, period: Period) -> Exported:
    path = folder / f"{what}.{format_}"
    async with snapshot(database) as books:
        manifest = await write_export(books, Order(what, format_, period), path, return_of)
    return Exported(manifest, path)


def _read_csv(path: Path) -> Columns:
    with path.open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file, strict=True)
    return names, list(zip(*rows, strict=True))


def _read_json(path: Path) -> Columns:
    rows: list[Row] = json.loads(path.read_bytes())["rows"]
    names = tuple(rows[0]) if rows else LAYOUTS[ExportKind(path.stem)].names
    assert all(tuple(row) == names for row in rows)
    return names, list(zip(*(row.values() for row in rows), strict=True))


def _read_xlsx(path: Path) -> Columns:
    book = openpyxl.load_workbook(path, read_only=True)
    names, *rows = book.worksheets[0].iter_rows(values_only=True)
    book.close()
    return names, list(zip(*rows, strict=True))


def _read_parquet(path: Path) -> Columns:
    table = pq.read_table(path)
    return table.column_names, [column.to_pylist() for column in table.columns] if len(table) else []


READERS = {Format.CSV: _read_csv, Format.JSON: _read_json, Format.XLSX: _read_xlsx, Format.PARQUET: _read_parquet}


def _values(column: Column, raw: Sequence[Any], currencies: Sequence[str]) -> list[Any]:
    """The same few come again and again in a long column."""
    known: dict[tuple[Any, str], Any] = {}
    for pair in set(zip(raw, currencies, strict=True)):
        known[pair] = _value(column, *pair)
    return [known[pair] for pair in zip(raw, currencies, strict=True)]


def _value(column: Column, value: Any, currency: str) -> Any:  # noqa: ANN401  of any kind
    match column.kind:
        case Kind.AMOUNT:
            minor = Decimal(str(value)).scaleb(decimals(currency))
            assert minor == int(minor)
            return int(minor)
        case Kind.COUNT | Kind.TIME:
            return int(value)
        case Kind.MOMENT if isinstance(value, datetime):
            return time_text(round(value.replace(tzinfo=UTC).timestamp() * 1000))
        case Kind.FLAG:
            return {"true": True, "false": False, "": None}.get(value, value)
        case Kind.FREE_TEXT if value:
            return re.sub("'(?=[=+@-])", "", value)
        case _:
            return value or None
