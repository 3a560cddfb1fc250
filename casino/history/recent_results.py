"""Public results of a table's last rounds: cards, hands and winners, without bets."""

from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.live_table.journal_replay import NO_DECISIONS, UNREADABLE, rebuild, stored_events
from casino.storage.schema import rounds
from casino.uth.events import BettingClosed, Event, WindowClosed
from casino.uth.terms import Layout
from casino.wire.common import PastRound
from casino.wire.round_views import outcome_view


async def recent_results(connection: AsyncConnection, table_id: str, count: int) -> list[PastRound]:
    """Returns results, newest last. Unreadable rounds are left out; `verify` reports them."""
    ended = (
        select(rounds.c.id)
        .where(rounds.c.table_id == table_id, rounds.c.status.in_(("settled", "cancelled", "corrected")))
        .order_by(rounds.c.day.desc(), rounds.c.game_number.desc())
        .limit(count)
    )
    ids = (await connection.execute(ended)).scalars().all()
    recent = []
    for round_id in reversed(ids):
        written = await stored_events(connection, round_id, NO_DECISIONS)
        try:
            recent.append(outcome_view(rebuild(written, _without_decisions)))
        except UNREADABLE:
            continue
    return recent


def _without_decisions(event: Event, layout: Layout) -> Event:
    """At an own-hands table the deal depends on who has bet; nothing else about players is needed."""
    if isinstance(event, BettingClosed) and layout is Layout.SHARED:
        return replace(event, stakes=())
    return replace(event, automatic=()) if isinstance(event, WindowClosed) else event
