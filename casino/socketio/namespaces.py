"""Namespaces of a Socket.IO server: connects clients to them, and passes their packets to the handlers.

A packet to a namespace that the client never asked for closes the connection. A packet to a namespace that it has left,
or that the server has disconnected it from, is ignored: the client may have sent it before it knew.
"""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from casino.socketio import attachments, packets
from casino.socketio.attachments import IncompletePacket
from casino.socketio.engine_session import EngineSession, Reason, Violation
from casino.socketio.fanout import Fanout
from casino.socketio.limits import Counters, Limits, Occupancy
from casino.socketio.namespace_session import Accept, Answers, Event, Namespace, NamespaceSession, Refuse
from casino.socketio.packets import BadPacket, Kind, Packet
from casino.socketio.rooms import Rooms


class Namespaces:
    """Listener of the Engine.IO sessions."""

    def __init__(
        self,
        limits: Limits,
        *,
        occupancy: Occupancy,
        counters: Counters,
        answers: Answers,
        rooms: Rooms,
        fanout: Fanout,
    ) -> None:
        self.handlers: dict[str, Namespace] = {}
        self.members: dict[str, NamespaceSession] = {}  # accepted, by their id
        self._limits = limits
        self._occupancy = occupancy
        self._counters = counters
        self._answers = answers
        self._rooms = rooms
        self._fanout = fanout
        self._by_session: dict[EngineSession, dict[str, NamespaceSession]] = {}
        self._former: defaultdict[EngineSession, set[str]] = defaultdict(set)  # namespaces left or refused
        self._incomplete: dict[EngineSession, IncompletePacket] = {}

    # Interface for Engine.IO sessions

    def opened(self, session: EngineSession) -> None:
        self._by_session[session] = {}
        self._await_member(session, self._limits.connect_s, Reason.UNAUTHENTICATED)

    def ended(self, session: EngineSession, reason: Reason) -> None:
        self._counters.ended[reason] += 1
        self._former.pop(session, None)
        incomplete = self._incomplete.pop(session, None)
        if incomplete is not None:
            incomplete.timer.cancel()
        for member in tuple(self._by_session.pop(session, {}).values()):
            self._forget(member)
            member.leave(reason)

    def message(self, session: EngineSession, text: str) -> None:
        if self._incomplete and session in self._incomplete:
            raise Violation("a packet before all attachments of the last one")
        try:
            packet = packets.decode(text)
        except BadPacket as failure:
            raise Violation(str(failure)) from failure
        if packet.kind is Kind.EVENT:
            self._take_event(session, packet)
        elif packet.kind is Kind.CONNECT:
            self._take_connect(session, packet)
        elif packet.kind is Kind.DISCONNECT:
            member = self._member(session, packet.namespace)
            if packet.text:
                raise Violation("a DISCONNECT with data")
            if member is not None:
                self.leave(member, Reason.CLIENT_LEFT)
        elif packet.kind is Kind.ACK:
            self._take_ack(session, packet)
        elif packet.kind is not Kind.CONNECT_ERROR and self._limits.binary:
            self._begin_binary(session, packet)
        else:
            raise Violation("unexpected packet type")

    def binary(self, session: EngineSession, data: bytes) -> None:
        incomplete = self._incomplete.get(session)
        if incomplete is None:
            raise Violation("an attachment of no packet")
        if incomplete.add(data):
            del self._incomplete[session]
            incomplete.timer.cancel()
            self._take_binary(session, incomplete.packet, incomplete.attachments)

    # Events and acknowledgements

    def _member(self, session: EngineSession, namespace: str) -> NamespaceSession | None:
        """Returns None if the client is no longer in the namespace; raises `Violation` if it never was."""
        member = self._by_session[session].get(namespace)
        if member is None and namespace not in self._former.get(session, ()):
            raise Violation("a packet to a namespace without a CONNECT")
        return member

    def _take_event(self, session: EngineSession, packet: Packet, attached: Sequence[bytes] | None = None) -> None:
        member = self._member(session, packet.namespace)
        if member is None:
            return
        self._counters.events += 1
        data = self._data(packet, attached)
        most = self._limits.arguments_max
        if data and isinstance(data[0], str) and (most is None or len(data) <= most + 1):
            member.receive(Event(data[0], data[1:], packet.ack_id))
        else:
            self._answer_malformed(session, packet)

    def _data(self, packet: Packet, attached: Sequence[bytes] | None) -> list[Any] | None:
        """Returns the packet's array; None if it has none."""
        try:
            data = packet.data()
            if attached is not None:
                data = attachments.insert(data, attached)
        except BadPacket:
            return None
        return data if isinstance(data, list) else None

    def _answer_malformed(self, session: EngineSession, packet: Packet) -> None:
        session.strikes += 1
        answer = self._answers.malformed
        if answer is None or packet.ack_id is None or session.strikes > self._limits.strikes_max:
            raise Violation("malformed event")
        args = answer if isinstance(answer, tuple) else (answer,)
        self._fanout.to_one(session, *packets.acknowledgement(packet.namespace, packet.ack_id, args))

    def _take_ack(self, session: EngineSession, packet: Packet, attached: Sequence[bytes] | None = None) -> None:
        member = self._member(session, packet.namespace)
        if member is None:
            return
        data = self._data(packet, attached)
        if data is None:
            raise Violation("malformed acknowledgement")
        member.take_ack(packet.ack_id, data)

    def _begin_binary(self, session: EngineSession, packet: Packet) -> None:
        self._member(session, packet.namespace)
        if packet.attachments > self._limits.attachments_max:
            raise Violation("too many attachments")
        if packet.attachments:
            timer = asyncio.get_running_loop().call_later(self._limits.attachments_s, session.end, Reason.BAD_INPUT)
            self._incomplete[session] = IncompletePacket(packet, timer)
        else:
            self._take_binary(session, packet, ())

    def _take_binary(self, session: EngineSession, packet: Packet, attached: Sequence[bytes]) -> None:
        if packet.kind is Kind.BINARY_EVENT:
            self._take_event(session, packet, attached)
        else:
            self._take_ack(session, packet, attached)

    # Connecting to a namespace

    def _take_connect(self, session: EngineSession, packet: Packet) -> None:
        members = self._by_session[session]
        session.connects += 1
        if packet.namespace in members or session.connects > self._limits.connects_max:
            raise Violation("a second CONNECT to one namespace, or too many in all")
        handler = self.handlers.get(packet.namespace)
        if handler is None:
            self._reject(session, packets.connect_error(packet.namespace, "Invalid namespace"))
            return
        try:
            auth = packet.data()
        except BadPacket as failure:
            raise Violation(str(failure)) from failure
        if auth is not None and not isinstance(auth, dict):
            raise Violation("a CONNECT whose data is no object")
        member = NamespaceSession(
            secrets.token_urlsafe(15),
            packet.namespace,
            session,
            handler,
            answers=self._answers,
            send=self._fanout.to_one,
            limits=self._limits,
        )
        members[packet.namespace] = member
        session.verify()
        member.connect(auth, self._decided)

    def _decided(self, member: NamespaceSession, verdict: Accept | Refuse) -> None:
        session = member.session
        if member.left_reason is not None:  # the client left before the decision; its handler is still notified
            member.accepted = isinstance(verdict, Accept)
            session.verified(is_signed_in=False)
            return
        if isinstance(verdict, Accept) and not session.is_signed_in and self._is_full(session):
            member.accepted = True
            member.leave(Reason.SERVER_DISCONNECT)
            verdict = Refuse("rate_limited", "Too many connections from this address. Close some and try again.")
        if isinstance(verdict, Accept) and verdict.account is not None:
            if self._occupancy.enter_account(verdict.account):
                member.account = verdict.account
            else:
                member.accepted = True
                member.leave(Reason.SERVER_DISCONNECT)
                verdict = Refuse("rate_limited", "Too many connections of this account. Close some and try again.")
        if isinstance(verdict, Refuse):
            session.verified(is_signed_in=False)
            del self._by_session[session][member.namespace]
            self._former[session].add(member.namespace)
            member.leave(Reason.SERVER_DISCONNECT)
            self._reject(session, packets.connect_error(member.namespace, verdict.message, {"code": verdict.code}))
        else:
            if not session.is_signed_in:
                self._occupancy.enter(session.handshake.address)
            session.verified(is_signed_in=True)
            self._accept(member, verdict)

    def _is_full(self, session: EngineSession) -> bool:
        return self._occupancy.full or self._occupancy.address_full(session.handshake.address)

    def _reject(self, session: EngineSession, connect_error: bytes) -> None:
        self._counters.refused += 1
        session.strikes += 1
        if session.strikes > self._limits.strikes_max:
            session.end(Reason.BAD_INPUT)
        else:
            self._fanout.to_one(session, connect_error)

    def _accept(self, member: NamespaceSession, verdict: Accept) -> None:
        session = member.session
        if session.deadline is not None:
            session.deadline.cancel()
            session.deadline = None
        self._fanout.to_one(session, packets.connected(member.namespace, member.sid))
        member.accepted = True
        self.members[member.sid] = member
        for room in verdict.rooms:
            self._rooms.enter(member, room)
        if verdict.then is not None:
            verdict.then()

    # Leaving a namespace

    def leave(self, member: NamespaceSession, reason: Reason) -> None:
        """Disconnects the client from one namespace, and closes a connection that has no other soon after."""
        session = member.session
        members = self._by_session[session]
        del members[member.namespace]
        self._former[session].add(member.namespace)
        self._forget(member)
        member.leave(reason)
        if not members:
            self._await_member(session, self._limits.close_timeout_s, reason)

    def _forget(self, member: NamespaceSession) -> None:
        self.members.pop(member.sid, None)
        self._rooms.leave_all(member)
        if member.account is not None:
            self._occupancy.leave_account(member.account)
            member.account = None

    def _await_member(self, session: EngineSession, seconds: float, reason: Reason) -> None:
        if session.ended is None:
            loop = asyncio.get_running_loop()
            session.deadline = loop.call_later(seconds, self._overdue, session, reason)

    def _overdue(self, session: EngineSession, reason: Reason) -> None:
        """Waits on while a CONNECT is being decided: after an outage thousands of clients arrive at once."""
        if self._by_session.get(session):
            self._await_member(session, self._limits.connect_s, reason)
        else:
            session.end(reason)
