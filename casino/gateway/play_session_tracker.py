"""Tracks play sessions every second: stores who is connected, and sends reality checks that are due.

A reality check goes to every device of the player, including later ones, until the player has seen it. The table
decides what it means for the next bet.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import structlog

from casino.clock import Clock
from casino.gateway.connections import Connections
from casino.gateway.rooms import PLAYERS, POKER, person_room
from casino.responsible_gaming.play_sessions import PlaySessions, Session, session_of
from casino.responsible_gaming.reality_checks import due_between_rounds
from casino.socketio.server import SocketServer
from casino.storage.database import Database
from casino.wire.player_events import REALITY_CHECK

LOOK_SECONDS: Final = 1.0

_log = structlog.get_logger()


class PlaySessionTracker:
    def __init__(
        self, database: Database, server: SocketServer, players: Sequence[Connections[Any]], clock: Clock
    ) -> None:
        """`players` are the connections of each namespace for players."""
        self._database = database
        self._server = server
        self._players = players
        self._clock = clock
        self._visits = PlaySessions(database)
        self._informed: dict[str, set[str]] = {}  # by player, the connections informed

    async def run(self) -> None:
        """Runs until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.track()
            except Exception as error:  # noqa: BLE001  the database may be away for a moment; the next attempt follows
                _log.warning("play_session_write_failed", exc_info=error)

    async def track(self) -> None:
        here, now_ms = self._here(), self._clock()
        await self._visits.note(here, now_ms)
        if not here:
            return
        async with self._database.reading() as connection:
            due = await due_between_rounds(connection, here, now_ms)
            self._informed = {player_id: self._informed.get(player_id, set()) for player_id in due}
            for player_id in due:
                uninformed = self._devices_of(player_id) - self._informed[player_id]
                if uninformed and (session := await session_of(connection, player_id, now_ms)):
                    self._notify(uninformed, session)
                    self._informed[player_id] |= uninformed

    def _here(self) -> dict[str, int]:
        here: dict[str, int] = {}
        for connections in self._players:
            for player_id, since_ms in connections.since_ms.items():
                here[player_id] = min(since_ms, here.get(player_id, since_ms))
        return here

    def _devices_of(self, player_id: str) -> set[str]:
        room = person_room(player_id)
        return {sid for namespace in (PLAYERS, POKER) for sid in self._server.inside(namespace, room)}

    def _notify(self, sids: set[str], session: Session) -> None:
        for sid in sids:
            self._server.emit(sid, *REALITY_CHECK(session.view()))
