"""Past rounds in HTTP responses: as their players saw them, and as staff see them."""

from collections import defaultdict
from typing import Annotated, Any, Final, Literal, NotRequired, Union, get_args, get_type_hints

from pydantic import GetCoreSchemaHandler, GetPydanticSchema
from pydantic_core import core_schema
from typing_extensions import TypedDict

from casino.uth.bets import Action
from casino.uth.events import Event
from casino.uth.phases import Phase
from casino.uth.settlement import Result
from casino.uth.state import IncidentOutcome
from casino.uth.terms import Layout
from casino.wire.common import (
    Bets,
    Card,
    Count,
    Day,
    GameNumber,
    Hand,
    Minor,
    Moment,
    SeatNo,
    Sha256,
    Spots,
    TableLimits,
)
from casino.wire.fairness_proofs import Fairness
from casino.wire.notices import ArchivedChatLine

Hands = Literal[Layout.SHARED, Layout.OWN]
RoundStatus = Literal["open", "settled", "cancelled", "corrected", "forfeited"]


class PlayedRound(TypedDict):
    round_id: str
    table_id: str
    game_number: GameNumber
    started_at: Moment
    status: RoundStatus
    staked: Minor
    returned: Minor
    currency: str


class History(TypedDict):
    rounds: list[PlayedRound]
    next: str | None
    """Value for `before` to get the next page; null after the oldest round."""


class Decision(TypedDict):
    phase: Phase
    action: Action
    automatic: bool
    at: Moment


class SeatCards(TypedDict):
    seat_no: SeatNo
    player_cards: list[Card]


class Incident(TypedDict):
    incident_id: str
    reason: str
    at: Moment
    outcome: IncidentOutcome
    resolution: str
    incident_class: str | None


class StepDetails(TypedDict):
    slot: NotRequired[str]
    card: NotRequired[Card]
    was: NotRequired[Card]
    other_slot: NotRequired[str]
    other_card: NotRequired[Card]
    cards: NotRequired[list[Card]]
    phase: NotRequired[Phase | None]
    deadline: NotRequired[Moment | None]
    action: NotRequired[Action | None]
    automatic: NotRequired[bool]
    bets: NotRequired[Bets | None]
    reason: NotRequired[str]
    incident_id: NotRequired[str]
    result: NotRequired[Result | None]
    spots: NotRequired[Spots | None]
    staked: NotRequired[Minor]
    returned: NotRequired[Minor]


class _Timed(TypedDict):
    kind: str
    at: Moment


class Step(_Timed, StepDetails):
    """The fields after `at` depend on the kind."""


class Game(PlayedRound):
    """One round as this player saw it, without other players' bets."""

    ended_at: Moment | None
    hands: Hands
    presenter: str | None
    seat_no: SeatNo | None
    player_cards: list[Card]
    board: list[Card]
    dealer_cards: list[Card]
    player_hand: Hand | None
    dealer_hand: Hand | None
    dealer_qualifies: bool | None
    seats: list[SeatCards]
    bets: Bets
    decisions: list[Decision]
    result: Result | None
    spots: Spots | None
    incidents: list[Incident]
    commitment: Sha256 | None
    fairness: Fairness | None
    """Null until the round is over, and for rounds dealt by a presenter."""
    steps: list[Step]


class FoundRound(TypedDict):
    round_id: str
    table_id: str
    day: Day
    game_number: GameNumber
    status: str
    started_at: Moment
    presenter: str | None
    players: Count


class FoundRounds(TypedDict):
    rounds: list[FoundRound]
    next: str | None


class DealtCard(TypedDict):
    slot: str
    card: Card


class Answered(TypedDict):
    phase: Phase
    action: Action
    automatic: bool


class WholeSeat(TypedDict):
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


NOT_SHOWN: Final = frozenset({"version", "terms", "commitment", "round_id", "table_id"})
"""Fields of stored events that staff do not see in a step."""


def _step_schema(_source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    """Merges the fields of all event classes, so that a new event or field is described at once."""
    found: dict[str, list[Any]] = defaultdict(list)
    classes = get_args(Event)
    for event in classes:
        for name, kind in get_type_hints(event, include_extras=True).items():
            if name not in NOT_SHOWN:
                found[name].append(kind)
    fields = {
        name: Union[tuple(kinds)] if len(kinds) == len(classes) else NotRequired[Union[tuple(kinds)]]  # noqa: UP007
        for name, kinds in found.items()
    }
    define: Any = TypedDict  # mypy knows no fields of run time
    step = define("WholeStep", fields)
    step.__doc__ = "One row of the journal; the fields after `at_ms` depend on the kind."
    return handler.generate_schema(step)


WholeStep = Annotated[dict[str, Any], GetPydanticSchema(_step_schema)]
"""An event as the journal holds it."""


class ReplayedRound(TypedDict):
    """One round as the journal tells it, with all players."""

    round_id: str
    table_id: str
    day: Day
    game_number: GameNumber
    status: str
    phase: Phase
    started_at: Moment
    ended_at: Moment | None
    presenter: str | None
    """The presenter the round counts for: who dealt most of its cards."""
    dealers: dict[str, Count]
    """How many cards each presenter has dealt; empty for the machine, and where it was not recorded."""
    hands: Hands
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


class WholeRound(ReplayedRound):
    """One round as staff see it, with all players."""

    chat: list[ArchivedChatLine]
    """Chat lines of the round, blocked ones included."""


class Cancellations(TypedDict):
    table_id: str
    phase: Phase | None
    """Null for rounds stored before it was recorded."""
    by: str
    proposed_by: str | None
    """Null if one person was enough, or if the service alone could not continue the round."""
    approved_by: str | None
    """Null if one person was enough, or if the proposal was not answered."""
    lapsed: bool
    """True if the proposal was not answered within `resume_within`, so that the service cancelled the round."""
    rounds: Count


class CancellationCounts(TypedDict):
    rows: list[Cancellations]
