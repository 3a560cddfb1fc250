"""Reality checks that are due and can be sent now: between rounds, when the player has no open bet."""

from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.responsible_gaming.player_limits import Kind, PlayerLimit, player_limits_of
from casino.storage.bulk import many
from casino.storage.schema import holds, rounds

_AMONG: Final = "SELECT player_id FROM safeguards WHERE kind = 'reality_check' AND value > 0 AND player_id "
_WISHED: Final = {
    "sqlite": _AMONG + "IN (SELECT value FROM json_each(?))",  # noqa: S608  constants only
    "postgresql": _AMONG + "= ANY($1::text[])",
}


async def due_between_rounds(connection: AsyncConnection, here: Collection[str], now_ms: int) -> list[str]:
    wished = await connection.exec_driver_sql(_WISHED[connection.dialect.name], (many(connection, here),))
    players = list(wished.scalars())
    if not players:
        return []
    found = await player_limits_of(connection, players, now_ms)
    due = [player_id for player_id, own in found.items() if _is_due(own, now_ms)]
    open_bets = (
        select(holds.c.player_id)
        .join(rounds, rounds.c.id == holds.c.round_id)
        .where(rounds.c.status == "open", holds.c.status != "released")
    )
    playing = set((await connection.execute(open_bets)).scalars()) if due else set()
    return [player_id for player_id in due if player_id not in playing]


def _is_due(own: Iterable[PlayerLimit], now_ms: int) -> bool:
    return any(guard.kind is Kind.REALITY_CHECK and guard.is_used_up(now_ms) for guard in own)
