"""The Socket.IO server as the next layer sees it: namespaces, rooms, events.

Decides who is a member of which namespace and speaks the Socket.IO protocol over the sessions below. Refuses to know
what an event means, who an account is and what a room stands for. Everything that sends is synchronous: the order on
each connection is the order of the calls, and nobody is waited for.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterable

from aiohttp import web

from casino.sockets.transport import packets
from casino.sockets.transport.connection import Connection, Reason, Violation
from casino.sockets.transport.fanout import Fanout
from casino.sockets.transport.limits import Counters, Limits, Occupancy
from casino.sockets.transport.members import Accept, Answers, Event, Member, Namespace, Refuse
from casino.sockets.transport.packets import BadPacket, Kind, Packet
from casino.sockets.transport.rooms import Rooms
from casino.sockets.transport.sessions import Sessions, peer_address, same_host

ANSWERS = Answers(
    malformed={"ok": False, "error": {"code": "bad_request", "message": "The message could not be read."}},
    failed={"ok": False, "error": {"code": "internal", "message": "Something went wrong here."}},
)


class SocketServer:
    def __init__(
        self,
        limits: Limits | None = None,
        *,
        origin_allowed: Callable[[str, web.Request], bool] = same_host,
        address_of: Callable[[web.Request], str] = peer_address,
        answers: Answers = ANSWERS,
        observe_fanout: Callable[[float], None] | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.counters = Counters()
        self.occupancy = Occupancy(self.limits)
        self._answers = answers
        self._namespaces: dict[str, Namespace] = {}
        self._members: dict[str, Member] = {}
        self._of_connection: dict[Connection, dict[str, Member]] = {}
        self._rooms = Rooms()
        self._fanout = Fanout(self.counters, self.limits.writes_per_turn, observe_fanout)
        self._sessions = Sessions(
            self,
            self.limits,
            occupancy=self.occupancy,
            counters=self.counters,
            origin_allowed=origin_allowed,
            address_of=address_of,
        )

    # For the application

    def attach(self, app: web.Application, path: str = "/socket.io") -> None:
        self._sessions.attach(app, path)
        app.on_shutdown.append(self._shut_down)

    def namespace(self, name: str, handler: Namespace) -> None:
        self._namespaces[name] = handler

    def emit(self, sid: str, event: str, payload: object) -> bool:
        """To one client; false if it is gone."""
        member = self._members.get(sid)
        if member is None:
            return False
        self._fanout.to_one(member.connection, packets.event(member.namespace, event, payload))
        return True

    def emit_together(self, sid: str, told: Iterable[tuple[str, object]]) -> bool:
        """Several events to one client, written in one go; false if it is gone."""
        member = self._members.get(sid)
        if member is None:
            return False
        namespace = member.namespace
        self._fanout.to_one(member.connection, *[packets.event(namespace, event, payload) for event, payload in told])
        return True

    def emit_room(self, namespace: str, room: str, event: str, payload: object) -> int:
        """To everybody in the room at this moment, encoded once; the answer is how many that are."""
        members = self._rooms.members(namespace, room)
        if members:
            self._fanout.to_many([member.connection for member in members], packets.event(namespace, event, payload))
        return len(members)

    def enter(self, sid: str, room: str) -> bool:
        """False if the client is gone."""
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

    def is_anybody_in(self, namespace: str, room: str) -> bool:
        return bool(self._rooms.members(namespace, room))

    def connected(self, sid: str) -> bool:
        return sid in self._members

    def disconnect(self, sid: str) -> None:
        """Tells the client, who does not come back by itself; a connection that nothing else uses is closed soon."""
        member = self._members.get(sid)
        if member is not None:
            self._fanout.to_one(member.connection, packets.disconnected(member.namespace))
            self._part(member, Reason.SERVER_DISCONNECT)

    @property
    def sockets_open(self) -> int:
        return len(self._sessions)

    async def close(self) -> None:
        """Ends every session; clients take it for a lost connection and come back by themselves."""
        self._sessions.end_all(Reason.SHUTDOWN)

    async def _shut_down(self, _app: web.Application) -> None:
        await self.close()

    # For the sessions

    def opened(self, connection: Connection) -> None:
        self._of_connection[connection] = {}
        self._await_member(connection, self.limits.unauthenticated_s, Reason.UNAUTHENTICATED)

    def ended(self, connection: Connection, reason: Reason) -> None:
        self.counters.ended[reason] += 1
        for member in tuple(self._of_connection.pop(connection, {}).values()):
            self._forget(member)
            member.leave(reason)
        self._sessions.forget(connection)

    def message(self, connection: Connection, text: str) -> None:
        try:
            packet = packets.decode(text)
        except BadPacket as failure:
            raise Violation(str(failure)) from failure
        if packet.kind is Kind.EVENT:
            self._take_event(connection, packet)
        elif packet.kind is Kind.CONNECT:
            self._take_connect(connection, packet)
        elif packet.kind is Kind.DISCONNECT:
            member = self._of_connection[connection].get(packet.namespace)
            if member is not None:
                self._part(member, Reason.CLIENT_LEFT)
        else:
            raise Violation("unexpected kind of packet")

    def _take_event(self, connection: Connection, packet: Packet) -> None:
        member = self._of_connection[connection].get(packet.namespace)
        if member is None:
            return  # sent before it heard that it was disconnected
        self.counters.events += 1
        match self._event_data(packet):
            case [str(name)]:
                member.receive(Event(name, None, packet.ack_id))
            case [str(name), data]:
                member.receive(Event(name, data, packet.ack_id))
            case _:
                self._answer_malformed(connection, packet)

    def _event_data(self, packet: Packet) -> object:
        try:
            return packet.data()
        except BadPacket:
            return None

    def _answer_malformed(self, connection: Connection, packet: Packet) -> None:
        connection.strikes += 1
        if packet.ack_id is None or connection.strikes > self.limits.strikes_max:
            raise Violation("malformed event")
        answer = packets.acknowledgement(packet.namespace, packet.ack_id, self._answers.malformed)
        self._fanout.to_one(connection, answer)

    # Membership

    def _take_connect(self, connection: Connection, packet: Packet) -> None:
        members = self._of_connection[connection]
        connection.connects += 1
        if packet.namespace in members or connection.connects > self.limits.connects_max:
            raise Violation("connected twice to one namespace, or again and again")
        handler = self._namespaces.get(packet.namespace)
        if handler is None:
            self._turn_away(connection, packet.namespace, Refuse("not_found", "Invalid namespace"))
            return
        try:
            auth = packet.data()
        except BadPacket as failure:
            raise Violation(str(failure)) from failure
        member = Member(
            secrets.token_urlsafe(15),
            packet.namespace,
            connection,
            handler,
            answers=self._answers,
            send=self._fanout.to_one,
            unanswered_max=self.limits.unanswered_events_max,
        )
        members[packet.namespace] = member
        member.connect(auth, self._decided)

    def _decided(self, member: Member, verdict: Accept | Refuse) -> None:
        if isinstance(verdict, Accept) and member.gone is not None:
            member.accepted = True  # it left meanwhile, and its handler is told so
            return
        if member.gone is not None:
            return
        if isinstance(verdict, Accept) and verdict.account is not None:
            if self.occupancy.enter_account(verdict.account):
                member.account = verdict.account
            else:
                member.accepted = True
                member.leave(Reason.SERVER_DISCONNECT)
                verdict = Refuse("rate_limited", "Too many connections of this account.")
        if isinstance(verdict, Refuse):
            self._of_connection[member.connection].pop(member.namespace)
            member.leave(Reason.SERVER_DISCONNECT)
            self._turn_away(member.connection, member.namespace, verdict)
        else:
            self._let_in(member, verdict)

    def _turn_away(self, connection: Connection, namespace: str, why: Refuse) -> None:
        self.counters.refused += 1
        connection.strikes += 1
        if connection.strikes > self.limits.strikes_max:
            connection.end(Reason.BAD_INPUT)
        else:
            self._fanout.to_one(connection, packets.refused(namespace, why.code, why.message))

    def _let_in(self, member: Member, verdict: Accept) -> None:
        connection = member.connection
        if connection.deadline is not None:
            connection.deadline.cancel()
            connection.deadline = None
        self._fanout.to_one(connection, packets.connected(member.namespace, member.sid))
        member.accepted = True
        self._members[member.sid] = member
        for room in verdict.rooms:
            self._rooms.enter(member, room)

    def _part(self, member: Member, reason: Reason) -> None:
        """The client leaves one namespace; a connection without any is not kept."""
        connection = member.connection
        members = self._of_connection[connection]
        del members[member.namespace]
        self._forget(member)
        member.leave(reason)
        if not members:
            self._await_member(connection, self.limits.farewell_s, reason)

    def _forget(self, member: Member) -> None:
        self._members.pop(member.sid, None)
        self._rooms.leave_all(member)
        if member.account is not None:
            self.occupancy.leave_account(member.account)
            member.account = None

    def _await_member(self, connection: Connection, seconds: float, reason: Reason) -> None:
        if connection.ended is None:
            loop = asyncio.get_running_loop()
            connection.deadline = loop.call_later(seconds, self._overdue, connection, reason)

    def _overdue(self, connection: Connection, reason: Reason) -> None:
        """Whoever has said who they are is not cut off because looking it up takes long: thousands may come at once."""
        if self._of_connection.get(connection):
            self._await_member(connection, self.limits.unauthenticated_s, reason)
        else:
            connection.end(reason)
