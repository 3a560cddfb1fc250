"""Stakes and returns of a player: of a play session by the end of its rounds, and by day for loss limits.

For loss limits a round counts on the day it began. Daily losses are stored only for players with a loss limit. Setting
the first limit fills them from the ledger; every settlement updates them from then on.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, ScalarSelect, Select, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.accounts import player_cash_id
from casino.money import NO_CURRENCY
from casino.responsible_gaming.player_limits import DAY_MS, Kind, Period
from casino.storage.bulk import Rows, insert_rows, many
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_seats, poker_tables
from casino.storage.schema import operations, play_days, postings, rounds, safeguards, seats
from casino.storage.tournament_schema import tournament_entries

_DISORDER_MS: Final = 60_000
_DISORDER_MAX: Final = 1_000
_ROUND_MS_MAX: Final = DAY_MS
"""A round that takes longer is resumed or cancelled long before."""

_ADD: Final = (
    "ON CONFLICT (player_id, day_ms) DO UPDATE SET"
    " staked = play_days.staked + excluded.staked, returned = play_days.returned + excluded.returned"
)


class Played(NamedTuple):
    staked: int = 0
    returned: int = 0

    def minus(self, other: "Played | None") -> "Played":
        return Played(self.staked - other.staked, self.returned - other.returned) if other else self


async def played_since(connection: AsyncConnection, player_id: str, since_ms: int) -> dict[int, Played]:
    """Returns the totals of finished rounds that began since then, by the start of their day."""
    query = (
        _totals(player_id, rounds.c.started_ms)
        .join(rounds, rounds.c.id == operations.c.round_id)
        .where(postings.c.operation_id >= _first_since(since_ms))
        .where(rounds.c.started_ms >= since_ms, rounds.c.status != "open")
        .group_by(rounds.c.id, rounds.c.started_ms)
    )
    days: dict[int, Played] = defaultdict(Played)
    for started_ms, staked, came_back in await connection.execute(query):
        day_ms = Period.DAY.start_ms(started_ms)
        so_far = days[day_ms]
        days[day_ms] = Played(so_far.staked + int(staked), so_far.returned + int(came_back))
    return days


async def played_in_session(connection: AsyncConnection, player_id: str, since_ms: int) -> Played:
    """Returns the totals of all rounds that ended since then, also of a round whose betting closed before.

    The first settlement counts: a later correction does not move an old round into the session.
    """
    end = case((operations.c.kind.in_(("settle", "refund")), operations.c.at_ms))
    ended = (
        select(operations.c.round_id)
        .join(seats, seats.c.round_id == operations.c.round_id)
        .where(seats.c.player_id == player_id, seats.c.started_ms >= since_ms - _ROUND_MS_MAX)
        .group_by(operations.c.round_id)
        .having(func.min(end) >= since_ms)
    )
    staked, returned = (await connection.execute(_totals(player_id).where(operations.c.round_id.in_(ended)))).one()
    return Played(int(staked or 0), int(returned or 0))


def _totals(player_id: str, *columns: ColumnElement[int]) -> Select[*tuple[Any, ...]]:
    """Sums what the player staked and got back; a reversal takes back money that had been returned."""
    cash = player_cash_id(player_id)
    is_stake = (postings.c.source == cash) & (operations.c.kind != "reversal")
    returned = case((postings.c.destination == cash, postings.c.amount), else_=-postings.c.amount)
    return (
        select(
            *columns,
            func.sum(case((is_stake, postings.c.amount), else_=0)),
            func.sum(case((is_stake, 0), else_=returned)),
        )
        .join(operations, operations.c.id == postings.c.operation_id)
        .where(or_(postings.c.source == cash, postings.c.destination == cash))
    )


def _first_since(since_ms: int) -> ScalarSelect[int | None]:
    """Returns a lower bound of operation numbers since then.

    Operations are numbered in storage order, which is nearly chronological. The lowest number from a minute earlier is
    therefore safe, and nothing older is read.
    """
    earlier = select(operations.c.id).where(operations.c.at_ms >= since_ms - _DISORDER_MS).order_by(operations.c.at_ms)
    return select(func.min(earlier.limit(_DISORDER_MAX).subquery().c.id)).scalar_subquery()


async def begin_to_count(connection: AsyncConnection, player_id: str, now_ms: int) -> None:
    """Counts from the first day of the current week or month; open rounds add to it when they end.

    A round that has taken bets since before midnight counts on the day before, so that day's week and month are
    included.
    """
    own = select(rounds.c.id).join(seats, seats.c.round_id == rounds.c.id).where(seats.c.player_id == player_id)
    # Waits for concurrent settlements of these rounds, or makes them wait.
    await connection.execute(own.where(rounds.c.status == "open").with_for_update(of=rounds, key_share=True))
    # A hand that is being stored holds its poker table.
    tables = select(poker_tables.c.id).join(poker_seats, poker_seats.c.table_id == poker_tables.c.id)
    seated = tables.where(poker_seats.c.player_id == player_id).order_by(poker_tables.c.id)
    await connection.execute(seated.with_for_update(of=poker_tables, key_share=True))
    since_ms = min(period.start_ms(now_ms - DAY_MS) for period in Period)
    days = await played_since(connection, player_id, since_ms)
    for poker in (hands_played_since, entries_played_since):
        for day_ms, played in (await poker(connection, player_id, since_ms)).items():
            so_far = days.get(day_ms, Played())
            days[day_ms] = Played(so_far.staked + played.staked, so_far.returned + played.returned)
    await _add(connection, [(player_id, day_ms, *played) for day_ms, played in sorted(days.items())])


async def hands_played_since(connection: AsyncConnection, player_id: str, since_ms: int) -> dict[int, Played]:
    """Returns the totals of cash hands that began since then, by the start of their day."""
    players = poker_hand_players.c
    query = (
        select(poker_hands.c.started_ms, players.staked, players.returned)
        .join(poker_hands, poker_hands.c.id == players.hand_id)
        .where(players.player_id == player_id, players.ended_ms >= since_ms, poker_hands.c.started_ms >= since_ms)
        .where(poker_hands.c.currency != NO_CURRENCY)
    )
    days: dict[int, Played] = defaultdict(Played)
    for started_ms, staked, returned in await connection.execute(query):
        so_far = days[day_of(started_ms)]
        days[day_of(started_ms)] = Played(so_far.staked + staked, so_far.returned + returned)
    return days


async def entries_played_since(connection: AsyncConnection, player_id: str, since_ms: int) -> dict[int, Played]:
    """Returns the totals of ended tournament entries paid for since then, by the start of their day."""
    entries = tournament_entries.c
    query = select(entries.registered_ms, entries.risked, entries.won).where(
        entries.player_id == player_id, entries.registered_ms >= since_ms, entries.status == "ended"
    )
    days: dict[int, Played] = defaultdict(Played)
    for registered_ms, risked, won in await connection.execute(query):
        so_far = days[day_of(registered_ms)]
        days[day_of(registered_ms)] = Played(so_far.staked + risked, so_far.returned + won)
    return days


async def limited_in(connection: AsyncConnection, round_id: str) -> Sequence[str]:
    """Returns the players in the round whose losses are counted.

    The end of the round is stored first: a player who starts counting concurrently waits, and sees it.
    """
    query = (
        select(safeguards.c.player_id)
        .join(seats, (seats.c.player_id == safeguards.c.player_id) & (seats.c.round_id == round_id))
        .where(safeguards.c.kind == Kind.LOSS)
        .distinct()
        .order_by(safeguards.c.player_id)
    )
    return (await connection.execute(query)).scalars().all()


async def limited_among(connection: AsyncConnection, players: Sequence[str]) -> frozenset[str]:
    """Returns those of the players whose losses are counted. The caller holds their poker tables, as above."""
    query = _LIMITED_AMONG[connection.dialect.name]
    rows = (await connection.exec_driver_sql(query, (many(connection, players),))).all()
    return frozenset(player_id for (player_id,) in rows)


def day_of(started_ms: int) -> int:
    """Start of the day that a round or hand with this start counts for."""
    return Period.DAY.start_ms(started_ms)


_LIMITED_AMONG: Final = {
    "sqlite": "SELECT DISTINCT player_id FROM safeguards WHERE kind = 'loss'"
    " AND player_id IN (SELECT value FROM json_each(?1))",
    "postgresql": "SELECT DISTINCT player_id FROM safeguards WHERE kind = 'loss' AND player_id = ANY($1::text[])",
}


async def add(connection: AsyncConnection, started_ms: int, played: Mapping[str, Played]) -> None:
    """Adds the cost of a round to its start day, or the difference after a correction."""
    day_ms = Period.DAY.start_ms(started_ms)
    await _add(connection, [(player_id, day_ms, *amounts) for player_id, amounts in sorted(played.items())])


async def _add(connection: AsyncConnection, rows: Rows) -> None:
    await insert_rows(connection, play_days, ("player_id", "day_ms", "staked", "returned"), rows, or_else=_ADD)
