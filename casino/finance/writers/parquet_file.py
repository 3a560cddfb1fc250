"""Parquet writer: one table with a schema, amounts as exact decimals.

All amounts of a column have the same number of decimals: that of the finest currency in use.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from casino.finance.columns import Kind, Layout, Part, Totals, Values
from casino.finance.period import moment
from casino.money import decimals

DIGITS: Final = 24
_ROWS_IN_A_GROUP: Final = 100_000

_TYPES: Final = {
    Kind.TEXT: pa.string(),
    Kind.FREE_TEXT: pa.string(),
    Kind.COUNT: pa.int64(),
    Kind.TIME: pa.int64(),
    Kind.MOMENT: pa.timestamp("ms", tz="UTC"),
    Kind.FLAG: pa.bool_(),
}


class ParquetFile:
    def __init__(self, path: Path, layout: Layout, scale: int) -> None:
        self._scale = scale
        self._amount = pa.decimal128(DIGITS, scale)
        self._kinds = [column.kind for column in layout.columns]
        fields = [(column.name, _TYPES.get(column.kind, self._amount)) for column in layout.columns]
        self._schema = pa.schema(fields)
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[Any] = []

    def add(self, part: Part) -> None:
        arrays = [self._array(kind, values, part) for kind, values in zip(self._kinds, part.values, strict=True)]
        self._waiting.append(pa.record_batch(arrays, schema=self._schema))
        if sum(len(batch) for batch in self._waiting) >= _ROWS_IN_A_GROUP:
            self._write()

    def close(self, totals: Totals) -> None:  # noqa: ARG002  the manifest has them
        if self._waiting:
            self._write()
        self._writer.close()

    def abandon(self) -> None:
        self._writer.close()

    def _write(self) -> None:
        self._writer.write_table(pa.Table.from_batches(self._waiting), row_group_size=2 * _ROWS_IN_A_GROUP)
        self._waiting = []

    def _array(self, kind: Kind, values: Values, part: Part) -> Any:  # noqa: ANN401  the library's own
        if kind is Kind.AMOUNT:
            return self._decimals(values, part)
        if kind is Kind.FLAG:
            return pa.array([None if value is None else bool(value) for value in values], pa.bool_())
        if kind is Kind.MOMENT:
            return pa.array([moment(value) for value in values], _TYPES[kind])
        return pa.array(values, _TYPES[kind])

    def _decimals(self, values: Values, part: Part) -> Any:  # noqa: ANN401
        """Returns the integers as 128-bit values, which the column's scale makes decimals."""
        minor = np.array(values, dtype=np.int64)
        factors = {currency: 10 ** (self._scale - decimals(currency)) for currency in set(part.currencies)}
        if set(factors.values()) != {1}:
            minor *= np.array([factors[currency] for currency in part.currencies], dtype=np.int64)
        both_halves = np.stack([minor, minor >> 63], axis=1).astype("<i8")
        return pa.Array.from_buffers(self._amount, len(minor), [None, pa.py_buffer(both_halves.tobytes())])
