"""One round as its player saw it: cards, own bets, decisions and results, and every step with its time.

It replays the journal. Bets, decisions and names of other players are left out; their cards at an own-hands table,
where all hands are face up, are included. The server seed is included once the round is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from sqlalchemy import Row, Select, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.cards.card import Card
from casino.cards.seeded_shuffle import ServerSeed, opaque_player
from casino.errors import Refusal
from casino.history.fairness import Unseal, read_proof
from casino.history.replay_steps import step_view
from casino.live_table.accounting import STATUS_AFTER
from casino.live_table.journal_replay import NO_DECISIONS, UNREADABLE, Projection, Step, steps, stored_events
from casino.refusals import Reason
from casino.storage.schema import journal, rounds, seats
from casino.uth.bets import Action
from casino.uth.events import (
    BettingClosed,
    DecisionMade,
    DecisionsReopened,
    Event,
    ProposalEvent,
    ShoeRevealed,
    WindowClosed,
)
from casino.uth.paytable import Paytable
from casino.uth.phases import Phase
from casino.uth.results import results
from casino.uth.settlement import qualifies
from casino.uth.state import Incident, Round
from casino.uth.terms import Layout
from casino.wire.fairness_proofs import Fairness
from casino.wire.past_rounds import Decision, Game, RoundStatus
from casino.wire.past_rounds import Incident as PastIncident
from casino.wire.past_rounds import Step as ShownStep
from casino.wire.round_views import bets_view, hand_view, spots_view


@dataclass(frozen=True, slots=True)
class Situation:
    """Cards visible to the player at a decision, and the decision. A card corrected later is not included."""

    phase: Phase
    action: Action
    automatic: bool
    hole: tuple[Card, ...]
    board: tuple[Card, ...]


async def situations_of(
    connection: AsyncConnection, player_id: str, round_id: str
) -> tuple[Paytable, Sequence[Situation]]:
    """Returns every decision of this player in a finished round; nothing before, since it could serve as advice."""
    _, replayed = await _read(connection, player_id, round_id)
    if not replayed.round.is_over:
        raise Reason.TRAINER_TOO_EARLY.refusal()
    return replayed.round.terms.paytable, replayed.situations


async def game_of(connection: AsyncConnection, player_id: str, round_id: str, unseal: Unseal) -> Game:
    row, replayed = await _read(connection, player_id, round_id)
    fairness = (
        await _fairness(connection, replayed, unseal) if replayed.round.is_over and replayed.round.commitment else None
    )
    return _view(row, replayed, fairness)


def _view(row: Row[Any], replayed: "_PlayerReplay", fairness: Fairness | None) -> Game:
    round_ = replayed.round
    seat = round_.seats[replayed.player_id]
    result = results(round_)[replayed.player_id] if round_.is_over else None
    dealer_hand = round_.dealer_hand
    return {
        "round_id": round_.round_id,
        "table_id": round_.table_id,
        "game_number": round_.game_number,
        "started_at": round_.started_ms,
        "ended_at": replayed.ended_ms,
        "status": "forfeited" if row.status == "forfeited" else replayed.status,
        "hands": round_.terms.layout,
        "currency": row.currency,
        "presenter": row.presenter,
        "seat_no": seat.seat_no,
        "player_cards": list(round_.hole_cards(seat.seat_no)),
        "board": list(round_.board),
        "dealer_cards": list(round_.dealer_cards),
        "player_hand": hand_view(round_.hand(seat.seat_no)),
        "dealer_hand": hand_view(dealer_hand),
        "dealer_qualifies": qualifies(dealer_hand) if dealer_hand else None,
        "seats": [
            {"seat_no": number, "player_cards": list(round_.hole_cards(number))} for number in round_.seat_numbers
        ],
        "bets": bets_view(seat.bets),
        "decisions": replayed.decisions,
        "result": result.result if result else None,
        "spots": spots_view(result) if result else None,
        "staked": seat.bets.total,
        "returned": result.returned if result else 0,
        "incidents": [incident_view(incident) for incident in round_.incidents],
        "commitment": round_.commitment,
        "fairness": fairness,
        "steps": replayed.steps,
    }


async def _fairness(connection: AsyncConnection, replayed: "_PlayerReplay", unseal: Unseal) -> Fairness | None:
    """Returns the public proof, and this player's id in it."""
    round_ = replayed.round
    try:
        proof = await read_proof(connection, round_.round_id, unseal)
    except Refusal:
        return None
    fairness = cast(Fairness, {**proof})  # without `own_id`
    if "server_seed" in proof:
        server_seed = ServerSeed(proof["server_seed"])
        fairness["own_id"] = opaque_player(server_seed, round_.table_id, round_.round_id, replayed.player_id)
    return fairness


async def _read(connection: AsyncConnection, player_id: str, round_id: str) -> "tuple[Row[Any], _PlayerReplay]":
    """A round of another player is not found, whether it exists or not."""
    head: Select[Any] = (
        select(rounds.c.status, rounds.c.presenter, seats.c.currency)
        .join(seats, seats.c.round_id == rounds.c.id)
        .where(seats.c.round_id == round_id, seats.c.player_id == player_id)
    )
    row = (await connection.execute(head)).first()
    if row is None:
        raise Reason.NO_SUCH_ROUND.refusal()
    # Thousands may have decided in this round; only one of them is needed.
    is_concerned = or_(NO_DECISIONS, journal.c.data.contains(f'"player_id":"{player_id}"', autoescape=True))
    written = await stored_events(connection, round_id, is_concerned)
    try:
        return row, _replay(written, player_id)
    except UNREADABLE:
        raise Reason.ROUND_UNREADABLE.refusal() from None


@dataclass(slots=True)
class _PlayerReplay:
    round: Round
    player_id: str
    status: RoundStatus = "open"
    ended_ms: int | None = None
    decisions: list[Decision] = field(default_factory=list)
    steps: list[ShownStep] = field(default_factory=list)
    situations: list[Situation] = field(default_factory=list)

    def follow(self, step: Step) -> None:
        event, self.round = step.event, step.after
        if isinstance(event, DecisionMade) or (isinstance(event, WindowClosed) and event.automatic):
            self._decided(event.at_ms)
        elif isinstance(event, DecisionsReopened):  # the steps still show what was void
            self.decisions = [one for one in self.decisions if one["phase"] is not event.phase]
            self.situations = [one for one in self.situations if one.phase is not event.phase]
        status = STATUS_AFTER.get(type(event))
        if status and status != "void":  # bets returned while betting was open leave no round
            self.status, self.ended_ms = status, event.at_ms
        if not isinstance(event, ShoeRevealed):  # the proof has it; the last step stays the result
            self.steps.append(step_view(event, self.round, self.player_id))

    def _decided(self, at_ms: int) -> None:
        seat = self.round.seats[self.player_id]
        answer = seat.answers[-1]
        decision: Decision = {
            "phase": answer.phase,
            "action": answer.action,
            "automatic": answer.automatic,
            "at": at_ms,
        }
        self.decisions.append(decision)
        hole, board = self.round.hole_cards(seat.seat_no), self.round.board
        self.situations.append(Situation(answer.phase, answer.action, answer.automatic, hole, board))


def _replay(written: Sequence[str], player_id: str) -> _PlayerReplay:
    walk = steps(written, _concerning(player_id))
    opened = next(walk)
    replayed = _PlayerReplay(opened.after, player_id, steps=[step_view(opened.event, opened.after, player_id)])
    for step in walk:
        replayed.follow(step)
    return replayed


def _concerning(player_id: str) -> Projection:
    """Drops bets and decisions of other players, and proposals, which are internal to staff.

    At an own-hands table the deal depends on who has bet.
    """

    def project(event: Event, layout: Layout) -> Event | None:
        match event:
            case DecisionMade() if event.player_id != player_id:
                return None
            case _ if isinstance(event, ProposalEvent):
                return None
            case BettingClosed() if layout is Layout.SHARED:
                return replace(event, stakes=tuple(stake for stake in event.stakes if stake.player_id == player_id))
            case WindowClosed():
                return replace(event, automatic=tuple(silent for silent in event.automatic if silent == player_id))
            case _:
                return event

    return project


def incident_view(incident: Incident) -> PastIncident:
    return {
        "incident_id": incident.incident_id,
        "reason": incident.reason,
        "at": incident.at_ms,
        "outcome": incident.outcome,
        "resolution": incident.resolution,
        "incident_class": incident.incident_class or None,
    }
