"""One round as the house sees it: every card, everybody's bets and decisions, what became of them, step by step.

For staff alone. Told from the journal, which never holds a card that was not on the table.
"""

from typing import Any, Final

import orjson
from sqlalchemy import Row, Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.history.game import incident_view
from casino.storage.schema import journal, rounds, seats, users
from casino.table.journal import UnreadableRoundError
from casino.uth.events import BettingOpened, Event, dump_event, load_event
from casino.uth.replay import begin, evolve
from casino.uth.results import results
from casino.uth.settlement import SeatResult, qualifies
from casino.uth.state import Round, Seat
from casino.uth.views import View, bets_view, hand_view, spots_view

_UNREADABLE: Final = (ValueError, KeyError, IndexError, AssertionError)
_NOT_TOLD: Final = frozenset({"version", "terms", "commitment", "round_id", "table_id"})


async def whole_round(connection: AsyncConnection, round_id: str) -> View:
    row = (await connection.execute(select(rounds).where(rounds.c.id == round_id))).first()
    if row is None:
        raise Refusal(Code.NOT_FOUND, "There is no such round.")
    query = select(journal.c.data).where(journal.c.round_id == round_id).order_by(journal.c.seq)
    written = (await connection.execute(query)).scalars().all()
    playing: Select[Any] = (
        select(seats.c.player_id, seats.c.currency, users.c.name)
        .join(users, users.c.id == seats.c.player_id)
        .where(seats.c.round_id == round_id)
    )
    people: dict[str, Row[Any]] = {one.player_id: one for one in (await connection.execute(playing)).all()}
    try:
        events = [load_event(orjson.loads(data)) for data in written]
        round_ = _replayed(events)
    except _UNREADABLE:
        raise Refusal(Code.INTERNAL, "The record of this round cannot be read.") from None
    return {**_head(row, round_), **_table(round_), **_people(round_, people), **_course(events, round_)}


def _replayed(events: list[Event]) -> Round:
    opened, *rest = events
    if not isinstance(opened, BettingOpened):
        raise UnreadableRoundError("the first event of a round opens its betting")
    round_ = begin(opened)
    for event in rest:
        round_ = evolve(round_, event)
    return round_


def _head(row: Row[Any], round_: Round) -> View:
    return {
        "round_id": row.id,
        "table_id": row.table_id,
        "day": row.day,
        "game_number": row.game_number,
        "status": row.status,
        "phase": round_.phase,
        "started_at": row.started_ms,
        "ended_at": row.ended_ms,
        "presenter": row.presenter,
        "hands": round_.terms.layout,
        "limits": {
            name: getattr(round_.terms.limits, name) for name in ("ante_min", "ante_max", "trips_min", "trips_max")
        },
    }


def _table(round_: Round) -> View:
    dealer = round_.dealer_hand
    return {
        "cards": [{"slot": slot, "card": card} for slot, card in zip(round_.slots, round_.cards, strict=False)],
        "slots": list(round_.slots),
        "player_cards": list(round_.hole_cards(None)),
        "board": list(round_.board),
        "dealer_cards": list(round_.dealer_cards),
        "player_hand": hand_view(round_.hand(None)) if not round_.seat_numbers else None,
        "dealer_hand": hand_view(dealer),
        "dealer_qualifies": qualifies(dealer) if dealer else None,
    }


def _people(round_: Round, people: dict[str, Row[Any]]) -> View:
    ended = results(round_) if round_.is_over and round_.seats else {}
    in_order = sorted(round_.seats.values(), key=lambda seat: (seat.seat_no or 0, seat.player_id))
    return {"seats": [_seat_view(round_, seat, people.get(seat.player_id), ended) for seat in in_order]}


def _seat_view(round_: Round, seat: Seat, person: Row[Any] | None, ended: dict[str, SeatResult]) -> View:
    result = ended.get(seat.player_id)
    return {
        "player_id": seat.player_id,
        "name": person.name if person else "",
        "currency": person.currency if person else "",
        "seat_no": seat.seat_no,
        "player_cards": list(round_.hole_cards(seat.seat_no)),
        "bets": bets_view(seat.bets),
        "decisions": [
            {"phase": answer.phase, "action": answer.action, "automatic": answer.automatic} for answer in seat.answers
        ],
        "result": result.result if result else None,
        "spots": spots_view(result) if result else None,
        "staked": seat.bets.total,
        "returned": result.returned if result else 0,
    }


def _course(events: list[Event], round_: Round) -> View:
    return {
        "incidents": [incident_view(incident) for incident in round_.incidents],
        "steps": [
            {name: value for name, value in dump_event(event).items() if name not in _NOT_TOLD} for event in events
        ],
    }
