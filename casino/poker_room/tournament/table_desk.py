"""Table desk of the tournaments: answers messages of players, spectators and staff to tournament tables.

Messages of players are answered at once; those of staff once they are stored.
"""

from collections.abc import Coroutine, Mapping
from typing import Any, cast

from casino.poker_room.incidents import Incidents
from casino.poker_room.messages import (
    ActInHand,
    ConnectionLost,
    Join,
    Leave,
    Message,
    PauseTable,
    PreAct,
    PreviewVoid,
    ResumeTable,
    RoomPublisher,
    ShowCards,
    SitOut,
    VoidRunningHand,
)
from casino.poker_room.running_table import TableMessage
from casino.poker_room.seat_money import SeatMoney
from casino.poker_room.senders import Sender
from casino.poker_room.tournament.floor import TournamentFloor
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.tournament_table import TournamentTable
from casino.refusals import Reason
from casino.wire.outbound import Payload


class TableDesk:
    def __init__(
        self,
        running: Mapping[str, RunningTournament],
        floor: TournamentFloor,
        incidents: Incidents[TournamentTable],
        publisher: RoomPublisher,
        money: SeatMoney,
    ) -> None:
        self._running = running
        self._floor = floor
        self._incidents = incidents
        self._publisher = publisher
        self._money = money

    def take(self, message: Message, now_ms: int) -> Payload | Coroutine[Any, Any, Payload | None] | None:
        """None if the message is not about a tournament table."""
        match message:
            case PauseTable() | ResumeTable() | PreviewVoid() | VoidRunningHand():
                return None if self._floor.find(message.table_id) is None else self._intervene(message)
            case Join() | ActInHand() | PreAct() | ShowCards():
                table = self._floor.find(message.table_id)
                return None if table is None else self._at_table(table, message, now_ms)
            case Leave():
                table = self._floor.find(message.table_id)
                return None if table is None else self._stop_watching(table, message.sender)
            case SitOut():
                return self._sit_out(message, now_ms)
            case ConnectionLost():
                for table in self.of_player(message.player_id):
                    table.lost(message.player_id, message.connection, now_ms)
                    self._floor.changed(table)
        return None

    def of_player(self, player_id: str) -> list[TournamentTable]:
        found = (running.seats.get(player_id) for running in self._running.values())
        return [table for table in found if table is not None]

    def _at_table(self, table: TournamentTable, message: TableMessage, now_ms: int) -> Payload:
        try:
            return table.handle(message, now_ms)
        finally:
            self._floor.changed(table)

    def _sit_out(self, message: SitOut, now_ms: int) -> Payload | None:
        """A request for one table, or for all; the room answers the latter for its cash tables, too."""
        tables = self.of_player(message.sender.player_id)
        if message.table_id is not None:
            tables = [table for table in tables if table.terms.table_id == message.table_id]
        for table in tables:
            table.sit_out(message.sender.player_id, now_ms, is_on=message.is_on)
            self._floor.changed(table)
        if message.table_id is None or not tables:
            return None
        return {"sitting_out": message.is_on, "until": None}

    async def _intervene(self, message: PauseTable | ResumeTable | PreviewVoid | VoidRunningHand) -> Payload:
        """Staff at one table: the tournament waits for it if it is paused."""
        match message:
            case PreviewVoid():
                return cast(Payload, self._incidents.preview(message))
            case PauseTable():
                await self._incidents.pause(message)
            case ResumeTable():
                await self._incidents.resume(message)
            case VoidRunningHand():
                await self._incidents.void(message)
        self._floor.changed(self._floor.table(message.table_id))
        return {}

    async def _stop_watching(self, table: TournamentTable, sender: Sender) -> Payload:
        """A seat in a tournament can't be given up: its player may only sit out."""
        if sender.player_id in table.occupants:
            raise Reason.NOT_OFFERED.refusal()
        if sender.connection is not None:
            self._publisher.unsubscribe(table.terms.table_id, sender.connection)
        return {"stack": 0, "available": await self._money.available(sender.player_id), "after_hand": False}
