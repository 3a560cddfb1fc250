"""JSON writer: `{"rows": […], "totals": {…}}`, one row per line. Amounts are text, so no reader makes them floats."""

from pathlib import Path
from typing import Final

import orjson

from casino.finance.columns import Kind, Layout, Part, Totals, Values
from casino.finance.writers.texts import Amounts

_FLAGS: Final = {None: None, 0: False, 1: True}


class JsonFile:
    def __init__(self, path: Path, layout: Layout) -> None:
        self._layout = layout
        self._amounts = Amounts()
        self._file = path.open("wb", buffering=1 << 20)
        self._file.write(b'{"rows":[')
        self._is_first = True

    def add(self, part: Part) -> None:
        columns: list[Values] = []
        for column, values in zip(self._layout.columns, part.values, strict=True):
            if column.kind is Kind.AMOUNT:
                columns.append(self._amounts.texts(part, values))
            elif column.kind is Kind.FLAG:
                columns.append([_FLAGS[value] for value in values])
            else:
                columns.append(values)
        names = self._layout.names
        lines = b",\n".join([orjson.dumps(dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)])
        self._file.write((b"\n" if self._is_first else b",\n") + lines)
        self._is_first = False

    def close(self, totals: Totals) -> None:
        self._file.write(b'\n],"totals":' + orjson.dumps(totals.in_major_units) + b"}\n")
        self._file.close()

    def abandon(self) -> None:
        self._file.close()
