"""Engine.IO session of one client: outgoing queue, heartbeat, rate limits and closing.

Packets leave in the order of the calls of `send` and `deliver`. On a WebSocket, packets of one turn of the event loop
leave in one write at its end, because each write is a system call; a broadcast to many clients is written at once.
While the client polls, or upgrades from polling, packets wait in a list.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from casino.security.unauthenticated_pool import Slot
from casino.socketio import packets
from casino.socketio.limits import Limits

_PACKETS_PER_POLL = 16  # the official Python client refuses an answer with more


class Reason(StrEnum):
    """Why a session ended, in the words of Socket.IO where it has them."""

    CLIENT_LEFT = "client disconnect"
    SERVER_DISCONNECT = "server disconnect"
    CONNECTION_LOST = "transport close"
    PEER_DEAD = "ping timeout"
    SLOW_READER = "slow reader"
    BAD_INPUT = "protocol error"
    UNAUTHENTICATED = "unauthenticated"
    SHUTDOWN = "server shutdown"


class Violation(Exception):
    """The client broke the protocol or exceeded a limit; its connection is closed."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """The parts of the first request that the session keeps."""

    address: str
    origin: str | None
    cookies: Mapping[str, str]


class Listener(Protocol):
    """Receives the messages of sessions. `message` and `binary` may raise `Violation`."""

    def opened(self, session: "EngineSession") -> None: ...

    def message(self, session: "EngineSession", text: str) -> None: ...

    def binary(self, session: "EngineSession", data: bytes) -> None: ...

    def ended(self, session: "EngineSession", reason: Reason) -> None: ...


class TurnEnd:
    """Sessions with unsent frames. One callback writes them all at the end of this turn of the event loop."""

    __slots__ = ("_sessions",)

    def __init__(self) -> None:
        self._sessions: deque[EngineSession] = deque()

    def flush_later(self, session: "EngineSession") -> None:
        if not self._sessions:
            asyncio.get_running_loop().call_soon(self._flush)
        self._sessions.append(session)

    def _flush(self) -> None:
        try:
            while self._sessions:
                self._sessions.popleft().flush()
        finally:
            if self._sessions:  # a transport has failed; the others have their turn
                asyncio.get_running_loop().call_soon(self._flush)


class EngineSession:
    __slots__ = (
        "_awaiting_pong",
        "_control_frames",
        "_forget",
        "_limits",
        "_listener",
        "_loop",
        "_message_bytes",
        "_messages",
        "_outbox",
        "_outbox_bytes",
        "_second_ends",
        "_slots",
        "_timer",
        "_turn_end",
        "_unsent",
        "_unsent_bytes",
        "_verifying",
        "_waiting_poll",
        "_wire",
        "connects",
        "deadline",
        "ended",
        "handshake",
        "id",
        "is_signed_in",
        "posting",
        "probing",
        "strikes",
        "upgrading",
    )

    def __init__(
        self,
        session_id: str,
        handshake: Handshake,
        listener: Listener,
        limits: Limits,
        *,
        turn_end: TurnEnd,
        forget: Callable[["EngineSession"], None],
    ) -> None:
        """`forget` is called once, when the session has ended."""
        self.id = session_id
        self.handshake = handshake
        self.ended: Reason | None = None
        self.deadline: asyncio.TimerHandle | None = None
        self.connects = 0
        self.posting = False
        self.probing = False
        self.strikes = 0
        self.upgrading = False
        self.is_signed_in = False
        self._slots: list[Slot] = []
        self._verifying = 0
        self._listener = listener
        self._forget = forget
        self._limits = limits
        self._turn_end = turn_end
        self._loop = asyncio.get_running_loop()
        self._wire: asyncio.Transport | None = None
        self._unsent: list[bytes] | None = None  # frames of this turn
        self._unsent_bytes = 0
        self._outbox: list[bytes] = []
        self._outbox_bytes = 0
        self._waiting_poll: asyncio.Future[None] | None = None
        self._awaiting_pong = False
        self._control_frames = 0
        self._messages = 0
        self._message_bytes = 0
        self._second_ends = 0.0
        self._timer = self._loop.call_later(limits.ping_s, self._ping)

    @property
    def direct(self) -> bool:
        return self._wire is not None

    # Places in the pool of unauthenticated connections: of the session, and of its WebSocket

    def occupy(self, slot: Slot) -> None:
        self._slots.append(slot)
        if self.is_signed_in:
            slot.admit()
        elif self._verifying:
            slot.hold()

    def verify(self) -> None:
        """The client has sent credentials: it cannot be evicted until `verified`."""
        self._verifying += 1
        if self._verifying == 1 and not self.is_signed_in:
            for slot in self._slots:
                slot.hold()

    def verified(self, *, is_signed_in: bool) -> None:
        self._verifying -= 1
        if is_signed_in and not self.is_signed_in:
            self.is_signed_in = True
            for slot in self._slots:
                slot.admit()
        elif not self._verifying and not self.is_signed_in:
            for slot in self._slots:
                slot.release()

    # Outgoing

    def deliver(self, packet: Iterable[bytes], frames: bytes, *, at_once: bool = True) -> None:
        """Sends a broadcast packet; `frames` is the same packet, encoded once for all WebSockets.

        `at_once` writes it now, with what was sent before in this turn.
        """
        if self._wire is not None:
            if at_once:
                self._put(self._wire, self._take_unsent() + frames)
            else:
                self._write(frames)
        elif self.ended is None:
            for part in packet:
                self._keep(part)

    def send(self, *together: bytes) -> None:
        """Sends packets to this client only."""
        if self._wire is not None:
            self._write(b"".join(map(packets.frame, together)))
        elif self.ended is None:
            for packet in together:
                self._keep(packet)

    def _write(self, frames: bytes) -> None:
        if self._unsent is None:
            self._unsent = []
            self._turn_end.flush_later(self)
        self._unsent.append(frames)
        self._unsent_bytes += len(frames)
        if self._unsent_bytes > self._limits.unsent_bytes_max:
            self.flush()

    def flush(self) -> None:
        """Writes the frames of this turn."""
        if self._unsent is not None and self._wire is not None:
            self._put(self._wire, self._take_unsent())

    def _put(self, wire: asyncio.Transport, frames: bytes) -> None:
        if not wire.is_closing():
            wire.write(frames)
            if wire.get_write_buffer_size() > self._limits.unsent_bytes_max:
                self._cut()

    def _take_unsent(self) -> bytes:
        unsent, self._unsent, self._unsent_bytes = self._unsent, None, 0
        return b"".join(unsent) if unsent else b""

    def _cut(self) -> None:
        """Ends the session in the next turn: a handler must not start a broadcast inside another one."""
        self._loop.call_soon(self.end, Reason.SLOW_READER)
        if self._wire is not None:
            self._wire.abort()

    def _keep(self, packet: bytes) -> None:
        if self._outbox_bytes > self._limits.unsent_bytes_max:
            return  # the session is about to end
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
        """Returns the packets that wait for a polling client; waits for the first."""
        if self._waiting_poll is not None:
            raise Violation("two polls at once")
        self._count_message(0)
        if not self._outbox and not self.upgrading and self.ended is None:
            self._waiting_poll = self._loop.create_future()
            try:
                await self._waiting_poll
            finally:
                self._waiting_poll = None
        if self.upgrading or self.direct:
            return packets.NOOP  # waiting packets go over the WebSocket
        taken = self._take_outbox(_PACKETS_PER_POLL)
        return packets.SEPARATOR.join(map(packets.polling_form, taken)) or packets.NOOP

    def _wake_poll(self) -> None:
        if self._waiting_poll is not None and not self._waiting_poll.done():
            self._waiting_poll.set_result(None)

    # WebSocket

    def pause_polling(self) -> None:
        """Ends the pending poll. From the probe on, packets wait for the WebSocket."""
        self.upgrading = True
        self._wake_poll()

    def release(self) -> None:
        """The upgrade failed: polling continues."""
        self.upgrading = False
        if self._outbox:
            self._wake_poll()

    def upgrade(self, wire: asyncio.Transport) -> None:
        """Sends waiting packets first. From here on, every packet is written to the transport at once."""
        bound = self._limits.unsent_bytes_max
        # Above this limit uvloop sends at once, so that a burst is not taken for a slow reader.
        wire.set_write_buffer_limits(high=bound // 4)
        plain = wire.get_extra_info("socket")
        if plain is not None:  # the kernel would keep megabytes for a client that does not read
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._limits.kernel_bytes_max)
        self.upgrading = False
        self._wire = wire
        for packet in self._take_outbox(len(self._outbox)):
            self.send(packet)

    def control_frame(self, *, ping: bytes | None) -> None:
        """Answers a WebSocket ping; raises `Violation` for a flood of pings or pongs."""
        self._control_frames += 1
        if self._control_frames > self._limits.control_frames_max:
            raise Violation("too many control frames")
        if ping is not None and self._wire is not None:
            self._write(packets.pong_frame(ping))

    # Incoming

    def take(self, text: str) -> None:
        """Takes one Engine.IO packet of the client."""
        if self.ended is not None:
            return
        if text.startswith("4"):
            self._count_message(len(text))
            self._listener.message(self, text[1:])
        elif text == "3" and self._awaiting_pong:
            self._awaiting_pong = False
            self._timer.cancel()
            self._timer = self._loop.call_later(self._limits.ping_s, self._ping)
        elif text == "1":
            self.end(Reason.CLIENT_LEFT)
        else:
            raise Violation("unexpected Engine.IO packet")

    def take_binary(self, data: bytes) -> None:
        """Takes one binary message of the client."""
        if self.ended is not None:
            return
        if not self._limits.binary:
            raise Violation("a binary message")
        self._count_message(len(data))
        self._listener.binary(self, data)

    def _count_message(self, size: int) -> None:
        """Counts every message, also ones without an answer: reading each delays other clients."""
        now = self._loop.time()
        if now >= self._second_ends:
            self._second_ends, self._messages, self._message_bytes = now + 1, 0, 0
        self._messages += 1
        self._message_bytes += size
        if self._messages > self._limits.messages_per_second_max:
            raise Violation("too many messages")
        if self._message_bytes > self._limits.bytes_per_second_max:
            raise Violation("too many bytes")

    def _ping(self) -> None:
        self._awaiting_pong = True
        self._control_frames = 0
        self._timer = self._loop.call_later(self._limits.pong_s, self.end, Reason.PEER_DEAD)
        self.send(packets.PING)

    # Closing

    def end(self, reason: Reason) -> None:
        """Ends the session once, and notifies a client that may still be connected."""
        if self.ended is not None:
            return
        self.ended = reason
        self._timer.cancel()
        if self.deadline is not None:
            self.deadline.cancel()
        slots, self._slots = self._slots, []
        for slot in slots:
            slot.leave()
        wire, self._wire = self._wire, None
        unsent = self._take_unsent()
        if wire is None:
            if reason is not Reason.CLIENT_LEFT:  # its pending poll is answered with NOOP
                self._outbox.append(packets.CLOSE)
            self.upgrading = False
            self._wake_poll()
        elif reason in {Reason.SLOW_READER, Reason.PEER_DEAD}:
            wire.abort()
        elif not wire.is_closing():
            code = 1002 if reason is Reason.BAD_INPUT else 1001 if reason is Reason.SHUTDOWN else 1000
            wire.write(unsent + packets.frame(packets.CLOSE) + packets.close_frame(code))
            self._loop.call_later(self._limits.close_timeout_s, wire.abort)
            if reason is Reason.SHUTDOWN:
                wire.close()  # sends what is written, and does not wait for the client
        self._listener.ended(self, reason)
        self._forget(self)
