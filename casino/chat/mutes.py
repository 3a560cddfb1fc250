"""Who may not write at which table, and until when. Stored, so that a restart gives nobody the word back.

What stands in the database is also held in memory, because it is asked for with every line. Every mute, and every one
that is taken back, stands in the audit log with who did it and why.
"""

from typing import NamedTuple

from sqlalchemy import delete, select

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.people.roles import Actor, Role
from casino.storage.bulk import insert_rows
from casino.storage.database import Database
from casino.storage.schema import mutes, users

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
        """The players who may not write at this table."""
        here = [muted.player_id for muted in self._until_ms if muted.table_id == table_id]
        return sorted(player_id for player_id in here if self.is_muted(table_id, player_id, now_ms))

    async def mute(self, muted: Muted, minutes: int | None, by: Actor, reason: str, now_ms: int) -> None:
        """For so many minutes from now, or until it is taken back; instead of what was in force before."""
        until_ms = None if minutes is None else now_ms + minutes * _MINUTE_MS
        columns, row = ("table_id", "player_id", "until_ms"), (*muted, until_ms)
        replaced = "ON CONFLICT (table_id, player_id) DO UPDATE SET until_ms = excluded.until_ms"
        async with self._database.writing() as connection:
            role = await connection.scalar(select(users.c.role).where(users.c.id == muted.player_id))
            if role != Role.PLAYER:
                raise Refusal(Code.NOT_FOUND, "There is no such player.")
            await insert_rows(connection, mutes, columns, [row], or_else=replaced)
            after = {"table_id": muted.table_id, "until_ms": until_ms}
            entry = audit_log.Entry(*by, "chat_muted", f"user {muted.player_id}", reason, after=after)
            await audit_log.write(connection, entry, now_ms)
        self._until_ms[muted] = until_ms

    async def unmute(self, muted: Muted, by: Actor, reason: str, now_ms: int) -> None:
        """Who may write anyway goes on doing so."""
        async with self._database.writing() as connection:
            is_here = (mutes.c.table_id == muted.table_id, mutes.c.player_id == muted.player_id)
            if (await connection.execute(delete(mutes).where(*is_here))).rowcount:
                before = {"table_id": muted.table_id, "until_ms": self._until_ms.get(muted)}
                entry = audit_log.Entry(*by, "chat_unmuted", f"user {muted.player_id}", reason, before=before)
                await audit_log.write(connection, entry, now_ms)
        self._until_ms.pop(muted, None)
