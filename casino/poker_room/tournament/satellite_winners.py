"""Satellite winners: entered in the tournament they have won a seat in, with the ticket they were given.

If they are in it already, or it is closed or not announced, they keep the ticket.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import orjson
import structlog
from sqlalchemy import select

from casino.clock import Clock
from casino.errors import Refusal
from casino.poker.tournament.commands import Means
from casino.poker.tournament.events import Announced, load_event
from casino.poker.tournament.money_events import PrizeAwarded
from casino.poker.tournament.state import Status
from casino.poker_room.tournament.entry_rows import ticket_id_of
from casino.poker_room.tournament.journal_store import Step
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.spec import source_of
from casino.storage.database import Database
from casino.storage.tournament_schema import tickets, tournament_entries, tournament_journal

_log = structlog.get_logger()
KEY: Final = "won/"
"""Keys of entries that the house makes: this, and the ticket. Keys of players have no slash."""
CATCH_UP_MS: Final = 3_600_000
"""After a restart, winners of the last hour are entered who were not yet."""

Enter = Callable[[RunningTournament, str, str, str], Awaitable[None]]
"""Enters a player with a ticket: the target, the player, the ticket and the key. Raises refusals."""


class SatelliteWinners:
    def __init__(
        self, running: Mapping[str, RunningTournament], database: Database, clock: Clock, enter: Enter
    ) -> None:
        self._running = running
        self._database = database
        self._clock = clock
        self._enter = enter

    def in_steps(self, running: RunningTournament, steps: Sequence[Step]) -> list[tuple[str, str]]:
        """Winners of seats among these steps: players and their tickets."""
        return [
            (step.before.entries[step.event.entry_id].player_id, ticket_id_of(running.tournament_id, step.event.place))
            for step in steps
            if isinstance(step.event, PrizeAwarded) and step.event.means is Means.TICKET
        ]

    async def enter_all(self, source: str | None, value: int, winners: Sequence[tuple[str, str]]) -> None:
        """`source` is that of the target, `value` its price."""
        target = self._target(source, value)
        for player_id, ticket_id in winners:
            if target is None:
                return
            try:
                await self._enter(target, player_id, ticket_id, f"{KEY}{ticket_id}")
            except Refusal as refusal:
                _log.info("satellite_winner_keeps_ticket", ticket_id=ticket_id, code=refusal.code)

    async def catch_up(self) -> None:
        """Enters winners of before a restart. Who has taken such an entry back is not entered again."""
        ticket, entry = tickets.c, tournament_entries.c
        tried = select(entry.id).where(entry.player_id == ticket.player_id, entry.key == KEY + ticket.id)
        query = select(tickets).where(
            ticket.status == "open",
            ticket.origin == "satellite",
            ticket.issued_ms > self._clock() - CATCH_UP_MS,
            ~tried.exists(),
        )
        async with self._database.reading(for_table=True) as connection:
            rows = (await connection.execute(query.order_by(ticket.id))).all()
            satellites = {row.id: row.id.rpartition("-")[0] for row in rows}
            columns = tournament_journal.c
            first = select(columns.tournament_id, columns.event).where(columns.seq == 1)
            first = first.where(columns.tournament_id.in_(set(satellites.values())))
            announced = {row.tournament_id: row.event for row in await connection.execute(first)}
        for row in rows:
            event = load_event(orjson.loads(announced[satellites[row.id]]))
            assert isinstance(event, Announced)
            target = event.terms.target
            source = source_of(target, row.currency) if target is not None else None
            await self.enter_all(source, row.value, [(row.player_id, row.id)])

    def _target(self, source: str | None, value: int) -> RunningTournament | None:
        """The next one whose registration is open."""
        now_ms = self._clock()
        found = [
            running
            for running in self._running.values()
            if running.spec.source == source
            and running.spec.opens_ms <= now_ms
            and running.state.is_open
            and running.state.status in (Status.REGISTERING, Status.RUNNING)
            and running.state.terms.price.total == value
        ]
        return min(found, key=lambda running: running.state.terms.starts_ms, default=None)


def target_source(running: RunningTournament) -> str | None:
    target = running.state.terms.target
    return source_of(target, running.spec.currency) if target is not None else None
