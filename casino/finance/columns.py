"""Column definitions of exports, and their rows read from the database in batches.

Amounts are integers of minor units up to here; each format writes them in major units in its own way.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import compress
from typing import Any, Final

from casino.money import decimals, format_amount
from casino.wire.common import Major


class Kind(Enum):
    TEXT = auto()  # ids and fixed words
    FREE_TEXT = auto()  # text written by people: names, reasons
    COUNT = auto()
    TIME = auto()  # UTC milliseconds since 1970
    MOMENT = auto()  # the same time as text; a date where a format has dates
    FLAG = auto()  # stored as 0 or 1
    AMOUNT = auto()  # minor units of the currency in the same row


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: Kind = Kind.TEXT


CURRENCY: Final = Column("currency")

Values = Sequence[Any]
"""One column of some rows."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns of an export in order. One of them is the currency of the row."""

    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def currency_at(self) -> int:
        return self.columns.index(CURRENCY)

    @property
    def amounts(self) -> list[tuple[int, str]]:
        """Index and name of each amount column."""
        return [(place, column.name) for place, column in enumerate(self.columns) if column.kind is Kind.AMOUNT]


@dataclass(frozen=True, slots=True)
class Part:
    """A batch of rows, column by column, which is far cheaper than row by row."""

    layout: Layout
    values: Sequence[Values]
    scale: int | None = field(init=False)
    """Decimals of all amounts in this part, if they are the same for all."""

    def __post_init__(self) -> None:
        scales = {decimals(currency) for currency in set(self.currencies)}
        object.__setattr__(self, "scale", scales.pop() if len(scales) == 1 else None)

    @property
    def currencies(self) -> Values:
        return self.values[self.layout.currency_at]

    def __len__(self) -> int:
        return len(self.currencies)


Parts = AsyncIterator[Part]
CurrencyTotals = dict[str, dict[str, int | Major]]
"""By currency: the number of rows, and sums in major units."""


class Totals:
    """Control totals: number of rows and sum of each amount, by currency. Currencies are never mixed."""

    def __init__(self, layout: Layout) -> None:
        self._amounts = layout.amounts
        self._rows: dict[str, int] = defaultdict(int)
        self._sums: dict[str, list[int]] = defaultdict(lambda: [0] * len(self._amounts))

    def add(self, part: Part) -> None:
        currencies = part.currencies
        for currency in set(currencies):
            chosen = [one == currency for one in currencies]
            self._rows[currency] += sum(chosen)
            sums = self._sums[currency]
            for number, (place, _) in enumerate(self._amounts):
                sums[number] += sum(compress(part.values[place], chosen))

    @property
    def rows(self) -> int:
        return sum(self._rows.values())

    @property
    def minor(self) -> dict[str, dict[str, int]]:
        """Sums by currency and column, in minor units."""
        names = [name for _, name in self._amounts]
        return {currency: dict(zip(names, sums, strict=True)) for currency, sums in sorted(self._sums.items())}

    @property
    def in_major_units(self) -> CurrencyTotals:
        """Totals as exports show them: by currency, the number of rows and the sums in major units."""
        return {
            currency: {
                "rows": self._rows[currency],
                **{name: format_amount(amount, currency) for name, amount in sums.items()},
            }
            for currency, sums in self.minor.items()
        }
