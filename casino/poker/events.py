"""Events of a hand. Replaying them rebuilds the hand without a clock, a deck or today's configuration.

Each event carries its kind and version. When a kind must change, a new version is added and both stay readable.
No event holds a card that has not been shown.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from casino.cards.card import Card
from casino.event_codec import EventCodec
from casino.poker.betting import Action
from casino.poker.commands import Cause, Entrant
from casino.poker.positions import Positions
from casino.poker.state import Award, ShownCards
from casino.poker.streets import Street
from casino.poker.terms import Terms


class SeatAmount(NamedTuple):
    seat_no: int
    amount: int


@dataclass(frozen=True, slots=True)
class HandOpened:
    """Antes, blinds and posts follow from the terms, the positions and the stacks."""

    hand_id: str
    table_id: str
    number: int
    terms: Terms
    seats: tuple[Entrant, ...]
    positions: Positions
    root: str | None
    at_ms: int
    kind: Literal["hand_opened"] = "hand_opened"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Acted:
    """`paid` is what the action put in, `to` the price after it."""

    seat_no: int
    action: Action
    paid: int
    to: int
    at_ms: int
    automatic: Cause | None = None
    kind: Literal["acted"] = "acted"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class StreetEnded:
    street: Street
    at_ms: int
    kind: Literal["street_ended"] = "street_ended"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class UncalledReturned:
    seat_no: int
    amount: int
    at_ms: int
    kind: Literal["uncalled_returned"] = "uncalled_returned"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class BoardDealt:
    street: Street
    cards: tuple[Card, ...]
    at_ms: int
    kind: Literal["board_dealt"] = "board_dealt"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class HandsShown:
    """The hands of the showdown in order of showing. Live hands that are missing were mucked."""

    hands: tuple[ShownCards, ...]
    at_ms: int
    kind: Literal["hands_shown"] = "hands_shown"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class CardsShown:
    """Cards shown voluntarily after the hand."""

    seat_no: int
    cards: tuple[Card, ...]
    at_ms: int
    kind: Literal["cards_shown"] = "cards_shown"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class PotAwarded:
    award: Award
    at_ms: int
    kind: Literal["pot_awarded"] = "pot_awarded"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class HandSettled:
    """Final stacks, the rake, and each player's contribution to it."""

    stacks: tuple[SeatAmount, ...]
    rake: int
    rake_shares: tuple[SeatAmount, ...]
    at_ms: int
    kind: Literal["hand_settled"] = "hand_settled"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class HandVoided:
    reason: str
    by: str
    at_ms: int
    kind: Literal["hand_voided"] = "hand_voided"
    version: Literal[1] = 1


Event = (
    HandOpened
    | Acted
    | StreetEnded
    | UncalledReturned
    | BoardDealt
    | HandsShown
    | CardsShown
    | PotAwarded
    | HandSettled
    | HandVoided
)

_CODEC: Final = EventCodec[Event](Event)
dump_event: Final = _CODEC.dump
dump_all: Final = _CODEC.dump_all
load_event: Final = _CODEC.load
