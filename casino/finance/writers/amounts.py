"""Amounts in major units, as text: the same few amounts come again and again, so each is written out once."""

from collections.abc import Sequence
from typing import Final

from casino.finance.columns import Part, Values
from casino.money import decimals, format_amount

_KEPT_MAX: Final = 100_000


class AmountTexts(dict[int, str]):
    """By minor units, for currencies with so many decimals."""

    def __init__(self, currency: str) -> None:
        super().__init__()
        self._currency = currency

    def __missing__(self, minor: int) -> str:
        if len(self) >= _KEPT_MAX:
            self.clear()
        text = self[minor] = format_amount(minor, self._currency)
        return text


class Amounts:
    def __init__(self) -> None:
        self._by_scale: dict[int, AmountTexts] = {}

    def texts(self, part: Part, amounts: Values) -> Sequence[str]:
        """One column of amounts."""
        if part.one_scale() is not None:
            return list(map(self._of(part.currencies[0]).__getitem__, amounts))
        return [self._of(currency)[minor] for currency, minor in zip(part.currencies, amounts, strict=True)]

    def _of(self, currency: str) -> AmountTexts:
        scale = decimals(currency)
        if scale not in self._by_scale:
            self._by_scale[scale] = AmountTexts(currency)
        return self._by_scale[scale]
