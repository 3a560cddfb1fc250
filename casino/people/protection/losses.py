"""What a player staked and got back: since any moment for the session clock, and by the day for a loss limit.

A round counts on the day it began. The days are kept only for players who have limited their losses; they are filled
from the ledger when the first limit is set, and from then on by every settlement.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import ScalarSelect, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.accounts import player_cash_id
from casino.people.protection.periods import DAY_MS, Period
from casino.people.protection.safeguards import Kind
from casino.storage.bulk import Rows, insert_rows
from casino.storage.schema import operations, play_days, postings, rounds, safeguards, seats

_DISORDER_MS: Final = 60_000
_DISORDER_MAX: Final = 1_000

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
    """In rounds that began since then and are over, by the start of their day."""
    cash = player_cash_id(player_id)
    is_stake = (postings.c.source == cash) & (operations.c.kind != "reversal")
    # What a reversal takes from a player had been returned.
    returned = case((postings.c.destination == cash, postings.c.amount), else_=-postings.c.amount)
    query = (
        select(
            rounds.c.started_ms,
            func.sum(case((is_stake, postings.c.amount), else_=0)),
            func.sum(case((is_stake, 0), else_=returned)),
        )
        .join(operations, operations.c.id == postings.c.operation_id)
        .join(rounds, rounds.c.id == operations.c.round_id)
        .where(
            or_(postings.c.source == cash, postings.c.destination == cash),
            postings.c.operation_id >= _first_since(since_ms),
        )
        .where(rounds.c.started_ms >= since_ms, rounds.c.status != "open")
        .group_by(rounds.c.id, rounds.c.started_ms)
    )
    days: dict[int, Played] = defaultdict(Played)
    for started_ms, staked, came_back in await connection.execute(query):
        day_ms = Period.DAY.start_ms(started_ms)
        so_far = days[day_ms]
        days[day_ms] = Played(so_far.staked + int(staked), so_far.returned + int(came_back))
    return days


def _first_since(since_ms: int) -> ScalarSelect[int | None]:
    """A number no operation since then is below. They are numbered in the order they were stored, which is nearly the
    order of their times; so the lowest of many from a minute earlier on will do, and nothing older is read."""
    earlier = select(operations.c.id).where(operations.c.at_ms >= since_ms - _DISORDER_MS).order_by(operations.c.at_ms)
    return select(func.min(earlier.limit(_DISORDER_MAX).subquery().c.id)).scalar_subquery()


async def begin_to_count(connection: AsyncConnection, player_id: str, now_ms: int) -> None:
    """From the first day of the present week or month on. Rounds that are still open add to it when they end; one
    that takes bets since before midnight counts on the day before, so that day's week and month are counted, too."""
    own = select(rounds.c.id).join(seats, seats.c.round_id == rounds.c.id).where(seats.c.player_id == player_id)
    # Whoever is settling one of them at this moment is waited for, or waits.
    await connection.execute(own.where(rounds.c.status == "open").with_for_update(of=rounds, key_share=True))
    days = await played_since(connection, player_id, min(period.start_ms(now_ms - DAY_MS) for period in Period))
    await _add(connection, [(player_id, day_ms, *played) for day_ms, played in sorted(days.items())])


async def limited_in(connection: AsyncConnection, round_id: str) -> Sequence[str]:
    """Those in the round whose losses are counted.

    The end of the round is stored before this is asked: whoever begins to count meanwhile waits, and sees it.
    """
    query = (
        select(safeguards.c.player_id)
        .join(seats, (seats.c.player_id == safeguards.c.player_id) & (seats.c.round_id == round_id))
        .where(safeguards.c.kind == Kind.LOSS)
        .distinct()
        .order_by(safeguards.c.player_id)
    )
    return (await connection.execute(query)).scalars().all()


async def add(connection: AsyncConnection, started_ms: int, played: Mapping[str, Played]) -> None:
    """What a round that began then has cost its players, or by how much more after a correction."""
    day_ms = Period.DAY.start_ms(started_ms)
    await _add(connection, [(player_id, day_ms, *amounts) for player_id, amounts in sorted(played.items())])


async def _add(connection: AsyncConnection, rows: Rows) -> None:
    await insert_rows(connection, play_days, ("player_id", "day_ms", "staked", "returned"), rows, or_else=_ADD)
