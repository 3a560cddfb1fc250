"""One round as one player lived it: cards, own bets and decisions, what became of them, and every step with its time.

It is told from the journal. What the others bet, decided and are called is not in it; at an own-hands table all hands
lie face up, so their cards are. Nothing of the machine's shoe is told before the round is over.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import orjson
from sqlalchemy import Row, Select, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.cards.card import Card
from casino.cards.commitment import Shoe
from casino.errors import Code, Refusal
from casino.history.steps import step_view
from casino.storage.schema import journal, rounds, seats
from casino.table.bookkeeping import STATUS_AFTER
from casino.table.journal import UnreadableRoundError
from casino.uth.bets import Action
from casino.uth.events import BettingClosed, BettingOpened, DecisionMade, Event, WindowClosed, load_event
from casino.uth.paytable import Paytable
from casino.uth.phases import Phase
from casino.uth.replay import begin, evolve
from casino.uth.results import results
from casino.uth.settlement import qualifies
from casino.uth.state import Incident, Round
from casino.uth.terms import Layout
from casino.uth.views import View, bets_view, hand_view, spots_view

Unseal = Callable[[str], Shoe | None]
"""Opens the sealed shoe of a round; None if it was sealed with another key."""

_UNREADABLE: Final = (ValueError, KeyError, IndexError)
_NOT_YOURS: Final = "You have played no such round."


@dataclass(frozen=True, slots=True)
class Situation:
    """What lay before the player when a decision was made, and the decision. A card corrected later is not in it."""

    phase: Phase
    action: Action
    automatic: bool
    hole: tuple[Card, ...]
    board: tuple[Card, ...]


async def situations_of(
    connection: AsyncConnection, player_id: str, round_id: str
) -> tuple[Paytable, Sequence[Situation]]:
    """Every decision of this player in a round that is over; before that nothing is told that could advise."""
    _, told = await _read(connection, player_id, round_id)
    if not told.round.is_over:
        raise Refusal(Code.NOT_OFFERED, "The round is not over. What each decision was worth is told afterwards.")
    return told.round.terms.paytable, told.situations


async def game_of(connection: AsyncConnection, player_id: str, round_id: str, unseal: Unseal) -> View:
    row, told = await _read(connection, player_id, round_id)
    status = "forfeited" if row.status == "forfeited" else told.status
    shoe = unseal(row.sealed_shoe) if told.round.is_over and row.sealed_shoe else None
    return {
        **_head(told, status),
        "currency": row.currency,
        "presenter": row.presenter,
        **_cards(told),
        **_own(told),
        "incidents": [incident_view(incident) for incident in told.round.incidents],
        "commitment": told.round.commitment,
        "fairness": shoe and {"commitment": told.round.commitment, "deck": list(shoe.deck), "secret": shoe.secret},
        "steps": told.steps,
    }


async def _read(connection: AsyncConnection, player_id: str, round_id: str) -> "tuple[Row[Any], _Told]":
    """A round that is not this player's is not found, whether it exists or not."""
    head: Select[Any] = (
        select(rounds.c.status, rounds.c.presenter, rounds.c.sealed_shoe, seats.c.currency)
        .join(seats, seats.c.round_id == rounds.c.id)
        .where(seats.c.round_id == round_id, seats.c.player_id == player_id)
    )
    row = (await connection.execute(head)).first()
    if row is None:
        raise Refusal(Code.NOT_FOUND, _NOT_YOURS)
    # Thousands may have decided in this round; one of them is asked for.
    is_concerned = or_(
        journal.c.kind != "decision_made", journal.c.data.contains(f'"player_id":"{player_id}"', autoescape=True)
    )
    query = select(journal.c.data).where(journal.c.round_id == round_id, is_concerned).order_by(journal.c.seq)
    written = (await connection.execute(query)).scalars().all()
    try:
        return row, _tell(written, player_id)
    except _UNREADABLE:
        raise Refusal(
            Code.INTERNAL, "The record of this round cannot be read. The house has to look into it."
        ) from None


@dataclass(slots=True)
class _Told:
    round: Round
    player_id: str
    status: str = "open"
    ended_ms: int | None = None
    decisions: list[View] = field(default_factory=list)
    steps: list[View] = field(default_factory=list)
    situations: list[Situation] = field(default_factory=list)

    def follow(self, event: Event) -> None:
        self.round = evolve(self.round, event)
        if isinstance(event, DecisionMade) or (isinstance(event, WindowClosed) and event.automatic):
            self._decided(event.at_ms)
        if status := STATUS_AFTER.get(type(event)):
            self.status, self.ended_ms = status, event.at_ms
        self.steps.append(step_view(event, self.round, self.player_id))

    def _decided(self, at_ms: int) -> None:
        seat = self.round.seats[self.player_id]
        answer = seat.answers[-1]
        decision = {"phase": answer.phase, "action": answer.action, "automatic": answer.automatic, "at": at_ms}
        self.decisions.append(decision)
        hole, board = self.round.hole_cards(seat.seat_no), self.round.board
        self.situations.append(Situation(answer.phase, answer.action, answer.automatic, hole, board))


def _tell(written: Sequence[str], player_id: str) -> _Told:
    events = (load_event(orjson.loads(data)) for data in written)
    opened = next(events, None)
    if not isinstance(opened, BettingOpened):
        raise UnreadableRoundError("the first event of a round opens its betting")
    told = _Told(begin(opened), player_id, steps=[step_view(opened, begin(opened), player_id)])
    for event in _concerning(player_id, told.round.terms.layout, events):
        told.follow(event)
    return told


def _concerning(player_id: str, layout: Layout, events: Iterator[Event]) -> Iterator[Event]:
    """The events without what others bet and decided; at an own-hands table cards are dealt by who has bet."""
    for event in events:
        match event:
            case DecisionMade() if event.player_id != player_id:
                continue
            case BettingClosed() if layout is Layout.SHARED:
                yield replace(event, stakes=tuple(stake for stake in event.stakes if stake.player_id == player_id))
            case WindowClosed():
                yield replace(event, automatic=tuple(silent for silent in event.automatic if silent == player_id))
            case _:
                yield event


def _head(told: _Told, status: str) -> View:
    round_ = told.round
    return {
        "round_id": round_.round_id,
        "table_id": round_.table_id,
        "game_number": round_.game_number,
        "started_at": round_.started_ms,
        "ended_at": told.ended_ms,
        "status": status,
        "hands": round_.terms.layout,
    }


def _cards(told: _Told) -> View:
    round_ = told.round
    seat_no = round_.seats[told.player_id].seat_no
    dealer_hand = round_.dealer_hand
    return {
        "seat_no": seat_no,
        "player_cards": list(round_.hole_cards(seat_no)),
        "board": list(round_.board),
        "dealer_cards": list(round_.dealer_cards),
        "player_hand": hand_view(round_.hand(seat_no)),
        "dealer_hand": hand_view(dealer_hand),
        "dealer_qualifies": qualifies(dealer_hand) if dealer_hand else None,
        "seats": [
            {"seat_no": number, "player_cards": list(round_.hole_cards(number))} for number in round_.seat_numbers
        ],
    }


def _own(told: _Told) -> View:
    seat = told.round.seats[told.player_id]
    result = results(told.round)[told.player_id] if told.round.is_over else None
    return {
        "bets": bets_view(seat.bets),
        "decisions": told.decisions,
        "result": result.result if result else None,
        "spots": spots_view(result) if result else None,
        "staked": seat.bets.total,
        "returned": result.returned if result else 0,
    }


def incident_view(incident: Incident) -> dict[str, Any]:
    return {
        "incident_id": incident.incident_id,
        "reason": incident.reason,
        "at": incident.at_ms,
        "outcome": incident.outcome,
        "resolution": incident.resolution,
        "incident_class": incident.incident_class or None,
    }
