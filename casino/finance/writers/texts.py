"""Text form of values, cached: a column of a million rows repeats few values."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from casino.finance.columns import Part, Values
from casino.money import decimals, format_amount

_KEPT_MAX: Final = 100_000


class Texts(dict[Any, str]):
    """Text by value, created on first use."""

    def __init__(self, write: Callable[[Any], str]) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, value: object) -> str:
        if len(self) >= _KEPT_MAX:
            self.clear()
        text = self[value] = self._write(value)
        return text


class Amounts:
    """Amounts in major units with all decimals of their currency."""

    def __init__(self) -> None:
        self._by_scale: dict[int, Texts] = {}

    def texts(self, part: Part, amounts: Values) -> Sequence[str]:
        """Returns the texts of one column of amounts."""
        if part.scale is not None:
            return list(map(self._of(part.currencies[0]).__getitem__, amounts))
        return [self._of(currency)[minor] for currency, minor in zip(part.currencies, amounts, strict=True)]

    def _of(self, currency: str) -> Texts:
        scale = decimals(currency)
        if scale not in self._by_scale:
            self._by_scale[scale] = Texts(lambda minor: format_amount(minor, currency))
        return self._by_scale[scale]
