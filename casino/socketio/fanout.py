"""Sends packets to one client, or the same packet to many clients (fan-out).

Every connection gets its packets in the order of the calls. A broadcast to a few clients leaves with the other packets
of this turn of the event loop. A long broadcast is written in slices, one per turn. A client that is sent another
packet in between first gets the broadcasts it is still owed. No call waits for a client.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from casino.socketio import packets
from casino.socketio.engine_session import EngineSession
from casino.socketio.limits import Counters
from casino.socketio.packets import Encoded

FEW: Final = 100
"""Broadcasts to at most this many clients leave with other packets of the same turn."""


class _Broadcast:
    __slots__ = ("frames", "owed", "packet", "started")

    def __init__(self, packet: Encoded, frames: bytes, owed: set[EngineSession], started: float) -> None:
        self.packet = packet
        self.frames = frames
        self.owed = owed
        self.started = started


class Fanout:
    def __init__(self, counters: Counters, writes_per_turn: int, observe: Callable[[float], None] | None) -> None:
        """`observe` receives the seconds each broadcast took."""
        self._counters = counters
        self._writes_per_turn = writes_per_turn
        self._observe = observe
        self._unfinished: deque[_Broadcast] = deque()

    def to_one(self, session: EngineSession, *packet: bytes) -> None:
        if self._unfinished:
            self._catch_up(session)
        session.send(*packet)

    def to_many(self, sessions: Sequence[EngineSession], packet: Encoded) -> None:
        started = time.perf_counter()
        frames = b"".join(map(packets.frame, packet))
        self._counters.broadcasts += 1
        self._counters.deliveries += len(sessions)
        at_once = 0 if self._unfinished else self._writes_per_turn
        are_many = len(sessions) > FEW
        for session in sessions[:at_once]:
            session.deliver(packet, frames, at_once=are_many)
        self._counters.write_seconds += time.perf_counter() - started
        if len(sessions) > at_once:
            if not self._unfinished:
                asyncio.get_running_loop().call_soon(self._continue)
            self._unfinished.append(_Broadcast(packet, frames, set(sessions[at_once:]), started))
        else:
            self._finished(started)

    def _catch_up(self, session: EngineSession) -> None:
        for broadcast in self._unfinished:
            if session in broadcast.owed:
                broadcast.owed.discard(session)
                session.deliver(broadcast.packet, broadcast.frames)

    def _continue(self) -> None:
        started = time.perf_counter()
        budget = self._writes_per_turn
        while self._unfinished and budget:
            broadcast = self._unfinished[0]
            while broadcast.owed and budget:
                broadcast.owed.pop().deliver(broadcast.packet, broadcast.frames)
                budget -= 1
            if not broadcast.owed:
                self._unfinished.popleft()
                self._finished(broadcast.started)
        self._counters.write_seconds += time.perf_counter() - started
        if self._unfinished:
            asyncio.get_running_loop().call_soon(self._continue)

    def _finished(self, started: float) -> None:
        if self._observe is not None:
            self._observe(time.perf_counter() - started)
