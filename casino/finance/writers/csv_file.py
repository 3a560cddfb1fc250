"""CSV by RFC 4180: a header row, then rows only; UTF-8, CRLF, quotes where they are needed.

What people have written is made harmless for a spreadsheet: a text that it would take for a formula gets an
apostrophe in front. Our own ids and words are left as they are, so that they can be looked up.
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from casino.finance.columns import Kind, Layout, Part, Totals, Values
from casino.finance.writers.amounts import Amounts

FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")
_FLAGS: Final = {None: "", 0: "false", 1: "true"}


def harmless(text: str | None) -> str | None:
    return f"'{text}" if text and text.startswith(FORMULA_SIGNS) else text


class CsvFile:
    def __init__(self, path: Path, layout: Layout) -> None:
        self._layout = layout
        self._amounts = Amounts()
        self._file = path.open("w", encoding="utf-8", newline="", buffering=1 << 20)
        self._rows = csv.writer(self._file)
        self._rows.writerow(layout.names)

    def add(self, part: Part) -> None:
        kinds = (column.kind for column in self._layout.columns)
        columns = [self._column(kind, values, part) for kind, values in zip(kinds, part.values, strict=True)]
        self._rows.writerows(zip(*columns, strict=True))

    def close(self, totals: Totals) -> None:  # noqa: ARG002  they stand in the manifest
        self._file.close()

    def _column(self, kind: Kind, values: Values, part: Part) -> Sequence[object]:
        match kind:
            case Kind.AMOUNT:
                return self._amounts.texts(part, values)
            case Kind.FREE_TEXT:
                texts = {text: harmless(text) for text in set(values)}
                return [texts[text] for text in values]
            case Kind.FLAG:
                return [_FLAGS[value] for value in values]
            case _:
                return values
