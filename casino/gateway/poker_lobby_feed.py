"""Lobby feed of the poker room: changes, merged and broadcast twice a second by currency."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from casino.gateway.rooms import POKER, pools_room
from casino.socketio.server import SocketServer
from casino.wire.poker_events import POKER_LOBBY, PokerLobbyChanges, PokerPool
from casino.wire.poker_hexapro import HexaLine
from casino.wire.poker_tournaments import TournamentRow

LOOK_SECONDS: Final = 0.5


@dataclass(slots=True)
class _Changes:
    """The newest state of everything that has changed since the last look."""

    pools: dict[str, PokerPool] = field(default_factory=dict)
    lines: dict[str, HexaLine] = field(default_factory=dict)
    tournaments: dict[str, TournamentRow] = field(default_factory=dict)


class PokerLobbyFeed:
    def __init__(self, server: SocketServer) -> None:
        self._server = server
        self._changed: dict[str, _Changes] = defaultdict(_Changes)  # by currency

    def changed(self, currency: str, update: PokerLobbyChanges) -> None:
        changes = self._changed[currency]
        changes.pools |= {pool["pool"]: pool for pool in update["pools"]}
        changes.lines |= {line["line"]: line for line in update["lines"]}
        changes.tournaments |= {row["tournament_id"]: row for row in update["tournaments"]}

    async def run(self) -> None:
        """Runs until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.broadcast_changes()

    def broadcast_changes(self) -> None:
        changed, self._changed = self._changed, defaultdict(_Changes)
        for currency, changes in changed.items():
            update: PokerLobbyChanges = {
                "pools": list(changes.pools.values()),
                "lines": list(changes.lines.values()),
                "tournaments": list(changes.tournaments.values()),
            }
            self._server.emit_room(POKER, pools_room(currency), *POKER_LOBBY(update))
