"""Namespace `/poker` for players. One connection per device serves all tables; the newest device has the seat.

Reads the messages of clients, passes them on to the poker room with their time of arrival, and acknowledges each with
the room's reply. The room decides everything about seats; the publisher knows the connections of each table.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from casino.clock import Clock
from casino.gateway import rooms
from casino.gateway.account_limits import AccountLimits
from casino.gateway.acks import Ack, accepted, ack_or_error, ack_when_done, read
from casino.gateway.chat_relay import ChatRelay
from casino.gateway.connections import AcceptedConnection, Connections
from casino.gateway.identity import Identify, verify_player
from casino.gateway.player_namespace import settings_view
from casino.gateway.poker_publisher import PokerPublisher
from casino.gateway.rooms import person_room, pools_room
from casino.hosting.interfaces import Connection, TableClient
from casino.observability.metrics import Metrics
from casino.poker.betting import Action
from casino.poker_room import messages
from casino.poker_room.messages import ROOM
from casino.poker_room.pre_actions import Choice
from casino.poker_room.senders import Sender
from casino.poker_room.tournament import messages as tournament_messages
from casino.refusals import Reason
from casino.security.rate_limit import PerKey
from casino.socketio.engine_session import Handshake
from casino.socketio.namespace_session import Accept, AckAndThen, Answer, Refuse
from casino.socketio.server import SocketServer
from casino.users.profile import PersonalSettings, Profiles
from casino.wire import client_events
from casino.wire import poker_client_events as wire
from casino.wire.player_events import SETTINGS, Done
from casino.wire.poker_events import PokerJoined, PokerSnapshot

NAMESPACE: Final = rooms.POKER
CHAT_LINES: Final = 20
Room = TableClient[messages.Message]


@dataclass(slots=True)
class PokerConnection(AcceptedConnection):
    sender: Sender
    shows_chat: bool


class PokerNamespace:
    def __init__(
        self,
        server: SocketServer,
        room: Mapping[str, Room],
        identify: Identify,
        clock: Clock,
        *,
        gateway: str,
        publisher: PokerPublisher,
        account_limits: PerKey[AccountLimits],
        metrics: Metrics,
        profiles: Profiles,
        chat: ChatRelay,
    ) -> None:
        """`room` has one client, which is added when the room is open."""
        self._server = server
        self._room = room
        self._identify = identify
        self._clock = clock
        self._gateway = gateway
        self._publisher = publisher
        self._account_limits = account_limits
        self._profiles = profiles
        self._chat = chat
        self._actions_acknowledged = metrics.acknowledged.labels("act")
        self.connections: Final = Connections[PokerConnection](server)

    def send_settings(self, user_id: str, settings: PersonalSettings) -> None:
        """Sends changed settings to all devices of this person."""
        self._server.emit_room(NAMESPACE, person_room(user_id), *SETTINGS(settings_view(settings)))
        for sid in self._server.inside(NAMESPACE, person_room(user_id)):
            self.connections[sid].shows_chat = settings.chat_shown
            self._publisher.show_chat(sid, shown=settings.chat_shown)

    # Transport callbacks

    async def connect(self, sid: str, handshake: Handshake, auth: object) -> Accept | Refuse:
        visitor = verify_player(await self._identify(handshake, auth))
        if isinstance(visitor, Refuse):
            return visitor
        settings = await self._profiles.settings_of(visitor.user_id)
        sender = Sender(visitor.user_id, visitor.name, visitor.currency, Connection(self._gateway, sid))
        limits = self._account_limits.of(visitor.user_id)
        self.connections.add(sid, PokerConnection(visitor, limits, self._clock(), sender, settings.chat_shown))
        self._publisher.opened(sid, shows_chat=settings.chat_shown)
        return Accept(account=visitor.user_id, rooms=(person_room(visitor.user_id),))

    def event(self, sid: str, name: str, args: list[Any]) -> Answer:
        data = args[0] if args else None
        return self.connections.answer(sid, lambda caller: self._take(sid, caller, name, data))

    def disconnect(self, sid: str, reason: str) -> None:  # noqa: ARG002  a line is lost, whatever the reason
        caller = self.connections.remove(sid)
        if caller is None:
            return
        self._publisher.closed(sid)
        player_id, room = caller.visitor.user_id, self._room.get(ROOM)
        is_last = not any(other != sid for other in self._server.inside(NAMESPACE, person_room(player_id)))
        if room is not None:
            lost = messages.ConnectionLost(player_id, Connection(self._gateway, sid), is_last)
            room.post(lost, self._clock())

    # Messages

    def _take(self, sid: str, caller: PokerConnection, name: str, data: object) -> Answer:
        at_ms = self._clock()
        caller.limits.verify("" if name == "chat" else name, at_ms)  # other events do not count as chat messages
        model = wire.FROM_POKER_PLAYERS.get(name)
        if model is None:
            raise Reason.BAD_REQUEST.refusal()
        message = read(model, data)
        room = self._room.get(ROOM)
        if room is None:
            raise Reason.TABLE_CLOSED.refusal()
        match message:
            case wire.PokerLobbyFollow():
                return ack_or_error(self._follow_lobby(sid, caller, room))
            case wire.PokerJoin():
                return ack_or_error(self._join(sid, caller, room, message.table_id))
            case client_events.Chat():
                return ack_or_error(self._say(caller, room, message, at_ms))
            case wire.Act():
                begun = time.perf_counter()
                reply = room.post(_act(caller.sender, message), at_ms)
                return ack_when_done(reply, self._actions_acknowledged.observe, begun)
        return ack_when_done(room.post(_to_the_room(caller.sender, message), at_ms))

    async def _follow_lobby(self, sid: str, caller: PokerConnection, room: Room) -> AckAndThen:
        """Subscribes before asking the room: a change sent twice does no harm, a missed one would."""
        self._server.enter(sid, pools_room(caller.visitor.currency))
        return AckAndThen(accepted(await room.ask(messages.FollowLobby(caller.sender))), _nothing)

    async def _join(self, sid: str, caller: PokerConnection, room: Room, table_id: str) -> AckAndThen:
        self._publisher.begin_join(table_id, sid)
        try:
            snapshot = await room.ask(messages.Join(caller.sender, table_id))
        except BaseException:
            self._publisher.end_join(table_id, sid)
            raise
        chat = self._chat.for_players(table_id, CHAT_LINES) if caller.shows_chat else []
        joined: PokerJoined = {**cast(PokerSnapshot, snapshot), "chat": chat}
        return AckAndThen(accepted(joined), partial(self._publisher.end_join, table_id, sid))

    async def _say(self, caller: PokerConnection, room: Room, message: client_events.Chat, at_ms: int) -> Ack:
        """The room decides whether the chat is open to the player: it is closed to players with live cards."""
        await room.ask(messages.MayChat(caller.sender, message.table_id))
        self._chat.by_player(caller.visitor, caller.limits, message, at_ms)
        return accepted(Done())


def _nothing() -> None: ...


def _act(sender: Sender, message: wire.Act) -> messages.ActInHand:
    """An amount belongs to a raise, and only to it."""
    action = Action(message.action)
    if (action is Action.RAISE_TO) != (message.amount is not None):
        raise Reason.BAD_REQUEST.refusal()
    return messages.ActInHand(sender, message.table_id, message.hand_id, message.turn, action, message.amount or 0)


def _to_the_room(sender: Sender, message: client_events.Incoming) -> messages.Message:
    make = _MESSAGES[type(message)]
    return make(sender, message)


def _pool_id(sender: Sender, pool: str) -> str:
    """A pool of another currency is none of the player's."""
    stake, _, currency = pool.partition(":")
    if currency not in ("", sender.currency):
        raise Reason.NOT_FOUND.refusal()
    return f"{stake}:{sender.currency}"


def _join_pool(sender: Sender, message: wire.JoinPool) -> messages.JoinPool:
    pool_id = _pool_id(sender, message.pool)
    return messages.JoinPool(sender, pool_id, message.buy_in, message.key, message.wait_for_bb, message.auto_top_up)


def _pre_act(sender: Sender, message: wire.PreAct) -> messages.PreAct:
    choice = Choice(message.choice)
    return messages.PreAct(sender, message.table_id, message.hand_id, choice, message.price)


def _sit_out(sender: Sender, message: wire.SitOut) -> messages.SitOut:
    return messages.SitOut(sender, message.table_id, message.when == "next_bb", message.on)


def _register(sender: Sender, message: wire.RegisterEntry) -> tournament_messages.RegisterEntry:
    """A ticket belongs to that means of payment, and only to it."""
    if (message.pay == "ticket") != (message.ticket_id is not None):
        raise Reason.BAD_REQUEST.refusal()
    tournament_id, ticket_id = message.tournament_id, message.ticket_id
    return tournament_messages.RegisterEntry(sender, tournament_id, message.key, ticket_id, message.amount)


def _show(sender: Sender, message: wire.Show) -> messages.ShowCards:
    return messages.ShowCards(sender, message.table_id, message.hand_id, tuple(message.cards))


_MESSAGES: Final[dict[type[client_events.Incoming], Callable[[Sender, Any], messages.Message]]] = {
    wire.JoinPool: _join_pool,
    wire.LeavePool: lambda sender, asked: messages.LeavePool(sender, _pool_id(sender, asked.pool)),
    wire.Sit: lambda sender, asked: messages.Sit(sender, asked.table_id, asked.amount, asked.key, asked.resume),
    wire.PokerLeave: lambda sender, asked: messages.Leave(sender, asked.table_id),
    wire.PreAct: _pre_act,
    wire.SitOut: _sit_out,
    wire.WaitForBigBlind: lambda sender, asked: messages.WaitForBigBlind(sender, asked.table_id, asked.on),
    wire.AutoTopUp: lambda sender, asked: messages.AutoTopUp(sender, asked.table_id, asked.on),
    wire.TopUp: lambda sender, asked: messages.TopUp(sender, asked.table_id, asked.amount, asked.key),
    wire.Show: _show,
    wire.RegisterEntry: _register,
    wire.ReEnter: lambda sender, asked: tournament_messages.RegisterEntry(sender, asked.tournament_id, asked.key),
    wire.UnregisterEntry: lambda sender, asked: tournament_messages.UnregisterEntry(sender, asked.entry_id, asked.key),
    wire.Rebuy: lambda sender, asked: tournament_messages.BuyChips(
        sender, asked.tournament_id, asked.key, is_add_on=False
    ),
    wire.AddOn: lambda sender, asked: tournament_messages.BuyChips(
        sender, asked.tournament_id, asked.key, is_add_on=True
    ),
    wire.Decline: lambda sender, asked: tournament_messages.DeclineOffer(sender, asked.tournament_id),
    wire.HexaRegister: lambda sender, asked: tournament_messages.RegisterHexa(
        sender, asked.product, asked.buy_in, asked.games, asked.key
    ),
    wire.HexaCancel: lambda sender, asked: tournament_messages.CancelHexa(sender, asked.entry_id, asked.key),
    wire.Follow: lambda sender, asked: tournament_messages.FollowTournament(sender, asked.tournament_id),
    wire.Unfollow: lambda sender, asked: tournament_messages.UnfollowTournament(sender, asked.tournament_id),
    wire.Report: lambda sender, asked: messages.Report(
        sender, asked.table_id, asked.hand_id, asked.seat_no, asked.text
    ),
}
