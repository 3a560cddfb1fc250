"""How long players are here: from the first connection to the last, however many devices, in one row for each visit.

Who comes back within five minutes has not left. The rows are written together every few seconds, not for every
connection; a crash loses no more than those seconds of a visit.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.people.protection.losses import Played, played_since
from casino.people.protection.safeguards import BREAK_MS
from casino.storage.bulk import Rows, insert_rows, many
from casino.storage.database import Database
from casino.storage.schema import visits

WRITTEN_EVERY_MS: Final = 10_000

_LATEST: Final = "SELECT player_id, max(from_ms) FROM visits WHERE until_ms > {since} AND player_id {among} GROUP BY 1"
_LATEST_OF: Final = {
    "sqlite": _LATEST.format(since="?2", among="IN (SELECT value FROM json_each(?1))"),
    "postgresql": _LATEST.format(since="$2::bigint", among="= ANY($1::text[])"),
}
_LENGTHEN: Final = "ON CONFLICT (player_id, from_ms) DO UPDATE SET until_ms = excluded.until_ms"


class Session(NamedTuple):
    """The visit that lasts: since when, how long, and what was staked and returned in its rounds."""

    since_ms: int
    elapsed_ms: int
    played: Played

    def told(self) -> dict[str, int]:
        """As the player sees it."""
        staked, returned = self.played
        return {
            "since": self.since_ms,
            "elapsed": self.elapsed_ms,
            "staked": staked,
            "returned": returned,
            "net": returned - staked,
        }


class Visits:
    """Told again and again who is here, and since when without a gap."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._here: dict[str, int] = {}  # by player, since when
        self._written_ms = 0

    async def note(self, here: Mapping[str, int], now_ms: int) -> None:
        come = {player_id: since_ms for player_id, since_ms in here.items() if player_id not in self._here}
        gone = {player_id: from_ms for player_id, from_ms in self._here.items() if player_id not in here}
        is_due = now_ms >= self._written_ms + WRITTEN_EVERY_MS
        if not come and not gone and not (is_due and self._here):
            return
        async with self._database.writing() as connection:
            begun = await _begun(connection, come) if come else {}
            staying = {player_id: from_ms for player_id, from_ms in self._here.items() if player_id not in gone}
            changed = begun | gone | (staying if is_due else {})
            rows = [(player_id, from_ms, now_ms) for player_id, from_ms in sorted(changed.items())]
            columns = ("player_id", "from_ms", "until_ms")
            await insert_rows(connection, visits, columns, rows, or_else=_LENGTHEN)
        self._here = staying | begun
        self._written_ms = now_ms if is_due else self._written_ms


async def _begun(connection: AsyncConnection, come: Mapping[str, int]) -> dict[str, int]:
    """When the visits began that go on, and those that begin."""
    latest_ms = min(come.values()) - BREAK_MS
    found = await connection.exec_driver_sql(_LATEST_OF[connection.dialect.name], (many(connection, come), latest_ms))
    rows: Rows = found.all()
    return dict(come) | {player_id: from_ms for player_id, from_ms in rows}  # noqa: C416  rows, not pairs


async def session_of(connection: AsyncConnection, player_id: str, now_ms: int) -> Session | None:
    """None for somebody who is not here."""
    own = select(visits.c.from_ms).where(visits.c.player_id == player_id, visits.c.until_ms > now_ms - BREAK_MS)
    since_ms = (await connection.execute(own.order_by(visits.c.until_ms.desc()).limit(1))).scalar_one_or_none()
    if since_ms is None:
        return None
    days = (await played_since(connection, player_id, since_ms)).values()
    played = Played(sum(day.staked for day in days), sum(day.returned for day in days))
    return Session(since_ms, now_ms - since_ms, played)
