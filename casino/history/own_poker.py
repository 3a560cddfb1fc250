"""Poker day of a player: today's result, and the tables left lately, which decide the next buy-in."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.poker.state import Status
from casino.poker.terms import Format, Stake
from casino.poker_room.buy_in_offers import DAY_MS, DayCounters, Departure, buy_in_offer
from casino.poker_room.table_views import table_name
from casino.poker_room.visitor_facts import facts_of
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_tables
from casino.wire.poker_history import OwnPoker, PokerDay, TableLeft

_MINUTE_MS: Final = 60_000


async def own_poker(
    database: Database, player_id: str, stakes: Mapping[str, Stake], rathole_minutes: int, now_ms: int
) -> OwnPoker:
    """Returns the player's result since midnight UTC and the buy-in offers that departures decide."""
    return_ms = rathole_minutes * _MINUTE_MS
    facts = (await facts_of(database, [player_id], now_ms, return_ms))[player_id]
    async with database.reading() as connection:
        today = await _today(connection, player_id, now_ms)
    return {"today": today, "left": list(_left(facts.departures, facts.counters, stakes, return_ms, now_ms))}


async def _today(connection: AsyncConnection, player_id: str, now_ms: int) -> PokerDay:
    """Cash hands; void ones count for nothing."""
    since = now_ms // DAY_MS * DAY_MS
    own = poker_hand_players.c
    query = (
        select(func.count(), func.coalesce(func.sum(own.returned - own.staked), 0))
        .join(poker_hands, poker_hands.c.id == own.hand_id)
        .join(poker_tables, poker_tables.c.id == poker_hands.c.table_id)
        .where(own.player_id == player_id, own.ended_ms >= since, poker_hands.c.status == Status.SETTLED)
        .where(poker_tables.c.tournament_id.is_(None))  # tournament chips are no money
    )
    hands, net = (await connection.execute(query)).one()
    return {"since": since, "hands": hands, "net": int(net)}


def _left(
    departures: Iterable[Departure],
    counters: DayCounters,
    stakes: Mapping[str, Stake],
    return_ms: int,
    now_ms: int,
) -> Iterator[TableLeft]:
    """Per place where a departure decides the offer: a table of a regular stake, elsewhere the whole pool."""
    departures = tuple(departures)
    decided: set[tuple[str, str | None]] = set()
    for departure in reversed(departures):
        stake = stakes.get(departure.pool_id.partition(":")[0])
        if stake is None:  # no longer played
            continue
        table_id = departure.table_id if stake.format is Format.REGULAR else None
        if (departure.pool_id, table_id) in decided:
            continue
        decided.add((departure.pool_id, table_id))
        offer = buy_in_offer(
            stake, departures, counters, now_ms, pool_id=departure.pool_id, table_id=table_id, return_ms=return_ms
        )
        if offer.resumes is None:
            continue
        yield {
            "pool": departure.pool_id,
            "table_id": table_id,
            "table": table_name(table_id) if table_id is not None else None,
            "stack": offer.resumes.stack,
            "left_at": offer.resumes.left_ms,
            "until": offer.resumes.left_ms + return_ms,
            "min": offer.smallest,
            "max": offer.largest,
            "amounts": list(offer.exactly),
        }
