"""Accepts connections into the bounded pool of connections that have not authenticated.

An address above its connection rate, or without a free place, waits with plain sockets that cost almost nothing. The
newest is served first, because older ones are more likely to have given up. Connections that wait too long, or are too
many, are closed. Small kernel buffers keep half-sent requests small.
"""

import asyncio
import contextlib
import socket
from collections import deque
from functools import partial
from typing import Final

from aiohttp import web

from casino.http.connection import BoundedConnection
from casino.security.client_address import Networks, rate_limit_key
from casino.security.rate_limit import PerKey, TokenBucket, steady_clock
from casino.security.unauthenticated_pool import Pool, Slot

ACCEPTED_PER_TURN: Final = 8
PAUSE_SECONDS: Final = 0.002
"""Pause between two full turns of accepting."""

TICK_SECONDS: Final = 0.001
"""Pause between two turns that open waiting connections."""

_ADDRESSES_PER_TICK: Final = 4
_TICKS_WORTH: Final = 2
"""A turn opens one connection of an address, or what its pace allows in this many ticks, however late the turn is.
Opening costs far more than accepting."""

NO_FILES_SECONDS: Final = 0.1
"""Pause after the system has refused a connection for lack of file descriptors."""

WAITING_PER_ADDRESS_MAX: Final = 1_000
WAITING_MAX: Final = 4_000
WAITING_SECONDS_MAX: Final = 10.0
RECEIVE_BUFFER_BYTES: Final = 32 * 1024
_RESET: Final = b"\1\0\0\0\0\0\0\0"


class Listener:
    def __init__(
        self, server: web.Server, sockets: list[socket.socket], pool: Pool, trusted: Networks, *, per_second: int
    ) -> None:
        self.sockets = tuple(sockets)
        self._server = server
        self._pool = pool
        self._trusted = trusted
        self._pace = PerKey(partial(TokenBucket, per_second))
        self._per_turn = max(1, round(_TICKS_WORTH * per_second * TICK_SECONDS))
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str, deque[tuple[float, socket.socket]]] = {}
        self._waiting_count = 0
        self._tick: asyncio.TimerHandle | None = None
        self._opening: set[asyncio.Task[object]] = set()
        self._is_closed = False
        for one in sockets:
            self._listen(one)

    def close(self) -> None:
        self._is_closed = True
        if self._tick is not None:
            self._tick.cancel()
        for one in self.sockets:
            self._loop.remove_reader(one)
            one.close()
        for waiting in self._waiting.values():
            for _, connection in waiting:
                connection.close()
        self._waiting.clear()

    # Accepting

    def _listen(self, on: socket.socket) -> None:
        if not self._is_closed:
            self._loop.add_reader(on, self._accept, on)

    def _pause(self, on: socket.socket, seconds: float) -> None:
        self._loop.remove_reader(on)
        self._loop.call_later(seconds, self._listen, on)

    def _accept(self, on: socket.socket) -> None:
        left = self._per_turn
        for _ in range(ACCEPTED_PER_TURN):
            try:
                connection, peer = on.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:
                self._pause(on, NO_FILES_SECONDS)
                return
            connection.setblocking(False)  # noqa: FBT003 - the name of the argument is positional
            left -= self._arrive(connection, peer[0], may_open=left > 0)
        self._pause(on, PAUSE_SECONDS)

    def _arrive(self, connection: socket.socket, peer: str, *, may_open: bool) -> bool:
        """Opens the connection or lets it wait; whether it was opened."""
        if peer in self._trusted:  # a proxy speaks for many clients, which are counted by their forwarded address
            self._open(connection, None)
            return False
        address = rate_limit_key(peer)
        slot = self._slot(address) if may_open and address not in self._waiting else None
        if slot is None:
            self._wait(connection, address)
            return False
        self._open(connection, slot)
        return True

    def _slot(self, address: str) -> Slot | None:
        now_ms = steady_clock()
        bucket = self._pace.of(address)
        if bucket.wait_ms(now_ms):
            return None
        slot = self._pool.enter(address, _nothing)
        if slot is not None:
            bucket.take(now_ms)
        return slot

    def _open(self, connection: socket.socket, slot: Slot | None) -> None:
        protocol: BoundedConnection = self._server()  # type: ignore[assignment]
        if slot is not None:
            protocol.slot = slot
            slot.evict = protocol.evict
        opening = self._loop.create_task(self._loop.connect_accepted_socket(lambda: protocol, connection))
        self._opening.add(opening)
        opening.add_done_callback(partial(self._opened, connection, slot))

    def _opened(self, connection: socket.socket, slot: Slot | None, opening: "asyncio.Task[object]") -> None:
        self._opening.discard(opening)
        if opening.cancelled() or opening.exception() is not None:  # the client has left already
            connection.close()
            if slot is not None:
                slot.leave()

    # Waiting

    def _wait(self, connection: socket.socket, address: str) -> None:
        here = self._waiting.get(address)
        if self._waiting_count >= WAITING_MAX or (here is not None and len(here) >= WAITING_PER_ADDRESS_MAX):
            longest = max(self._waiting.values(), key=len)
            self._drop(longest.popleft()[1])
        self._waiting.setdefault(address, deque()).append((self._loop.time(), connection))
        self._waiting_count += 1
        if self._tick is None:
            self._tick = self._loop.call_later(TICK_SECONDS, self._serve_waiting)

    def _drop(self, connection: socket.socket) -> None:
        self._waiting_count -= 1
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        connection.close()

    def _serve_waiting(self) -> None:
        self._tick = None
        overdue = self._loop.time() - WAITING_SECONDS_MAX
        for _ in range(min(len(self._waiting), _ADDRESSES_PER_TICK)):
            address = next(iter(self._waiting))
            here, left = self._waiting.pop(address), self._per_turn
            while here and here[0][0] < overdue:
                self._drop(here.popleft()[1])
            while here and left and (slot := self._slot(address)) is not None:
                left -= 1
                self._waiting_count -= 1
                self._open(here.pop()[1], slot)
            if here:
                self._waiting[address] = here  # after the other addresses
        if self._waiting:
            self._tick = self._loop.call_later(TICK_SECONDS, self._serve_waiting)


def _nothing() -> None:
    """Evicts nothing: the connection has no protocol yet."""


class ListenerSite(web.BaseSite):
    """Site of the application: a host and a port, behind a `Listener`."""

    def __init__(
        self,
        runner: web.BaseRunner,
        host: str,
        port: int,
        *,
        pool: Pool,
        trusted: Networks,
        per_second: int,
        backlog: int,
    ) -> None:
        super().__init__(runner, backlog=backlog)
        self._host = host
        self._port = port
        self._pool = pool
        self._trusted = trusted
        self._per_second = per_second

    @property
    def name(self) -> str:
        return f"http://{self._host}:{self._port}"

    async def start(self) -> None:
        await super().start()
        server = self._runner.server
        assert server is not None
        found = await asyncio.get_running_loop().getaddrinfo(
            self._host or None, self._port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        sockets: list[socket.socket] = []
        try:
            for family, kind, protocol, _, address in dict.fromkeys(found):
                sockets.append(one := socket.socket(family, kind, protocol))
                _bind(one, address, self._backlog)
        except OSError:
            for one in sockets:
                one.close()
            raise
        listener = Listener(server, sockets, self._pool, self._trusted, per_second=self._per_second)
        self._server = listener  # type: ignore[assignment]


def _bind(one: socket.socket, address: tuple[object, ...], backlog: int) -> None:
    one.setblocking(False)  # noqa: FBT003 - the name of the argument is positional
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)  # inherited by every connection
    if one.family == socket.AF_INET6:
        one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    one.bind(address)
    one.listen(backlog)
