"""What presenters and managers are answered."""

from typing import Annotated, Any, Literal

from pydantic import Field

from casino.api.openapi.shapes import LEFT_OUT, Day, GameNumber
from casino.api.openapi.to_players import Incident
from casino.people.roles import Role
from casino.settings.incidents import IncidentClass
from casino.shapes import (
    BalanceMove,
    Bets,
    Card,
    Count,
    Hand,
    Minor,
    Moment,
    MoveTotal,
    Pause,
    SeatNo,
    Shape,
    Spots,
    TableLimits,
)
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.uth.settlement import Result


class OpenIncident(Shape):
    incident_id: str
    incident_class: str | None
    title: str | None
    steps: list[str]
    resolutions: list[Literal["correct_card", "resume", "cancel"]]


class FloorTable(Shape):
    table_id: str
    name: str
    dealing: Literal["auto", "presenter"]
    hands: Literal["shared", "own"]
    practice: bool
    confirm_ms: Count
    chips: list[Minor]
    status: Literal["open", "closed"]
    presenter: str | None
    players: Count
    in_round: Count
    left_to_decide: Count
    limits: TableLimits
    phase: Phase
    game_number: GameNumber | None
    started_at: Moment | None
    paused: Pause | None
    expects: str | None
    incident: OpenIncident | None
    is_count_due: bool
    is_failing: bool
    tips: Minor
    consoles: list[str]
    alarms: list[Literal["paused", "failing", "no_presenter", "presenter_away", "count_due"]]


class StaffMember(Shape):
    name: str
    role: Role
    tables: list[str]


class TheFloor(Shape):
    tables: list[FloorTable]
    staff: list[StaffMember]
    currency: str
    """Of the house: limits and bets of its tables are counted in its minor units."""
    play_currency: str


class NamedIncidentClass(IncidentClass):
    incident_class: str


class Procedure(Shape):
    incidents: list[NamedIncidentClass]


class FoundRound(Shape):
    round_id: str
    table_id: str
    day: Day
    game_number: GameNumber
    status: str
    started_at: Moment
    presenter: str | None
    players: Count


class FoundRounds(Shape):
    rounds: list[FoundRound]
    next: str | None


class DealtCard(Shape):
    slot: str
    card: Card


class Answered(Shape):
    phase: Phase
    action: Action
    automatic: bool


class WholeSeat(Shape):
    player_id: str
    name: str
    currency: str
    seat_no: SeatNo | None
    player_cards: list[Card]
    bets: Bets
    decisions: list[Answered]
    result: Result | None
    spots: Spots | None
    staked: Minor
    returned: Minor


class WholeStep(Shape):
    """One row of the journal; which of the fields after `at_ms` are there depends on the kind."""

    kind: str
    at_ms: Moment
    due_ms: Moment | None = LEFT_OUT
    game_number: GameNumber = LEFT_OUT
    stakes: list[list[str | int | None]] = LEFT_OUT
    slot: str = LEFT_OUT
    card: Card = LEFT_OUT
    was: Card = LEFT_OUT
    cards: list[Card] = LEFT_OUT
    phase: Phase | None = LEFT_OUT
    player_id: str = LEFT_OUT
    action: Action | None = LEFT_OUT
    automatic: list[str] = LEFT_OUT
    incident_id: str = LEFT_OUT
    incident_class: str = LEFT_OUT
    resolutions: list[str] = LEFT_OUT
    reason: str = LEFT_OUT
    by: str = LEFT_OUT


class SaidLine(Shape):
    table_id: str
    from_: Annotated[str, Field(alias="from")]
    role: str
    text: str
    at: Moment
    code: str | None
    player_id: str | None


class WholeRound(Shape):
    """One round as the house sees it, everybody in it included."""

    round_id: str
    table_id: str
    day: Day
    game_number: GameNumber
    status: str
    phase: Phase
    started_at: Moment
    ended_at: Moment | None
    presenter: str | None
    hands: Literal["shared", "own"]
    limits: TableLimits
    cards: list[DealtCard]
    slots: list[str]
    player_cards: list[Card]
    board: list[Card]
    dealer_cards: list[Card]
    player_hand: Hand | None
    dealer_hand: Hand | None
    dealer_qualifies: bool | None
    seats: list[WholeSeat]
    incidents: list[Incident]
    steps: list[WholeStep]
    chat: list[SaidLine]


class AuditRow(Shape):
    id: Count
    at: Moment
    actor: str
    role: str
    action: str
    target: str
    before: dict[str, Any]
    """Depends on the action."""
    after: dict[str, Any]
    reason: str


class AuditPage(Shape):
    rows: list[AuditRow]
    next: str | None


class Moves(Shape):
    round_id: str
    moves: list[BalanceMove]
    totals: list[MoveTotal]


class Proposed(Shape):
    id: str


class Correction(Shape):
    id: str
    round_id: str
    table_id: str
    game_number: GameNumber
    cards: dict[str, Card]
    reason: str
    proposed_by: str
    proposed_by_id: str
    proposed_at: Moment
    expires_at: Moment
    status: Literal["open", "approved", "rejected", "expired"]
    decided_by: str | None
    decided_at: Moment | None
    remark: str


class Corrections(Shape):
    corrections: list[Correction]
    next: str | None
