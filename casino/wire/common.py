"""Models that HTTP responses and socket events share.

A message is a typed dictionary: the code that sends it builds a plain `dict`, mypy checks its fields, and documents and
the pages' types are generated from the same definition (055).
"""

from typing import Annotated, Final, Literal

from pydantic import Field
from typing_extensions import TypedDict

from casino.cards.ranking import Category
from casino.uth.phases import Phase
from casino.uth.settlement import Outcome

CARD_PATTERN: Final = "^[2-9TJQKA][cdhs]$"

Card = Annotated[str, Field(pattern=CARD_PATTERN)]
Minor = Annotated[int, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
Moment = Annotated[int, Field(ge=0)]
SeatNo = Annotated[int, Field(ge=1, le=7)]
Day = Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
GameNumber = Annotated[str, Field(pattern="^[0-9]{2}:[0-9]{2}:[0-9]{2}$")]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Major = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
"""Major units with the currency's decimals."""
Status = Literal["open", "closed"]
Winner = Literal["player", "dealer", "tie"]


class Hand(TypedDict):
    """The best five of the cards so far, all of them while there are fewer."""

    category: Category
    cards: list[Card]
    """The strongest group first."""


class Bets(TypedDict):
    """An amount for each of the four spots. BLIND is always equal to ANTE."""

    ante: Minor
    blind: Minor
    trips: Minor
    play: Minor


class Spot(TypedDict):
    """Result of the bet on one spot."""

    bet: Minor
    outcome: Outcome
    returned: Minor
    """Amount returned to the player, the stake included."""


class Spots(TypedDict):
    ante: Spot
    blind: Spot
    trips: Spot
    play: Spot


class Pause(TypedDict):
    """Reason of the pause."""

    reason: str
    since: Moment
    incident_id: str


class TableLimits(TypedDict):
    ante_min: Minor
    ante_max: Minor
    trips_min: Minor
    trips_max: Minor


class LobbyTable(TypedDict):
    """A table as the lobby shows it; the same as in `GET /api/tables`."""

    id: str
    table_id: str
    name: str
    dealing: Literal["auto", "presenter"]
    hands: Literal["shared", "own"]
    seats: SeatNo | None
    """How many an own-hands table has."""
    language: str
    multi_table: bool
    """Whether it may be played at the same time as other tables."""
    limits: TableLimits
    status: Status
    players: Count
    presenter: str | None


class BalanceMove(TypedDict):
    """Gain of one account, negative for a loss."""

    player_id: str
    name: str
    currency: str
    amount: int
    balance_before: int
    balance_after: int
    available_before: int
    available_after: int
    covered: bool
    """False where the player no longer has what would have to be taken back."""
    receivable: Minor
    """The missing amount, which the player would owe."""


class MoveTotal(TypedDict):
    """The sum of all moves in one currency."""

    currency: str
    amount: int


class BalanceMoves(TypedDict):
    moves: list[BalanceMove]
    totals: list[MoveTotal]


class Moves(BalanceMoves):
    """Changes that a cancellation or a correction would make."""

    round_id: str


class PastRound(TypedDict):
    """A finished round, as listed among the last results of its table."""

    round_id: str
    game_number: GameNumber
    player_cards: list[Card]
    board: list[Card]
    dealer_cards: list[Card]
    player_hand: Hand | None
    dealer_hand: Hand | None
    dealer_qualifies: bool | None
    started_at: Moment
    status: Literal[Phase.SETTLED, Phase.CANCELLED]
    winner: Winner | None
    commitment: Sha256 | None
