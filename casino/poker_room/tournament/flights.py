"""Flights of a second phase: whether they are over, and the survivors, entries and money they bring.

A flight belongs to the first second phase of its name that starts after it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Row, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.poker.tournament.commands import CarryOver
from casino.poker.tournament.entries import Survivor, phase_two
from casino.poker.tournament.events import Announced, Changed, FlightEnded, load_event
from casino.poker.tournament.state import Status
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.tournament.spec import TournamentSpec, source_of
from casino.storage.database import Database
from casino.storage.tournament_schema import tournament_journal, tournaments

_OPEN = (Status.REGISTERING.value, Status.RUNNING.value)
_journal = tournament_journal.c


class Flights(NamedTuple):
    """`unfinished` are those that still register or run; `ended` are in order of their starts."""

    unfinished: int
    ended: tuple[FlightEnded, ...]

    def carry_over(self) -> CarryOver | None:
        """Each survivor once, with the largest stack; None if no player has survived."""
        survivors = [survivor for flight in self.ended for survivor in flight.survivors]
        brought = phase_two(survivors)
        if not brought:
            return None
        earned = _fees(survivors) - _fees(brought)
        entries = sum(flight.field_entries for flight in self.ended)
        return CarryOver(tuple(brought), entries, sum(flight.pool for flight in self.ended), earned)


async def flights_of(database: Database, spec: TournamentSpec, terms: TournamentTerms) -> Flights:
    """Flights that started since the second phase before."""
    columns = tournaments.c
    before = select(func.max(columns.starts_ms)).where(
        columns.source == spec.source, columns.starts_ms < terms.starts_ms
    )
    async with database.reading(for_table=True) as connection:
        since_ms: int = await connection.scalar(before) or 0
        query = select(tournaments).where(
            columns.kind == spec.kind.value,
            columns.currency == spec.currency,
            columns.starts_ms > since_ms,
            columns.starts_ms <= terms.starts_ms,
            columns.id != spec.tournament_id,
        )
        rows = (await connection.execute(query.order_by(columns.starts_ms, columns.id))).all()
        rows = [row for row in rows if await _leads_to(connection, row, spec.source)]
        ended = [await _end_of(connection, row) for row in rows if row.status == Status.FINISHED]
    return Flights(sum(row.status in _OPEN for row in rows), tuple(ended))


async def _leads_to(connection: AsyncConnection, row: Row[Any], source: str) -> bool:
    """Terms may have changed before the start."""
    query = select(_journal.event).where(_journal.tournament_id == row.id, _journal.kind.in_(["announced", "changed"]))
    texts: Sequence[str] = (await connection.execute(query.order_by(_journal.seq.desc()).limit(1))).scalars().all()
    event = load_event(orjson.loads(texts[0]))
    assert isinstance(event, Announced | Changed)
    terms = event.terms
    is_flight = terms.flight_ends_level is not None and terms.target is not None
    return is_flight and source_of(terms.target or "", row.currency) == source


async def _end_of(connection: AsyncConnection, row: Row[Any]) -> FlightEnded:
    query = select(_journal.event).where(_journal.tournament_id == row.id, _journal.kind == "flight_ended")
    event = load_event(orjson.loads((await connection.execute(query)).scalar_one()))
    assert isinstance(event, FlightEnded)
    return event


def _fees(survivors: Sequence[Survivor]) -> int:
    return sum(survivor.fees for survivor in survivors)
