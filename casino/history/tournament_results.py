"""Results of a player's tournaments: entries that have ended or were returned, the newest first.

A HexaPro result has the draw of its game, which anybody can check against the commitment published before.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import Row, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.poker.tournament.events import Announced, load_event
from casino.storage.tournament_schema import (
    hexapro_draws,
    tickets,
    tournament_entries,
    tournament_journal,
    tournaments,
)
from casino.wire.poker_entries import TournamentKindName, TournamentResult
from casino.wire.poker_hexapro import HexaDraw

PAGE_MAX: Final = 200
PAGE_USUAL: Final = 30
_PLACE: Final = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{1,40})")
_entry = tournament_entries.c

OpenText = Callable[[str], str | None]
"""Opens a sealed text; None if the key is another one by now."""


class ResultPlace(NamedTuple):
    """Cursor of a page: it begins after this entry."""

    ended_ms: int
    entry_id: str

    @classmethod
    def parse(cls, written: str) -> "ResultPlace":
        found = _PLACE.fullmatch(written)
        if found is None:
            raise Refusal(Code.BAD_REQUEST, "before: use a value that an earlier page gave as `next`.")
        return cls(int(found[1]), found[2])

    def __str__(self) -> str:
        return f"{self.ended_ms}-{self.entry_id}"


async def results_page(
    connection: AsyncConnection,
    player_id: str,
    open_text: OpenText,
    *,
    limit: int = PAGE_USUAL,
    kind: TournamentKindName | None = None,
    tournament_id: str | None = None,
    before: ResultPlace | None = None,
) -> tuple[list[TournamentResult], ResultPlace | None]:
    """Returns results and the cursor of the next page, if there is one."""
    query = (
        select(
            tournament_entries,
            tournaments.c.kind,
            tournaments.c.name,
            tournaments.c.currency,
            tournaments.c.draw_no,
            tournaments.c.source,
        )
        .outerjoin(tournaments, tournaments.c.id == _entry.tournament_id)
        .where(_entry.player_id == player_id, _entry.ended_ms.is_not(None))
        .order_by(_entry.ended_ms.desc(), _entry.id.desc())
    )
    if kind == "hexapro":  # an entry that was taken back from a line has no tournament
        query = query.where(or_(tournaments.c.kind == kind, _entry.tournament_id.is_(None)))
    elif kind is not None:
        query = query.where(tournaments.c.kind == kind)
    if tournament_id is not None:
        query = query.where(_entry.tournament_id == tournament_id)
    if before is not None:
        query = query.where(tuple_(_entry.ended_ms, _entry.id) < tuple_(*before))
    rows = (await connection.execute(query.limit(limit + 1))).all()
    shown = rows[:limit]
    games = {row.tournament_id: (row.source, row.draw_no) for row in shown if row.draw_no is not None}
    draws = await draws_of(connection, games, open_text)
    won = await _tickets(connection, player_id, shown)
    last = shown[-1] if len(rows) > limit else None
    results = [_result(row, draws.get(row.tournament_id), won.get(f"{row.tournament_id}-{row.place}")) for row in shown]
    return results, ResultPlace(last.ended_ms, last.id) if last is not None else None


def _result(row: Row[Any], draw: HexaDraw | None, ticket: int | None) -> TournamentResult:
    """An entry that was taken back from a line has no tournament: the line says what it was for."""
    line = row.line or ""
    return {
        "entry_id": row.id,
        "tournament_id": row.tournament_id,
        "kind": row.kind or "hexapro",
        "name": row.name or line.rpartition("-")[0],
        "currency": row.currency or line.rpartition("-")[2].upper(),
        "registered_at": row.registered_ms,
        "ended_at": row.ended_ms,
        "is_returned": row.status == "returned",
        "with_ticket": row.ticket_id is not None,
        "paid": row.paid,
        "won": row.won,
        "ticket": ticket,
        "place": row.place,
        "draw": draw,
    }


async def draws_of(
    connection: AsyncConnection, games: Mapping[str, tuple[str, int]], open_text: OpenText
) -> dict[str, HexaDraw]:
    """Draws of HexaPro games, given with line and number. The number is public since the start of the game."""
    if not games:
        return {}
    journal, columns = tournament_journal.c, hexapro_draws.c
    first = select(journal.tournament_id, journal.event).where(journal.tournament_id.in_([*games]), journal.seq == 1)
    announced = {row.tournament_id: row.event for row in await connection.execute(first)}
    query = select(hexapro_draws).where(tuple_(columns.line, columns.no).in_([*games.values()]))
    sealed = {(row.line, row.no): row for row in await connection.execute(query)}
    draws: dict[str, HexaDraw] = {}
    for tournament_id, game in games.items():
        event = load_event(orjson.loads(announced[tournament_id]))
        assert isinstance(event, Announced)
        assert event.terms.draw is not None
        text = open_text(sealed[game].sealed)
        draws[tournament_id] = {
            "line": game[0],
            "game_no": game[1],
            "multiplier": event.terms.draw.multiplier,
            "number": event.terms.draw.number,
            "secret": json.loads(text)[1] if text is not None else None,
            "commitment": sealed[game].commitment,
        }
    return draws


async def _tickets(connection: AsyncConnection, player_id: str, rows: Iterable[Row[Any]]) -> dict[str, int]:
    """Values of the tickets that these entries have won, by ticket."""
    ids = [f"{row.tournament_id}-{row.place}" for row in rows if row.place is not None]
    if not ids:
        return {}
    query = select(tickets.c.id, tickets.c.value).where(tickets.c.id.in_(ids), tickets.c.player_id == player_id)
    return {row.id: row.value for row in await connection.execute(query)}
