"""Namespace `/host`: presenters and managers at the console. Who may say what stands with the messages."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.sockets import incoming
from casino.sockets.answers import Ack, accepted, or_refused, read, refused, when_answered
from casino.sockets.asking import Askers
from casino.sockets.identity import Identify, Visitor
from casino.sockets.rooms import HOSTS, room_of
from casino.sockets.talk import Talk
from casino.sockets.transport.connection import Handshake
from casino.sockets.transport.members import Accept, Answer, Refuse
from casino.sockets.transport.server import SocketServer
from casino.table import messages
from casino.table.actor import TableActor
from casino.uth import commands

NAMESPACE: Final = HOSTS
EVENTS_PER_5_SECONDS: Final = 200
"""A scanner is faster than a hand, and nine cards make a round."""
LINES_PER_30_SECONDS: Final = 30


class Hosts:
    def __init__(
        self, server: SocketServer, tables: Mapping[str, TableActor], identify: Identify, clock: Clock, *, talk: Talk
    ) -> None:
        self._server = server
        self._tables = tables
        self._identify = identify
        self._clock = clock
        self._talk = talk
        self._askers = Askers(EVENTS_PER_5_SECONDS, LINES_PER_30_SECONDS)
        self._staff: dict[str, Visitor] = {}
        self._of_session: dict[str, set[str]] = defaultdict(set)

    @property
    def session_ids(self) -> set[str]:
        return set(self._of_session)

    def are_at(self, table_id: str) -> set[str]:
        """The names of those whose console shows this table."""
        return {self._staff[sid].name for sid in self._server.inside(NAMESPACE, room_of(table_id))}

    @property
    def here(self) -> list[tuple[str, str]]:
        """Name and role of everybody at a console, each once."""
        return sorted({(visitor.name, visitor.role) for visitor in self._staff.values()})

    def end_session(self, session_id: str) -> None:
        for sid in tuple(self._of_session.get(session_id, ())):
            self._server.disconnect(sid)

    async def connect(self, sid: str, handshake: Handshake, auth: object) -> Accept | Refuse:
        visitor = await self._identify(handshake, auth)
        if visitor is None:
            return Refuse(Code.NOT_AUTHENTICATED, "Sign in first.")
        if visitor.role not in incoming.BOTH:
            return Refuse(Code.FORBIDDEN, "The console is for presenters and managers.")
        self._staff[sid] = visitor
        self._of_session[visitor.session_id].add(sid)
        return Accept(account=visitor.user_id)

    def event(self, sid: str, name: str, data: object) -> Answer:
        visitor = self._staff[sid]
        try:
            return self._take(sid, visitor, name, data)
        except Refusal as refusal:
            if self._askers.of(visitor.user_id).is_abuse:
                self._server.disconnect(sid)
            return refused(refusal)

    def _take(self, sid: str, visitor: Visitor, name: str, data: object) -> Answer:
        at_ms = self._clock()
        self._askers.of(visitor.user_id).verify(name, at_ms)
        known = incoming.FROM_HOSTS.get(name)
        if known is None:
            raise Refusal(Code.BAD_REQUEST, "There is no such message.")
        model, roles = known
        if visitor.role not in roles:
            raise Refusal(Code.FORBIDDEN, "Your role may not do this.")
        message = read(model, data)
        table = self._tables.get(message.table_id)
        if table is None:
            raise Refusal(Code.NO_SUCH_TABLE, "There is no such table.")
        match message:
            case incoming.Say():
                self._talk.by_host(visitor, message, at_ms)
                return accepted({})
            case incoming.Mute() | incoming.Unmute():
                return or_refused(self._silence(visitor, message, at_ms))
            case incoming.Watch():
                return or_refused(self._watch(sid, table))
        return when_answered(table.post(_to_the_table(visitor, message), at_ms))

    async def _watch(self, sid: str, table: TableActor) -> Ack:
        """What everybody hears may come before the snapshot, but nothing is missed after it."""
        self._server.enter(sid, room_of(table.table_id))
        snapshot = await table.ask(messages.Watch())
        return accepted(snapshot | self._talk.for_hosts(table.table_id, self._clock()))

    async def _silence(self, visitor: Visitor, message: incoming.Mute | incoming.Unmute, at_ms: int) -> Ack:
        if isinstance(message, incoming.Mute):
            await self._talk.mute(visitor, message, at_ms)
        else:
            await self._talk.unmute(visitor, message, at_ms)
        return accepted({})

    def disconnect(self, sid: str, reason: str) -> None:  # noqa: ARG002
        visitor = self._staff.pop(sid, None)
        if visitor is not None:
            sessions = self._of_session[visitor.session_id]
            sessions.discard(sid)
            if not sessions:
                del self._of_session[visitor.session_id]


def _to_the_table(visitor: Visitor, message: incoming.Incoming) -> messages.Message:
    by = visitor.name
    match message:
        case incoming.Watch():
            return messages.Watch()
        case incoming.OpenTable():
            return messages.OpenTable(by, visitor.role)
        case incoming.CloseTable():
            return messages.CloseTable(by, visitor.role)
        case incoming.StartRound():
            return messages.StartRound(by)
        case incoming.Scan():
            return commands.DealCard(message.round_id, message.card, by)
        case incoming.UndoScan():
            return commands.UndoCard(message.round_id, by)
        case incoming.CountDeck():
            return messages.CountDeck(by, message.deck)
        case incoming.CountCard():
            return messages.CountCard(by, message.card)
        case incoming.EndCount():
            return messages.EndCount(by)
        case incoming.SetLimits():
            limits = message.model_dump(include={"ante_min", "ante_max", "trips_min", "trips_max"})
            return messages.SetLimits(by, visitor.role, limits, message.reason)
        case _:
            return _about_a_problem(by, message)


def _about_a_problem(by: str, message: incoming.Incoming) -> messages.Message:
    match message:
        case incoming.ReportProblem():
            meant, kind = message.incident_id or "", message.incident_class or ""
            return commands.ReportProblem(message.reason, by, kind, incident_id=meant)
        case incoming.CorrectCard():
            meant = message.incident_id or ""
            return commands.CorrectCard(message.round_id, message.slot, message.card, message.reason, by, meant)
        case incoming.Resume():
            return commands.Resume(by, message.reason, message.incident_id or "")
        case incoming.CancelRound():
            return commands.CancelRound(message.reason, by, message.incident_id or "")
        case incoming.PreviewCancel():
            return messages.PreviewCancel()
    raise Refusal(Code.BAD_REQUEST, "There is no such message.")
