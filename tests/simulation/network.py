"""Simulated network without sockets: frames arrive late or never, as planned.

On the house's side stands the real Socket.IO server from its sessions up; only HTTP and the reading of WebSocket
frames are left out. Every frame is shown to the checker when the house takes it and when the house writes it.
"""

import asyncio
import contextvars
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any, Protocol

from casino.bootstrap.all_in_one import AllInOne
from casino.socketio import packets
from casino.socketio.engine_session import EngineSession, Reason, Violation
from tests.simulation.loop import VirtualLoop
from tests.simulation.plan import Net
from tests.simulation.seeded_random import sometimes

_TICK = 1e-6  # two messages never arrive in the same moment, so the first sent is the first to come
_SILENT = ("42", "43")  # only what is said may be lost or doubled; the protocol around it rests on TCP


class Unreachable(Exception):
    """The service is unreachable, or the connection is closed."""


class Receiver(Protocol):
    """The device's end of a link."""

    player_id: str

    def receive(self, link: "Link", text: str) -> None: ...

    def lost(self, link: "Link") -> None: ...


class Observer(Protocol):
    """Observes every message to and from the service."""

    def taken(self, link: "Link", text: str) -> None: ...

    def written(self, link: "Link", text: str) -> None: ...

    def ended_link(self, link: "Link") -> None: ...


@dataclass
class Open:
    """The running service, and the context of its tasks."""

    service: AllInOne
    context: contextvars.Context


@dataclass
class _Request:
    """As much of a first request as the server looks at."""

    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)


class Network:
    def __init__(self, loop: VirtualLoop, net: Net, chance: Random, observer: Observer) -> None:
        self.loop = loop
        self.net = net
        self.chance = chance
        self.observer = observer
        self.open: Open | None = None
        self.links: dict[Link, None] = {}
        self.outside = contextvars.copy_context()

    async def connect(self, receiver: Receiver) -> "Link":
        await asyncio.sleep(self.delay())
        if self.open is None:
            raise Unreachable
        link = Link(self, self.open, receiver)
        self.links[link] = None
        self.loop.call_soon(link.begin, context=self.open.context)
        return link

    def delay(self) -> float:
        return self.chance.expovariate(1 / self.net.seconds)

    def service_stopped(self) -> None:
        """The power is off: nothing that was on its way arrives, and the devices notice sooner or later."""
        self.open = None
        for link in tuple(self.links):
            link.break_off()


class Link:
    def __init__(self, network: Network, opened: Open, receiver: Receiver) -> None:
        self.network = network
        self.receiver = receiver
        self.player_id = receiver.player_id
        self.is_up = True  # from the view of the service
        self.is_delivering = True  # for the device
        self.is_silent = False
        self.is_whole = True
        """No message of the service has been lost so far."""
        self._service = opened.service
        self._context = opened.context
        self._connection: EngineSession | None = None
        self._last = {"in": 0.0, "out": 0.0}

    # The service's end

    def begin(self) -> None:
        sockets = self._service.gateway.sockets
        request: Any = _Request()
        connection = sockets._engine._open_session(request, f"device {id(self)}")
        self._connection = connection
        limits = sockets.limits
        connection.send(
            packets.opened(
                connection.id,
                upgrades=[],
                ping_ms=round(limits.ping_s * 1000),
                pong_ms=round(limits.pong_s * 1000),
                bytes_max=limits.message_bytes_max,
            )
        )
        wire: Any = _Wire(self)
        connection.upgrade(wire)

    def _take(self, text: str) -> None:
        if not self.is_up or self._connection is None or self._connection.ended:
            return
        self.network.observer.taken(self, text)
        try:
            self._connection.take(text)
        except Violation:
            self._connection.end(Reason.BAD_INPUT)

    def _end(self) -> None:
        """The service notices that the device has disconnected."""
        if self.is_up and self._connection is not None:
            self.is_up = False
            self.network.observer.ended_link(self)
            self._connection.end(Reason.CONNECTION_LOST)
        self._forget()

    def closed_by_house(self) -> None:
        if self.is_up:
            self.is_up = False
            self.network.observer.ended_link(self)
            self._forget()
            if not self.is_silent:
                self._later("out", self._lose, is_message=False)

    def written(self, text: str) -> None:
        if not self.is_up:
            return
        self.network.observer.written(self, text)
        net, chance = self.network.net, self.network.chance
        if self.is_silent or (text.startswith(_SILENT) and sometimes(chance, net.drop_rate)):
            self.is_whole = False
            return
        self._later("out", self._receive, text)

    def break_off(self) -> None:
        self.is_up = False
        self._forget()
        if self._connection is not None:
            self._connection.ended = Reason.SHUTDOWN
            self._connection._timer.cancel()
        self._later("out", self._lose, is_message=False)

    # The device's end

    def say(self, text: str) -> None:
        if not self.is_delivering:
            raise Unreachable
        net, chance = self.network.net, self.network.chance
        is_message = text.startswith(_SILENT)
        if self.is_silent or (is_message and sometimes(chance, net.drop_rate)):
            return
        overtaken = is_message and sometimes(chance, net.reorder_rate)
        self._later("in", self._take, text, overtaken=overtaken)
        if is_message and sometimes(chance, net.duplicate_rate):
            self._later("in", self._take, text, overtaken=True)

    def hang_up(self) -> None:
        """By the device, or in the middle: both sides learn of it."""
        self._later("in", self._end, is_message=False)
        self._lose()

    def cut(self) -> None:
        self._later("in", self._end, is_message=False)
        self._later("out", self._lose, is_message=False)

    def _receive(self, text: str) -> None:
        if self.is_delivering:
            self.receiver.receive(self, text)

    def _lose(self) -> None:
        if self.is_delivering:
            self.is_delivering = False
            self.receiver.lost(self)

    def _forget(self) -> None:
        self.network.links.pop(self, None)

    def _later(self, way: str, do: Any, *what: str, overtaken: bool = False, is_message: bool = True) -> None:  # noqa: ANN401
        """In the order it was sent, unless something overtakes it."""
        loop = self.network.loop
        at = loop.time() + self.network.delay()
        if overtaken:
            at += self.network.chance.uniform(0, 2)
        else:
            at = max(at, self._last[way] + _TICK)
            self._last[way] = at
        context = self._context if way == "in" else self.network.outside
        loop.call_at(at, do, *(what if is_message else ()), context=context)


class _Wire:
    """What the real connection takes for its transport."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._is_closing = False

    def write(self, data: bytes) -> None:
        for text in _frames(data):
            self._link.written(text)

    def is_closing(self) -> bool:
        return self._is_closing

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int) -> None:
        pass

    def get_extra_info(self, _name: str) -> None:
        return None

    def close(self) -> None:
        self._is_closing = True
        self._link.closed_by_house()

    abort = close


@lru_cache(maxsize=64)
def _frames(data: bytes) -> tuple[str, ...]:
    """The texts of the frames; a closing frame carries none. A broadcast text is parsed once."""
    found, place = list[str](), 0
    while place < len(data):
        first, size = data[place], data[place + 1]
        place += 2
        wide = {126: 2, 127: 8}.get(size, 0)
        if wide:
            size = int.from_bytes(data[place : place + wide], "big")
            place += wide
        if first == 0x81:
            found.append(data[place : place + size].decode())
        place += size
    return tuple(found)
