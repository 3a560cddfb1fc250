"""Export of settlements: one row per player and settlement, as stored with the money.

A correction adds two rows per player on the day it is made. No row of an earlier day ever changes.
"""

from typing import Any, Final

from sqlalchemy import Select, and_, case, func, null, select

from casino.finance.columns import CURRENCY, Column, Kind, Layout, Part, Parts
from casino.finance.period import Period, time_text
from casino.storage.schema import operations, settled_hands, settled_seats, settlements, users
from casino.uth.bets import initial_stake
from casino.verify.snapshot import Snapshot

LAYOUT: Final = Layout(
    (
        Column("settled_at", Kind.TIME),
        Column("table_id"),
        Column("round_id"),
        Column("game_number"),
        Column("presenter", Kind.FREE_TEXT),
        Column("player_id"),
        Column("player_name", Kind.FREE_TEXT),
        CURRENCY,
        Column("ante", Kind.AMOUNT),
        Column("blind", Kind.AMOUNT),
        Column("trips", Kind.AMOUNT),
        Column("play", Kind.AMOUNT),
        Column("ante_returned", Kind.AMOUNT),
        Column("blind_returned", Kind.AMOUNT),
        Column("trips_returned", Kind.AMOUNT),
        Column("play_returned", Kind.AMOUNT),
        Column("staked", Kind.AMOUNT),
        Column("returned", Kind.AMOUNT),
        Column("net", Kind.AMOUNT),
        Column("action"),
        Column("automatic"),
        Column("player_cards"),
        Column("board"),
        Column("dealer_cards"),
        Column("player_hand"),
        Column("dealer_hand"),
        Column("dealer_qualifies", Kind.FLAG),
        Column("result"),
        Column("status"),
        Column("settled_utc", Kind.MOMENT),
    )
)

_seat, _hand, _end = settled_seats.c, settled_hands.c, settlements.c

STAKED: Final = initial_stake(_seat.ante, _seat.trips) + _seat.play
RETURNED: Final = _seat.ante_returned + _seat.blind_returned + _seat.trips_returned + _seat.play_returned


def seats_in(period: Period, *columns: Any) -> Select[Any]:  # noqa: ANN401  whatever can be selected
    """Selects these columns of every settled seat of the period."""
    query = (
        select(*columns)
        .select_from(operations)
        .join(settlements, _end.operation_id == operations.c.id)
        .join(settled_seats, _seat.operation_id == operations.c.id)
        .where(operations.c.at_ms >= period.from_ms, operations.c.at_ms < period.until_ms)
    )
    if period.currencies is not None:
        query = query.where(period.within(_seat.currency))
    return query if period.table_id is None else query.where(_end.table_id == period.table_id)


def query_of(period: Period, *, is_sqlite: bool) -> Select[Any]:
    """Selects all columns but the last, which repeats the first in readable form."""
    # The same binary order in every database, independent of a language.
    player = _seat.player_id if is_sqlite else _seat.player_id.collate("C")
    query = seats_in(
        period,
        operations.c.at_ms,
        _end.table_id,
        _end.round_id,
        _end.game_number,
        _end.presenter,
        _seat.player_id,
        users.c.name,
        _seat.currency,
        _seat.ante,
        _seat.ante.label("blind"),
        _seat.trips,
        _seat.play,
        _seat.ante_returned,
        _seat.blind_returned,
        _seat.trips_returned,
        _seat.play_returned,
        STAKED.label("staked"),
        RETURNED.label("returned"),
        (RETURNED - STAKED).label("net"),
        _seat.action,
        _automatic(),
        _hand.player_cards,
        _end.board,
        _end.dealer_cards,
        _hand.player_hand,
        _end.dealer_hand,
        _end.dealer_qualifies,
        case((and_(_seat.action == "fold", _end.status != "cancelled"), "fold"), else_=_hand.result),
        _end.status,
    )
    is_hand = and_(_hand.operation_id == _seat.operation_id, _hand.seat_no == _seat.seat_no)
    query = query.join(settled_hands, is_hand).outerjoin(users, users.c.id == _seat.player_id)
    return query.order_by(operations.c.at_ms, operations.c.id, player)


async def parts(snapshot: Snapshot, period: Period) -> Parts:
    async for rows in snapshot.partitions(query_of(period, is_sqlite=snapshot.is_sqlite), ahead=True):
        columns = list(zip(*rows, strict=True))
        times = {at_ms: time_text(at_ms) for at_ms in set(columns[0])}
        yield Part(LAYOUT, [*columns, [times[at_ms] for at_ms in columns[0]]])


async def count(snapshot: Snapshot, period: Period) -> int:
    found: int = (await snapshot.connection.execute(seats_in(period, func.count()))).scalar_one()
    return found


def _automatic() -> Any:  # noqa: ANN401  an expression
    silent = case((_seat.action == "check", "auto_checked"), else_="auto_folded")
    return case((_seat.automatic == 1, silent), else_=null())
