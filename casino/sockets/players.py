"""Namespace `/table`: players. One seat per player per table, and the newest device has it.

Decides who is at which table with which connection. What a message does is the table's business; it is handed over
with the time it arrived.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.figures import Figures
from casino.people.profile import PersonalSettings, Profiles
from casino.sockets import incoming, rooms
from casino.sockets.answers import accepted, or_refused, read, refused, when_answered
from casino.sockets.asking import Askers, Asking
from casino.sockets.identity import Identify, Visitor
from casino.sockets.lobby import LobbyBoard
from casino.sockets.rooms import chat_room, person_room, room_of
from casino.sockets.talk import Talk
from casino.sockets.tipping import Tipping
from casino.sockets.transport.connection import Handshake
from casino.sockets.transport.members import Accept, AckAndThen, Answer, Refuse
from casino.sockets.transport.server import SocketServer
from casino.table import messages
from casino.table.actor import TableActor
from casino.uth import commands
from casino.uth.bets import Action
from casino.uth.phases import Phase

NAMESPACE: Final = rooms.PLAYERS


@dataclass(slots=True)
class Caller:
    """A connection that has been let in."""

    visitor: Visitor
    asking: Asking
    shows_chat: bool
    since_ms: int
    tables: set[str] = field(default_factory=set)


class Players:
    def __init__(
        self,
        server: SocketServer,
        tables: Mapping[str, TableActor],
        identify: Identify,
        clock: Clock,
        *,
        askers: Askers,
        figures: Figures,
        profiles: Profiles,
        talk: Talk,
        tipping: Tipping,
        board: LobbyBoard,
    ) -> None:
        self._server = server
        self._tables = tables
        self._identify = identify
        self._clock = clock
        self._askers = askers
        self._profiles = profiles
        self._talk = talk
        self._tipping = tipping
        self._board = board
        self._bets_acknowledged = figures.acknowledged.labels("bet")
        self._decisions_acknowledged = figures.acknowledged.labels("decide")
        self._callers: dict[str, Caller] = {}
        self._arriving: set[tuple[str, str]] = set()  # whose snapshot is on its way: it tells all there is to know
        self._seats: dict[tuple[str, str], str] = {}  # (table, player): the connection that has the seat
        self._of_session: dict[str, set[str]] = defaultdict(set)

    # Sending

    def to_player(self, table_id: str, player_id: str, *told: messages.News) -> None:
        key = (table_id, player_id)
        sid = self._seats.get(key)
        if sid is not None and key not in self._arriving:
            self._server.emit_together(sid, told)

    def tell_settings(self, user_id: str, settings: PersonalSettings) -> None:
        """To every device of this person, so that they all look and sound alike at once."""
        self._server.emit_room(NAMESPACE, person_room(user_id), "settings", settings.model_dump())
        for sid in self._server.inside(NAMESPACE, person_room(user_id)):
            caller = self._callers[sid]
            caller.shows_chat = settings.chat_shown
            for table_id in caller.tables:
                self._hear_chat(sid, caller, table_id)

    def to_devices(self, player_id: str, event: str, payload: messages.Payload) -> None:
        """To every connection of the player, at a table or not."""
        self._server.emit_room(NAMESPACE, person_room(player_id), event, payload)

    @property
    def here(self) -> dict[str, int]:
        """Who is connected, however often, and since when."""
        here: dict[str, int] = {}
        for caller in self._callers.values():  # in the order they came
            here.setdefault(caller.visitor.user_id, caller.since_ms)
        return here

    def tables_of(self, player_id: str) -> list[TableActor]:
        return [self._tables[table_id] for table_id in self._tables_at(player_id)]

    def _tables_at(self, player_id: str) -> set[str]:
        connections = self._server.inside(NAMESPACE, person_room(player_id))
        return {table_id for sid in connections for table_id in self._callers[sid].tables}

    @property
    def session_ids(self) -> set[str]:
        return set(self._of_session)

    def end_session(self, session_id: str) -> None:
        """Somebody signed out: the connections of that session are closed."""
        for sid in tuple(self._of_session.get(session_id, ())):
            self._server.disconnect(sid)

    # What the transport calls

    async def connect(self, sid: str, handshake: Handshake, auth: object) -> Accept | Refuse:
        visitor = await self._identify(handshake, auth)
        if visitor is None:
            return Refuse(Code.NOT_AUTHENTICATED, "Sign in first.")
        if visitor.role != "player":
            return Refuse(Code.FORBIDDEN, "Only players sit at a table.")
        settings = await self._profiles.settings_of(visitor.user_id)
        self._callers[sid] = Caller(visitor, self._askers.of(visitor.user_id), settings.chat_shown, self._clock())
        self._of_session[visitor.session_id].add(sid)
        return Accept(account=visitor.user_id, rooms=(person_room(visitor.user_id),))

    def event(self, sid: str, name: str, data: object) -> Answer:
        caller = self._callers[sid]
        try:
            return self._take(sid, caller, name, data)
        except Refusal as refusal:
            if caller.asking.is_abuse:
                self._server.disconnect(sid)
            return refused(refusal)

    def disconnect(self, sid: str, reason: str) -> None:  # noqa: ARG002  every reason is the same to a bet
        caller = self._callers.pop(sid, None)
        if caller is None:
            return
        sessions = self._of_session[caller.visitor.session_id]
        sessions.discard(sid)
        if not sessions:
            del self._of_session[caller.visitor.session_id]
        for table_id in caller.tables:
            self._give_up(sid, caller, self._tables[table_id])

    # Messages

    def _take(self, sid: str, caller: Caller, name: str, data: object) -> Answer:
        at_ms = self._clock()
        caller.asking.verify("" if name == "chat" else name, at_ms)  # what is no line does not count as one
        model = incoming.FROM_PLAYERS.get(name)
        if model is None:
            raise Refusal(Code.BAD_REQUEST, "There is no such message.")
        message = read(model, data)
        if isinstance(message, incoming.Lobby):
            return self._follow_lobby(sid)
        assert isinstance(message, incoming.AtTable), "everything else is said at a table"
        table = self._tables.get(message.table_id)
        if table is None:
            raise Refusal(Code.NO_SUCH_TABLE, "There is no such table.")
        return self._hand_over(sid, caller, table, message, at_ms)

    def _hand_over(self, sid: str, caller: Caller, table: TableActor, message: incoming.AtTable, at_ms: int) -> Answer:
        if isinstance(message, incoming.Join):
            return or_refused(self._join(sid, caller, table, message))
        player_id = caller.visitor.user_id
        seated = self._seats.get((table.table_id, player_id))
        if seated != sid:
            if isinstance(message, incoming.Leave):
                # Who is not here has left already; but the bets that go back may still have to be stored.
                return accepted({}) if seated else when_answered(table.post(messages.Leave(player_id), at_ms))
            raise Refusal(Code.NOT_IN_ROUND, "You are not at this table from here. Join it first.")
        match message:
            case incoming.Bet():
                bet = commands.PlaceBet(message.round_id, player_id, message.ante, message.trips, available_minor=0)
                return when_answered(table.post(bet, at_ms), self._bets_acknowledged.observe)
            case incoming.Decide():
                phase = Phase(message.phase) if message.phase else None
                action = Action(message.action)
                decision = commands.Decide(message.round_id, player_id, action, available_minor=0, phase=phase)
                return when_answered(table.post(decision, at_ms), self._decisions_acknowledged.observe)
            case incoming.Leave():
                caller.tables.discard(table.table_id)
                left = self._give_up(sid, caller, table)
                return when_answered(left) if left else accepted({})
            case incoming.Chat():
                self._talk.by_player(caller.visitor, caller.asking, message, at_ms)
                return accepted({})
            case incoming.Tip():
                return or_refused(self._tipping.give(caller.visitor, table, message, at_ms))
        raise Refusal(Code.BAD_REQUEST, "There is no such message.")

    async def _join(self, sid: str, caller: Caller, table: TableActor, message: incoming.Join) -> AckAndThen:
        """Take the seat here; whoever had it elsewhere is told, and the bets stay as they are.

        What everybody hears is heard here only after the snapshot it follows.
        """
        visitor, key = caller.visitor, (table.table_id, caller.visitor.user_id)
        self._board.verify_beside(table.table_id, self._tables_at(visitor.user_id))
        before = self._seats.get(key)
        self._seats[key] = sid
        if before != sid:
            self._arriving.add(key)
        caller.tables.add(table.table_id)
        if before is not None and before != sid:
            self._callers[before].tables.discard(table.table_id)
            self._turn_away(before, table.table_id)
            self._server.emit(before, "moved", {"table_id": table.table_id})
        try:
            snapshot = await table.ask(messages.Join(visitor.user_id, visitor.name, message.seat_no))
        except BaseException:
            self._arriving.discard(key)
            raise
        chat = self._talk.for_players(table.table_id) if caller.shows_chat else []
        return AckAndThen(accepted(snapshot | {"chat": chat}), partial(self._listen, sid, key))

    async def _follow_lobby(self, sid: str) -> AckAndThen:
        return AckAndThen(accepted(self._board.all()), partial(self._server.enter, sid, rooms.LOBBY))

    def _listen(self, sid: str, key: tuple[str, str]) -> None:
        if self._seats.get(key) == sid:  # another device may have taken the seat meanwhile
            self._arriving.discard(key)
            self._server.enter(sid, room_of(key[0]))
            self._hear_chat(sid, self._callers[sid], key[0])

    def _hear_chat(self, sid: str, caller: Caller, table_id: str) -> None:
        if caller.shows_chat:
            self._server.enter(sid, chat_room(table_id))
        else:
            self._server.leave(sid, chat_room(table_id))

    def _turn_away(self, sid: str, table_id: str) -> None:
        """This connection hears nothing of the table any more."""
        self._server.leave(sid, room_of(table_id))
        self._server.leave(sid, chat_room(table_id))

    def _give_up(self, sid: str, caller: Caller, table: TableActor) -> "asyncio.Future[messages.Payload] | None":
        """Without grace: a closed connection, or a player who leaves, takes open bets back at once."""
        key = (table.table_id, caller.visitor.user_id)
        self._turn_away(sid, table.table_id)
        if self._seats.get(key) != sid:
            return None
        del self._seats[key]
        self._arriving.discard(key)
        return table.post(messages.Leave(caller.visitor.user_id), self._clock())
