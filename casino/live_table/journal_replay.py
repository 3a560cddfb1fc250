"""Replays the stored events of a round: the only place that turns journal rows into a round.

Recovery, corrections, history, round files and verification use it. A projection leaves out the events, or parts of
them, that a reader does not need or may not see.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import orjson
from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.schema import journal
from casino.uth.events import BettingOpened, DecisionMade, Event, load_event
from casino.uth.replay import begin, evolve, with_decisions
from casino.uth.state import Round
from casino.uth.terms import Layout

UNREADABLE: Final = (ValueError, KeyError, IndexError, AssertionError)
"""Errors of events that cannot be read or applied."""

NO_DECISIONS: Final = journal.c.kind != "decision_made"
"""Leaves out single decisions. Thousands of players may have decided, and no card depends on it."""

Projection = Callable[[Event, Layout], Event | None]
"""Returns the event as a reader needs it; None leaves it out."""


class UnreadableRoundError(ValueError):
    """The journal of a round cannot be replayed."""


class Step(NamedTuple):
    """An event and the round after it. The event that opens the round has no round before it."""

    event: Event
    before: Round | None
    after: Round


class JournalReplay:
    """Applies events in order. Decisions of a window are applied together, which costs far less."""

    __slots__ = ("_applied", "_decisions")

    def __init__(self, opened: Event | None) -> None:
        if not isinstance(opened, BettingOpened):
            raise UnreadableRoundError("the first event of a round opens its betting")
        self._applied = begin(opened)
        self._decisions: list[DecisionMade] = []

    @property
    def round(self) -> Round:
        """The round after all events."""
        if self._decisions:
            self._applied = with_decisions(self._applied, self._decisions)
            self._decisions.clear()
        return self._applied

    @property
    def before_decisions(self) -> Round:
        """The round without the decisions since the last other event or the last use of `round`."""
        return self._applied

    def apply(self, event: Event) -> None:
        if isinstance(event, DecisionMade):
            self._decisions.append(event)
        else:
            self._applied = evolve(self.round, event)


def read_event(data: str) -> Event:
    return load_event(orjson.loads(data))


def steps(written: Iterable[str], project: Projection | None = None) -> Iterator[Step]:
    """Yields each event with the rounds before and after it. Raises one of `UNREADABLE`."""
    events = map(read_event, written)
    opened = next(events, None)
    replay = JournalReplay(opened)
    assert opened is not None
    before = replay.round
    yield Step(opened, None, before)
    for stored in events:
        event = project(stored, before.terms.layout) if project else stored
        if event is not None:
            replay.apply(event)
            yield Step(event, before, replay.round)
            before = replay.round


def rebuild(written: Iterable[str], project: Projection | None = None) -> Round:
    """Returns the round after all stored events. Raises `UnreadableRoundError`."""
    try:
        return _replayed(written, project)
    except UNREADABLE as error:
        raise UnreadableRoundError(str(error)) from error


def _replayed(written: Iterable[str], project: Projection | None) -> Round:
    events = map(read_event, written)
    replay = JournalReplay(next(events, None))
    layout = replay.round.terms.layout
    for stored in events:
        event = project(stored, layout) if project else stored
        if event is not None:
            replay.apply(event)
    return replay.round


async def stored_events(connection: AsyncConnection, round_id: str, *conditions: ColumnElement[bool]) -> Sequence[str]:
    """Reads the events of a round in order; conditions leave out rows."""
    query = select(journal.c.data).where(journal.c.round_id == round_id, *conditions).order_by(journal.c.seq)
    return (await connection.execute(query)).scalars().all()


async def load_round(connection: AsyncConnection, round_id: str) -> Round:
    """Returns the stored round. Raises `UnreadableRoundError`, also if nothing is stored."""
    return rebuild(await stored_events(connection, round_id))
