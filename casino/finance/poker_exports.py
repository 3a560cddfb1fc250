"""Exports of poker: one row per hand, and one row per player of each hand. A hand belongs to the day it ended.

No row ever changes. The digest of a hand is its link in the chain of its table, so that the hash of this export in a
closed day covers the hands themselves.
"""

from typing import Any, Final

from sqlalchemy import Select, func, select

from casino.finance.columns import CURRENCY, Column, Kind, Layout, Part, Parts
from casino.finance.period import Period, time_text
from casino.money import NO_CURRENCY
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_tables
from casino.storage.schema import users
from casino.verify.snapshot import Snapshot

HANDS: Final = Layout(
    (
        Column("ended_at", Kind.TIME),
        Column("pool_id"),
        Column("table_id"),
        Column("hand_no", Kind.COUNT),
        Column("hand_id"),
        Column("status"),
        CURRENCY,
        Column("players", Kind.COUNT),
        Column("board"),
        Column("pot", Kind.AMOUNT),
        Column("rake", Kind.AMOUNT),
        Column("digest"),
        Column("ended_utc", Kind.MOMENT),
    )
)
PLAYERS: Final = Layout(
    (
        Column("ended_at", Kind.TIME),
        Column("pool_id"),
        Column("table_id"),
        Column("hand_id"),
        Column("status"),
        Column("seat_no", Kind.COUNT),
        Column("player_id"),
        Column("player_name", Kind.FREE_TEXT),
        CURRENCY,
        Column("start", Kind.AMOUNT),
        Column("staked", Kind.AMOUNT),
        Column("returned", Kind.AMOUNT),
        Column("net", Kind.AMOUNT),
        Column("rake_share", Kind.AMOUNT),
        Column("saw_flop", Kind.FLAG),
        Column("showdown", Kind.FLAG),
        Column("automatic", Kind.COUNT),
        Column("ended_utc", Kind.MOMENT),
    )
)

_hand, _player = poker_hands.c, poker_hand_players.c


def hands_in(period: Period, *columns: Any) -> Select[Any]:  # noqa: ANN401  whatever can be selected
    """Selects these columns of every cash hand that ended in the period; tournament chips are no money."""
    query = (
        select(*columns)
        .select_from(poker_hands)
        .join(poker_tables, poker_tables.c.id == _hand.table_id)
        .where(_hand.ended_ms >= period.from_ms, _hand.ended_ms < period.until_ms)
        .where(_hand.currency != NO_CURRENCY)
    )
    if period.currencies is not None:
        query = query.where(period.within(_hand.currency))
    return query if period.table_id is None else query.where(_hand.table_id == period.table_id)


def players_in(period: Period, *columns: Any) -> Select[Any]:  # noqa: ANN401
    """The same for every player of these hands, with the player's name."""
    query = hands_in(period, *columns).join(poker_hand_players, _player.hand_id == _hand.id)
    return query.outerjoin(users, users.c.id == _player.player_id)


def hands(snapshot: Snapshot, period: Period) -> Parts:
    players = select(func.count()).where(_player.hand_id == _hand.id).scalar_subquery()
    query = hands_in(
        period,
        _hand.ended_ms,
        poker_tables.c.pool_id,
        _hand.table_id,
        _hand.no,
        _hand.id,
        _hand.status,
        _hand.currency,
        players,
        _hand.board,
        _hand.pot,
        _hand.rake,
        _hand.digest,
    )
    return _parts(snapshot, query.order_by(_hand.ended_ms, _hand.table_id, _hand.no), HANDS)


def players(snapshot: Snapshot, period: Period) -> Parts:
    query = players_in(
        period,
        _hand.ended_ms,
        poker_tables.c.pool_id,
        _hand.table_id,
        _hand.id,
        _hand.status,
        _player.seat_no,
        _player.player_id,
        users.c.name,
        _hand.currency,
        _player.start,
        _player.staked,
        _player.returned,
        _player.returned - _player.staked,
        _player.rake_share,
        _player.saw_flop,
        _player.showdown,
        _player.automatic,
    )
    in_order = query.order_by(_hand.ended_ms, _hand.table_id, _hand.no, _player.seat_no)
    return _parts(snapshot, in_order, PLAYERS)


async def _parts(snapshot: Snapshot, query: Select[Any], layout: Layout) -> Parts:
    """The last column repeats the first in readable form."""
    async for rows in snapshot.partitions(query, ahead=True):
        columns = list(zip(*rows, strict=True))
        yield Part(layout, [*columns, [time_text(at_ms) for at_ms in columns[0]]])


async def count_hands(snapshot: Snapshot, period: Period) -> int:
    found: int = (await snapshot.connection.execute(hands_in(period, func.count()))).scalar_one()
    return found


async def count_players(snapshot: Snapshot, period: Period) -> int:
    found: int = (await snapshot.connection.execute(players_in(period, func.count()))).scalar_one()
    return found
