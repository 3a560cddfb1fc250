"""Checks that the books hold everything a killed player process had acknowledged."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.book import Book, Holds
from casino.live_table.journal_replay import load_round
from casino.storage import schema
from casino.storage.database import Database
from casino.uth.events import BettingClosed, DecisionMade, load_event
from casino.uth.phases import Phase
from casino.uth.state import Round
from tests.chaos.books import UNREADABLE


@dataclass
class Memory:
    """One round, as far as it was acknowledged."""

    table_id: str
    phase: str = Phase.BETTING
    bets: dict[str, int] = field(default_factory=dict)  # by player, the total bet
    decisions: set[tuple[str, str, str]] = field(default_factory=set)
    in_doubt: list[list[Any]] = field(default_factory=list)  # requested, without a reply
    never_answered: list[list[Any]] = field(default_factory=list)  # in doubt when an earlier process was killed


@dataclass
class DurabilityChecker:
    rounds: dict[str, Memory] = field(default_factory=dict)
    heads: dict[tuple[str, int], str] = field(default_factory=dict)  # (table, seq): digest
    paid: dict[tuple[str, str], str] = field(default_factory=dict)  # (player, key): status
    recovered: dict[str, str] = field(default_factory=dict)
    late: bool = False
    finished: bool = False

    def listen(self, words: Path) -> None:
        """Reads one process after those before it, which may have left things in doubt; lines are whole or missing."""
        self.recovered, self.finished = {}, False
        for memory in self.rounds.values():
            memory.never_answered += memory.in_doubt
            memory.in_doubt = []
        for line in words.read_text().splitlines():
            self._read(*json.loads(line))

    def _read(self, what: str, *words: Any) -> None:  # noqa: ANN401  plain JSON
        match what, *words:
            case "opened", table_id, round_id:
                self.rounds[round_id] = Memory(table_id)
            case "asking", _, round_id, asked:
                self._memory(round_id).in_doubt = asked
            case "refused", _, round_id, _:
                self._memory(round_id).in_doubt = []
            case "answered", table_id, round_id, phase, (seq, digest), accepted:
                self.heads[table_id, seq] = digest
                self._acknowledged(self._memory(round_id), phase, accepted)
            case "paid", player, key, status:
                self.paid[player, key] = status
            case "recovering", late:
                self.late = late
            case "recovered", round_id, outcome:
                self.recovered[round_id] = outcome
            case "finished", *_:
                self.finished = True

    def _memory(self, round_id: str) -> Memory:
        """A round can be stored and continue after a restart although its opening was never sent."""
        return self.rounds.setdefault(round_id, Memory(round_id.rpartition("-")[0]))

    def _acknowledged(self, memory: Memory, phase: str, accepted: list[list[Any]]) -> None:
        memory.phase, memory.in_doubt = phase, []
        for kind, *what in accepted:
            if kind == "bet":
                memory.bets[what[0]] = what[1]
            elif kind == "decision":
                memory.decisions.add((what[0], what[1], what[2]))

    async def check(self, database: Database) -> dict[str, Round]:
        """The books hold every acknowledged thing; the answer is the rounds that can be read and are not over."""
        async with database.reading() as connection:
            rows = await connection.execute(
                select(schema.journal.c.table_id, schema.journal.c.seq, schema.journal.c.digest)
            )
            digests = {(row.table_id, row.seq): row.digest for row in rows}
            assert self.heads.items() <= digests.items(), "the journal has lost what was acknowledged"
            for round_id, memory in self.rounds.items():
                await self._check_round(connection, memory, await load_round(connection, round_id))
            await self._check_payments(connection)
            is_open = select(schema.rounds.c.id).where(schema.rounds.c.status == "open")
            ids = [row.id for row in await connection.execute(is_open) if row.id not in UNREADABLE]
            unfinished = {round_id: await load_round(connection, round_id) for round_id in ids}
        self.rounds = {round_id: memory for round_id, memory in self.rounds.items() if round_id in unfinished}
        return unfinished

    async def _check_payments(self, connection: AsyncConnection) -> None:
        """Ended rounds stay as they were sent; running ones may have ended since."""
        table = schema.payments
        rows = await connection.execute(select(table.c.player_id, table.c.key, table.c.status))
        found = {(row.player_id, row.key): row.status for row in rows}
        for payment, status in self.paid.items():
            assert payment in found, "an acknowledged payment is lost"
            assert status in (found[payment], "pending"), (payment, status, found[payment])

    async def _check_round(self, connection: AsyncConnection, memory: Memory, round_: Round) -> None:
        query = select(schema.journal.c.data).where(schema.journal.c.round_id == round_.round_id)
        events = [load_event(json.loads(row.data)) for row in await connection.execute(query)]
        made = {(e.player_id, str(e.phase), str(e.action)) for e in events if isinstance(e, DecisionMade)}
        assert memory.decisions <= made, "an acknowledged decision is lost"
        closed = [event for event in events if isinstance(event, BettingClosed)]
        if closed:
            self.check_bets(memory, {stake.player_id: 2 * stake.ante + stake.trips for stake in closed[0].stakes})
        elif round_.phase is Phase.BETTING:
            held = await Holds(connection, Book(connection), round_.round_id).open()
            self.check_bets(memory, {hold.player_id: hold.amount for hold in held})

    def check_bets(self, memory: Memory, found: dict[str, int]) -> None:
        """Exactly the acknowledged bets, except for requests without a reply."""
        possible = {player: {total} for player, total in memory.bets.items()}
        for kind, *what in memory.never_answered + memory.in_doubt:
            if kind == "bet":
                possible.setdefault(what[0], {0}).add(what[1])
        for player in possible.keys() | found.keys():
            assert found.get(player, 0) in possible.get(player, {0}), (player, found, possible)
        memory.bets, memory.in_doubt, memory.never_answered = found, [], []


def outcome(round_: Round, *, late: bool) -> str:
    """What recovery must make of an unfinished round."""
    if round_.phase is Phase.BETTING:
        return Phase.IDLE
    if round_.phase is Phase.SHOWDOWN and round_.is_street_complete and not round_.paused:
        return Phase.SETTLED
    return Phase.CANCELLED if late else round_.phase
