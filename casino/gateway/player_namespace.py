"""Namespace `/table` for players. A player has one seat per table; the newest connection controls it.

Maps connections to tables and seats. It passes messages on to the table with their time of arrival.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

from casino.clock import Clock
from casino.gateway import rooms
from casino.gateway.account_limits import AccountLimits
from casino.gateway.acks import accepted, ack_or_error, ack_when_done, read
from casino.gateway.chat_relay import ChatRelay
from casino.gateway.connections import AcceptedConnection, Connections
from casino.gateway.identity import Identify, verify_player
from casino.gateway.lobby_feed import LobbyFeed
from casino.gateway.rooms import chat_room, person_room, room_of
from casino.gateway.tip_handler import TipHandler
from casino.hosting.interfaces import Connection, Directory, TableClient
from casino.live_table import messages
from casino.observability.metrics import Metrics
from casino.refusals import Reason
from casino.security.rate_limit import PerKey
from casino.socketio.engine_session import Handshake
from casino.socketio.namespace_session import Accept, AckAndThen, Answer, Refuse
from casino.socketio.server import SocketServer
from casino.users.profile import PersonalSettings, Profiles
from casino.uth import commands
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.wire import client_events
from casino.wire.outbound import OutboundEvent, Payload
from casino.wire.player_events import MOVED, SETTINGS, Done, Joined, Settings, Snapshot

NAMESPACE: Final = rooms.PLAYERS
Table = TableClient[messages.Message]


@dataclass(slots=True)
class PlayerConnection(AcceptedConnection):
    shows_chat: bool
    tables: set[str] = field(default_factory=set)  # joined from this connection, as far as this gateway knows


class PlayerNamespace:
    def __init__(
        self,
        server: SocketServer,
        tables: Mapping[str, Table],
        identify: Identify,
        clock: Clock,
        *,
        gateway: str,
        directory: Directory,
        account_limits: PerKey[AccountLimits],
        metrics: Metrics,
        profiles: Profiles,
        chat: ChatRelay,
        tipping: TipHandler,
        lobby_feed: LobbyFeed,
    ) -> None:
        """`gateway` names this gateway to the tables, which decide what connection controls a seat."""
        self._server = server
        self._gateway = gateway
        self._directory = directory
        self._tables = tables
        self._identify = identify
        self._clock = clock
        self._account_limits = account_limits
        self._profiles = profiles
        self._chat = chat
        self._tipping = tipping
        self._lobby_feed = lobby_feed
        self._bets_acknowledged = metrics.acknowledged.labels("bet")
        self._decisions_acknowledged = metrics.acknowledged.labels("decide")
        self.connections: Final = Connections[PlayerConnection](server)
        self._joining: set[tuple[str, str]] = set()  # (table, connection): the snapshot to come contains everything

    # Sending

    def to_seat(self, table_id: str, sid: str, *events: OutboundEvent) -> None:
        """Sends personal events of a table to the connection that controls the seat."""
        if (table_id, sid) not in self._joining:
            self._server.emit_together(sid, events)

    def to_other_devices(self, player_id: str, seat_sid: str | None, events: Sequence[OutboundEvent]) -> None:
        """Sends events to all connections of the player but the one at the seat."""
        if events:
            for sid in self._server.inside(NAMESPACE, person_room(player_id)):
                if sid != seat_sid:
                    self._server.emit_together(sid, events)

    def seat_moved(self, table_id: str, sid: str) -> None:
        """Informs a connection that another one of the player controls the seat now."""
        caller = self.connections.get(sid)
        if caller is not None:
            caller.tables.discard(table_id)
            self._joining.discard((table_id, sid))
            self._leave_rooms(sid, table_id)
            self._server.emit(sid, *MOVED({"table_id": table_id}))

    def send_settings(self, user_id: str, settings: PersonalSettings) -> None:
        """Sends changed settings to all devices of this person."""
        self._server.emit_room(NAMESPACE, person_room(user_id), *SETTINGS(settings_view(settings)))
        for sid in self._server.inside(NAMESPACE, person_room(user_id)):
            caller = self.connections[sid]
            caller.shows_chat = settings.chat_shown
            for table_id in caller.tables:
                self._subscribe_chat(sid, caller, table_id)

    def _tables_at(self, player_id: str) -> set[str]:
        """Returns the player's tables: seats held anywhere, and joins of this gateway that are still on their way."""
        connections = self._server.inside(NAMESPACE, person_room(player_id))
        joined = {table_id for sid in connections for table_id in self.connections[sid].tables}
        return joined | self._directory.tables_of(player_id)

    # Transport callbacks

    async def connect(self, sid: str, handshake: Handshake, auth: object) -> Accept | Refuse:
        visitor = verify_player(await self._identify(handshake, auth))
        if isinstance(visitor, Refuse):
            return visitor
        settings = await self._profiles.settings_of(visitor.user_id)
        limits = self._account_limits.of(visitor.user_id)
        self.connections.add(sid, PlayerConnection(visitor, limits, self._clock(), settings.chat_shown))
        return Accept(account=visitor.user_id, rooms=(person_room(visitor.user_id),))

    def event(self, sid: str, name: str, args: list[Any]) -> Answer:
        data = args[0] if args else None
        return self.connections.answer(sid, lambda caller: self._take(sid, caller, name, data))

    def disconnect(self, sid: str, reason: str) -> None:  # noqa: ARG002  every reason is the same to a bet
        caller = self.connections.remove(sid)
        if caller is None:
            return
        for table_id in caller.tables:
            self._leave(sid, caller, self._tables[table_id])
        caller.tables.clear()

    # Messages

    def _take(self, sid: str, caller: PlayerConnection, name: str, data: object) -> Answer:
        at_ms = self._clock()
        caller.limits.verify("" if name == "chat" else name, at_ms)  # other events do not count as chat messages
        model = client_events.FROM_PLAYERS.get(name)
        if model is None:
            raise Reason.BAD_REQUEST.refusal()
        message = read(model, data)
        if isinstance(message, client_events.Lobby):
            return self._follow_lobby(sid)
        assert isinstance(message, client_events.AtTable), "everything else is said at a table"
        table = self._tables.get(message.table_id)
        if table is None or message.table_id not in self._lobby_feed.listed:
            raise Reason.NO_SUCH_TABLE.refusal()
        return self._dispatch(sid, caller, table, message, at_ms)

    def _dispatch(
        self, sid: str, caller: PlayerConnection, table: Table, message: client_events.AtTable, at_ms: int
    ) -> Answer:
        if isinstance(message, client_events.Join):
            return ack_or_error(self._join(sid, caller, table, message))
        if isinstance(message, client_events.Leave):
            # A player who is not at the table has left already, but returned bets may still wait to be stored.
            caller.tables.discard(table.table_id)
            return ack_when_done(self._leave(sid, caller, table))
        if table.table_id not in caller.tables:
            raise Reason.NOT_AT_TABLE.refusal()
        player_id, connection = caller.visitor.user_id, Connection(self._gateway, sid)
        match message:
            case client_events.Bet():
                ante, trips, seed = message.ante, message.trips, message.seed
                bet = commands.PlaceBet(message.round_id, player_id, ante, trips, available_minor=0, seed=seed)
                stored = table.post(messages.FromSeat(connection, bet), at_ms)
                return ack_when_done(stored, self._bets_acknowledged.observe)
            case client_events.Decide():
                phase = Phase(message.phase) if message.phase else None
                action = Action(message.action)
                decision = commands.Decide(message.round_id, player_id, action, available_minor=0, phase=phase)
                stored = table.post(messages.FromSeat(connection, decision), at_ms)
                return ack_when_done(stored, self._decisions_acknowledged.observe)
            case client_events.Chat():
                self._chat.by_player(caller.visitor, caller.limits, message, at_ms)
                return accepted(Done())
            case client_events.Tip():
                return ack_or_error(self._tipping.give(caller.visitor, table, message, at_ms))
        raise Reason.BAD_REQUEST.refusal()

    async def _join(self, sid: str, caller: PlayerConnection, table: Table, message: client_events.Join) -> AckAndThen:
        """Asks the table for the seat. It informs the connection that had the seat before; bets stay as they are.

        Broadcasts reach this connection only after the snapshot.
        """
        visitor, table_id = caller.visitor, table.table_id
        self._lobby_feed.verify_multi_table(table_id, self._tables_at(visitor.user_id))
        if table_id not in caller.tables:
            self._joining.add((table_id, sid))
        caller.tables.add(table_id)
        connection = Connection(self._gateway, sid)
        try:
            snapshot = await table.ask(messages.Join(visitor.user_id, visitor.name, message.seat_no, connection))
        except BaseException:
            self._joining.discard((table_id, sid))
            raise
        chat = self._chat.for_players(table_id) if caller.shows_chat else []
        joined: Joined = {**cast(Snapshot, snapshot), "chat": chat}
        return AckAndThen(accepted(joined), partial(self._subscribe, sid, caller, table_id))

    async def _follow_lobby(self, sid: str) -> AckAndThen:
        return AckAndThen(accepted(self._lobby_feed.all()), partial(self._server.enter, sid, rooms.LOBBY))

    def _subscribe(self, sid: str, caller: PlayerConnection, table_id: str) -> None:
        self._joining.discard((table_id, sid))
        if table_id in caller.tables:  # another device may have taken the seat in the meantime
            self._server.enter(sid, room_of(table_id))
            self._subscribe_chat(sid, caller, table_id)

    def _subscribe_chat(self, sid: str, caller: PlayerConnection, table_id: str) -> None:
        if caller.shows_chat:
            self._server.enter(sid, chat_room(table_id))
        else:
            self._server.leave(sid, chat_room(table_id))

    def _leave_rooms(self, sid: str, table_id: str) -> None:
        """Unsubscribes this connection from the table."""
        self._server.leave(sid, room_of(table_id))
        self._server.leave(sid, chat_room(table_id))

    def _leave(self, sid: str, caller: PlayerConnection, table: Table) -> "asyncio.Future[Payload]":
        """Returns open bets at once, without a grace period, when a connection closes or the player leaves."""
        self._leave_rooms(sid, table.table_id)
        self._joining.discard((table.table_id, sid))
        left = messages.Leave(caller.visitor.user_id, Connection(self._gateway, sid))
        return table.post(left, self._clock())


def settings_view(settings: PersonalSettings) -> Settings:
    voice, sound = settings.voice, settings.sound
    return {
        "chat_shown": settings.chat_shown,
        "video_quality": settings.video_quality,
        "voice": {"muted": voice.muted, "volume": voice.volume},
        "sound": {"muted": sound.muted, "volume": sound.volume},
        "view": settings.view,
        "language": settings.language,
        "reduced_motion": settings.reduced_motion,
        "trainer": settings.trainer,
        "decision_keys": settings.decision_keys,
    }
