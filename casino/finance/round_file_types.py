"""Types of the round file."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import GetPydanticSchema
from typing_extensions import TypedDict

from casino.uth import events
from casino.uth.settlement import Outcome, Result
from casino.uth.state import IncidentOutcome
from casino.wire.common import Bets, Card, Count, Day, GameNumber, Hand, Minor, Moment, SeatNo, Sha256, TableLimits
from casino.wire.fairness_proofs import FairnessProof
from casino.wire.past_rounds import Decision, Hands

StoredEvent = Annotated[
    dict[str, Any], GetPydanticSchema(lambda _source, handler: handler.generate_schema(events.Event))
]
"""An event as the journal holds it, described by the classes of events."""


class FiledLimits(TableLimits):
    smallest_chip: Minor


_FromPaytable = TypedDict("_FromPaytable", {"from": str})  # `from` is a keyword


class FiledPaytable(_FromPaytable):
    to: str
    blind: list[str]
    trips: list[str]


class FiledSeat(TypedDict):
    player_id: str
    name: str | None
    currency: str | None
    seat_no: SeatNo | None
    player_cards: list[Card]
    player_hand: Hand | None
    bets: Bets
    decisions: list[Decision]


class FiledShowdown(TypedDict):
    player_hand: Hand
    dealer_hand: Hand
    dealer_qualifies: bool
    result: Result


class FiledSpot(TypedDict):
    """Negative in a reversal of a settlement."""

    bet: int
    outcome: Outcome
    returned: int
    why: str


class FiledSpots(TypedDict):
    ante: FiledSpot
    blind: FiledSpot
    trips: FiledSpot
    play: FiledSpot


class SettledSeat(TypedDict):
    player_id: str
    result: Result | None
    showdown: FiledShowdown | None
    rule: str | None
    spots: FiledSpots
    staked: int
    returned: int


SettlementStatus = Literal["settled", "cancelled", "reversal", "corrected"]


class FiledSettlement(TypedDict):
    status: SettlementStatus
    at: Moment
    rule: NotRequired[str]
    seats: list[SettledSeat]


class FiledIncident(TypedDict):
    incident_id: str
    reason: str
    at: Moment
    outcome: IncidentOutcome
    resolution: str


class FiledFairness(TypedDict):
    commitment: Sha256 | None
    faults: list[str] | None
    """Faults of the proof; null without a proof."""
    proof: FairnessProof | None


class FiledEvent(TypedDict):
    seq: Count
    at: Moment
    kind: str
    data: StoredEvent
    digest: Sha256


class FiledPosting(TypedDict):
    at: Moment
    id: Count
    line: Count
    kind: str
    key: str
    source: str
    destination: str
    amount: Minor
    currency: str
    actor: str
    reason: str
    digest: Sha256


class FiledAudit(TypedDict):
    """`before` and `after` are JSON as hashed."""

    at: Moment
    id: Count
    actor: str
    role: str
    action: str
    before: str
    after: str
    reason: str
    digest: Sha256


class FiledChatLine(TypedDict):
    at: Moment
    name: str
    role: str
    player_id: str | None
    text: str
    blocked: str | None
    """Why it was refused; null if it was sent."""


class ChangedCard(TypedDict):
    slot: str
    was: Card
    card: Card


class ChangedResult(TypedDict):
    player_id: str
    returned_before: Minor
    returned_after: Minor


class FiledCorrection(TypedDict):
    """`results` is empty for a card that was corrected before the round was settled."""

    at: Moment
    reason: str
    proposed_by: str
    approved_by: str | None
    """Null if one person was enough."""
    cards: list[ChangedCard]
    results: list[ChangedResult]


class FiledRound(TypedDict):
    """Everything stored about one round. `unreadable` says so if the journal cannot be replayed.

    `for_player` names the player of a copy without other players and without the names of managers.
    """

    for_player: NotRequired[str]

    round_id: str
    table_id: str
    day: Day
    game_number: GameNumber
    status: str
    presenter: str | None
    started_at: Moment
    ended_at: Moment | None
    unreadable: NotRequired[str]
    dealers: NotRequired[dict[str, Count]]
    """How many cards each presenter has dealt; empty for the machine, and where it was not recorded."""
    layout: NotRequired[Hands]
    limits: NotRequired[FiledLimits]
    paytable: NotRequired[FiledPaytable]
    board: NotRequired[list[Card]]
    dealer_cards: NotRequired[list[Card]]
    dealer_hand: NotRequired[Hand | None]
    seats: NotRequired[list[FiledSeat]]
    settlements: NotRequired[list[FiledSettlement]]
    corrections: NotRequired[list[FiledCorrection]]
    incidents: NotRequired[list[FiledIncident]]
    fairness: NotRequired[FiledFairness]
    journal: list[FiledEvent]
    journal_chain: str
    postings: list[FiledPosting]
    audit: list[FiledAudit]
    chat: list[FiledChatLine]


class Signature(TypedDict):
    sha256: Sha256
    audit_row: Count
    audit_digest: Sha256
    at: Moment
    by: str


class RoundFile(TypedDict):
    round: FiledRound
    signature: Signature


class NoSignature(TypedDict):
    """Of a file that was not requested under a name: the audit chain does not hold its hash."""

    sha256: Sha256
    audit_row: None
    audit_digest: None
    at: Moment
    by: None


class UnsignedRoundFile(TypedDict):
    round: FiledRound
    signature: NoSignature
