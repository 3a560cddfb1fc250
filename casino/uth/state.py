"""State of a round as a frozen value. Only `evolve` in `replay.py` makes a new one from an old one."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final, Literal

from immutables import Map

from casino.cards.card import Card
from casino.cards.ranking import Hand, best_hand
from casino.uth.bets import PLAY_MULTIPLE, Action, Bets
from casino.uth.phases import DEALING, OFFERED, OVER, Phase, cards_due, slots
from casino.uth.terms import Layout, Terms


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of a player in one decision window, or the default after a timeout."""

    phase: Phase
    action: Action
    automatic: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's part in the round. `seat_no` is set at an own-hands table only."""

    player_id: str
    ante: int
    trips: int
    seat_no: int | None = None
    answers: tuple[Answer, ...] = ()
    seed: str | None = None
    """Contribution of the player to the shuffle of a machine-dealt round."""

    @property
    def last(self) -> Answer | None:
        return self.answers[-1] if self.answers else None

    @property
    def action(self) -> Action | None:
        return self.answers[-1].action if self.answers else None

    @property
    def bets(self) -> Bets:
        play = PLAY_MULTIPLE[self.answers[-1].action] if self.answers else 0
        return Bets(self.ante, self.trips, self.ante * play)

    @property
    def is_folded(self) -> bool:
        return self.action is Action.FOLD

    @property
    def is_done(self) -> bool:
        """Played or folded: no decision of the round concerns this seat any more."""
        return self.action not in (None, Action.CHECK)


class Resolution(StrEnum):
    """Resolutions of an incident. Cancelling is always possible until the round is settled."""

    CORRECT_CARD = "correct_card"
    RESUME = "resume"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Pause:
    """`incident_class` is empty until a person has classified the problem; then everything is possible.

    `by` is the person who paused the round, or the service.
    """

    reason: str
    since_ms: int
    incident_id: str
    incident_class: str = ""
    resolutions: tuple[str, ...] = tuple(Resolution)
    presenter: str = ""
    """The presenter on shift at the stop."""
    change_presenter: bool = False
    by: str = ""
    is_corrected: bool = False
    """A card was corrected during this pause."""


IncidentOutcome = Literal["open", "resumed", "cancelled", "void"]


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that went wrong, and how it ended."""

    incident_id: str
    reason: str
    at_ms: int
    outcome: IncidentOutcome = "open"
    resolution: str = ""
    incident_class: str = ""
    ended_by: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A decision that needs two people. `outcome` is open, approved, rejected or lapsed."""

    proposal_id: str
    proposes: str
    reason: str
    by: str
    at_ms: int
    slot: str | None = None
    card: Card | None = None
    other_slot: str | None = None
    outcome: str = "open"
    answered_by: str = ""


_best_hand: Final = lru_cache(maxsize=256)(best_hand)
"""Thousands of players ask for the one hand they share."""

NO_SEATS: Final[Map[str, Seat]] = Map()


@dataclass(frozen=True)
class Round:
    round_id: str
    table_id: str
    game_number: str
    started_ms: int
    terms: Terms
    commitment: str | None
    phase: Phase
    due_ms: int | None
    """When the phase ends by itself; None while it waits for a card or for the manager."""
    seats: Map[str, Seat] = NO_SEATS
    undone: int = 0
    """How many seats have neither played nor folded."""
    unanswered: int = 0
    """How many of those the open decision window still waits for."""
    cards: tuple[Card, ...] = ()
    dealt_by: tuple[str, ...] = ()
    """The presenter who dealt each card; empty for the machine, and in rounds stored before it was recorded."""
    paused: Pause | None = None
    incidents: tuple[Incident, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    commitment_version: int = 1
    reopened: int = 0
    """How often the answers of a decision window were voided."""
    server_seed: str | None = None
    """Revealed after the round; a round that is being played never holds it."""

    @property
    def is_over(self) -> bool:
        return self.phase in OVER

    @property
    def proposal(self) -> Proposal | None:
        """The proposal that waits for a second person."""
        last = self.proposals[-1] if self.proposals else None
        return last if last and last.outcome == "open" else None

    @property
    def is_deciding(self) -> bool:
        return self.phase in OFFERED

    def with_seats(self, seats: Map[str, Seat], *, undone: int = 0, unanswered: int = 0) -> "Round":
        """Every bet and every decision makes a new round; `replace` would take five times as long."""
        fields = {**vars(self), "seats": seats, "undone": undone, "unanswered": unanswered}
        for worked_out in ("seat_numbers", "slots"):
            fields.pop(worked_out, None)
        changed = object.__new__(Round)
        object.__setattr__(changed, "__dict__", fields)
        return changed

    @cached_property
    def seat_numbers(self) -> tuple[int, ...]:
        """The seats that are dealt a hand of their own, in dealing order; none at a shared-hand table."""
        if self.terms.layout is Layout.SHARED:
            return ()
        return tuple(sorted(seat.seat_no for seat in self.seats.values() if seat.seat_no is not None))

    @cached_property
    def slots(self) -> tuple[str, ...]:
        return slots(self.seat_numbers)

    @property
    def _hands_end(self) -> int:
        return 2 * (len(self.seat_numbers) or 1)

    @property
    def expects(self) -> str | None:
        """The card to be dealt next, if any."""
        if self.phase not in DEALING or self.is_street_complete:
            return None
        return self.slots[len(self.cards)]

    @property
    def is_street_complete(self) -> bool:
        return self.phase in DEALING and len(self.cards) == cards_due(self.phase, len(self.seat_numbers) or 1)

    @property
    def board(self) -> tuple[Card, ...]:
        return self.cards[self._hands_end : self._hands_end + 5]

    @property
    def dealer_cards(self) -> tuple[Card, ...]:
        return self.cards[self._hands_end + 5 :]

    def hole_cards(self, seat_no: int | None) -> tuple[Card, ...]:
        """The two cards of the shared hand, or of this seat's own; a seat without a bet has none."""
        if self.terms.layout is Layout.SHARED:
            return self.cards[:2]
        if seat_no not in self.seat_numbers:
            return ()
        start = 2 * self.seat_numbers.index(seat_no)
        return self.cards[start : start + 2]

    def hand(self, seat_no: int | None) -> Hand | None:
        """The player's best hand so far, once both hole cards are out."""
        hole = self.hole_cards(seat_no)
        return _best_hand((*hole, *self.board)) if len(hole) == 2 else None

    @property
    def dealer_hand(self) -> Hand | None:
        dealer = self.dealer_cards
        return _best_hand((*dealer, *self.board)) if len(dealer) == 2 else None
