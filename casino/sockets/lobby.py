"""The lobby on the wall: every table, and twice a second what has changed, for those who follow it.

Decides also which tables may be played side by side. What goes on at a table is asked of the table.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Final

from casino.errors import Code, Refusal
from casino.settings import TableSettings
from casino.sockets.rooms import LOBBY, PLAYERS
from casino.sockets.transport.server import SocketServer
from casino.table.lobby import LiveTable, lobby_view
from casino.table.messages import Payload

LOOK_SECONDS: Final = 0.5


class LobbyBoard:
    def __init__(
        self, server: SocketServer, tables: Mapping[str, TableSettings], live: Callable[[str], LiveTable]
    ) -> None:
        self._server = server
        self._tables = tables
        self._live = live
        self._told: dict[str, Payload] = {}

    def all(self) -> Payload:
        return {"tables": list(self._now().values())}

    def verify_beside(self, table_id: str, others: Collection[str]) -> None:
        """A table that is played alone stands beside no other, whichever was joined first."""
        if table_id not in self._tables:
            raise Refusal(Code.FORBIDDEN, "This table is for practice. Its players and its money are simulated.")
        beside = [self._tables[other] for other in sorted(others) if other != table_id]
        if beside and not self._tables[table_id].multi_table:
            raise Refusal(Code.FORBIDDEN, f"This table is played alone. Leave {beside[0].name} first.")
        for other in beside:
            if not other.multi_table:
                raise Refusal(Code.FORBIDDEN, f"{other.name} is played alone. Leave it first.")

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        if not self._server.inside(PLAYERS, LOBBY):
            self._told = {}
            return
        now = self._now()
        changed = [view for table_id, view in now.items() if self._told.get(table_id) != view]
        self._told = now
        if changed:
            self._server.emit_room(PLAYERS, LOBBY, "lobby", {"tables": changed})

    def _now(self) -> dict[str, Payload]:
        return {table_id: lobby_view(table, self._live(table_id)) for table_id, table in self._tables.items()}
