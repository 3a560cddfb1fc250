"""Variance of the house's result: how far chance alone moves it from the expected result.

The enumeration gives the deviation of a round for every decision that can end it. All seats of one hand share the same
cards, so their deviations are added before squaring. Rounds are independent, so their variances are added.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Float, Select, case, func, select

from casino.finance.period import Period
from casino.finance.settlements import seats_in
from casino.storage.schema import operations, settled_seats, settlements
from casino.uth.analysis.variance import RoundVariance

DeviationOf = Callable[[str], "Deviation | None"]
"""Returns the deviation of a paytable text; None if it is not computed yet."""

_seat, _end = settled_seats.c, settlements.c


class Deviation(NamedTuple):
    """By decision, per unit of ANTE: the deviation, its covariance with a unit of TRIPS, and that of TRIPS."""

    main: Mapping[str, float]
    with_trips: Mapping[str, float]
    trips: float

    @classmethod
    def of(cls, exact: RoundVariance) -> "Deviation":
        return cls(
            {str(action): float(one.square) ** 0.5 for action, one in exact.by_decision.items()},
            {str(action): float(one.with_trips) for action, one in exact.by_decision.items()},
            float(exact.trips) ** 0.5,
        )


def variance(period: Period, key: ColumnElement[Any], known: Mapping[str, Deviation]) -> Select[Any]:
    """Returns key, currency, and the variance of the house's result in square minor units."""
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
