"""Poker room: one address for all its tables. It answers messages, runs deadlines, and carries out what tables ask.

A message that needs no database is answered at once, in the call that brings it. Everything else runs as a task of its
own: tables never wait for players, pools or money, only for their finished hand to be stored.
"""

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any, Final

import structlog
from sqlalchemy.exc import DBAPIError

from casino.clock import Clock
from casino.errors import Refusal
from casino.hosting.actor import Envelope
from casino.poker_room.decks import Decks
from casino.poker_room.hand_runner import Phase
from casino.poker_room.hand_store import HandStore
from casino.poker_room.incidents import Incidents, floor_view
from casino.poker_room.messages import (
    ROOM,
    ActInHand,
    AutoTopUp,
    ConnectionLost,
    Exclude,
    FollowLobby,
    Join,
    JoinPool,
    Leave,
    LeavePool,
    MayChat,
    Message,
    PauseTable,
    PreAct,
    PreviewVoid,
    Report,
    ResumeTable,
    ReturnChips,
    RoomPublisher,
    ShowCards,
    Sit,
    SitOut,
    TopUp,
    ViewFloor,
    ViewLobby,
    ViewReports,
    VoidRunningHand,
    WaitForBigBlind,
)
from casino.poker_room.occupants import DepartureReason
from casino.poker_room.pool import Draw
from casino.poker_room.reports import Reports
from casino.poker_room.table import PokerTable
from casino.poker_room.tournament.tournaments import Tournaments
from casino.poker_room.upkeep import Upkeep
from casino.refusals import Reason
from casino.settings.poker import PokerSettings
from casino.storage.database import Database, is_unavailable
from casino.wire.outbound import Payload
from casino.wire.poker_floor import PokerFloor

_log = structlog.get_logger()
STORE_SECONDS: Final = 5.0
"""How long the end of the server waits for voided hands to be stored."""
STOPPING: Final = "The server stops."
_ONLY_STORED: Final = (Report, PauseTable, ResumeTable, VoidRunningHand, ReturnChips)
"""Messages that are stored before they have an effect: if that fails, the table continues unchanged."""
_AT_TABLE: Final = (ActInHand, PreAct, ShowCards, Join, WaitForBigBlind, AutoTopUp)
"""Messages that a running table answers."""
_CHIPS_IN: Final = (Sit, TopUp)
"""Messages that bring chips in one transaction: if the database refuses it, only their sender is concerned."""


class PokerRoom:
    """`draw` decides tables, seats and first buttons. Only tests pass `draw` and other decks."""

    def __init__(
        self,
        settings: PokerSettings,
        database: Database,
        publisher: RoomPublisher,
        clock: Clock,
        *,
        decks: Decks,
        draw: Draw = secrets.randbelow,
        store: HandStore | None = None,
    ) -> None:
        self.table_id: Final = ROOM
        self.settings: Final = settings
        self.store: Final = store or HandStore(database)
        self.decks: Final = decks
        self.draw: Final = draw
        self.upkeep: Final = Upkeep(settings, database, publisher, clock, decks=decks, draw=draw, store=self.store)
        self.tables: Final = self.upkeep.tables
        self.money: Final = self.upkeep.money
        self.tournaments: Final = Tournaments(
            settings, database, publisher, clock, decks=decks, draw=draw, store=self.store, money=self.money
        )
        self._desk = self.upkeep.desk
        self._incidents = Incidents(database, self.tables, clock)
        self._reports = Reports(database, clock)
        self._clock = clock
        self._has_ended = False

    # Messages

    async def ask(self, message: Message) -> Payload:
        """Returns the room's reply; raises its refusal."""
        return await self.post(message, self._clock())

    def post(self, message: Message, arrived_ms: int) -> asyncio.Future[Payload]:
        """Answers the message at once if it needs no database."""
        reply: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()
        envelope = Envelope(message, arrived_ms, reply)
        if self._has_ended:
            envelope.refuse(Reason.TABLE_STOPPED.refusal())
            return reply
        try:
            answer = self._take(message, arrived_ms)
        except Refusal as refusal:
            envelope.refuse(refusal)
        except Exception as error:  # noqa: BLE001  whatever it was, the room goes on
            self._failed(message, error)
            envelope.refuse(Reason.TABLE_FAILED.refusal())
        else:
            if isinstance(answer, Coroutine):
                self.upkeep.tasks.spawn(self._answer(envelope, answer), "poker message")
            else:
                envelope.answer(answer)
        return reply

    async def _answer(self, envelope: Envelope[Message], answer: Coroutine[Any, Any, Payload | None]) -> None:
        try:
            envelope.answer(await answer or {})
        except Refusal as refusal:
            envelope.refuse(refusal)
        except Exception as error:  # noqa: BLE001
            if is_unavailable(error):
                _log.warning("poker_message_not_stored", message=type(envelope.message).__name__)
                envelope.refuse(Reason.NOT_SAVED.refusal())
            else:
                self._failed(envelope.message, error)
                envelope.refuse(Reason.TABLE_FAILED.refusal())

    def _take(self, message: Message, now_ms: int) -> Payload | Coroutine[Any, Any, Payload | None]:
        if isinstance(message, FollowLobby | JoinPool | Join):
            self.upkeep.connection_restored(message.sender.player_id)
        if isinstance(message, _AT_TABLE):
            table = self.tables.find(message.table_id)
            if table is not None:
                return self._at_table(table, message, now_ms)
        answer = self.tournaments.take(message, now_ms)
        return self._take_at_cash_tables(message, now_ms) if answer is None else answer

    def _take_at_cash_tables(self, message: Message, now_ms: int) -> Payload | Coroutine[Any, Any, Payload | None]:
        match message:
            case JoinPool() | Sit() | TopUp() | Leave() | LeavePool():
                return self._move_chips(message)
            case FollowLobby():
                player_id, currency = message.sender.player_id, message.sender.currency
                own = self.upkeep.lobby.own_view(player_id, currency)
                entries = self.tournaments.viewers.own_entries(player_id)
                return {**own, **self.tournaments.viewers.lobby_part(currency), "entries": entries}
            case ViewLobby():
                return {
                    **self.upkeep.lobby.view(message.currency),
                    **self.tournaments.viewers.lobby_part(message.currency),
                }
            case Report():
                return self._nothing(self._reports.keep(message, self.tables.find(message.table_id)))
            case ViewFloor() | ViewReports() | PreviewVoid() | ReturnChips():
                return self._of_floor(message)
            case PauseTable() | ResumeTable() | VoidRunningHand():
                return self._intervene(message)
            case SitOut():
                return self._sit_out(message, now_ms)
            case ConnectionLost():
                return self._lost(message, now_ms)
            case Exclude():
                return self._exclude(message.player_id)
            case MayChat():
                return self._may_chat(message)
            case Join() | ActInHand() | PreAct() | WaitForBigBlind() | AutoTopUp() | ShowCards():
                raise Reason.NO_SUCH_TABLE.refusal()
        raise Reason.NOT_FOUND.refusal()  # a message about tournaments that is not served here

    def _at_table(
        self,
        table: PokerTable,
        message: Join | ActInHand | PreAct | WaitForBigBlind | AutoTopUp | ShowCards,
        now_ms: int,
    ) -> Payload:
        try:
            match message:
                case WaitForBigBlind():
                    table.wait_for_big_blind(table.occupant(message.sender).player_id, is_on=message.is_on)
                case AutoTopUp():
                    table.set_auto_top_up(table.occupant(message.sender).player_id, is_on=message.is_on)
                case _:
                    return table.handle(message, now_ms)
            return {}
        finally:
            self.upkeep.changed(self.tables.host_of(message.table_id), table)

    def _move_chips(self, message: JoinPool | Sit | TopUp | Leave | LeavePool) -> Coroutine[Any, Any, Payload | None]:
        if self.upkeep.is_draining and isinstance(message, JoinPool | Sit | TopUp):
            raise Reason.TABLE_STOPPED.refusal()
        match message:
            case JoinPool():
                return self._desk.join_pool(message)
            case Sit():
                return self._desk.sit(message)
            case TopUp():
                return self._desk.top_up(message)
            case Leave():
                return self._desk.leave(message)
            case LeavePool():
                return self._nothing(self._desk.leave_pool(message))

    async def _nothing(self, done: Coroutine[Any, Any, None]) -> Payload:
        await done
        return {}

    async def _intervene(self, message: PauseTable | ResumeTable | VoidRunningHand) -> Payload:
        match message:
            case PauseTable():
                table = await self._incidents.pause(message)
            case ResumeTable():
                table = await self._incidents.resume(message)
            case VoidRunningHand():
                table = await self._incidents.void(message)
        self.upkeep.changed(self.tables.host_of(message.table_id), table)
        return {}

    def _of_floor(
        self, message: ViewFloor | ViewReports | PreviewVoid | ReturnChips
    ) -> Payload | Coroutine[Any, Any, Payload | None]:
        match message:
            case ViewReports():
                return self._reports.page(message)
            case PreviewVoid():
                return self._incidents.preview(message)
            case ReturnChips():
                return self._return_chips(message)
        floor: PokerFloor = {
            "tables": [floor_view(table) for table in self.tables],
            "unreadable": self.upkeep.unreadable.views(),
        }
        return floor

    async def _return_chips(self, message: ReturnChips) -> Payload:
        for player_id in await self.upkeep.unreadable.return_chips(message):
            await self._desk.send_balance(player_id)
        return {}

    def _sit_out(self, message: SitOut, now_ms: int) -> Payload:
        absences, player_id = self.tables.absences, message.sender.player_id
        if message.table_id is None and not absences.tables_of(player_id) and self.tournaments.is_seated(player_id):
            return {"sitting_out": message.is_on, "until": None}  # the tournament tables have taken it
        if message.at_big_blind and message.is_on:
            affected = absences.sit_out_at_big_blind(player_id, message.table_id, is_on=True)
        elif message.is_on:
            affected = absences.sit_out(player_id, message.table_id, now_ms)
        else:
            affected = absences.back(player_id, message.table_id)
        self.upkeep.publish_tables(affected)
        return absences.reply(player_id, message.table_id)

    def _lost(self, message: ConnectionLost, now_ms: int) -> Payload:
        tables = self.tables.absences.tables_of(message.player_id)
        for table_id in tables:
            self.tables.table(table_id).lost(message.player_id, message.connection, now_ms)
        self.upkeep.publish_tables(tables)
        if message.is_last:
            self.upkeep.connection_lost(message.player_id, now_ms)
        return {}

    def _exclude(self, player_id: str) -> Payload:
        """The player may risk no more money: chips go back after the running hands, which are played normally."""
        tables = self.tables.absences.tables_of(player_id)
        for table_id in tables:
            self.tables.table(table_id).leave_after_hand(player_id, DepartureReason.EXCLUDED)
        self.upkeep.publish_tables(tables)
        self.upkeep.leave_queues(player_id)
        return {}

    def _may_chat(self, message: MayChat) -> Payload:
        table = self.tables.table(message.table_id)
        occupant = table.occupant(message.sender)
        if message.sender.connection not in occupant.connections:
            raise Reason.NOT_AT_TABLE.refusal()
        if not self.settings.room.chat:
            raise Reason.NO_POKER_CHAT.refusal()
        dealt = table.live.hand.seat_of(occupant.player_id) if table.live is not None and not table.is_at_rest else None
        if dealt is not None and dealt.is_live:
            raise Reason.CHAT_WITH_CARDS.refusal()
        return {}

    def _failed(self, message: Message, error: Exception) -> None:
        is_alone = isinstance(message, _ONLY_STORED) or (
            isinstance(message, _CHIPS_IN) and isinstance(error, DBAPIError)
        )
        table_id = None if is_alone else getattr(message, "table_id", None)
        table = self.tables.find(table_id) if isinstance(table_id, str) else None
        if table is not None:
            self.upkeep.fail(table, error)
        else:
            _log.error("poker_room_failed", message=type(message).__name__, exc_info=error)

    # The end

    async def drain(self, seconds: float) -> None:
        """No hand begins any more. Running hands are finished within this time, others are void."""
        self.upkeep.is_draining = self.tournaments.floor.is_draining = self.tournaments.hexapro.is_draining = True
        for table in (*self.tables, *self.tournaments.floor):
            table.drain()
        try:
            async with asyncio.timeout(seconds):
                await self._at_rest()
        except TimeoutError:
            await self._void_rest()

    async def _void_rest(self) -> None:
        for table in [*self.tables]:
            if table.phase is Phase.PLAYING:
                table.void(STOPPING, "system", self._clock())
                self.upkeep.changed(self.tables.host_of(table.terms.table_id), table)
        self.tournaments.floor.void_all(STOPPING)
        try:
            async with asyncio.timeout(STORE_SECONDS):
                await self._at_rest()
        except TimeoutError:
            _log.warning("poker_hands_not_stored")

    async def _at_rest(self) -> None:
        everything = (self.tables, self.tournaments.floor)
        while (
            any(not table.is_at_rest for tables in everything for table in tables)
            or self.upkeep.tasks
            or not self.tournaments.is_idle
        ):
            if self.upkeep.tasks:
                await asyncio.wait(self.upkeep.tasks, timeout=0.05)
            else:
                await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """Leaves everything as it is stored."""
        self._has_ended = True
        await self.tournaments.stop()
        self.upkeep.deadlines.stop()
        await self.upkeep.tasks.cancel()
