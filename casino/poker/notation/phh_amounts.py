"""Amounts of a PHH file, and the two reasons why a hand of it is not replayed."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from casino.money import MINOR_MAX

DECIMALS_MAX: Final = 15


class Unsupported(Exception):
    """A hand that is valid, but not played or not comparable here; the text says why."""


class BadHand(Exception):
    """Something that is no PHH hand, or an action that the rules do not allow."""


def amount_of(value: Any, where: str) -> Decimal:  # noqa: ANN401  whatever the file says
    """The amount. Raises `BadHand` with the field or the action it is in."""
    try:
        number = Decimal("?" if isinstance(value, bool) else value)
    except (InvalidOperation, TypeError, ValueError):
        number = Decimal("nan")
    if number.is_nan():
        raise BadHand(f"{where}: {str(value)[:40]!r} is not an amount")
    if number.is_infinite():
        raise Unsupported("stacks without limit")
    if abs(number) > MINOR_MAX or abs(int(number.as_tuple().exponent)) > DECIMALS_MAX:
        raise BadHand(f"{where}: an amount is at most {MINOR_MAX}, with at most {DECIMALS_MAX} decimals")
    return number


def amounts_of(fields: Mapping[str, Any], name: str) -> list[Decimal]:
    values = fields.get(name, [])
    if not isinstance(values, list):
        raise BadHand(f"{name} is not a list")
    return [amount_of(value, name) for value in values]


def padded_amounts(fields: Mapping[str, Any], name: str, count: int) -> list[Decimal]:
    """The amounts of a field, with 0 for players it does not reach."""
    values = amounts_of(fields, name)
    if len(values) > count:
        raise BadHand(f"{name} names {len(values)} amounts, and there are {count} players")
    return values + [Decimal(0)] * (count - len(values))


def smallest_unit(values: Sequence[Decimal]) -> Decimal:
    """One, or the power of ten that makes every value a whole number."""
    places = max(-int(value.normalize().as_tuple().exponent) for value in values)
    return Decimal(1).scaleb(-max(places, 0))
