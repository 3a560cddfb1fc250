"""Events of a round. The journal stores them, and replaying them rebuilds the round.

An event says what was decided and when, including every deadline, so that replaying needs neither a clock nor
today's configuration. Each carries its kind and version; when a kind must change, a new version is added, and
the old one can still be read.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from casino.cards.card import Card
from casino.event_codec import ADDED_LATER, EventCodec
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.uth.terms import Terms


class Stake(NamedTuple):
    """One player's bets when betting closed, and the seed contributed to the shuffle, which version 1 had not."""

    player_id: str
    ante: int
    trips: int
    seat_no: int | None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class BettingOpened:
    """`commitment_version` says how the commitment is computed; an event of version 1 has a commitment of version 1."""

    round_id: str
    table_id: str
    game_number: str
    terms: Terms
    commitment: str | None
    at_ms: int
    due_ms: int
    commitment_version: Literal[1, 2] = 1
    kind: Literal["betting_opened"] = "betting_opened"
    version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """Stored as a hold on the player's money and not in the journal: `BettingClosed` holds all bets."""

    player_id: str
    ante: int
    trips: int
    seat_no: int | None
    at_ms: int
    seed: str | None = None
    kind: Literal["bet_placed"] = "bet_placed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class BettingVoided:
    reason: str
    at_ms: int
    kind: Literal["betting_voided"] = "betting_voided"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class BettingClosed:
    stakes: tuple[Stake, ...]
    at_ms: int
    kind: Literal["betting_closed"] = "betting_closed"
    version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True)
class CardDealt:
    """`due_ms` is set with the last card of a street: until then it can be taken back.

    `by` is the presenter who dealt it; empty for the machine, and in rounds stored before it was recorded.
    """

    slot: str
    card: Card
    at_ms: int
    due_ms: int | None
    by: str = field(default="", metadata=ADDED_LATER)
    kind: Literal["card_dealt"] = "card_dealt"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class CardUndone:
    slot: str
    card: Card
    at_ms: int
    kind: Literal["card_undone"] = "card_undone"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class WindowOpened:
    phase: Phase
    at_ms: int
    due_ms: int
    kind: Literal["window_opened"] = "window_opened"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class DecisionMade:
    player_id: str
    phase: Phase
    action: Action
    at_ms: int
    kind: Literal["decision_made"] = "decision_made"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """`automatic` are the players whose silence was taken for CHECK or, at the river, for FOLD."""

    phase: Phase
    automatic: tuple[str, ...]
    at_ms: int
    kind: Literal["window_closed"] = "window_closed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """Payouts follow from the cards, the stakes, the decisions and the paytable: see `settlement`."""

    at_ms: int
    kind: Literal["round_settled"] = "round_settled"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundContinued:
    at_ms: int
    due_ms: int | None
    kind: Literal["round_continued"] = "round_continued"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundPaused:
    """`presenter` is the presenter on shift, if there is one."""

    incident_id: str
    reason: str
    by: str
    at_ms: int
    presenter: str = field(default="", metadata=ADDED_LATER)
    kind: Literal["round_paused"] = "round_paused"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class IncidentClassified:
    """Class of the open incident, and the resolutions allowed for it at that time.

    With `change_presenter` only another presenter than the one on shift at the stop continues the round.
    """

    incident_class: str
    resolutions: tuple[str, ...]
    reason: str
    by: str
    at_ms: int
    change_presenter: bool = field(default=False, metadata=ADDED_LATER)
    kind: Literal["incident_classified"] = "incident_classified"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class CardCorrected:
    slot: str
    was: Card
    card: Card
    reason: str
    by: str
    at_ms: int
    kind: Literal["card_corrected"] = "card_corrected"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class CardsSwapped:
    """One correction of two cards: `card` is now at `slot`, and `other_card`, which was there, at `other_slot`."""

    slot: str
    card: Card
    other_slot: str
    other_card: Card
    reason: str
    by: str
    at_ms: int
    kind: Literal["cards_swapped"] = "cards_swapped"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class DecisionsReopened:
    """The answers of a decision window are void, because a card was corrected since; the window opens again.

    PLAY bets of the window go back to the players. Players who had decided before it keep their decisions.
    """

    phase: Phase
    reason: str
    by: str
    at_ms: int
    kind: Literal["decisions_reopened"] = "decisions_reopened"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundResumed:
    by: str
    reason: str
    at_ms: int
    due_ms: int | None
    kind: Literal["round_resumed"] = "round_resumed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundCancelled:
    """`phase` is the phase the round was cancelled in; None in rounds stored before it was recorded.

    `proposed_by` is the manager whose proposal was still unanswered when the service cancelled the round.
    """

    incident_id: str
    reason: str
    by: str
    at_ms: int
    phase: Phase | None = None
    proposed_by: str | None = field(default=None, metadata=ADDED_LATER)
    kind: Literal["round_cancelled"] = "round_cancelled"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """The settled round as it should have been: all its cards again. It is then settled again."""

    cards: tuple[Card, ...]
    reason: str
    by: str
    at_ms: int
    kind: Literal["round_corrected"] = "round_corrected"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class ProposalMade:
    """A manager proposes what a second person has to approve; the round stays paused.

    A swap names two slots, `card` is the card that `slot` is to get.
    """

    proposal_id: str
    proposes: Literal["cancel_round", "correct_card", "swap_cards"]
    slot: str | None
    card: Card | None
    reason: str
    by: str
    at_ms: int
    other_slot: str | None = field(default=None, metadata=ADDED_LATER)
    kind: Literal["proposal_made"] = "proposal_made"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class ProposalApproved:
    """The proposed cancellation or correction follows as an event of its own."""

    proposal_id: str
    proposed_by: str
    by: str
    at_ms: int
    reason: str = ""
    kind: Literal["proposal_approved"] = "proposal_approved"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class ProposalRejected:
    proposal_id: str
    proposed_by: str
    reason: str
    by: str
    at_ms: int
    kind: Literal["proposal_rejected"] = "proposal_rejected"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class ShoeRevealed:
    """The server seed of a round with a commitment of version 2, written with the end of the round.

    None if the service's key was changed in the meantime: a seed sealed with the old key cannot be opened any more.
    """

    server_seed: str | None
    at_ms: int
    kind: Literal["shoe_revealed"] = "shoe_revealed"
    version: Literal[1] = 1


ProposalEvent = ProposalMade | ProposalApproved | ProposalRejected

Event = (
    BettingOpened
    | BetPlaced
    | BettingVoided
    | BettingClosed
    | CardDealt
    | CardUndone
    | WindowOpened
    | DecisionMade
    | WindowClosed
    | RoundSettled
    | RoundContinued
    | RoundPaused
    | IncidentClassified
    | CardCorrected
    | CardsSwapped
    | DecisionsReopened
    | RoundResumed
    | RoundCancelled
    | RoundCorrected
    | ProposalMade
    | ProposalApproved
    | ProposalRejected
    | ShoeRevealed
)

_CODEC: Final = EventCodec[Event](Event)
dump_event: Final = _CODEC.dump
load_event: Final = _CODEC.load
