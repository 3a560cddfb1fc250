"""The last rounds of a table as everybody saw them end: cards, hands, who won. Nobody's bets are in it."""

from dataclasses import replace

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.schema import journal, rounds
from casino.uth.events import BettingClosed, BettingOpened, Event, WindowClosed, load_event
from casino.uth.replay import begin, evolve
from casino.uth.terms import Layout
from casino.uth.views import View, outcome_view


async def last_outcomes(connection: AsyncConnection, table_id: str, count: int) -> list[View]:
    """The newest last. What cannot be read any more is left out: it is for looking at, and `verify` names it."""
    ended = (
        select(rounds.c.id)
        .where(rounds.c.table_id == table_id, rounds.c.status.in_(("settled", "cancelled", "corrected")))
        .order_by(rounds.c.day.desc(), rounds.c.game_number.desc())
        .limit(count)
    )
    ids = (await connection.execute(ended)).scalars().all()
    told = []
    for round_id in reversed(ids):
        # Thousands may have decided in a round, and nothing of that is told.
        query = select(journal.c.data).where(journal.c.round_id == round_id, journal.c.kind != "decision_made")
        written = (await connection.execute(query.order_by(journal.c.seq))).scalars().all()
        try:
            told.append(_tell([load_event(orjson.loads(data)) for data in written]))
        except (ValueError, KeyError, IndexError, AssertionError):
            continue
    return told


def _tell(events: list[Event]) -> View:
    opened, *rest = events
    assert isinstance(opened, BettingOpened)
    round_ = begin(opened)
    for event in rest:
        round_ = evolve(round_, _without_decisions(event, round_.terms.layout))
    return outcome_view(round_)


def _without_decisions(event: Event, layout: Layout) -> Event:
    """At an own-hands table cards are dealt by who has bet; nobody else needs to be known."""
    if isinstance(event, BettingClosed) and layout is Layout.SHARED:
        return replace(event, stakes=())
    return replace(event, automatic=()) if isinstance(event, WindowClosed) else event
