"""What the columns of an export hold, and the rows as they come from the database, some thousands at a time.

Amounts are integers of minor units up to here; each format writes them in major units in its own way.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import compress
from typing import Any, Final

from casino.money import decimals, format_amount


class Kind(Enum):
    TEXT = auto()  # ids and words of ours
    FREE_TEXT = auto()  # what people have written: names, reasons
    COUNT = auto()
    TIME = auto()  # UTC milliseconds since 1970
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
    """The columns of an export in their order. One of them is the currency of the row."""

    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def currency_at(self) -> int:
        return self.columns.index(CURRENCY)

    @property
    def amounts(self) -> list[tuple[int, str]]:
        """Place and name of each."""
        return [(place, column.name) for place, column in enumerate(self.columns) if column.kind is Kind.AMOUNT]


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows of an export, column by column: a thousand values of one kind cost far less than a thousand rows."""

    layout: Layout
    values: Sequence[Values]
    scale: int | None = field(init=False)
    """How many decimals all amounts here have, if it is the same for all."""

    def __post_init__(self) -> None:
        scales = {decimals(currency) for currency in set(self.currencies)}
        object.__setattr__(self, "scale", scales.pop() if len(scales) == 1 else None)

    @property
    def currencies(self) -> Values:
        return self.values[self.layout.currency_at]

    def __len__(self) -> int:
        return len(self.currencies)


Parts = AsyncIterator[Part]


class Totals:
    """Control totals: rows and the sum of each amount, by currency. Currencies are never added up."""

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
        """By currency and column, in minor units."""
        names = [name for _, name in self._amounts]
        return {currency: dict(zip(names, sums, strict=True)) for currency, sums in sorted(self._sums.items())}

    @property
    def told(self) -> dict[str, dict[str, Any]]:
        """As an export tells them: by currency, the number of rows and the sums in major units."""
        return {
            currency: {"rows": self._rows[currency]}
            | {name: format_amount(amount, currency) for name, amount in sums.items()}
            for currency, sums in self.minor.items()
        }
