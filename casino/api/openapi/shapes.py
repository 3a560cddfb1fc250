"""Parts of answers that several routes share, exactly as they are sent.

Nothing is built from these models while the service runs. They say what a client may rely on; the document is
generated from them, and every answer a test gets is held against it.
"""

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from casino.cards.ranking import Category
from casino.errors import Code
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


LEFT_OUT: Final[Any] = None
"""The field may be missing; it is never null unless its type says so."""


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class Problem(Shape):
    code: Code
    message: str
    """A sentence for people."""
    request_id: str
    """The same as in the header X-Request-Id; the log knows it."""


class Refused(Shape):
    """Nothing has changed."""

    error: Problem


class Done(Shape):
    """It is done, and there is nothing more to say."""


class Hand(Shape):
    category: Category
    cards: list[Card]


class Bets(Shape):
    ante: Minor
    blind: Minor
    trips: Minor
    play: Minor


class Spot(Shape):
    bet: Minor
    outcome: Outcome
    returned: Minor


class Spots(Shape):
    ante: Spot
    blind: Spot
    trips: Spot
    play: Spot


class TableLimits(Shape):
    ante_min: Minor
    ante_max: Minor
    trips_min: Minor
    trips_max: Minor


class Fairness(Shape):
    """The machine's shoe of a round that is over, and the promise it was fixed by."""

    commitment: Sha256
    deck: list[Card]
    secret: str
