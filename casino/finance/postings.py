"""Export of the ledger: every posting, in order."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Select, String, Text, and_, case, cast, func, or_, select

from casino.finance.columns import CURRENCY, Column, Kind, Layout, Part, Parts
from casino.finance.period import Period, time_text
from casino.poker_room import forfeits, hand_record, seat_money
from casino.storage.schema import operations, postings, rounds
from casino.verify.snapshot import Snapshot

LAYOUT: Final = Layout(
    (
        Column("posted_at", Kind.TIME),
        Column("operation_id"),
        Column("line", Kind.COUNT),
        Column("kind"),
        Column("key", Kind.FREE_TEXT),
        Column("round_id"),
        Column("table_id"),
        Column("source"),
        Column("destination"),
        CURRENCY,
        Column("amount", Kind.AMOUNT),
        Column("actor", Kind.FREE_TEXT),
        Column("reason", Kind.FREE_TEXT),
        Column("posted_utc", Kind.MOMENT),
    )
)

_operation, _posting = operations.c, postings.c
_AT_TABLE: Final = "table "
"""A tip belongs to no round; its reason names its table."""

TABLE_OF_TIP: Final = func.substr(_operation.reason, len(_AT_TABLE) + 1)
IS_TIP: Final = and_(_operation.kind == "tip", _operation.reason.startswith(_AT_TABLE))

_IS_OF_TABLE: Final = or_(_operation.kind == hand_record.OPERATION, _operation.kind == forfeits.KIND)
"""Operations whose actor is the poker table."""
_IS_SEAT: Final = or_(*(_operation.kind == kind for kind in sorted(seat_money.KINDS)))
_SEAT: Final = "seat:"


def _table_of_seat() -> ColumnElement[str]:
    """The account of a seat is named after its table and the player, who is the actor of its operations."""
    account = case((_posting.source.startswith(_SEAT), _posting.source), else_=_posting.destination)
    named: ColumnElement[str] = func.substr(
        account, len(_SEAT) + 1, func.length(account) - len(f"{_SEAT}:") - func.length(_operation.actor)
    )
    return named


def _in(period: Period) -> list[ColumnElement[bool]]:
    found = [_operation.at_ms >= period.from_ms, _operation.at_ms < period.until_ms]
    if period.table_id is not None:
        tip = and_(_operation.kind == "tip", _operation.reason == f"{_AT_TABLE}{period.table_id}")
        hand = and_(_IS_OF_TABLE, _operation.actor == period.table_id)
        seat = and_(_IS_SEAT, _table_of_seat() == period.table_id)
        found.append(or_(rounds.c.table_id == period.table_id, tip, hand, seat))
    if period.currencies is not None:
        found.append(period.within(_posting.currency))
    return found


def _of(period: Period, *columns: Any) -> Select[Any]:  # noqa: ANN401  whatever can be selected
    return (
        select(*columns)
        .select_from(operations)
        .join(postings, _posting.operation_id == _operation.id)
        .outerjoin(rounds, rounds.c.id == _operation.round_id)
        .where(*_in(period))
    )


def query_of(period: Period) -> Select[Any]:
    """Selects all columns but the last, which repeats the first in readable form."""
    query = _of(
        period,
        _operation.at_ms,
        cast(_operation.id, Text),
        _posting.line,
        _operation.kind,
        _operation.key,
        _operation.round_id,
        case(
            (IS_TIP, cast(TABLE_OF_TIP, String)),
            (_IS_OF_TABLE, cast(_operation.actor, String)),
            (_IS_SEAT, cast(_table_of_seat(), String)),
            else_=rounds.c.table_id,
        ),
        _posting.source,
        _posting.destination,
        _posting.currency,
        _posting.amount,
        _operation.actor,
        _operation.reason,
    )
    return query.order_by(_operation.at_ms, _operation.id, _posting.line)


async def parts(snapshot: Snapshot, period: Period) -> Parts:
    async for rows in snapshot.partitions(query_of(period), ahead=True):
        columns = list(zip(*rows, strict=True))
        times = {at_ms: time_text(at_ms) for at_ms in set(columns[0])}
        yield Part(LAYOUT, [*columns, [times[at_ms] for at_ms in columns[0]]])


async def count(snapshot: Snapshot, period: Period) -> int:
    found: int = (await snapshot.connection.execute(_of(period, func.count()))).scalar_one()
    return found
