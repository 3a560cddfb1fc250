"""Mutes (moderation): players who may not write at a table, and until when. Stored, so they survive a restart.

They are cached in memory, because every message checks them. The audit log records every mute and unmute with actor and
reason, and a mute with the message it is about.
"""

from typing import Any, NamedTuple

from sqlalchemy import delete, select

from casino.audit import log as audit_log
from casino.chat.archive import Said
from casino.errors import Code, Refusal
from casino.storage.bulk import insert_rows
from casino.storage.database import Database
from casino.storage.schema import mutes, users
from casino.users.roles import Actor, Role

_MINUTE_MS = 60_000


class Muted(NamedTuple):
    table_id: str
    player_id: str


class Mutes:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._until_ms: dict[Muted, int | None] = {}

    async def load(self) -> None:
        async with self._database.reading() as connection:
            rows = await connection.execute(select(mutes.c.table_id, mutes.c.player_id, mutes.c.until_ms))
            self._until_ms = {Muted(row.table_id, row.player_id): row.until_ms for row in rows}

    def is_muted(self, table_id: str, player_id: str, now_ms: int) -> bool:
        muted = Muted(table_id, player_id)
        if muted not in self._until_ms:
            return False
        until_ms = self._until_ms[muted]
        return until_ms is None or now_ms < until_ms

    def at(self, table_id: str, now_ms: int) -> list[str]:
        """Returns the players who are muted at this table."""
        here = [muted.player_id for muted in self._until_ms if muted.table_id == table_id]
        return sorted(player_id for player_id in here if self.is_muted(table_id, player_id, now_ms))

    async def mute(
        self, muted: Muted, minutes: int | None, by: Actor, reason: str, now_ms: int, *, about: Said | None = None
    ) -> None:
        """Mutes for a number of minutes, or until revoked; replaces an earlier mute."""
        until_ms = None if minutes is None else now_ms + minutes * _MINUTE_MS
        columns, row = ("table_id", "player_id", "until_ms"), (*muted, until_ms)
        replaced = "ON CONFLICT (table_id, player_id) DO UPDATE SET until_ms = excluded.until_ms"
        async with self._database.writing() as connection:
            role = await connection.scalar(select(users.c.role).where(users.c.id == muted.player_id))
            if role != Role.PLAYER:
                raise Refusal(Code.NOT_FOUND, "This player does not exist.")
            await insert_rows(connection, mutes, columns, [row], or_else=replaced)
            after = {"table_id": muted.table_id, "until_ms": until_ms, "minutes": minutes, **_about(about)}
            entry = audit_log.Entry(*by, "chat_muted", f"user {muted.player_id}", reason, after=after)
            await audit_log.write(connection, entry, now_ms)
        self._until_ms[muted] = until_ms

    async def unmute(self, muted: Muted, by: Actor, reason: str, now_ms: int) -> None:
        """Unmutes a player; without a mute it changes nothing."""
        async with self._database.writing() as connection:
            is_here = (mutes.c.table_id == muted.table_id, mutes.c.player_id == muted.player_id)
            if (await connection.execute(delete(mutes).where(*is_here))).rowcount:
                before = {"table_id": muted.table_id, "until_ms": self._until_ms.get(muted)}
                entry = audit_log.Entry(*by, "chat_unmuted", f"user {muted.player_id}", reason, before=before)
                await audit_log.write(connection, entry, now_ms)
        self._until_ms.pop(muted, None)


def _about(said: Said | None) -> dict[str, Any]:
    if said is None:
        return {}
    return {"text": said.text, "said_ms": said.at_ms, "blocked": said.blocked}
