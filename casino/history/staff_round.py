"""One round as staff see it: every card, and the bets, decisions and results of all players, step by step.

It replays the journal, which never holds a card that was not on the table.
"""

from typing import Any

from sqlalchemy import Row, Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.history.player_round import incident_view
from casino.live_table.journal_replay import UNREADABLE, steps, stored_events
from casino.live_table.settlement_records import dealers, presenter_of
from casino.storage.schema import rounds, seats, users
from casino.uth.events import Event, dump_event
from casino.uth.results import results
from casino.uth.settlement import SeatResult, qualifies
from casino.uth.state import Round, Seat
from casino.wire.past_rounds import NOT_SHOWN, ReplayedRound, WholeSeat, WholeStep
from casino.wire.round_views import bets_view, hand_view, spots_view


async def whole_round(connection: AsyncConnection, round_id: str) -> ReplayedRound:
    row = (await connection.execute(select(rounds).where(rounds.c.id == round_id))).first()
    if row is None:
        raise Refusal(Code.NOT_FOUND, "There is no such round.")
    written = await stored_events(connection, round_id)
    playing: Select[Any] = (
        select(seats.c.player_id, seats.c.currency, users.c.name)
        .join(users, users.c.id == seats.c.player_id)
        .where(seats.c.round_id == round_id)
    )
    people: dict[str, Row[Any]] = {one.player_id: one for one in (await connection.execute(playing)).all()}
    try:
        replayed = list(steps(written))
    except UNREADABLE:
        raise Refusal(Code.INTERNAL, "The record of this round is damaged. Run `casino verify`.") from None
    events, round_ = [step.event for step in replayed], replayed[-1].after
    return _view(row, round_, events, people)


def _view(row: Row[Any], round_: Round, events: list[Event], people: dict[str, Row[Any]]) -> ReplayedRound:
    limits, dealer = round_.terms.limits, round_.dealer_hand
    ended = results(round_) if round_.is_over and round_.seats else {}
    in_order = sorted(round_.seats.values(), key=lambda seat: (seat.seat_no or 0, seat.player_id))
    return {
        "round_id": row.id,
        "table_id": row.table_id,
        "day": row.day,
        "game_number": row.game_number,
        "status": row.status,
        "phase": round_.phase,
        "started_at": row.started_ms,
        "ended_at": row.ended_ms,
        "presenter": presenter_of(round_, row.presenter),
        "dealers": dealers(round_),
        "hands": round_.terms.layout,
        "limits": {
            "ante_min": limits.ante_min,
            "ante_max": limits.ante_max,
            "trips_min": limits.trips_min,
            "trips_max": limits.trips_max,
        },
        "cards": [{"slot": slot, "card": card} for slot, card in zip(round_.slots, round_.cards, strict=False)],
        "slots": list(round_.slots),
        "player_cards": list(round_.hole_cards(None)),
        "board": list(round_.board),
        "dealer_cards": list(round_.dealer_cards),
        "player_hand": hand_view(round_.hand(None)) if not round_.seat_numbers else None,
        "dealer_hand": hand_view(dealer),
        "dealer_qualifies": qualifies(dealer) if dealer else None,
        "seats": [_seat_view(round_, seat, people.get(seat.player_id), ended) for seat in in_order],
        "incidents": [incident_view(incident) for incident in round_.incidents],
        "steps": [_step_view(event) for event in events],
    }


def _seat_view(round_: Round, seat: Seat, person: Row[Any] | None, ended: dict[str, SeatResult]) -> WholeSeat:
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


def _step_view(event: Event) -> WholeStep:
    return {name: value for name, value in dump_event(event).items() if name not in NOT_SHOWN}
