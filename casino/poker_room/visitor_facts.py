"""Facts about players who want a seat: available balance, recent departures, and counters of the day.

One transaction reads them for many players, because hundreds may wait in one queue.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.poker_room.buy_in_offers import DAY_MS, DayCounters, Departure
from casino.storage.database import Database
from casino.storage.poker_schema import poker_sittings
from casino.storage.schema import accounts as ledger_accounts

_PLAYERS_AT_ONCE: Final = 500
_sitting = poker_sittings.c


class Facts(NamedTuple):
    """Moves with a closed table are no departures. A player without an account has nothing available."""

    available: int = 0
    departures: tuple[Departure, ...] = ()
    counters: DayCounters = DayCounters()


async def facts_of(database: Database, player_ids: Sequence[str], now_ms: int, return_ms: int) -> dict[str, Facts]:
    """The facts of these players, with departures within `return_ms`."""
    facts: dict[str, Facts] = {}
    async with database.reading(for_table=True) as connection:
        for first in range(0, len(player_ids), _PLAYERS_AT_ONCE):
            facts |= await _read(connection, player_ids[first : first + _PLAYERS_AT_ONCE], now_ms, return_ms)
    return facts


async def _read(
    connection: AsyncConnection, player_ids: Sequence[str], now_ms: int, return_ms: int
) -> dict[str, Facts]:
    owners = {accounts.player_cash_id(player_id): player_id for player_id in player_ids}
    columns = ledger_accounts.c
    query = select(columns.id, columns.balance - columns.held).where(columns.id.in_(owners))
    available = {owners[id_]: left for id_, left in await connection.execute(query)}
    day = now_ms // DAY_MS
    departures: dict[str, list[Departure]] = defaultdict(list)
    counted, resets = Counter[str](), Counter[str]()
    of_departures = select(
        _sitting.player_id, _sitting.table_id, _sitting.pool_id, _sitting.until_ms, _sitting.left_with, _sitting.resumed
    ).where(_sitting.player_id.in_(player_ids), _sitting.until_ms >= now_ms - return_ms)
    for row in await connection.execute(of_departures.order_by(_sitting.until_ms)):
        left = Departure(row.table_id, row.pool_id, row.until_ms, row.left_with, bool(row.resumed))
        departures[row.player_id].append(left)
    of_day = select(_sitting.player_id, _sitting.counted, _sitting.reset).where(
        _sitting.player_id.in_(player_ids), _sitting.from_ms >= day * DAY_MS, _sitting.from_ms < (day + 1) * DAY_MS
    )
    for player_id, is_counted, is_reset in await connection.execute(of_day):
        counted[player_id] += is_counted
        resets[player_id] += is_reset
    return {
        player_id: Facts(
            available.get(player_id, 0),
            tuple(departures[player_id]),
            DayCounters(day, counted[player_id], resets[player_id]),
        )
        for player_id in player_ids
    }
