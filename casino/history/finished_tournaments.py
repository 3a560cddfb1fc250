"""The list of scheduled tournaments that are over, latest start first."""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import ColumnElement, Row, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.poker.tournament.events import Announced, Changed, load_event
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.tournament.tournament_views import features_of
from casino.storage.schema import users
from casino.storage.tournament_schema import tournament_entries, tournament_journal, tournaments
from casino.wire.finished_tournaments import FinishedTournamentRow

PAGE_MAX: Final = 100
PAGE_USUAL: Final = 30
OVER: Final = ("finished", "cancelled")
_PLACE: Final = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{1,40})")
_entry = tournament_entries.c


class FinishedPlaceInList(NamedTuple):
    """Cursor of a page: it begins after this tournament."""

    starts_ms: int
    tournament_id: str

    @classmethod
    def parse(cls, written: str) -> "FinishedPlaceInList":
        found = _PLACE.fullmatch(written)
        if found is None:
            raise Refusal(Code.BAD_REQUEST, "before: use a value that an earlier page gave as `next`.")
        return cls(int(found[1]), found[2])

    def __str__(self) -> str:
        return f"{self.starts_ms}-{self.tournament_id}"


async def finished_page(
    connection: AsyncConnection,
    currency: str | None,
    *,
    limit: int = PAGE_USUAL,
    before: FinishedPlaceInList | None = None,
) -> tuple[list[FinishedTournamentRow], FinishedPlaceInList | None]:
    """Returns tournaments that were entered, and the cursor of the next page, if there is one."""
    columns = tournaments.c
    has_entry = select(_entry.id).where(_entry.tournament_id == columns.id, was_in()).exists()
    query = select(tournaments).where(columns.status.in_(OVER), columns.kind == "mtt", has_entry)
    if currency is not None:
        query = query.where(columns.currency == currency)
    if before is not None:
        query = query.where(tuple_(columns.starts_ms, columns.id) < tuple_(*before))
    query = query.order_by(columns.starts_ms.desc(), columns.id.desc()).limit(limit + 1)
    rows = (await connection.execute(query)).all()
    shown = rows[:limit]
    last = shown[-1] if len(rows) > limit else None
    views = await _views(connection, shown)
    return views, FinishedPlaceInList(last.starts_ms, last.id) if last is not None else None


async def finished_row(connection: AsyncConnection, tournament_id: str) -> Row[Any] | None:
    """The stored row of a tournament that is over."""
    query = select(tournaments).where(tournaments.c.id == tournament_id, tournaments.c.status.in_(OVER))
    return (await connection.execute(query)).first()


async def terms_of(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, TournamentTerms]:
    """The terms each tournament was played by."""
    columns = tournament_journal.c
    query = select(columns.tournament_id, columns.event).where(
        columns.tournament_id.in_(ids), columns.kind.in_(("announced", "changed"))
    )
    found: dict[str, TournamentTerms] = {}
    for row in await connection.execute(query.order_by(columns.tournament_id, columns.seq)):
        event = load_event(orjson.loads(row.event))
        assert isinstance(event, Announced | Changed)
        found[row.tournament_id] = event.terms
    return found


def row_view(
    row: Row[Any], terms: TournamentTerms, *, entries: int, paid_out: int, winner: str | None
) -> FinishedTournamentRow:
    price = terms.price
    return {
        "tournament_id": row.id,
        "kind": row.kind,
        "name": row.name,
        "game": terms.game,
        "currency": row.currency,
        "seats": terms.seats,
        "price": {"pool": price.pool, "bounty": price.bounty, "fee": price.fee, "total": price.total},
        "structure": terms.structure.name,
        "features": [*features_of(terms)],
        "guarantee": terms.guarantee,
        "ticket_value": terms.ticket_value,
        "status": row.status,
        "starts_at": row.starts_ms,
        "ended_at": row.ended_ms,
        "entries": entries,
        "paid_out": paid_out,
        "winner": winner,
    }


def was_in() -> ColumnElement[bool]:
    """Whether the entry was in its tournament when that began or was cancelled, and not taken back before."""
    return (_entry.status == "ended") | (_entry.ended_ms == tournaments.c.ended_ms)


async def sums_of(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Entries of each tournament, and the money paid out to them."""
    query = select(_entry.tournament_id, func.count(), func.sum(_entry.won))
    query = query.join(tournaments, tournaments.c.id == _entry.tournament_id)
    query = query.where(_entry.tournament_id.in_(ids), was_in()).group_by(_entry.tournament_id)
    return {tournament_id: (count, int(won)) for tournament_id, count, won in await connection.execute(query)}


async def winners_of(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, str]:
    """The name of the player in first place, by tournament."""
    query = select(_entry.tournament_id, users.c.name).join(users, users.c.id == _entry.player_id)
    query = query.where(_entry.tournament_id.in_(ids), _entry.place == 1)
    return {row[0]: row[1] for row in await connection.execute(query)}


async def _views(connection: AsyncConnection, rows: Sequence[Row[Any]]) -> list[FinishedTournamentRow]:
    ids = [row.id for row in rows]
    terms, sums = await terms_of(connection, ids), await sums_of(connection, ids)
    winners = await winners_of(connection, ids)
    views = []
    for row in rows:
        entries, paid_out = sums.get(row.id, (0, 0))
        views.append(row_view(row, terms[row.id], entries=entries, paid_out=paid_out, winner=winners.get(row.id)))
    return views
