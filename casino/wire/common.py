"""What is shown in the same shape over HTTP and over sockets, exactly as it is sent.

Nothing is built from these models while the service runs: views and tables build plain payloads. They say what a
client may rely on; documents and the pages' types are generated from them, and tests hold what is sent against them.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from casino.cards.ranking import Category
from casino.uth.settlement import Outcome

CARD_PATTERN: Final = "^[2-9TJQKA][cdhs]$"

Card = Annotated[str, Field(pattern=CARD_PATTERN)]
Minor = Annotated[int, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
Moment = Annotated[int, Field(ge=0)]
SeatNo = Annotated[int, Field(ge=1, le=7)]


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class Hand(Shape):
    """The best five of the cards so far, all of them while there are fewer."""

    category: Category
    cards: list[Card]
    """The strongest group first."""


class Bets(Shape):
    """An amount for each of the four spots. BLIND is always equal to ANTE."""

    ante: Minor
    blind: Minor
    trips: Minor
    play: Minor


class Spot(Shape):
    """What became of the bet on one spot."""

    bet: Minor
    outcome: Outcome
    returned: Minor
    """What comes back to the player, the stake included."""


class Spots(Shape):
    ante: Spot
    blind: Spot
    trips: Spot
    play: Spot


class Pause(Shape):
    """Why the round stands still."""

    reason: str
    since: Moment
    incident_id: str


class TableLimits(Shape):
    ante_min: Minor
    ante_max: Minor
    trips_min: Minor
    trips_max: Minor


class LobbyTable(Shape):
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
    """Whether it may be played beside other tables."""
    limits: TableLimits
    status: Literal["open", "closed"]
    players: Count
    presenter: str | None


class BalanceMove(Shape):
    """What one account would gain, negative if it would lose."""

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


class MoveTotal(Shape):
    """The sum of all moves in one currency."""

    currency: str
    amount: int
