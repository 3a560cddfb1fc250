"""One client's session: what is written to it, whether it is alive, and when it ends.

Every packet for the client passes through `deliver`, in the order of the calls. Over a WebSocket that is one
synchronous write to the transport; while the client polls, or is about to leave polling, packets wait in a list.
Refuses to know what the packets say, and who the client is.
"""

import asyncio
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from casino.sockets.transport import packets
from casino.sockets.transport.limits import Limits

_PACKETS_PER_POLL = 16  # the official Python client refuses an answer with more


class Reason(StrEnum):
    """Why a session ended; the words of Socket.IO where it has them."""

    CLIENT_LEFT = "client disconnect"
    SERVER_DISCONNECT = "server disconnect"
    CONNECTION_LOST = "transport close"
    PEER_DEAD = "ping timeout"
    SLOW_READER = "slow reader"
    BAD_INPUT = "protocol error"
    UNAUTHENTICATED = "unauthenticated"
    SHUTDOWN = "server shutdown"


class Violation(Exception):
    """The client broke the protocol or one of its bounds; its connection is closed."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """What the first request told about the client."""

    address: str
    origin: str | None
    headers: Mapping[str, str]
    cookies: Mapping[str, str]


class Listener(Protocol):
    """Where a session's messages go."""

    def opened(self, connection: "Connection") -> None: ...

    def message(self, connection: "Connection", text: str) -> None: ...

    def ended(self, connection: "Connection", reason: Reason) -> None: ...


class Connection:
    __slots__ = (
        "_awaiting_pong",
        "_control_frames",
        "_limits",
        "_listener",
        "_loop",
        "_messages",
        "_outbox",
        "_outbox_bytes",
        "_second_ends",
        "_timer",
        "_waiting_poll",
        "_wire",
        "connects",
        "deadline",
        "ended",
        "handshake",
        "id",
        "posting",
        "probing",
        "strikes",
        "upgrading",
    )

    def __init__(self, session_id: str, handshake: Handshake, listener: Listener, limits: Limits) -> None:
        self.id = session_id
        self.handshake = handshake
        self.ended: Reason | None = None
        self.deadline: asyncio.TimerHandle | None = None
        self.connects = 0
        self.posting = False
        self.probing = False
        self.strikes = 0
        self.upgrading = False
        self._listener = listener
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._wire: asyncio.Transport | None = None
        self._outbox: list[bytes] = []
        self._outbox_bytes = 0
        self._waiting_poll: asyncio.Future[None] | None = None
        self._awaiting_pong = False
        self._control_frames = 0
        self._messages = 0
        self._second_ends = 0.0
        self._timer = self._loop.call_later(limits.ping_s, self._ping)

    @property
    def direct(self) -> bool:
        return self._wire is not None

    # Outgoing

    def deliver(self, packet: bytes, frame: bytes) -> None:
        """The packet and its frame are the same message; which of them is needed depends on the way it takes."""
        if self._wire is not None:
            self._write(self._wire, frame)
        elif self.ended is None:
            self._keep(packet)

    def send(self, *together: bytes) -> None:
        """Packets for this client alone: one write, because each is a call of the kernel."""
        if self._wire is not None:
            self._write(self._wire, b"".join(map(packets.text_frame, together)))
        elif self.ended is None:
            for packet in together:
                self._keep(packet)

    def _write(self, wire: asyncio.Transport, frames: bytes) -> None:
        if not wire.is_closing():
            wire.write(frames)
            if wire.get_write_buffer_size() > self._limits.unsent_bytes_max:
                self._cut()

    def _cut(self) -> None:
        """The end is told a moment later: a broadcast under way must not set off another one."""
        self._loop.call_soon(self.end, Reason.SLOW_READER)
        if self._wire is not None:
            self._wire.abort()

    def _keep(self, packet: bytes) -> None:
        if self._outbox_bytes > self._limits.unsent_bytes_max:
            return  # it is being cut
        self._outbox.append(packet)
        self._outbox_bytes += len(packet)
        if self._outbox_bytes > self._limits.unsent_bytes_max:
            self._cut()
        elif not self.upgrading:
            self._wake_poll()

    def _take_outbox(self, count_max: int) -> list[bytes]:
        taken, self._outbox = self._outbox[:count_max], self._outbox[count_max:]
        self._outbox_bytes -= sum(map(len, taken))
        return taken

    # Polling

    async def poll(self) -> bytes:
        """The packets that wait for a polling client; waits for the first."""
        if self._waiting_poll is not None:
            raise Violation("two polls at once")
        if not self._outbox and not self.upgrading and self.ended is None:
            self._waiting_poll = self._loop.create_future()
            try:
                await self._waiting_poll
            finally:
                self._waiting_poll = None
        if self.upgrading or self.direct:
            return packets.NOOP  # what waits goes over the WebSocket
        taken = self._take_outbox(_PACKETS_PER_POLL)
        return packets.SEPARATOR.join(taken) or packets.NOOP

    def _wake_poll(self) -> None:
        if self._waiting_poll is not None and not self._waiting_poll.done():
            self._waiting_poll.set_result(None)

    # WebSocket

    def hold(self) -> None:
        """From the probe on nothing more goes out by polling; the pending poll is ended."""
        self.upgrading = True
        self._wake_poll()

    def release(self) -> None:
        """The upgrade came to nothing: polling goes on."""
        self.upgrading = False
        if self._outbox:
            self._wake_poll()

    def go_direct(self, wire: asyncio.Transport) -> None:
        """What waited goes first, in its order; from here on every packet is written straight to the transport."""
        bound = self._limits.unsent_bytes_max
        wire.set_write_buffer_limits(high=bound // 4)  # uvloop tries to send at once above it, so a burst is no cut
        plain = wire.get_extra_info("socket")
        if plain is not None:  # else the kernel keeps megabytes for a client that does not read
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._limits.kernel_bytes_max)
        self.upgrading = False
        self._wire = wire
        for packet in self._take_outbox(len(self._outbox)):
            self.send(packet)

    def control_frame(self, *, ping: bytes | None) -> None:
        """A WebSocket ping is answered; a flood of them, or of pongs, is not."""
        self._control_frames += 1
        if self._control_frames > self._limits.control_frames_max:
            raise Violation("too many control frames")
        if ping is not None and self._wire is not None and not self._wire.is_closing():
            self._wire.write(packets.pong_frame(ping))

    # Incoming

    def take(self, text: str) -> None:
        """One Engine.IO packet of the client."""
        if self.ended is not None:
            return
        if text.startswith("4"):
            self._count_message()
            self._listener.message(self, text[1:])
        elif text == "3" and self._awaiting_pong:
            self._awaiting_pong = False
            self._timer.cancel()
            self._timer = self._loop.call_later(self._limits.ping_s, self._ping)
        elif text == "1":
            self.end(Reason.CLIENT_LEFT)
        else:
            raise Violation("unexpected Engine.IO packet")

    def _count_message(self) -> None:
        """Also what nobody will answer has to be read, and everybody else waits meanwhile."""
        now = self._loop.time()
        if now >= self._second_ends:
            self._second_ends, self._messages = now + 1, 0
        self._messages += 1
        if self._messages > self._limits.messages_per_second_max:
            raise Violation("too many messages")

    def _ping(self) -> None:
        self._awaiting_pong = True
        self._control_frames = 0
        self._timer = self._loop.call_later(self._limits.pong_s, self.end, Reason.PEER_DEAD)
        self.send(packets.PING)

    # The end

    def end(self, reason: Reason) -> None:
        """Ends the session once and for all; a peer that may still be listening is told so first."""
        if self.ended is not None:
            return
        self.ended = reason
        self._timer.cancel()
        if self.deadline is not None:
            self.deadline.cancel()
        wire, self._wire = self._wire, None
        if wire is None:
            self._outbox.append(packets.CLOSE)
            self.upgrading = False
            self._wake_poll()
        elif reason in {Reason.SLOW_READER, Reason.PEER_DEAD}:
            wire.abort()
        elif not wire.is_closing():
            code = 1002 if reason is Reason.BAD_INPUT else 1001 if reason is Reason.SHUTDOWN else 1000
            wire.write(packets.text_frame(packets.CLOSE) + packets.close_frame(code))
            self._loop.call_later(self._limits.farewell_s, wire.abort)
            if reason is Reason.SHUTDOWN:
                wire.close()  # what is written still goes out, but nobody's answer is waited for
        self._listener.ended(self, reason)
