"""WebSocket transport: the opening handshake, the upgrade from polling, and reading of frames.

aiohttp reads the opening request. Then a `WebSocketProtocol` takes over its transport, and nothing of the request stays
in memory. The protocol processes a bounded number of frames and bytes in each turn of the event loop. It does not read
the transport while frames wait. A violation closes the connection. Compression is never accepted.
"""

import asyncio
import base64
import binascii
import hashlib
from typing import Final

from aiohttp import HttpVersion11, web

from casino.security.unauthenticated_pool import Slot
from casino.socketio import packets
from casino.socketio.engine_session import EngineSession, Reason, Violation
from casino.socketio.frames import BINARY, CLOSE, CONTINUATION, PING, TEXT, Frame, FrameReader
from casino.socketio.limits import Limits

_GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_KEY_BYTES: Final = 16
_DISCARDED_BYTES_MAX: Final = 256 * 1024
"""Bytes read and discarded after a violation, so that the close frame arrives before the connection is reset."""
_ALREADY_UPGRADED: Final = 1008  # policy violation


def accept_key(request: web.Request) -> str | None:
    """Returns the value of Sec-WebSocket-Accept; None if the request is no WebSocket handshake."""
    headers = request.headers
    connection = {token.strip().lower() for token in headers.get("Connection", "").split(",")}
    if (
        headers.get("Upgrade", "").strip().lower() != "websocket"
        or "upgrade" not in connection
        or headers.get("Sec-WebSocket-Version") != "13"
        or request.version < HttpVersion11
        or request.body_exists
    ):
        return None
    key = headers.get("Sec-WebSocket-Key", "").encode()
    try:
        if len(base64.b64decode(key, validate=True)) != _KEY_BYTES:
            return None
    except binascii.Error:
        return None
    return base64.b64encode(hashlib.sha1(key + _GUID).digest()).decode()  # noqa: S324  RFC 6455 demands it


async def begin(session: EngineSession, request: web.Request, limits: Limits) -> web.StreamResponse:
    """Opens a session that uses a WebSocket from its first packet."""
    try:
        response = await _switch(request)
        protocol = WebSocketProtocol(session, limits)
        protocol.take_over(request)
    except BaseException:
        session.end(Reason.CONNECTION_LOST)
        raise
    protocol.go_direct()
    return response


async def upgrade(session: EngineSession, request: web.Request, limits: Limits) -> web.StreamResponse:
    """Probes a WebSocket for a polling session, then moves the session to it; a failed probe leaves it polling.

    A session has one WebSocket at a time. A second one is closed after its handshake, as the protocol demands: it
    would stay open without a heartbeat.
    """
    is_second = session.direct or session.probing
    if not is_second:
        session.probing = True
    try:
        response = await _switch(request)
        protocol = WebSocketProtocol(session, limits)
        protocol.take_over(request)
    except BaseException:
        if not is_second:
            session.probing = False
        raise
    if is_second:
        protocol.close(_ALREADY_UPGRADED)
    else:
        protocol.probe()
    return response


async def _switch(request: web.Request) -> web.StreamResponse:
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept_key(request) or ""}
    response = web.StreamResponse(status=101, headers=headers)
    await response.prepare(request)
    return response


class _EarlyBytes:
    """Collects bytes the client sent before it received the response to its handshake."""

    def __init__(self) -> None:
        self.data = b""

    def feed_data(self, data: bytes) -> tuple[bool, bytes]:
        self.data += data
        return False, b""

    def feed_eof(self) -> None:
        """aiohttp calls this; there is nothing to do."""


class WebSocketProtocol(asyncio.Protocol):
    __slots__ = (
        "_discarded",
        "_frames",
        "_is_carrier",
        "_is_done",
        "_is_paused",
        "_is_refused",
        "_limits",
        "_loop",
        "_probe_timer",
        "_probed",
        "_session",
        "_slot",
        "_wire",
    )

    def __init__(self, session: EngineSession, limits: Limits) -> None:
        self._session = session
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._frames = FrameReader(limits)
        self._wire: asyncio.Transport | None = None
        self._slot: Slot | None = None
        self._is_paused = False
        self._is_carrier = False  # the session's packets go over this WebSocket
        self._is_done = False  # incoming bytes are discarded
        self._is_refused = False  # only the client's close frame matters
        self._discarded = 0
        self._probe_timer: asyncio.TimerHandle | None = None
        self._probed = False

    def take_over(self, request: web.Request) -> None:
        """Detaches the transport from aiohttp, which then considers the connection closed."""
        http = request.protocol
        if http.transport is None or http.transport.is_closing():
            raise ConnectionResetError("the client left during the handshake")
        early = _EarlyBytes()
        http.set_parser(early)  # type: ignore[arg-type]
        self._wire, http.transport = http.transport, None
        self._slot = getattr(http, "slot", None)
        if self._slot is not None:
            http.slot = None  # type: ignore[attr-defined]
            self._slot.evict = self._wire.abort
        self._wire.set_protocol(self)
        http.connection_lost(None)
        if early.data:
            self._loop.call_soon(self.data_received, early.data)

    def go_direct(self) -> None:
        assert self._wire is not None
        if self._slot is not None:
            self._session.occupy(self._slot)
        self._is_carrier = True
        self._session.upgrade(self._wire)

    def close(self, code: int) -> None:
        """Refuses this WebSocket. The session is not affected."""
        assert self._wire is not None
        self._is_refused = True
        self._wire.write(packets.close_frame(code))
        self._loop.call_later(self._limits.close_timeout_s, self._wire.abort)

    # Probing

    def probe(self) -> None:
        self._probe_timer = self._loop.call_later(self._limits.upgrade_s, self._give_up)

    def _give_up(self) -> None:
        """Closes the WebSocket; the session continues polling."""
        self._end_probe()
        self._is_done = True
        if self._wire is not None:
            self._wire.close()

    def _end_probe(self) -> None:
        if self._probe_timer is not None:
            self._probe_timer.cancel()
            self._probe_timer = None
            self._session.probing = False
            self._session.release()

    def _take_probe(self, text: str) -> None:
        session, wire = self._session, self._wire
        if session.ended is not None or wire is None or wire.is_closing():
            self._give_up()
        elif text == "2probe" and not self._probed:
            self._probed = True
            session.pause_polling()
            wire.write(packets.frame(packets.PROBE_ANSWER))
        elif text == "5" and self._probed:
            self._end_probe()
            self.go_direct()
        else:
            self._give_up()

    # For the transport

    def data_received(self, data: bytes) -> None:
        if self._is_done:
            self._discard(len(data))
            return
        self._frames.feed(data)
        if not self._is_paused:
            self._read()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._is_done = True
        self._wire = None
        if self._probe_timer is not None:
            self._end_probe()
        elif self._is_carrier:
            self._session.end(Reason.CONNECTION_LOST)
        if self._slot is not None:
            self._slot.leave()
            self._slot = None

    # Reading

    def _read(self) -> None:
        """Processes one turn's share of the received frames, and pauses the transport while frames are left."""
        was_paused, self._is_paused = self._is_paused, False
        try:
            self._is_paused = self._has_more()
        except (Violation, UnicodeDecodeError):
            self._take_violation()
        wire = self._wire
        if self._is_paused:
            self._loop.call_soon(self._read)
        if wire is not None and was_paused != self._is_paused and not wire.is_closing():
            if self._is_paused:
                wire.pause_reading()
            else:
                wire.resume_reading()

    def _has_more(self) -> bool:
        """Returns whether a complete frame may be left after this turn's share."""
        taken = 0
        for _ in range(self._limits.frames_per_turn):
            frame = None if self._is_done else self._frames.next()
            if frame is None:
                return False
            self._take(frame)
            taken += len(frame.payload)
            if taken >= self._limits.bytes_per_turn or not self._frames.has_bytes:
                break
        return self._frames.has_bytes and not self._is_done

    def _take(self, frame: Frame) -> None:
        if frame.opcode == CLOSE:
            self._take_close()
        elif self._is_refused:
            return
        elif frame.opcode == TEXT:
            text = frame.payload.decode()
            if self._probe_timer is not None:
                self._take_probe(text)
            else:
                self._session.take(text)
        elif frame.opcode == BINARY:
            if self._probe_timer is not None:
                raise Violation("a binary message instead of a probe")
            self._session.take_binary(frame.payload)
        elif frame.opcode != CONTINUATION:
            self._session.control_frame(ping=frame.payload if frame.opcode == PING else None)

    def _take_close(self) -> None:
        """The client has closed its side."""
        self._is_done = True
        wire = self._wire
        if wire is None:
            return
        if self._session.ended is None and not self._is_refused:
            wire.write(packets.close_frame(1000))
        wire.close()

    def _take_violation(self) -> None:
        if self._probe_timer is not None:
            self._give_up()
        else:
            self._is_done = True
            if self._is_carrier:
                self._session.end(Reason.BAD_INPUT)

    def _discard(self, size: int) -> None:
        self._discarded += size
        if self._discarded > _DISCARDED_BYTES_MAX and self._wire is not None:
            self._wire.abort()
