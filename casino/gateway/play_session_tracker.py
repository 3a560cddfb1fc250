"""Looks every second who is here: for the session clock, and to tell whoever wished for it how the evening goes.

A reality check goes to every device of the player, also to one that comes later, until the player has seen it. What
it means for the next bet is the table's business.
"""

import asyncio
from typing import Final

import structlog

from casino.clock import Clock
from casino.people.protection.reality import due_between_rounds
from casino.people.protection.visits import Session, Visits, session_of
from casino.sockets.players import NAMESPACE, Players
from casino.sockets.rooms import person_room
from casino.sockets.transport.server import SocketServer
from casino.storage.database import Database

LOOK_SECONDS: Final = 1.0

_log = structlog.get_logger()


class Attendance:
    def __init__(self, database: Database, server: SocketServer, players: Players, clock: Clock) -> None:
        self._database = database
        self._server = server
        self._players = players
        self._clock = clock
        self._visits = Visits(database)
        self._told: dict[str, set[str]] = {}  # by player, the connections that have heard

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except Exception as error:  # noqa: BLE001  the database may be away for a moment; the next look tells
                _log.warning("attendance_not_noted", exc_info=error)

    async def look(self) -> None:
        here, now_ms = self._players.here, self._clock()
        await self._visits.note(here, now_ms)
        if not here:
            return
        async with self._database.reading() as connection:
            due = await due_between_rounds(connection, here, now_ms)
            self._told = {player_id: self._told.get(player_id, set()) for player_id in due}
            for player_id in due:
                untold = set(self._server.inside(NAMESPACE, person_room(player_id))) - self._told[player_id]
                if untold and (session := await session_of(connection, player_id, now_ms)):
                    self._tell(untold, session)
                    self._told[player_id] |= untold

    def _tell(self, sids: set[str], session: Session) -> None:
        for sid in sids:
            self._server.emit(sid, "reality_check", session.told())
