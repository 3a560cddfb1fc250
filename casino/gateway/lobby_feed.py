"""Lobby feed: all tables, and twice a second their changes, broadcast to subscribers.

Also decides which tables may be played at the same time.
"""

import asyncio
from collections.abc import Collection, Mapping
from typing import Final

from casino.gateway.rooms import LOBBY, PLAYERS
from casino.hosting.interfaces import Directory
from casino.live_table.lobby_entry import PublishedTable, lobby_view
from casino.refusals import Reason
from casino.settings import TableSettings
from casino.socketio.server import SocketServer
from casino.wire import player_events as events
from casino.wire.common import LobbyTable
from casino.wire.player_events import InTheLobby

LOOK_SECONDS: Final = 0.5


class LobbyFeed:
    def __init__(self, server: SocketServer, tables: Mapping[str, TableSettings], directory: Directory) -> None:
        """`tables` are those that players may see; practice tables are for staff."""
        self._server = server
        self._tables = tables
        self._directory = directory
        self.listed: Final = frozenset(tables)
        self._published: dict[str, LobbyTable] = {}

    def all(self) -> InTheLobby:
        return {"tables": list(self._now().values())}

    def verify_multi_table(self, table_id: str, others: Collection[str]) -> None:
        """Refuses a second table if either of them is single-table only, in any order of joining."""
        others_open = [self._tables[other] for other in sorted(others) if other != table_id]
        if others_open and not self._tables[table_id].multi_table:
            raise Reason.TABLE_ALONE.refusal(table=others_open[0].name)
        for other in others_open:
            if not other.multi_table:
                raise Reason.OTHER_TABLE_ALONE.refusal(table=other.name)

    async def run(self) -> None:
        """Runs until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.broadcast_changes()

    def broadcast_changes(self) -> None:
        if not self._server.inside(PLAYERS, LOBBY):
            self._published = {}
            return
        now = self._now()
        changed = [view for table_id, view in now.items() if self._published.get(table_id) != view]
        self._published = now
        if changed:
            self._server.emit_room(PLAYERS, LOBBY, *events.LOBBY({"tables": changed}))

    def _now(self) -> dict[str, LobbyTable]:
        return {
            table_id: lobby_view(table, PublishedTable.of(self._directory.state(table_id)))
            for table_id, table in self._tables.items()
        }
