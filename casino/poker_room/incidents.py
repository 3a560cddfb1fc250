"""Incidents at poker tables: staff pause and resume a table, and void a running hand in two steps.

Every step is an entry of the audit log, written before it has an effect. A hand that was voided leaves no trace but its
row: stacks, banks and blinds are as at its start.
"""

import secrets
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import PauseTable, PreviewVoid, ResumeTable, VoidRunningHand
from casino.poker_room.running_table import RunningTable
from casino.poker_room.stored_tables import store_pause
from casino.poker_room.table import PokerTable
from casino.poker_room.table_views import table_name
from casino.storage.database import Database
from casino.users.roles import Person
from casino.wire.common import Pause
from casino.wire.poker_floor import PokerFloorTable, VoidPreview


def new_pause(reason: str, now_ms: int) -> Pause:
    return {"reason": reason, "since": now_ms, "incident_id": f"P{secrets.token_hex(4).upper()}"}


T = TypeVar("T", bound=RunningTable[Any, Any])
Found_co = TypeVar("Found_co", bound=RunningTable[Any, Any], covariant=True)


class Tables(Protocol[Found_co]):
    def table(self, table_id: str) -> Found_co:
        """Refuses `no_such_table`."""


class Incidents(Generic[T]):
    def __init__(self, database: Database, tables: Tables[T], clock: Clock) -> None:
        self._database = database
        self._tables = tables
        self._clock = clock

    async def pause(self, message: PauseTable) -> T:
        """No hand begins any more; a running one is played to its end."""
        table = self._tables.table(message.table_id)
        if table.paused is not None:
            return table
        paused = new_pause(message.reason, self._clock())
        async with self._database.writing() as connection:
            await store_pause(connection, message.table_id, paused)
            await self._note(connection, message.by, "poker_table_paused", message.table_id, message.reason)
        table.pause(paused)
        return table

    async def resume(self, message: ResumeTable) -> T:
        table = self._tables.table(message.table_id)
        if table.paused is None:
            raise Refusal(Code.NOT_PAUSED, "The table is not paused.")
        if table.phase is Phase.STOPPED:
            raise Refusal(Code.NOT_OFFERED, "The last hand of this table could not be stored. Restart the service.")
        async with self._database.writing() as connection:
            await store_pause(connection, message.table_id, None)
            await self._note(connection, message.by, "poker_table_resumed", message.table_id, message.reason)
        table.resume(self._clock())
        return table

    def preview(self, message: PreviewVoid) -> VoidPreview:
        hand = self._running(message.table_id).public_hand
        assert hand is not None
        occupants = self._tables.table(message.table_id).occupants
        return {
            "hand_id": hand.hand_id,
            "returns": [
                {
                    "player_id": seat.player_id,
                    "name": occupants[seat.player_id].name,
                    "seat_no": seat.seat_no,
                    "stack": seat.stack,
                    "start": seat.start,
                }
                for seat in hand.seats
            ],
        }

    async def void(self, message: VoidRunningHand) -> T:
        """Refuses `stale_round` if another hand is running than the one that was previewed.

        The hand may end while the entry is written: then a second entry says that it was not voided.
        """
        self._check(message)
        async with self._database.writing() as connection:
            await self._note(connection, message.by, "poker_hand_voided", message.hand_id, message.reason)
        try:
            table = self._check(message)
        except Refusal:
            async with self._database.writing() as connection:
                await self._note(connection, message.by, "poker_hand_not_voided", message.hand_id, message.reason)
            raise
        table.void(message.reason, message.by.name, self._clock())
        return table

    def _running(self, table_id: str) -> T:
        table = self._tables.table(table_id)
        if table.phase is not Phase.PLAYING:
            raise Refusal(Code.NOT_OFFERED, "No hand is being played at this table.")
        return table

    def _check(self, message: VoidRunningHand) -> T:
        table = self._running(message.table_id)
        if table.public_hand is None or table.public_hand.hand_id != message.hand_id:
            raise Refusal(Code.STALE_ROUND, "That hand is over.")
        return table

    async def _note(self, connection: AsyncConnection, by: Person, action: str, target: str, reason: str) -> None:
        await audit_log.write(connection, audit_log.Entry(by.name, by.role, action, target, reason), self._clock())


def floor_view(table: PokerTable) -> PokerFloorTable:
    terms, hand = table.terms, table.public_hand
    is_playing = hand is not None and not table.is_at_rest
    return {
        "table_id": terms.table_id,
        "name": table_name(terms.table_id),
        "pool": terms.pool_id,
        "currency": terms.currency,
        "phase": table.phase.value,
        "players": len(table.occupants),
        "present": len(table.seats.present),
        "seats": terms.stake.seats,
        "hand_id": hand.hand_id if hand is not None and is_playing else None,
        "hand_no": table.hand_no,
        "pot": hand.middle if hand is not None and is_playing else 0,
        "chips": sum(table.stacks.values()),
        "idle_since": table.idle_since_ms,
        "paused": table.paused,
    }
