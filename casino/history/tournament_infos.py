"""Tournaments of exported hands: name, price and flags as the Open Hand History format has them."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.poker.notation.history import TournamentInfo
from casino.poker.tournament.bounty import BountyKind
from casino.poker.tournament.events import Announced, Changed, load_event
from casino.poker.tournament.terms import TournamentTerms
from casino.storage.tournament_schema import tournament_journal, tournaments


class ExportedTournament(NamedTuple):
    """`seats` are those of each table."""

    info: TournamentInfo
    seats: int


async def tournaments_of(connection: AsyncConnection, tournament_ids: Collection[str]) -> dict[str, ExportedTournament]:
    """By id, with the terms they were played by."""
    journal, ids = tournament_journal.c, sorted(tournament_ids)
    is_asked = (journal.tournament_id.in_(ids), journal.kind.in_(["announced", "changed"]))
    query = select(journal.tournament_id, journal.event).where(*is_asked).order_by(journal.tournament_id, journal.seq)
    terms: dict[str, TournamentTerms] = {}
    for tournament_id, text in await connection.execute(query):
        event = load_event(orjson.loads(text))
        assert isinstance(event, Announced | Changed)
        terms[tournament_id] = event.terms
    columns = tournaments.c
    kinds = select(columns.id, columns.kind, columns.currency).where(columns.id.in_(ids))
    rows = (await connection.execute(kinds)).all()
    return {row.id: _exported(row.kind, row.currency, terms[row.id]) for row in rows}


def _exported(kind: str, currency: str, terms: TournamentTerms) -> ExportedTournament:
    info = TournamentInfo(
        terms.tournament_id,
        terms.name,
        terms.starts_ms,
        currency,
        terms.price,
        terms.stack,
        "MTT" if kind == "mtt" else "STT",
        tuple(_flags(kind, terms)),
    )
    return ExportedTournament(info, terms.seats)


def _flags(kind: str, terms: TournamentTerms) -> Iterator[str]:
    flags = {
        "SNG": kind != "mtt",
        "Lottery": kind == "hexapro",
        "Bounty": terms.bounty is not None and terms.bounty.kind is BountyKind.REGULAR,
        "Progressive-Bounty": terms.bounty is not None and terms.bounty.kind is BountyKind.PROGRESSIVE,
        "Re-Entry": terms.reentries_max > 0,
        "Rebuy": terms.rebuy is not None,
        "Satellite": bool(terms.ticket_value),
    }
    return (name for name, is_set in flags.items() if is_set)
