"""Play sessions: from a player's first connection to the last, over all devices, one row each.

A gap of up to five minutes does not end a session. Rows are written together every few seconds, so a crash loses only
those seconds.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.responsible_gaming.daily_losses import Played, played_in_session
from casino.responsible_gaming.player_limits import BREAK_MS
from casino.storage.bulk import Rows, insert_rows, many
from casino.storage.database import Database
from casino.storage.schema import visits
from casino.wire.player_events import PlaySession

WRITTEN_EVERY_MS: Final = 10_000

_LATEST: Final = "SELECT player_id, max(from_ms) FROM visits WHERE until_ms > {since} AND player_id {among} GROUP BY 1"
_LATEST_OF: Final = {
    "sqlite": _LATEST.format(since="?2", among="IN (SELECT value FROM json_each(?1))"),
    "postgresql": _LATEST.format(since="$2::bigint", among="= ANY($1::text[])"),
}
_SINCE: Final = (
    select(visits.c.from_ms)
    .where(visits.c.player_id == bindparam("player_id"), visits.c.until_ms > bindparam("break_ms"))
    .order_by(visits.c.until_ms.desc())
    .limit(1)
)
_LENGTHEN: Final = "ON CONFLICT (player_id, from_ms) DO UPDATE SET until_ms = excluded.until_ms"


class Session(NamedTuple):
    """Current play session: start, duration, stakes and returns of its rounds."""

    since_ms: int
    elapsed_ms: int
    played: Played

    def view(self) -> PlaySession:
        """Returns the player's view."""
        staked, returned = self.played
        return {
            "since": self.since_ms,
            "elapsed": self.elapsed_ms,
            "staked": staked,
            "returned": returned,
            "net": returned - staked,
        }


class PlaySessions:
    """Receives the connected players, and since when, at regular intervals."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._here: dict[str, int] = {}  # by player, connected since
        self._written_ms = 0

    async def note(self, here: Mapping[str, int], now_ms: int) -> None:
        come = {player_id: since_ms for player_id, since_ms in here.items() if player_id not in self._here}
        ended = {player_id: from_ms for player_id, from_ms in self._here.items() if player_id not in here}
        is_due = now_ms >= self._written_ms + WRITTEN_EVERY_MS
        if not come and not ended and not (is_due and self._here):
            return
        async with self._database.writing() as connection:
            begun = await _begun(connection, come) if come else {}
            staying = {player_id: from_ms for player_id, from_ms in self._here.items() if player_id not in ended}
            changed = begun | ended | (staying if is_due else {})
            rows = [(player_id, from_ms, now_ms) for player_id, from_ms in sorted(changed.items())]
            columns = ("player_id", "from_ms", "until_ms")
            await insert_rows(connection, visits, columns, rows, or_else=_LENGTHEN)
        self._here = staying | begun
        self._written_ms = now_ms if is_due else self._written_ms


async def _begun(connection: AsyncConnection, come: Mapping[str, int]) -> dict[str, int]:
    """Returns the start times of continued and of new sessions."""
    latest_ms = min(come.values()) - BREAK_MS
    found = await connection.exec_driver_sql(_LATEST_OF[connection.dialect.name], (many(connection, come), latest_ms))
    rows: Rows = found.all()
    return dict(come) | {player_id: from_ms for player_id, from_ms in rows}  # noqa: C416  rows, not pairs


async def session_of(connection: AsyncConnection, player_id: str, now_ms: int) -> Session | None:
    """Returns None for a player who is not connected."""
    parameters = {"player_id": player_id, "break_ms": now_ms - BREAK_MS}
    since_ms = (await connection.execute(_SINCE, parameters)).scalar_one_or_none()
    if since_ms is None:
        return None
    return Session(since_ms, now_ms - since_ms, await played_in_session(connection, player_id, since_ms))
