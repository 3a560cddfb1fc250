"""CSV by RFC 4180: a header row, then rows only; UTF-8, CRLF, quotes where they are needed.

What people have written is made harmless for a spreadsheet: a text that it would take for a formula gets an
apostrophe in front. Our own ids and words are left as they are, so that they can be looked up.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from casino.finance.columns import Kind, Layout, Part, Totals
from casino.finance.writers.texts import Amounts, Texts

FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NEEDS_QUOTES: Final = re.compile('[",\r\n]')
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

    def close(self, totals: Totals) -> None:  # noqa: ARG002  they stand in the manifest
        self._file.close()

    def abandon(self) -> None:
        self._file.close()

    def _write(self, rows: Iterable[Iterable[str]]) -> None:
        self._file.write("\r\n".join([",".join(row) for row in rows]) + "\r\n")


def harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


def _field(value: object) -> str:
    return "" if value is None else quoted(f"{value}")


_WRITE: Final[Mapping[Kind, Callable[[Any], str]]] = {
    Kind.FREE_TEXT: lambda text: "" if text is None else quoted(harmless(text)),
    Kind.FLAG: _FLAGS.__getitem__,
}
