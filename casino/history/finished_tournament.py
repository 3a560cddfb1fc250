"""Results of one tournament that is over: places, prizes, bounties, structure, and the ICM of its final table.

They follow from the rows of entries and a few events of the journal, so a large field is not replayed.
"""

from collections import Counter
from typing import Final, NamedTuple

import orjson
from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.history.finished_tournaments import finished_row, row_view, sums_of, terms_of, was_in, winners_of
from casino.history.tournament_results import OpenText, draws_of
from casino.poker.tournament.events import Event, FlightEnded, HandDealt, load_event
from casino.poker.tournament.icm import PLAYERS_MAX as ICM_MAX
from casino.poker.tournament.icm import icm_shares
from casino.poker.tournament.money_events import Cancelled, PrizeHeld, RegistrationClosed
from casino.poker_room.tournament.parameter_views import parameters_view
from casino.poker_room.tournament.table_terms import table_id_of
from casino.poker_room.tournament.tournament_views import PLAYERS_MAX, bands, structure_view
from casino.refusals import Reason
from casino.storage.poker_schema import poker_hand_players, poker_hands
from casino.storage.schema import users
from casino.storage.tournament_schema import tournament_entries, tournament_journal, tournament_purchases, tournaments
from casino.wire.finished_tournaments import FinalTableSeat, FinishedPlace, FinishedTournament

_KINDS: Final = ("registration_closed", "prize_held", "flight_ended", "cancelled")
_HANDS_MAX: Final = 20
"""Every player of a table is dealt in within an orbit."""
_entry = tournament_entries.c
_journal = tournament_journal.c


class _Entry(NamedTuple):
    entry_id: str
    place: int | None
    won: int
    name: str


class _FirstStack(NamedTuple):
    player_id: str
    start: int
    name: str


class _Outcome(NamedTuple):
    """What the journal says beyond the rows of entries. `held` are entries, `chips` those of survivors of a flight."""

    closed: RegistrationClosed | None
    cancelled: Cancelled | None
    held: frozenset[str]
    refunds: dict[str, int]
    chips: dict[str, int]


async def finished_tournament(
    connection: AsyncConnection, tournament_id: str, open_text: OpenText, *, search: str = ""
) -> FinishedTournament:
    """`search` is a part of the names of players. Refuses a tournament that is not over."""
    row = await finished_row(connection, tournament_id)
    if row is None:
        raise Reason.NOT_FOUND.refusal()
    terms = (await terms_of(connection, [row.id]))[row.id]
    entries, paid_out = (await sums_of(connection, [row.id])).get(row.id, (0, 0))
    winner = (await winners_of(connection, [row.id])).get(row.id)
    outcome, bought = await _outcome(connection, row.id), await _purchases(connection, row.id)
    found = [_place(one, outcome, bought) for one in await _entries(connection, row.id, search)]
    closed, cancelled = outcome.closed, outcome.cancelled
    game = {row.id: (row.source, row.draw_no)} if row.draw_no is not None else {}
    draws = await draws_of(connection, game, open_text)
    return {
        **row_view(row, terms, entries=entries, paid_out=paid_out, winner=winner),
        "rebuys": sum(rebuys for rebuys, _ in bought.values()),
        "add_ons": sum(add_ons for _, add_ons in bought.values()),
        "added": terms.added,
        "overlay": max(closed.overlay, 0) if closed is not None else 0,
        "prizes": bands(closed.prizes, closed.tickets) if closed is not None else [],
        "level": await _last_level(connection, row.id),
        "parameters": parameters_view(terms),
        "levels": structure_view(terms.structure),
        "cancelled_because": cancelled.reason if cancelled is not None else None,
        "draw": draws.get(row.id),
        "final_table": await _final_table(connection, row.id, closed) if closed and not cancelled else [],
        "places": found[:PLAYERS_MAX],
        "total": len(found),
    }


async def _outcome(connection: AsyncConnection, tournament_id: str) -> _Outcome:
    query = select(_journal.event).where(_journal.tournament_id == tournament_id, _journal.kind.in_(_KINDS))
    texts = (await connection.execute(query.order_by(_journal.seq))).scalars()
    events: list[Event] = [load_event(orjson.loads(text)) for text in texts]
    refunds = [one for event in events if isinstance(event, Cancelled) for one in event.refunds]
    survivors = [one for event in events if isinstance(event, FlightEnded) for one in event.survivors]
    return _Outcome(
        next((event for event in events if isinstance(event, RegistrationClosed)), None),
        next((event for event in events if isinstance(event, Cancelled)), None),
        frozenset(event.entry_id for event in events if isinstance(event, PrizeHeld)),
        {one.entry_id: one.fees + one.share + one.bounty for one in refunds if one.ticket is None},
        {survivor.entry_id: survivor.stack for survivor in survivors},
    )


async def _purchases(connection: AsyncConnection, tournament_id: str) -> dict[str, tuple[int, int]]:
    """Rebuys and add-ons of each entry that has any."""
    bought = tournament_purchases.c
    query = select(bought.entry_id, bought.kind, func.count()).join(tournament_entries, _entry.id == bought.entry_id)
    query = query.where(_entry.tournament_id == tournament_id).group_by(bought.entry_id, bought.kind)
    counts = Counter({(entry_id, kind): count for entry_id, kind, count in await connection.execute(query)})
    return {entry_id: (counts[entry_id, "rebuy"], counts[entry_id, "add_on"]) for entry_id, _ in counts}


async def _entries(connection: AsyncConnection, tournament_id: str, search: str) -> list[_Entry]:
    """By place; those without one come first, the largest payment leading."""
    query = select(_entry.id, _entry.place, _entry.won, users.c.name).join(users, users.c.id == _entry.player_id)
    query = query.join(tournaments, tournaments.c.id == _entry.tournament_id)
    query = query.where(_entry.tournament_id == tournament_id, was_in())
    entries = [_Entry(*row) for row in await connection.execute(query)]
    part = search.casefold()
    found = [entry for entry in entries if part in entry.name.casefold()]
    return sorted(found, key=lambda entry: (entry.place or 0, -entry.won, entry.name))


def _place(entry: _Entry, outcome: _Outcome, bought: dict[str, tuple[int, int]]) -> FinishedPlace:
    """Money that is no prize is a bounty, or a refund of those who were left at a cancellation."""
    closed, place = outcome.closed, entry.place
    prize, is_ticket = 0, False
    if closed is not None and place is not None and place <= len(closed.prizes) and entry.entry_id not in outcome.held:
        prize, is_ticket = closed.prizes[place - 1], place <= closed.tickets
    rest = entry.won - (0 if is_ticket else prize)
    refund = outcome.refunds.get(entry.entry_id, 0)
    rebuys, add_ons = bought.get(entry.entry_id, (0, 0))
    return {
        "name": entry.name,
        "place": place,
        "prize": prize,
        "ticket": is_ticket,
        "bounties": rest - refund,
        "refund": refund,
        "chips": outcome.chips.get(entry.entry_id, 0),
        "rebuys": rebuys,
        "has_add_on": add_ons > 0,
    }


async def _last_level(connection: AsyncConnection, tournament_id: str) -> int:
    last = _deals(tournament_id).order_by(_journal.seq.desc()).limit(1)
    text = await connection.scalar(last)
    return _dealt(text).level if text is not None else 0


async def _final_table(
    connection: AsyncConnection, tournament_id: str, closed: RegistrationClosed
) -> list[FinalTableSeat]:
    """Stacks when the first hand was dealt after the last other table was closed. Tickets have no ICM."""
    closed_seq = select(func.max(_journal.seq)).where(
        _journal.tournament_id == tournament_id, _journal.kind == "table_closed"
    )
    first = _deals(tournament_id).where(_journal.seq > closed_seq.scalar_subquery()).order_by(_journal.seq).limit(1)
    text = await connection.scalar(first)
    if text is None or closed.tickets:
        return []
    rows = await _first_stacks(connection, tournament_id, _dealt(text))
    prizes = closed.prizes[: len(rows)]
    if not 1 < len(rows) <= ICM_MAX or not prizes:
        return []
    values = icm_shares(sum(prizes), [row.start for row in rows], prizes)
    places = await _places_of(connection, tournament_id, [row.player_id for row in rows])
    seats: list[FinalTableSeat] = []
    for row, value in zip(rows, values, strict=True):
        place = places.get(row.player_id)
        prize = closed.prizes[place - 1] if place is not None and place <= len(closed.prizes) else 0
        seats.append({"name": row.name, "chips": row.start, "icm": value, "place": place, "prize": prize})
    return seats


async def _first_stacks(connection: AsyncConnection, tournament_id: str, dealt: HandDealt) -> list[_FirstStack]:
    """Stacks of the players of the table before their first hand from then on; a new one may have waited for it."""
    hand, player = poker_hands.c, poker_hand_players.c
    query = select(player.player_id, player.start, users.c.name).join(users, users.c.id == player.player_id)
    query = query.join(poker_hands, hand.id == player.hand_id).where(
        hand.table_id == table_id_of(tournament_id, dealt.table_no),
        hand.started_ms.is_not(None),
        hand.ended_ms > dealt.at_ms,
    )
    first: dict[str, _FirstStack] = {}
    for row in await connection.execute(query.order_by(hand.no).limit(_HANDS_MAX * ICM_MAX)):
        first.setdefault(row.player_id, _FirstStack(*row))
    return sorted(first.values(), key=lambda row: -row.start)


async def _places_of(connection: AsyncConnection, tournament_id: str, player_ids: list[str]) -> dict[str, int]:
    """The best place of each player, whose earlier entries finished lower."""
    query = select(_entry.player_id, func.min(_entry.place)).where(
        _entry.tournament_id == tournament_id, _entry.player_id.in_(player_ids), _entry.place.is_not(None)
    )
    rows = await connection.execute(query.group_by(_entry.player_id))
    return {row[0]: row[1] for row in rows}


def _deals(tournament_id: str) -> Select[str]:
    return select(_journal.event).where(_journal.tournament_id == tournament_id, _journal.kind == "hand_dealt")


def _dealt(text: str) -> HandDealt:
    event = load_event(orjson.loads(text))
    assert isinstance(event, HandDealt)
    return event
