"""Socket connection of one player to the poker room: one socket for all tables, which come back after a lost line.

The caller reads events in order; besides those of every connection there are `joined` (a snapshot of one table, also
after a gap), `back` and `awake`.
"""

import contextlib
from typing import Final

from casino.client.http_api import HttpApi, Member, Payload, Rejected, Unreachable
from casino.client.socket_connection import SocketConnection

NAMESPACE: Final = "/poker"
EVENTS: Final = (
    *("poker_table", "hand", "step", "cards", "options", "hand_over", "seat"),
    *("notice", "chat", "balance", "moved", "moved_table", "tournament_news", "hexa"),
)


class PokerConnection(SocketConnection):
    def __init__(self, api: HttpApi, member: Member) -> None:
        super().__init__(api, member, NAMESPACE, EVENTS)
        self.seq: Final[dict[str, int]] = {}
        """The number of the last `hand` or `step` by table; only joined tables have one."""

    async def join(self, table_id: str) -> None:
        snapshot = await self.say("join", table_id=table_id)
        self.seq[table_id] = snapshot["hand"]["seq"] if snapshot["hand"] else 0
        self._put("joined", snapshot)

    def forget(self, table_id: str) -> None:
        """The seat at this table is given up."""
        self.seq.pop(table_id, None)

    def wake(self) -> None:
        """Wakes the reader of the events without an event, so that it checks its own state."""
        self._put("awake", {})

    def _receive(self, event: str, payload: Payload) -> bool:
        return event not in ("hand", "step") or self._is_new(payload)

    def _is_new(self, payload: Payload) -> bool:
        """Whether the event is the next one of its table. After a gap the table is joined again."""
        table_id, seq = payload["table_id"], payload["seq"]
        last = self.seq.get(table_id)
        if last is None or seq <= last:
            return False
        if last and seq > last + 1:
            self._spawn(self._again(table_id))
        self.seq[table_id] = seq
        return True

    async def _rejoin(self) -> None:
        await self.say("lobby")  # keeps a place in a queue
        for table_id in tuple(self.seq):
            await self._again(table_id)
        self._put("back", {})

    async def _again(self, table_id: str) -> None:
        """Joins after a missed event. If that fails, the connection is lost as well, and the next one joins."""
        with contextlib.suppress(Rejected, Unreachable):
            await self.join(table_id)
