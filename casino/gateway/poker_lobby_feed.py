"""Lobby feed of the poker room: changed pools, merged and broadcast twice a second by currency."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from casino.gateway.rooms import POKER, pools_room
from casino.socketio.server import SocketServer
from casino.wire.poker_events import POKER_LOBBY, PokerPool

LOOK_SECONDS: Final = 0.5


class PokerLobbyFeed:
    def __init__(self, server: SocketServer) -> None:
        self._server = server
        self._changed: dict[str, dict[str, PokerPool]] = defaultdict(dict)  # by currency and pool

    def changed(self, currency: str, pools: Iterable[PokerPool]) -> None:
        for pool in pools:
            self._changed[currency][pool["pool"]] = pool

    async def run(self) -> None:
        """Runs until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.broadcast_changes()

    def broadcast_changes(self) -> None:
        changed, self._changed = self._changed, defaultdict(dict)
        for currency, pools in changed.items():
            self._server.emit_room(POKER, pools_room(currency), *POKER_LOBBY({"pools": list(pools.values())}))
