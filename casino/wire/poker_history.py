"""HTTP responses of the poker room: own hands of a player, and the odds of products."""

from typing import Literal

from typing_extensions import TypedDict

from casino.wire.common import Card, Count, Hand, Minor, Moment
from casino.wire.poker_hands import DeckProof, PokerGame, PokerHandView, PokerSeatNo, StepFields

EndedStatus = Literal["settled", "void"]


class PlayedHand(TypedDict):
    """A hand in the list of own hands."""

    hand_id: str
    table_id: str
    number: Count
    pool: str
    tournament_id: str | None
    currency: str | None
    """Null for a hand of a tournament: amounts are chips."""
    game: PokerGame
    started_at: Moment
    ended_at: Moment
    status: EndedStatus
    cards: list[Card]
    """The player's hole cards; empty if the deck can no longer be opened."""
    board: list[Card]
    staked: Minor
    returned: Minor
    net: int


class PlayedHands(TypedDict):
    hands: list[PlayedHand]
    next: str | None
    """A value for `before`; null on the last page."""


class PastPokerHand(PlayedHand):
    """An own hand as the player saw it, with proofs."""

    seat_no: PokerSeatNo
    best: Hand | None
    """The player's best hand at the end; null before an Omaha flop."""
    rake_share: Minor
    """The player's part of the rake."""
    automatic: Count
    """How many decisions the house made for the player."""
    opened: PokerHandView
    """The hand after blinds and posts."""
    steps: list[StepFields]
    """Everything that was sent to the whole table, in order."""
    ended: PokerHandView
    """The hand at its end, with every card that was shown."""
    proofs: list[DeckProof]
    """Of the player's cards, the board and cards shown to all; `opened.root` is what they lead to."""


class PokerDay(TypedDict):
    """Own result since midnight UTC, over all stakes."""

    since: Moment
    hands: Count
    net: int


class TableLeft(TypedDict):
    """A stack the player left with lately, and the buy-in it decides."""

    pool: str
    table_id: str | None
    """Null: the offer holds at every table of the pool."""
    table: str | None
    """The name of that table."""
    stack: Minor
    left_at: Moment
    until: Moment
    """From then on the usual range applies."""
    min: Minor
    max: Minor
    amounts: list[Minor]
    """Banzai: the only amounts possible; empty elsewhere."""


class OwnPoker(TypedDict):
    today: PokerDay
    left: list[TableLeft]
    """Where a stack the player left with changes the range; the latest first."""


class MultiplierOdds(TypedDict):
    multiplier: Count
    chances: Count
    percents: list[Count]
    """Shares of the prize pool by place."""
    stack: Count
    level_minutes: Count


class ProductOdds(TypedDict):
    product: str
    name: str
    game: PokerGame
    buy_ins: list[Minor]
    odds: list[MultiplierOdds]
    """The largest multiplier first."""
    of: Count
    """Sum of the chances."""
    mean: str
    """The expected multiplier."""
    rake: str
    """The part of three buy-ins that is not paid out on average."""


class PokerOdds(TypedDict):
    products: list[ProductOdds]
