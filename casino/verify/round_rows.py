"""Reads all rows that belong to a round, round by round.

Rounds are read in pages ordered by id, together with all rows whose round id is in that range. Rows of a missing round
are therefore found too, and memory stays bounded.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Select, Table, func, select

from casino.live_table.settlement_records import HAND_COLUMNS, HEAD_COLUMNS, SEAT_COLUMNS
from casino.storage.schema import (
    holds,
    journal,
    operations,
    rounds,
    seats,
    settled_hands,
    settled_seats,
    settlements,
)
from casino.verify.snapshot import Snapshot

_ROUNDS_AT_ONCE: Final = 1_000
_SEATS_AT_ONCE: Final = 20_000
_PLACE: Final = itemgetter(1, 2)
"""Table and seq of a journal row. Sorting here avoids a sort of all data in the database."""


@dataclass(frozen=True, slots=True)
class RoundRows:
    """Large row sets are tuples, which cost far less than named columns."""

    round: Any  # None for rows of a round that does not exist
    journal: Sequence[tuple[str, str, int, str, int, int, str]]  # round, table, seq, kind, version, at_ms, data
    operations: Sequence[tuple[str, int, str, str]]  # round, id, key, input_hash
    seats: Sequence[tuple[str, str, str, int]]  # round, player, currency, started_ms
    holds: Sequence[tuple[str, str, str, int, str]]  # round, player, account, amount, status
    settlements: Sequence[Any] = ()  # round, operation, presenter, and the head of the settlement record
    settled_hands: Sequence[Any] = ()  # round, operation, and the columns of a hand
    settled_seats: Sequence[Any] = ()  # round, operation, and the columns of a seat


async def read_records(snapshot: Snapshot) -> AsyncIterator[tuple[str, RoundRows]]:
    after: str | None = None
    while True:
        page = await _page(snapshot, after)
        until = page[-1].id if page and page[-1].id != after else None  # a non-text id would repeat without end
        for found in (await _named(snapshot, page, after, until)).items():
            yield found
        if until is None:
            return
        after = until


async def _page(snapshot: Snapshot, after: str | None) -> Sequence[Any]:
    """Returns the next rounds, limited by their total number of seats, but at least one."""
    count = select(func.count()).where(seats.c.round_id == rounds.c.id).scalar_subquery()
    columns = rounds.c
    query = select(
        columns.id,
        columns.table_id,
        columns.day,
        columns.game_number,
        columns.status,
        columns.started_ms,
        columns.ended_ms,
        columns.presenter,
        columns.sealed_shoe,
        count.label("seats"),
    )
    if after is not None:
        query = query.where(columns.id > after)
    found = (await snapshot.connection.execute(query.order_by(columns.id).limit(_ROUNDS_AT_ONCE))).all()
    together = 0
    for place, row in enumerate(found):
        together += row.seats
        if place and together > _SEATS_AT_ONCE:
            return found[:place]
    return found


async def _named(snapshot: Snapshot, page: Sequence[Any], after: str | None, until: str | None) -> dict[str, RoundRows]:
    """Reads the rows of these rounds, and those in between that belong to none."""

    def between(column: Column[Any]) -> Iterator[ColumnElement[bool]]:
        yield column.is_not(None)
        if after is not None:
            yield column > after
        if until is not None:
            yield column <= until

    j, o, s, h, ends = journal.c, operations.c, seats.c, holds.c, settlements.c
    groups = [
        await _grouped(snapshot, query.where(*between(query.selected_columns[0])))  # type: ignore[arg-type]
        for query in (
            select(j.round_id, j.table_id, j.seq, j.kind, j.version, j.at_ms, j.data),
            select(o.round_id, o.id, o.key, o.input_hash),
            select(s.round_id, s.player_id, s.currency, s.started_ms),
            select(h.round_id, h.player_id, h.account, h.amount, h.status),
            select(ends.round_id, ends.operation_id, ends.presenter, *(ends[name] for name in HEAD_COLUMNS)),
            _of_settlements(settled_hands, HAND_COLUMNS),
            _of_settlements(settled_seats, SEAT_COLUMNS),
        )
    ]
    for events in groups[0].values():
        _sort(events)
    stored = {row.id: row for row in page}
    names = dict.fromkeys([*stored, *(name for group in groups for name in group)])
    return {name: RoundRows(stored.get(name), *(group.get(name, ()) for group in groups)) for name in names}


def _of_settlements(table: Table, columns: Sequence[str]) -> Select[Any]:
    number = table.c.operation_id
    query = select(settlements.c.round_id, number, *(table.c[name] for name in columns))
    return query.join(settlements, settlements.c.operation_id == number).order_by(*table.primary_key.columns)


def _sort(events: list[Any]) -> None:
    try:
        events.sort(key=_PLACE)
    except TypeError:  # not a number; `chains` reports it
        events.sort(key=repr)


async def _grouped(snapshot: Snapshot, query: Select[Any]) -> dict[str, list[Any]]:
    grouped: dict[str, list[Any]] = defaultdict(list)
    for row in await snapshot.rows(query):
        grouped[row[0]].append(row)
    return grouped
