"""Everything that can have happened in a round. The journal stores these; replaying them rebuilds the round.

An event says what was decided and when, including every deadline, so that replaying needs neither a clock nor
today's configuration. Each carries its kind and version; when a kind must change, a new version stands beside the
old one and both can be read for ever.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field, TypeAdapter

from casino.cards.card import Card
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.uth.terms import Terms


class Stake(NamedTuple):
    """One player's bets when betting closed."""

    player_id: str
    ante: int
    trips: int
    seat_no: int | None


@dataclass(frozen=True, slots=True)
class BettingOpened:
    round_id: str
    table_id: str
    game_number: str
    terms: Terms
    commitment: str | None
    at_ms: int
    due_ms: int
    kind: Literal["betting_opened"] = "betting_opened"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """Stored as a hold on the player's money and not in the journal: `BettingClosed` tells all bets at once."""

    player_id: str
    ante: int
    trips: int
    seat_no: int | None
    at_ms: int
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
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class CardDealt:
    """`due_ms` is set with the last card of a street: until then it can be taken back."""

    slot: str
    card: Card
    at_ms: int
    due_ms: int | None
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
    """What everybody gets follows from the cards, the stakes, the decisions and the paytable: see `settlement`."""

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
    incident_id: str
    reason: str
    by: str
    at_ms: int
    kind: Literal["round_paused"] = "round_paused"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class IncidentClassified:
    """What kind of problem the open incident is, and which ways out the house allowed for it at that time."""

    incident_class: str
    resolutions: tuple[str, ...]
    reason: str
    by: str
    at_ms: int
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
class RoundResumed:
    by: str
    reason: str
    at_ms: int
    due_ms: int | None
    kind: Literal["round_resumed"] = "round_resumed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundCancelled:
    incident_id: str
    reason: str
    by: str
    at_ms: int
    kind: Literal["round_cancelled"] = "round_cancelled"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """The settled round as it should have been: all its cards again. It is then settled anew."""

    cards: tuple[Card, ...]
    reason: str
    by: str
    at_ms: int
    kind: Literal["round_corrected"] = "round_corrected"
    version: Literal[1] = 1


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
    | RoundResumed
    | RoundCancelled
    | RoundCorrected
)

_EVENT: Final[TypeAdapter[Event]] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def dump_event(event: Event) -> dict[str, Any]:
    """The event as plain JSON values."""
    plain: dict[str, Any] = _EVENT.dump_python(event, mode="json")
    return plain


def load_event(plain: dict[str, Any]) -> Event:
    """The event again; anything that is not one raises `ValueError`."""
    return _EVENT.validate_python(plain)
