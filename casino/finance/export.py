"""Writes one export to a temporary file and moves it to its place, together with its manifest.

The same period gives the same bytes at any time and for any user. `export_files` places the file and writes the audit
entry.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import select
from typing_extensions import TypedDict

from casino.finance import poker_exports, postings, settlements, summary
from casino.finance.columns import CurrencyTotals, Layout, Parts, Totals
from casino.finance.expected_result import ReturnOf
from casino.finance.export_types import ExportKind, Format
from casino.finance.period import Period
from casino.finance.writers.csv_file import CsvFile
from casino.finance.writers.json_file import JsonFile
from casino.finance.writers.writer import Writer
from casino.money import decimals
from casino.storage.schema import users
from casino.verify.snapshot import Snapshot
from casino.wire.common import Count, Day, Sha256

LAYOUTS: Final = {
    ExportKind.SETTLEMENTS: settlements.LAYOUT,
    ExportKind.SUMMARY: summary.LAYOUT,
    ExportKind.LEDGER: postings.LAYOUT,
    ExportKind.POKER_HANDS: poker_exports.HANDS,
    ExportKind.POKER_PLAYERS: poker_exports.PLAYERS,
}

Progress = Callable[[int, int], None]
"""Called with the number of written rows, and of all rows."""


@dataclass(frozen=True, slots=True)
class Order:
    what: ExportKind
    format: Format
    period: Period


_Exported = TypedDict("_Exported", {"export": ExportKind, "format": Format, "from": Day})  # `from` is a keyword


class ExportManifest(_Exported):
    """Response to `manifest=true`, instead of the export."""

    to: Day
    table: str | None
    money: str | None
    """The currencies it is limited to; null: all."""
    rows: Count
    bytes: Count
    sha256: Sha256
    totals: CurrencyTotals


@dataclass(frozen=True, slots=True)
class Manifest:
    """Manifest of an export: enough to verify that it is complete, and its totals."""

    order: Order
    rows: int
    bytes: int
    sha256: str
    totals: CurrencyTotals

    @property
    def plain(self) -> ExportManifest:
        period = self.order.period
        return {
            "export": self.order.what,
            "format": self.order.format,
            "from": f"{period.first}",
            "to": f"{period.last}",
            "table": period.table_id,
            "money": period.money,
            "rows": self.rows,
            "bytes": self.bytes,
            "sha256": self.sha256,
            "totals": self.totals,
        }

    def __str__(self) -> str:
        return json.dumps(self.plain, indent=2) + "\n"


async def write_export(
    snapshot: Snapshot, order: Order, path: Path, return_of: ReturnOf, progress: Progress | None = None
) -> Manifest:
    """Writes the export into this file of the caller, in constant memory."""
    layout = LAYOUTS[order.what]
    totals = Totals(layout)
    expected = await _count(snapshot, order) if progress or order.format is Format.XLSX else 0
    writer = await _writer(snapshot, order.format, path, layout, expected)
    try:
        async for part in _parts(snapshot, order, return_of):
            writer.add(part)
            totals.add(part)
            if progress:
                progress(totals.rows, expected)
        writer.close(totals)
    except BaseException:
        with contextlib.suppress(OSError):  # on a full disk, which is reported already
            writer.abandon()
        raise
    return Manifest(order, totals.rows, *_size_and_digest(path), totals.in_major_units)


def _size_and_digest(path: Path) -> tuple[int, str]:
    with path.open("rb") as written:
        return path.stat().st_size, hashlib.file_digest(written, "sha256").hexdigest()


def _parts(snapshot: Snapshot, order: Order, return_of: ReturnOf) -> Parts:
    match order.what:
        case ExportKind.SETTLEMENTS:
            return settlements.parts(snapshot, order.period)
        case ExportKind.SUMMARY:
            return summary.parts(snapshot, order.period, return_of)
        case ExportKind.LEDGER:
            return postings.parts(snapshot, order.period)
        case ExportKind.POKER_HANDS:
            return poker_exports.hands(snapshot, order.period)
        case ExportKind.POKER_PLAYERS:
            return poker_exports.players(snapshot, order.period)


async def _count(snapshot: Snapshot, order: Order) -> int:
    match order.what:
        case ExportKind.SETTLEMENTS:
            return await settlements.count(snapshot, order.period)
        case ExportKind.LEDGER:
            return await postings.count(snapshot, order.period)
        case ExportKind.POKER_HANDS:
            return await poker_exports.count_hands(snapshot, order.period)
        case ExportKind.POKER_PLAYERS:
            return await poker_exports.count_players(snapshot, order.period)
        case ExportKind.SUMMARY:
            return 0  # a few rows, all at once


async def _writer(snapshot: Snapshot, wanted: Format, path: Path, layout: Layout, expected: int) -> Writer:
    match wanted:
        case Format.CSV:
            return CsvFile(path, layout)
        case Format.JSON:
            return JsonFile(path, layout)
        case Format.XLSX:
            # These two load slowly, and most exports need neither.
            from casino.finance.writers.xlsx_file import XlsxFile  # noqa: PLC0415

            return XlsxFile(path, layout, expected)
        case Format.PARQUET:
            from casino.finance.writers.parquet_file import ParquetFile  # noqa: PLC0415

            return ParquetFile(path, layout, await _finest_scale(snapshot))


async def _finest_scale(snapshot: Snapshot) -> int:
    """Returns the most decimals of all currencies in use, so that the schema is the same for all periods."""
    found = await snapshot.connection.execute(select(users.c.currency).distinct())
    return max((decimals(currency) for currency in found.scalars()), default=2)
