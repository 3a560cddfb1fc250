"""Namespace `/host` for presenters and managers. The message types define the authorization of each event."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final, cast

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.gateway.account_limits import account_limits
from casino.gateway.acks import Ack, accepted, ack_or_error, ack_when_done, read
from casino.gateway.chat_relay import ChatRelay
from casino.gateway.connections import AcceptedConnection, Connections
from casino.gateway.identity import Identify, Identity, verify_role
from casino.gateway.rooms import HOSTS, room_of
from casino.hosting.interfaces import Connection, Directory, TableClient
from casino.live_table import messages
from casino.live_table.hand_over import is_hand_over
from casino.live_table.shift import verify_presenter
from casino.socketio.engine_session import Handshake
from casino.socketio.namespace_session import Accept, Answer, Refuse
from casino.socketio.server import SocketServer
from casino.users.roles import Role
from casino.uth import commands
from casino.wire import client_events
from casino.wire.host_events import Watched, Watching
from casino.wire.player_events import Done

NAMESPACE: Final = HOSTS
_OTHER_ROLE: Final = "The console is for presenters and managers. Sign in with such an account."
EVENTS_PER_5_SECONDS: Final = 200
"""A scanner is faster than a hand, and a round has nine cards."""
LINES_PER_30_SECONDS: Final = 30
_BY_ANY_PRESENTER: Final = (client_events.Watch, client_events.TakeOver, client_events.Approve, client_events.Reject)
"""The table itself checks who may answer a request or ask for a handover."""


Table = TableClient[messages.Message]


class HostNamespace:
    def __init__(
        self,
        server: SocketServer,
        tables: Mapping[str, Table],
        identify: Identify,
        clock: Clock,
        *,
        gateway: str,
        directory: Directory,
        chat: ChatRelay,
        poker_chat: ChatRelay,
    ) -> None:
        self._gateway = gateway
        self._directory = directory
        self._server = server
        self._tables = tables
        self._identify = identify
        self._clock = clock
        self._chat = chat
        self._poker_chat = poker_chat
        self._account_limits = account_limits(EVENTS_PER_5_SECONDS, LINES_PER_30_SECONDS)
        self.connections: Final = Connections[AcceptedConnection](server)
        self._watched: dict[str, set[str]] = defaultdict(set)  # by connection, the tables its console shows

    @property
    def here(self) -> list[tuple[str, str]]:
        """Returns name and role of all staff at consoles, each once."""
        return sorted({(visitor.name, visitor.role) for visitor in self.connections.visitors})

    async def connect(self, sid: str, handshake: Handshake, auth: object) -> Accept | Refuse:
        visitor = verify_role(await self._identify(handshake, auth), client_events.BOTH, _OTHER_ROLE)
        if isinstance(visitor, Refuse):
            return visitor
        limits = self._account_limits.of(visitor.user_id)
        self.connections.add(sid, AcceptedConnection(visitor, limits, self._clock()))
        return Accept(account=visitor.user_id)

    def event(self, sid: str, name: str, args: list[Any]) -> Answer:
        data = args[0] if args else None
        return self.connections.answer(sid, lambda caller: self._take(sid, caller, name, data))

    def _take(self, sid: str, caller: AcceptedConnection, name: str, data: object) -> Answer:
        visitor, at_ms = caller.visitor, self._clock()
        caller.limits.verify(name, at_ms)
        known = client_events.FROM_HOSTS.get(name)
        if known is None:
            raise Refusal(Code.BAD_REQUEST, "This event does not exist.")
        model, roles = known
        if visitor.role not in roles:
            raise Refusal(Code.FORBIDDEN, "Your role does not allow this.")
        message = read(model, data)
        _verify_answer(visitor, message)
        table = self._tables.get(message.table_id)
        if table is None:
            return self._at_poker_table(visitor, message, at_ms)
        match message:
            case client_events.Say():
                self._verify_presenter(visitor, table.table_id)
                self._chat.by_host(visitor, message, at_ms)
                return accepted(Done())
            case client_events.Mute() | client_events.Unmute():
                self._verify_presenter(visitor, table.table_id)
                return ack_or_error(_silence(self._chat, visitor, message, at_ms))
            case client_events.Watch():
                return ack_or_error(self._watch(sid, visitor, table))
        table_message = _to_the_table(visitor, message)
        if visitor.role == Role.PRESENTER and not isinstance(message, _BY_ANY_PRESENTER):
            return ack_when_done(table.post(messages.FromPresenter(visitor.name, table_message), at_ms))
        return ack_when_done(table.post(table_message, at_ms))

    def _verify_presenter(self, visitor: Identity, table_id: str) -> None:
        """Presenters use the chat only of tables at which they may act, by the state that the table publishes."""
        if visitor.role == Role.PRESENTER:
            state = self._directory.state(table_id)
            verify_presenter(visitor.name, state["presenter"], is_machine=state["dealing"] == "auto")

    async def _watch(self, sid: str, visitor: Identity, table: Table) -> Ack:
        """Subscribes before sending the snapshot, so that no event after it is missed."""
        self._server.enter(sid, room_of(table.table_id))
        self._watched[sid].add(table.table_id)
        snapshot = await table.ask(messages.Watch(visitor.name, Connection(self._gateway, sid)))
        watching: Watching = {**cast(Watched, snapshot), **self._chat.for_hosts(table.table_id, self._clock())}
        return accepted(watching)

    def _at_poker_table(self, visitor: Identity, message: client_events.AtTable, at_ms: int) -> Answer:
        """Poker tables have no console; managers mute players in their chat."""
        if not isinstance(message, client_events.Mute | client_events.Unmute):
            raise Refusal(Code.NO_SUCH_TABLE, "There is no such table.")
        if not self._poker_chat.has_conversation(message.table_id):
            raise Refusal(Code.NO_SUCH_TABLE, "There is no such table.")
        if visitor.role != Role.MANAGER:
            raise Refusal(Code.FORBIDDEN, "Your role does not allow this.")
        return ack_or_error(_silence(self._poker_chat, visitor, message, at_ms))

    def disconnect(self, sid: str, reason: str) -> None:  # noqa: ARG002
        self.connections.remove(sid)
        for table_id in self._watched.pop(sid, ()):
            self._tables[table_id].post(messages.Unwatch(Connection(self._gateway, sid)), self._clock())


async def _silence(
    chat: ChatRelay, visitor: Identity, message: client_events.Mute | client_events.Unmute, at_ms: int
) -> Ack:
    if isinstance(message, client_events.Mute):
        await chat.mute(visitor, message, at_ms)
    else:
        await chat.unmute(visitor, message, at_ms)
    return accepted(Done())


def _to_the_table(visitor: Identity, message: client_events.Incoming) -> messages.StaffMessage:
    by = visitor.name
    match message:
        case client_events.OpenTable():
            return messages.OpenTable(by, visitor.role)
        case client_events.CloseTable():
            return messages.CloseTable(by, visitor.role)
        case client_events.StartRound():
            return messages.StartRound(by)
        case client_events.Scan() | client_events.UndoScan() | client_events.ConfirmCards():
            return _about_cards(by, message)
        case client_events.CountDeck():
            return messages.CountDeck(by, message.deck)
        case client_events.CountCard():
            return messages.CountCard(by, message.card)
        case client_events.EndCount():
            return messages.EndCount(by)
        case client_events.SetLimits():
            limits = message.model_dump(include={"ante_min", "ante_max", "trips_min", "trips_max"})
            return messages.SetLimits(by, visitor.role, limits, message.reason)
        case client_events.TakeOver():
            return messages.TakeOver(by)
        case client_events.Approve() | client_events.Reject():
            return _answer(visitor, message)
        case _:
            return _about_a_problem(by, message)


def _about_cards(
    by: str, message: client_events.Scan | client_events.UndoScan | client_events.ConfirmCards
) -> messages.StaffMessage:
    match message:
        case client_events.Scan():
            return commands.DealCard(message.round_id, message.card, by)
        case client_events.UndoScan():
            return commands.UndoCard(message.round_id, by)
        case client_events.ConfirmCards():
            return commands.ConfirmCards(message.round_id, by)


def _answer(visitor: Identity, message: client_events.Approve | client_events.Reject) -> messages.StaffMessage:
    id_, by = message.proposal_id, visitor.name
    reason = message.reason if isinstance(message, client_events.Reject) else None
    if is_hand_over(id_):
        return messages.AnswerHandOver(id_, by, visitor.role, is_confirmed=reason is None, reason=reason or "")
    return commands.ApproveProposal(id_, by) if reason is None else commands.RejectProposal(id_, by, reason)


def _verify_answer(visitor: Identity, message: client_events.Incoming) -> None:
    """Presenters may answer only handover requests."""
    if not isinstance(message, client_events.Approve | client_events.Reject) or is_hand_over(message.proposal_id):
        return
    if visitor.role != Role.MANAGER:
        raise Refusal(Code.FORBIDDEN, "Your role does not allow this.")


def _about_a_problem(by: str, message: client_events.Incoming) -> messages.StaffMessage:
    match message:
        case client_events.ReportProblem():
            meant, kind = message.incident_id or "", message.incident_class or ""
            return commands.ReportProblem(message.reason, by, kind, incident_id=meant)
        case client_events.CorrectCard():
            meant = message.incident_id or ""
            return commands.CorrectCard(message.round_id, message.slot, message.card, message.reason, by, meant)
        case client_events.SwapCards():
            meant, slots = message.incident_id or "", (message.slot, message.other_slot)
            return commands.SwapCards(message.round_id, *slots, message.reason, by, meant)
        case client_events.Resume():
            return commands.Resume(by, message.reason, message.incident_id or "", reopen=message.reopen)
        case client_events.CancelRound():
            return commands.CancelRound(message.reason, by, message.incident_id or "")
        case client_events.PreviewCancel():
            return messages.PreviewCancel()
    raise Refusal(Code.BAD_REQUEST, "This event does not exist.")
