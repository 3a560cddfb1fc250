"""Socket.IO server, the interface for applications: namespaces, rooms and events.

Sending is synchronous: packets leave on each connection in the order of the calls, and no call waits for a client. Only
`call` waits, for the acknowledgement of one client.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from aiohttp import web

from casino.security.unauthenticated_pool import Pool, PoolLimits
from casino.socketio import packets
from casino.socketio.engine_server import EngineServer, peer_address, same_host
from casino.socketio.engine_session import Reason
from casino.socketio.fanout import Fanout
from casino.socketio.limits import Counters, Limits, Occupancy
from casino.socketio.namespace_session import Answers, ClientDisconnected, Namespace, NamespaceSession
from casino.socketio.namespaces import Namespaces
from casino.socketio.packets import Encoded
from casino.socketio.rooms import Rooms


class SocketServer:
    def __init__(
        self,
        limits: Limits | None = None,
        *,
        origin_allowed: Callable[[str, web.Request], bool] = same_host,
        address_of: Callable[[web.Request], str] = peer_address,
        answers: Answers | None = None,
        observe_fanout: Callable[[float], None] | None = None,
        pool: Pool | None = None,
        cookie: str = "session",
    ) -> None:
        """`pool` holds connections that are in no namespace yet; `cookie` names the only cookie a handshake keeps."""
        self.limits = limits or Limits()
        self.counters = Counters()
        self.occupancy = Occupancy(self.limits)
        self._rooms = Rooms()
        self._fanout = Fanout(self.counters, self.limits.writes_per_turn, observe_fanout)
        self._namespaces = Namespaces(
            self.limits,
            occupancy=self.occupancy,
            counters=self.counters,
            answers=answers or Answers(),
            rooms=self._rooms,
            fanout=self._fanout,
        )
        self._members = self._namespaces.members
        self._engine = EngineServer(
            self._namespaces,
            self.limits,
            occupancy=self.occupancy,
            counters=self.counters,
            pool=Pool(PoolLimits(), time.monotonic) if pool is None else pool,
            cookie=cookie,
            origin_allowed=origin_allowed,
            address_of=address_of,
        )

    def attach(self, app: web.Application, path: str = "/socket.io") -> None:
        self._engine.attach(app, path)
        app.on_shutdown.append(self._shut_down)

    def namespace(self, name: str, handler: Namespace) -> None:
        self._namespaces.handlers[name] = handler

    # Events

    def emit(self, sid: str, event: str, *args: object) -> bool:
        """Sends an event to one client; returns False if it is gone."""
        member = self._members.get(sid)
        if member is None:
            return False
        self._fanout.to_one(member.session, *self._event(member.namespace, event, args))
        return True

    def emit_together(self, sid: str, events: Iterable[tuple[str, object]]) -> bool:
        """Sends several events with one argument each in one write; returns False if the client is gone."""
        member = self._members.get(sid)
        if member is None:
            return False
        encoded = [part for event, payload in events for part in self._event(member.namespace, event, (payload,))]
        self._fanout.to_one(member.session, *encoded)
        return True

    def emit_room(self, namespace: str, room: str, event: str, *args: object) -> int:
        """Sends an event to all clients in the room, encoded once; returns their number."""
        return self.emit_room_together(namespace, room, [(event, *args)])

    def emit_room_together(self, namespace: str, room: str, events: Iterable[tuple[Any, ...]]) -> int:
        """Sends several events, each with its arguments, to all clients in the room: encoded once, in one write."""
        members = self._rooms.members(namespace, room)
        if members:
            encoded = [part for event, *args in events for part in self._event(namespace, event, args)]
            self._fanout.to_many([member.session for member in members], encoded)
        return len(members)

    async def call(self, sid: str, event: str, *args: object, timeout_s: float = 60.0) -> list[Any]:
        """Sends an event and returns the arguments of its acknowledgement.

        Raises `ClientDisconnected` if the client leaves, and TimeoutError if it does not acknowledge in time.
        """
        member = self._members.get(sid)
        if member is None:
            raise ClientDisconnected(sid)
        ack_id, ack = member.expect_ack()
        try:
            self._fanout.to_one(member.session, *self._event(member.namespace, event, args, ack_id))
            async with asyncio.timeout(timeout_s):
                return await ack
        finally:
            member.forget_ack(ack_id)

    def _event(self, namespace: str, event: str, args: Sequence[object], ack_id: int | None = None) -> Encoded:
        return packets.event(namespace, event, args, ack_id=ack_id, binary=self.limits.binary)

    # Rooms

    def enter(self, sid: str, room: str) -> bool:
        """Returns False if the client is gone."""
        member = self._members.get(sid)
        if member is None:
            return False
        self._rooms.enter(member, room)
        return True

    def leave(self, sid: str, room: str) -> None:
        member = self._members.get(sid)
        if member is not None:
            self._rooms.leave(member, room)

    def inside(self, namespace: str, room: str) -> tuple[str, ...]:
        return tuple(member.sid for member in self._rooms.members(namespace, room))

    def has_members(self, namespace: str, room: str) -> bool:
        return bool(self._rooms.members(namespace, room))

    # Clients

    def connected(self, sid: str) -> bool:
        return sid in self._members

    def disconnect(self, sid: str) -> None:
        """Disconnects the client from its namespace; official clients do not reconnect by themselves after that."""
        member: NamespaceSession | None = self._members.get(sid)
        if member is not None:
            self._fanout.to_one(member.session, packets.disconnected(member.namespace))
            self._namespaces.leave(member, Reason.SERVER_DISCONNECT)

    def is_signed_in(self, session_id: str) -> bool:
        """Returns whether the Engine.IO session has been accepted into a namespace."""
        return self._engine.is_signed_in(session_id)

    @property
    def sockets_open(self) -> int:
        return len(self._engine)

    async def close(self) -> None:
        """Ends every session; official clients reconnect by themselves."""
        self._engine.end_all(Reason.SHUTDOWN)

    async def _shut_down(self, _app: web.Application) -> None:
        await self.close()
