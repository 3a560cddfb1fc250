"""An export: what is asked for, written whole beside its place and then moved there, with its manifest.

The same period gives the same bytes, whenever and by whomever it is exported. Where a file ends up, who asked and
that it is written down in the audit log is for `exporting` to say.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select

from casino.finance import postings, settlements, summary
from casino.finance.asking import Format, What
from casino.finance.columns import Layout, Parts, Totals
from casino.finance.expectation import ReturnOf
from casino.finance.period import Period
from casino.finance.writers.csv_file import CsvFile
from casino.finance.writers.json_file import JsonFile
from casino.finance.writers.writer import Writer
from casino.money import decimals
from casino.storage.schema import users
from casino.verify.snapshot import Snapshot

LAYOUTS: Final = {
    What.SETTLEMENTS: settlements.LAYOUT,
    What.SUMMARY: summary.LAYOUT,
    What.LEDGER: postings.LAYOUT,
}

Progress = Callable[[int, int], None]
"""Told how many rows are written, and of how many."""


@dataclass(frozen=True, slots=True)
class Order:
    what: What
    format: Format
    period: Period


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands beside an export: enough to tell whether it is whole and what it adds up to."""

    order: Order
    rows: int
    bytes: int
    sha256: str
    totals: dict[str, dict[str, Any]]

    @property
    def plain(self) -> dict[str, Any]:
        period = self.order.period
        return {
            "export": self.order.what,
            "format": self.order.format,
            "from": f"{period.first}",
            "to": f"{period.last}",
            "table": period.table_id,
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
    """Writes the export into this file, which is the caller's, in constant memory."""
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
        with contextlib.suppress(OSError):  # of a full disk, which is told already
            writer.abandon()
        raise
    return Manifest(order, totals.rows, *_size_and_digest(path), totals.told)


def _size_and_digest(path: Path) -> tuple[int, str]:
    with path.open("rb") as written:
        return path.stat().st_size, hashlib.file_digest(written, "sha256").hexdigest()


def _parts(snapshot: Snapshot, order: Order, return_of: ReturnOf) -> Parts:
    match order.what:
        case What.SETTLEMENTS:
            return settlements.parts(snapshot, order.period)
        case What.SUMMARY:
            return summary.parts(snapshot, order.period, return_of)
        case What.LEDGER:
            return postings.parts(snapshot, order.period)


async def _count(snapshot: Snapshot, order: Order) -> int:
    match order.what:
        case What.SETTLEMENTS:
            return await settlements.count(snapshot, order.period)
        case What.LEDGER:
            return await postings.count(snapshot, order.period)
        case What.SUMMARY:
            return 0  # a few lines, all at once


async def _writer(snapshot: Snapshot, wanted: Format, path: Path, layout: Layout, expected: int) -> Writer:
    match wanted:
        case Format.CSV:
            return CsvFile(path, layout)
        case Format.JSON:
            return JsonFile(path, layout)
        case Format.XLSX:
            # These two take their time to load, and most exports need neither.
            from casino.finance.writers.xlsx_file import XlsxFile  # noqa: PLC0415

            return XlsxFile(path, layout, expected)
        case Format.PARQUET:
            from casino.finance.writers.parquet_file import ParquetFile  # noqa: PLC0415

            return ParquetFile(path, layout, await _finest_scale(snapshot))


async def _finest_scale(snapshot: Snapshot) -> int:
    """Of the currencies that people have, so that the schema does not depend on the period."""
    found = await snapshot.connection.execute(select(users.c.currency).distinct())
    return max((decimals(currency) for currency in found.scalars()), default=2)
