"""How far chance alone leads the result of the house away from the expected one.

For every decision that can end a round the enumeration knows how far such a round strays from the exact return. All
seats of one hand play the same cards, so what they stray is added up before it is squared; rounds are independent of
each other, so their squares are added.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Float, Select, case, func, select

from casino.finance.period import Period
from casino.finance.settlements import seats_in
from casino.storage.schema import operations, settled_seats, settlements
from casino.uth.analysis.spread import Spread

DeviationOf = Callable[[str], "Deviation | None"]
"""Of a paytable as it is written; None where nobody has counted it yet."""

_seat, _end = settled_seats.c, settlements.c


class Deviation(NamedTuple):
    """By decision, for each unit of ANTE: the deviation, and its covariance with a unit of TRIPS; and that of TRIPS."""

    main: Mapping[str, float]
    with_trips: Mapping[str, float]
    trips: float

    @classmethod
    def of(cls, spread: Spread) -> "Deviation":
        return cls(
            {str(action): float(one.square) ** 0.5 for action, one in spread.by_decision.items()},
            {str(action): float(one.with_trips) for action, one in spread.by_decision.items()},
            float(spread.trips) ** 0.5,
        )


def variance(period: Period, key: ColumnElement[Any], known: Mapping[str, Deviation]) -> Select[Any]:
    """Key, currency, and the variance of the house's result in square minor units."""
    inner = (
        seats_in(
            period,
            key.label("key"),
            _seat.currency,
            _end.paytable,
            func.sum(_seat.ante * _factor(known, "main")).label("main"),
            func.sum(_seat.ante * _factor(known, "with_trips")).label("with_trips"),
            func.sum(_seat.trips).cast(Float).label("trips"),
        )
        .where(_end.status == "settled")
        .group_by(key, operations.c.id, _seat.seat_no, _seat.currency, _end.paytable)
        .subquery()
    )
    squares = [(inner.c.paytable == paytable, one.trips**2) for paytable, one in known.items()]
    square = case(*squares, else_=0.0) if squares else 0.0
    in_all = inner.c.main * inner.c.main + 2 * inner.c.with_trips * inner.c.trips + square * inner.c.trips**2
    return select(inner.c.key, inner.c.currency, func.sum(in_all)).group_by(inner.c.key, inner.c.currency)


def _factor(known: Mapping[str, Deviation], name: str) -> Any:  # noqa: ANN401  an expression
    cases = [
        ((_end.paytable == paytable) & (_seat.action == action), factor)
        for paytable, one in known.items()
        for action, factor in getattr(one, name).items()
    ]
    return case(*cases, else_=0.0).cast(Float) if cases else 0.0
