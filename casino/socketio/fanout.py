"""Sending: one packet to one client, or the same bytes to many.

Decides the order: on every connection packets go out in the order of the calls here. A long broadcast is written in
slices, so that the loop's other work has its turn; a client that is sent something else in between is first given
what it is still owed. Refuses to know what a packet says. Nobody is ever waited for.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence

from casino.sockets.transport import packets
from casino.sockets.transport.connection import Connection
from casino.sockets.transport.limits import Counters


class _Broadcast:
    __slots__ = ("frame", "owed", "packet", "started")

    def __init__(self, packet: bytes, frame: bytes, owed: set[Connection], started: float) -> None:
        self.packet = packet
        self.frame = frame
        self.owed = owed
        self.started = started


class Fanout:
    def __init__(self, counters: Counters, writes_per_turn: int, observe: Callable[[float], None] | None) -> None:
        self._counters = counters
        self._writes_per_turn = writes_per_turn
        self._observe = observe
        self._unfinished: deque[_Broadcast] = deque()

    def to_one(self, connection: Connection, *together: bytes) -> None:
        if self._unfinished:
            self._catch_up(connection)
        connection.send(*together)

    def to_many(self, connections: Sequence[Connection], packet: bytes) -> None:
        started = time.perf_counter()
        frame = packets.text_frame(packet)
        self._counters.broadcasts += 1
        self._counters.deliveries += len(connections)
        at_once = 0 if self._unfinished else self._writes_per_turn
        for connection in connections[:at_once]:
            connection.deliver(packet, frame)
        self._counters.write_seconds += time.perf_counter() - started
        if len(connections) > at_once:
            if not self._unfinished:
                asyncio.get_running_loop().call_soon(self._continue)
            self._unfinished.append(_Broadcast(packet, frame, set(connections[at_once:]), started))
        else:
            self._finished(started)

    def _catch_up(self, connection: Connection) -> None:
        for broadcast in self._unfinished:
            if connection in broadcast.owed:
                broadcast.owed.discard(connection)
                connection.deliver(broadcast.packet, broadcast.frame)

    def _continue(self) -> None:
        started = time.perf_counter()
        budget = self._writes_per_turn
        while self._unfinished and budget:
            broadcast = self._unfinished[0]
            while broadcast.owed and budget:
                broadcast.owed.pop().deliver(broadcast.packet, broadcast.frame)
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
