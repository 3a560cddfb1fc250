"""Rake of poker by day, stake, table or player and currency. It is income of its own: no part of the result of UTH.

Play money has rows of its own, as every currency. A player's rake is the share that the player contributed.
"""

from enum import StrEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.finance.period import DAY_MS, Period, day_at
from casino.finance.poker_exports import hands_in, players_in
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_tables
from casino.storage.schema import users
from casino.wire.common import Count, Day, Minor

_hand, _player = poker_hands.c, poker_hand_players.c


class RakeBy(StrEnum):
    DAY = "day"
    STAKE = "stake"
    TABLE = "table"
    PLAYER = "player"


class RakeFigures(TypedDict):
    hands: Count
    """Settled ones."""
    staked: Minor
    """By all players, without uncalled bets."""
    rake: Minor


class RakeLine(RakeFigures):
    key: str
    name: str
    currency: str


_Grouped = TypedDict("_Grouped", {"by": RakeBy, "from": Day})  # `from` is a keyword


class Rake(_Grouped):
    to: Day
    table: str | None
    rows: list[RakeLine]
    totals: dict[str, RakeFigures]


_SETTLED: Final = _hand.status == "settled"
_STAKE: Final = func.substr(poker_tables.c.pool_id, 1, func.length(poker_tables.c.pool_id) - len(":EUR"))


async def rake(connection: AsyncConnection, period: Period, by: RakeBy) -> Rake:
    if by is RakeBy.PLAYER:
        key: ColumnElement[Any] = _player.player_id
        sums = (func.count(), func.sum(_player.staked), func.sum(_player.rake_share))
        query = players_in(period, key, _hand.currency, *sums)
    else:
        key = {RakeBy.DAY: _hand.ended_ms // DAY_MS, RakeBy.STAKE: _STAKE, RakeBy.TABLE: _hand.table_id}[by]
        query = hands_in(period, key, _hand.currency, func.count(), func.sum(_hand.pot), func.sum(_hand.rake))
    found = await connection.execute(query.where(_SETTLED).group_by(key, _hand.currency))
    names = await _names(connection) if by is RakeBy.PLAYER else {}
    rows: list[RakeLine] = [
        {
            "key": (named := f"{day_at(group * DAY_MS)}" if by is RakeBy.DAY else group),
            "name": names.get(named, named),
            "currency": currency,
            "hands": hands,
            "staked": int(staked),
            "rake": int(raked),
        }
        for group, currency, hands, staked, raked in found
    ]
    return {
        "by": by,
        "from": f"{period.first}",
        "to": f"{period.last}",
        "table": period.table_id,
        "rows": sorted(rows, key=lambda row: (row["key"], row["currency"])),
        "totals": await _totals(connection, period),
    }


async def _totals(connection: AsyncConnection, period: Period) -> dict[str, RakeFigures]:
    query = hands_in(period, _hand.currency, func.count(), func.sum(_hand.pot), func.sum(_hand.rake))
    found = await connection.execute(query.where(_SETTLED).group_by(_hand.currency))
    return {
        currency: {"hands": hands, "staked": int(staked), "rake": int(raked)}
        for currency, hands, staked, raked in found
    }


async def _names(connection: AsyncConnection) -> dict[str, str]:
    query = select(users.c.id, users.c.name).where(users.c.role == "player")
    return {row.id: row.name for row in await connection.execute(query)}
