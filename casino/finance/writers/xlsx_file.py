"""XLSX writer: rows on the first sheet under a frozen header, totals on the second; numbers are numbers.

The content does not depend on time or place of writing. Texts stay texts: none can become a formula.
"""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import xlsxwriter
from xlsxwriter.exceptions import FileCreateError

from casino.errors import Code, Refusal
from casino.finance.columns import Kind, Layout, Part, Totals
from casino.finance.period import moment
from casino.money import decimals

ROWS_MAX: Final = 1_048_575
"""Capacity of a sheet below its header."""

_WRITTEN: Final = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
_WIDTHS: Final = {Kind.TIME: 15, Kind.MOMENT: 22, Kind.AMOUNT: 12, Kind.COUNT: 8}


class XlsxFile:
    def __init__(self, path: Path, layout: Layout, expected: int = 0) -> None:
        """`expected` is the number of rows: too many are refused before the first is written."""
        _verify_fits(expected)
        self._layout, self._path = layout, path
        # Next to the file, because the temporary folder of a machine may be small.
        options = {"constant_memory": True, "strings_to_formulas": False, "tmpdir": str(path.parent)}
        self._book = xlsxwriter.Workbook(str(path), options)
        self._book.set_properties({"created": _WRITTEN})
        self._bold = self._book.add_format({"bold": True})
        self._formats: dict[int, Any] = {}
        self._moment = self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss.000"})
        self._sheet = self._book.add_worksheet("rows")
        self._totals = self._book.add_worksheet("totals")
        self._sheet.freeze_panes(1, 0)
        for place, column in enumerate(layout.columns):
            self._sheet.set_column(place, place, _WIDTHS.get(column.kind, max(10, len(column.name))))
            self._sheet.write_string(0, place, column.name, self._bold)
        self._next = 1

    def add(self, part: Part) -> None:
        _verify_fits(self._next - 1 + len(part))
        kinds = [column.kind for column in self._layout.columns]
        for currency, row in zip(part.currencies, zip(*part.values, strict=True), strict=True):
            for place, (kind, value) in enumerate(zip(kinds, row, strict=True)):
                if value is not None:
                    self._write(place, kind, value, currency)
            self._next += 1

    def close(self, totals: Totals) -> None:
        sheet, names = self._totals, ["currency", "rows", *(name for _, name in self._layout.amounts)]
        sheet.freeze_panes(1, 0)
        for place, name in enumerate(names):
            sheet.write_string(0, place, name, self._bold)
        if self._next > 1:
            self._sheet.autofilter(0, 0, self._next - 1, len(self._layout.columns) - 1)
        amounts = totals.in_major_units
        for line, (currency, sums) in enumerate(totals.minor.items(), 1):
            sheet.write_string(line, 0, currency)
            sheet.write_number(line, 1, amounts[currency]["rows"])
            for place, amount in enumerate(sums.values(), 2):
                sheet.write_number(line, place, _major(amount, currency), self._format(currency))
        try:
            self._book.close()
        except FileCreateError as error:
            self._path.write_bytes(b"")  # makes room for buffers that Python still flushes on deletion
            raise OSError(*error.args[0].args) from error

    def abandon(self) -> None:
        self._book.fileclosed = True  # prevents the packing of an abandoned file

    def _write(self, place: int, kind: Kind, value: Any, currency: str) -> None:  # noqa: ANN401  of any kind
        sheet, line = self._sheet, self._next
        match kind:
            case Kind.AMOUNT:
                sheet.write_number(line, place, _major(value, currency), self._format(currency))
            case Kind.COUNT | Kind.TIME:
                sheet.write_number(line, place, value)
            case Kind.MOMENT:
                sheet.write_datetime(line, place, moment(value).replace(tzinfo=None), self._moment)
            case Kind.FLAG:
                sheet.write_boolean(line, place, bool(value))
            case _:
                sheet.write_string(line, place, value)

    def _format(self, currency: str) -> Any:  # noqa: ANN401  the library's own
        scale = decimals(currency)
        if scale not in self._formats:
            shown = f"#,##0.{'0' * scale}" if scale else "#,##0"
            self._formats[scale] = self._book.add_format({"num_format": shown})
        return self._formats[scale]


def _verify_fits(rows: int) -> None:
    if rows > ROWS_MAX:
        text = f"This export has more than the {ROWS_MAX:,} rows of an XLSX sheet. Choose a shorter period or CSV."
        raise Refusal(Code.BAD_REQUEST, text)


def _major(minor: int, currency: str) -> Decimal:
    return Decimal(minor).scaleb(-decimals(currency))
