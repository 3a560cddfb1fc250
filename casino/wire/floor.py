"""Floor: published states of tables for staff, and proposals that wait for a second person."""

from typing import Literal

from typing_extensions import TypedDict

from casino.uth.phases import Phase
from casino.wire.common import BalanceMoves, Card, Count, GameNumber, Minor, Moment, Pause
from casino.wire.host_events import HandOver, Incident, Proposal
from casino.wire.player_events import Table

Alarm = Literal["proposal", "hand_over", "paused", "failing", "no_presenter", "presenter_away", "count_due"]


class OpenIncident(Incident):
    """Incident that pauses the round; HTTP responses call those of past rounds `Incident`."""


class PublishedState(Table):
    """The state of a table in the directory."""

    dealing: Literal["auto", "presenter"]
    phase: Phase
    game_number: GameNumber | None
    started_at: Moment | None
    paused: Pause | None
    expects: str | None
    incident: OpenIncident | None
    round_id: str | None
    proposal: Proposal | None
    hand_over: HandOver | None
    is_count_due: bool
    tips: Minor
    is_failing: bool
    consoles: list[str]
    """The staff whose console shows the table."""


class FloorTable(PublishedState):
    """A table in the floor overview."""

    name: str
    hands: Literal["shared", "own"]
    practice: bool
    confirm_ms: Count
    chips: list[Minor]
    alarms: list[Alarm]
    """The most urgent first."""


class OpenProposal(Proposal, BalanceMoves):
    """A proposal with its round, and every balance it would change."""

    table_id: str
    round_id: str
    game_number: GameNumber
    phase: Phase


class Correction(TypedDict):
    """A proposal to correct a settled round."""

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
