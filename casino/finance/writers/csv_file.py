"""CSV writer by RFC 4180: a header row, then rows; UTF-8, CRLF, quotes where needed.

Text written by people is made safe for spreadsheets, whichever separator they split at: every possible start of a
formula gets an apostrophe. Ids and fixed words stay unchanged.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from casino.finance.columns import Kind, Layout, Part, Totals
from casino.finance.writers.texts import Amounts, Texts
from casino.security.spreadsheet_formulas import neutralize_formulas

_NEEDS_QUOTES: Final = re.compile('[",;|\t\r\n]')
_FLAGS: Final = {None: "", 0: "false", 1: "true"}


class CsvFile:
    def __init__(self, path: Path, layout: Layout) -> None:
        self._columns = layout.columns
        self._amounts = Amounts()
        self._texts = [Texts(_WRITE.get(column.kind, _field)) for column in layout.columns]
        self._file = path.open("w", encoding="utf-8", newline="", buffering=1 << 20)
        self._write([layout.names])

    def add(self, part: Part) -> None:
        columns = [
            self._amounts.texts(part, values) if column.kind is Kind.AMOUNT else list(map(texts.__getitem__, values))
            for column, texts, values in zip(self._columns, self._texts, part.values, strict=True)
        ]
        self._write(zip(*columns, strict=True))

    def close(self, totals: Totals) -> None:  # noqa: ARG002  the manifest has them
        self._file.close()

    def abandon(self) -> None:
        self._file.close()

    def _write(self, rows: Iterable[Iterable[str]]) -> None:
        self._file.write("\r\n".join([",".join(row) for row in rows]) + "\r\n")


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


def _field(value: object) -> str:
    return "" if value is None else quoted(f"{value}")


_WRITE: Final[Mapping[Kind, Callable[[Any], str]]] = {
    Kind.FREE_TEXT: lambda text: "" if text is None else quoted(neutralize_formulas(text)),
    Kind.FLAG: _FLAGS.__getitem__,
}
