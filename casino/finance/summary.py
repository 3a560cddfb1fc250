"""Export of the summary: one row per day, table and currency.

Everything except tips and forfeits is a plain sum or count of the rows of `settlements`.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, String, case, cast, distinct, func, select

from casino.finance.columns import CURRENCY, Column, Kind, Layout, Part, Parts
from casino.finance.expected_result import Bet, Margins, ReturnOf, expected_minor
from casino.finance.period import DAY_MS, Period, day_at
from casino.finance.postings import IS_TIP, TABLE_OF_TIP
from casino.finance.settlements import RETURNED, STAKED, seats_in
from casino.storage.schema import operations, postings, rounds, settled_seats, settlements
from casino.verify.snapshot import Snapshot

LAYOUT: Final = Layout(
    (
        Column("day"),
        Column("table_id"),
        CURRENCY,
        Column("rounds", Kind.COUNT),
        Column("players", Kind.COUNT),
        Column("staked", Kind.AMOUNT),
        Column("returned", Kind.AMOUNT),
        Column("house_result", Kind.AMOUNT),
        Column("tips", Kind.AMOUNT),
        Column("cancelled", Kind.COUNT),
        Column("refunded", Kind.AMOUNT),
        Column("expected_house_result", Kind.AMOUNT),
        Column("corrected", Kind.COUNT),
        Column("forfeited", Kind.AMOUNT),
    )
)
_PART: Final = 5_000


class Place(NamedTuple):
    day: int  # days since 1970
    table_id: str
    currency: str


@dataclass(slots=True)
class Line:
    rounds: int = 0
    players: int = 0
    staked: int = 0
    returned: int = 0
    cancelled: int = 0
    refunded: int = 0
    corrected: int = 0
    tips: int = 0
    forfeited: int = 0
    bets: list[Bet] = field(default_factory=list)

    def row(self, place: Place, margins: Margins) -> tuple[Any, ...]:
        return (
            f"{day_at(place.day * DAY_MS)}",
            place.table_id,
            place.currency,
            self.rounds,
            self.players,
            self.staked,
            self.returned,
            self.staked - self.returned,
            self.tips,
            self.cancelled,
            self.refunded,
            expected_minor(self.bets, margins),
            self.corrected,
            self.forfeited,
        )


_seat, _end = settled_seats.c, settlements.c


def _day() -> Any:  # noqa: ANN401  an expression
    return operations.c.at_ms // DAY_MS


async def lines(snapshot: Snapshot, period: Period) -> dict[Place, Line]:
    found: dict[Place, Line] = defaultdict(Line)
    by = (_day().label("day"), _end.table_id, _seat.currency)
    is_refund, is_resettled = _end.status == "cancelled", _end.status == "corrected"
    sums = seats_in(
        period,
        *by,
        func.count(distinct(_end.round_id)),
        func.count(distinct(_seat.player_id)),
        func.sum(STAKED),
        func.sum(RETURNED),
        func.count(distinct(case((is_refund, _end.round_id)))),
        func.sum(case((is_refund, RETURNED), else_=0)),
        func.count(distinct(case((is_resettled, _end.operation_id)))),
    )
    for *place, rounds_, players, staked, returned, cancelled, refunded, resettled in await _grouped(snapshot, sums):
        amounts = (int(staked), int(returned), cancelled, int(refunded), resettled)
        found[Place(*place)] = Line(rounds_, players, *amounts)
    bets = seats_in(period, *by, _end.paytable, func.sum(_seat.ante), func.sum(_seat.trips)).where(~is_refund)
    for *place, paytable, ante, trips in await _grouped(snapshot, bets, 4):
        found[Place(*place)].bets.append(Bet(paytable, int(ante), int(trips)))
    for *place, amount in await _grouped(snapshot, _tips(period)):
        found[Place(*place)].tips = int(amount)
    for *place, amount in await _grouped(snapshot, _forfeits(period)):
        found[Place(*place)].forfeited = int(amount)
    return found


async def parts(snapshot: Snapshot, period: Period, return_of: ReturnOf) -> Parts:
    found, margins = sorted((await lines(snapshot, period)).items()), Margins(return_of)
    for start in range(0, len(found), _PART):
        rows = [line.row(place, margins) for place, line in found[start : start + _PART]]
        yield Part(LAYOUT, list(zip(*rows, strict=True)))


async def _grouped(snapshot: Snapshot, query: Select[Any], by: int = 3) -> Iterable[Any]:
    """Groups by the first columns of the query."""
    return await snapshot.rows(query.group_by(*list(query.selected_columns)[:by]))


def _tips(period: Period) -> Select[Any]:
    table_id = cast(TABLE_OF_TIP, String)
    return _moved(period, table_id).where(IS_TIP)


def _forfeits(period: Period) -> Select[Any]:
    query = _moved(period, rounds.c.table_id).join(rounds, rounds.c.id == operations.c.round_id)
    return query.where(operations.c.kind == "forfeit")


def _moved(period: Period, table_id: Any) -> Select[Any]:  # noqa: ANN401  an expression
    query = (
        select(_day().label("day"), table_id, postings.c.currency, func.sum(postings.c.amount))
        .select_from(operations)
        .join(postings, postings.c.operation_id == operations.c.id)
        .where(operations.c.at_ms >= period.from_ms, operations.c.at_ms < period.until_ms)
    )
    if period.currencies is not None:
        query = query.where(period.within(postings.c.currency))
    return query if period.table_id is None else query.where(table_id == period.table_id)
