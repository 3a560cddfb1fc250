"""Socket connection of one player to one table: stays joined, detects missed events, and tracks the state.

After a lost connection it connects and joins again by itself. The caller reads events in order; besides those of every
connection there is `joined` (a snapshot, also after a gap).
"""

import contextlib
import time
from typing import Final

from casino.client.http_api import HttpApi, Member, Payload, Rejected, Unreachable
from casino.client.socket_connection import ConnectionEvent, SocketConnection

__all__ = ["ConnectionEvent", "TableConnection", "now_ms"]

NAMESPACE: Final = "/table"
EVENTS: Final = ("round", "seat", "result", "balance", "chat", "notice", "table", "moved")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class TableConnection(SocketConnection):
    def __init__(self, api: HttpApi, member: Member, table_id: str) -> None:
        super().__init__(api, member, NAMESPACE, EVENTS)
        self.table_id: Final = table_id
        self.round: Payload = {}
        self.seat: Payload = {}
        self._ahead_ms = 0  # how far the server's clock is ahead of this one

    async def open(self) -> None:
        """Connects and joins; raises what keeps it from that."""
        await super().open()
        await self.join()

    async def join(self) -> None:
        snapshot = await self.say("join", table_id=self.table_id)
        self._note(snapshot["round"], snapshot["seat"])
        self._put("joined", snapshot)

    async def bet(self, ante: int, trips: int) -> Payload:
        at = {"table_id": self.table_id, "round_id": self.round["round_id"]}
        return await self.say("bet", **at, ante=ante, trips=trips)

    async def decide(self, action: str, phase: str) -> Payload:
        at = {"table_id": self.table_id, "round_id": self.round["round_id"]}
        return await self.say("decide", **at, action=action, phase=phase)

    def seconds_left(self) -> float | None:
        """Until the open window closes, by the server's clock."""
        deadline: int | None = self.round.get("deadline")
        if deadline is None or self.round.get("paused"):
            return None
        return max(0.0, (deadline - now_ms() - self._ahead_ms) / 1000)

    def _receive(self, event: str, payload: Payload) -> bool:
        if event == "round":
            if self.round and payload["seq"] > self.round["seq"] + 1:
                self._spawn(self._again())
            self._note(payload, self.seat)
        elif event == "seat":
            self.seat = payload
        return True

    async def _rejoin(self) -> None:
        """`open` has joined already."""

    async def _again(self) -> None:
        """Joins after a missed event. If that fails, the connection is lost as well, and the next one joins."""
        with contextlib.suppress(Rejected, Unreachable):
            await self.join()

    def _note(self, round_: Payload, seat: Payload) -> None:
        self.round, self.seat = round_, seat
        self._ahead_ms = round_["server_time"] - now_ms()
