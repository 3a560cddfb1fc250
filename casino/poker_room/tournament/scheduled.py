"""Scheduled tournaments: announces those of the templates as soon as their registration opens.

Each template is announced for every currency of the room. A tournament that is stored already, in whatever state, is
not announced again.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from sqlalchemy import select

from casino.clock import Clock
from casino.poker.tournament.schedule import starts_after
from casino.poker.tournament.structure import MINUTE_MS
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec, source_of
from casino.settings.poker import PokerSettings
from casino.settings.poker.schedule import TournamentRow
from casino.storage.database import Database
from casino.storage.tournament_schema import tournaments

LOOK_MS = MINUTE_MS
"""How often the schedule is looked at."""


class Planned(NamedTuple):
    """A tournament to announce."""

    row: TournamentRow
    source: str
    currency: str
    opens_ms: int
    starts_ms: int


class Schedule:
    def __init__(self, settings: PokerSettings, database: Database, clock: Clock) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock

    async def due(self) -> list[Planned]:
        """Tournaments whose registration is open by now and that are not stored."""
        planned = [*self._open_now()]
        if not planned:
            return []
        columns = tournaments.c
        sources = sorted({one.source for one in planned})
        query = select(columns.source, columns.starts_ms, columns.opens_ms).where(columns.source.in_(sources))
        async with self._database.reading(for_table=True) as connection:
            rows = (await connection.execute(query)).all()
        starts = {(row.source, row.starts_ms) for row in rows}
        opens = {(row.source, row.opens_ms) for row in rows}  # its start may have been delayed
        return [
            one
            for one in planned
            if (one.source, one.starts_ms) not in starts and (one.source, one.opens_ms) not in opens
        ]

    def terms(self, planned: Planned, tournament_id: str) -> tuple[TournamentSpec, TournamentTerms]:
        kind = TournamentKind.MTT
        clock, opens_ms = planned.row.clock, planned.opens_ms
        spec = TournamentSpec(tournament_id, kind, planned.source, planned.currency, clock, opens_ms)
        return spec, self._settings.tournament_terms(planned.row, tournament_id, planned.starts_ms)

    def _open_now(self) -> Iterator[Planned]:
        now_ms = self._clock()
        for row in self._settings.schedule.tournament:
            lead_ms = row.registration_opens_minutes * MINUTE_MS
            for starts_ms in _starts(row, now_ms, now_ms + lead_ms):
                for currency in self._settings.room.currencies:
                    source = source_of(row.id, currency)
                    yield Planned(row, source, currency, starts_ms - lead_ms, starts_ms)


def _starts(row: TournamentRow, after_ms: int, until_ms: int) -> Iterator[int]:
    if row.at is not None:
        at_ms = round(row.at.timestamp() * 1000)
        if after_ms < at_ms <= until_ms:
            yield at_ms
    elif row.every is not None:
        yield from takewhile(lambda start_ms: start_ms <= until_ms, starts_after(row.every, after_ms))
