"""A poker room with thousands of simulated tournament players, who react to what they are sent, as clients do.

Their lines are lost and come back, the database fails before or after a commit, hands are refused, the process crashes.
"""

import heapq
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.hosting.interfaces import Connection
from casino.poker.betting import Action
from casino.poker_room import transaction_retry
from casino.poker_room.hand_record import VOID, HandRecord
from casino.poker_room.hand_store import HandStore
from casino.poker_room.messages import ActInHand, ConnectionLost, Join, ResumeTable
from casino.poker_room.tournament.director import Director
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.storage.database import Database
from casino.users.roles import Person
from casino.wire.outbound import OutboundEvent
from tests.poker_room.running_room import Recorder, connection_of, sender
from tests.poker_room.tournament_house import TournamentHouse

MIA = Person("mia-id", "Mia", "manager")
LATE = {Code.STALE_ROUND, Code.TOO_LATE, Code.NOT_YOUR_TURN, Code.NOT_IN_ROUND, Code.NO_SUCH_TABLE}
"""The hand continued while the answer was on its way, or the table is closed."""
TICK_MS = 1_000


@dataclass
class Players(Recorder):
    """Keeps only what players react to: questions, new seats, and paused tables."""

    asked: dict[str, dict[str, Any]] = field(default_factory=dict)
    seated: dict[str, str] = field(default_factory=dict)
    paused: set[str] = field(default_factory=set)
    heard: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def to_table(self, table_id: str, *events: OutboundEvent) -> None:
        for name, payload in events:
            if name == "poker_table" and payload["paused"] is not None:
                self.paused.add(table_id)

    def to_connection(self, connection: Connection, *events: OutboundEvent) -> None:
        for name, payload in events:
            if name == "options" and payload["turn"] is not None:
                self.asked[connection.sid.rpartition("-")[0]] = dict(payload)

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        for name, payload in events:
            if name == "moved_table":
                self.seated[player_id] = payload["table_id"]
            elif name == "tournament_news":
                self.heard[payload["kind"]] += 1

    def to_lobby(self, currency: str, *events: OutboundEvent) -> None: ...


@dataclass
class Faults:
    """Rates of faults, each of one; every so many hands one is refused. Off until play begins."""

    chance: random.Random
    lost_line: float = 0.01
    away: float = 0.02
    refuse_every: int = 30
    all_in: float = 0.06
    """How often players put in everything: a large field is sooner decided."""
    is_on: bool = False
    count: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    refused: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def happens(self, name: str, rate: float) -> bool:
        is_now = self.is_on and self.chance.random() < rate
        self.count[name] += is_now
        return is_now

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The database refuses connections, or loses the answer to a commit; a hand can't be stored at all."""
        writing, commit = Database.writing, HandStore._commit

        @asynccontextmanager
        async def faulty(database: Database, **kind: bool) -> AsyncIterator[AsyncConnection]:
            if self.happens("away", self.away):
                raise OperationalError("BEGIN", {}, Exception("the database is away"))
            opened: AbstractAsyncContextManager[AsyncConnection] = writing(database, **kind)
            async with opened as connection:
                yield connection
            if self.happens("answer lost", self.away):
                raise OperationalError("COMMIT", {}, Exception("the answer is lost"))

        async def refusing(store: HandStore, records: Sequence[HandRecord]) -> None:
            for record in records:
                if self.is_on and record.status != VOID and record.hand_id not in self.seen:
                    self.seen.add(record.hand_id)
                    if len(self.seen) % self.refuse_every == 0:
                        self.refused.add(record.hand_id)
            if any(record.status != VOID and record.hand_id in self.refused for record in records):
                raise DBAPIError("INSERT", {}, Exception("a value is too long"))
            await commit(store, records)

        monkeypatch.setattr(Database, "writing", faulty)
        monkeypatch.setattr(HandStore, "_commit", refusing)
        monkeypatch.setattr(transaction_retry, "RETRY_SECONDS", 0.001)
        defaults = Director.__init__.__kwdefaults__
        assert defaults is not None
        monkeypatch.setitem(defaults, "retry_seconds", 0.001)


class LargeHouse(TournamentHouse):
    publisher = Players

    async def enter(self, running: RunningTournament, players: int) -> None:
        await self.register(running, *(f"p{number}" for number in range(1, players + 1)))

    async def play_large(self, faults: Faults, until: Callable[[], bool]) -> None:
        """Time goes on by whole seconds; players think for some of them."""
        due: list[tuple[int, int, str]] = []
        order = 0
        players = self.sent
        assert isinstance(players, Players)
        players.seated |= {
            player_id: table.terms.table_id
            for running in self.room.tournaments.running.values()
            for player_id, table in running.seats.items()
        }
        await self._react(players)
        while not until():
            for player_id in players.asked.keys() - {name for _, _, name in due}:
                order += 1
                heapq.heappush(due, (self.clock.now_ms + faults.chance.randint(1, 4) * TICK_MS, order, player_id))
            moments = [due[0][0]] if due else []
            deadlines = (self.room.upkeep.deadlines, self.room.tournaments.floor.deadlines)
            moments += [nearest[0] for one in deadlines if (nearest := one._nearest()) is not None]
            assert moments, "nothing is due, and the tournament is not over"
            self.clock.now_ms = max(self.clock.now_ms, -(-min(moments) // TICK_MS) * TICK_MS)
            for one in deadlines:
                one.run_due()
            while due and due[0][0] <= self.clock.now_ms:
                _, _, player_id = heapq.heappop(due)
                asked = players.asked.pop(player_id, None)
                if asked is not None:
                    await self._answer(player_id, asked, faults)
            await self.settle()
            await self._react(players)

    async def _react(self, players: Players) -> None:
        """Players come to their tables; a manager resumes tables that have paused."""
        waiting: set[str] = set()
        while players.seated or players.paused:
            seated, players.seated = players.seated, {}
            for player_id, table_id in seated.items():
                await self._come(players, player_id, table_id)
            paused, players.paused = players.paused, set()
            for table_id in paused:
                await self._resume(table_id, again=waiting)
            await self.settle()
        players.paused |= waiting

    async def _resume(self, table_id: str, again: set[str]) -> None:
        """A manager resumes the table, `again` in a while if its hand is being stored or the database is away."""
        table = self.room.tournaments.floor.find(table_id)
        if table is None or table.paused is None:
            return
        if not table.is_at_rest:
            again.add(table_id)
            return
        try:
            await self.room.ask(ResumeTable(table_id, MIA, "looked at"))
        except Refusal as refusal:
            assert refusal.code is Code.INTERNAL, refusal
            again.add(table_id)

    async def _come(self, players: Players, player_id: str, table_id: str) -> None:
        try:
            snapshot = await self.room.ask(Join(sender(player_id), table_id))
        except Refusal as refusal:
            assert refusal.code in LATE, refusal
            return
        options = snapshot["options"]
        if options is not None and options["turn"] is not None:
            players.asked[player_id] = dict(options)

    async def _answer(self, player_id: str, asked: dict[str, Any], faults: Faults) -> None:
        """Sometimes the line is lost instead; the player is back when the other hand may be over."""
        table_id = str(asked["table_id"])
        if faults.happens("line lost", faults.lost_line):
            await self.room.ask(ConnectionLost(player_id, connection_of(player_id), is_last=True))
            assert isinstance(self.sent, Players)
            if faults.chance.random() < 0.8:  # others stay away until their next seat
                self.sent.seated[player_id] = table_id
            return
        lot, raising, amount = faults.chance.random(), asked["raise"], 0
        if raising and lot < 0.25:
            action, amount = Action.RAISE_TO, raising["max"] if lot < faults.all_in else raising["min"]
        elif asked["check"]:
            action = Action.CHECK
        else:
            action = Action.CALL if lot < 0.5 else Action.FOLD
        message = ActInHand(sender(player_id), table_id, asked["hand_id"], asked["turn"], action, amount)
        try:
            await self.room.ask(message)
        except Refusal as refusal:
            assert refusal.code in LATE, refusal
