"""Shapes of a poker hand, shared by socket events, HTTP responses and own histories.

A seat is named by its number. Cards are in a shape only where every recipient may see them.
"""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from casino.poker.betting import Action
from casino.poker.commands import Cause
from casino.poker.state import Status
from casino.poker.streets import Street
from casino.poker.terms import SEATS_MAX, Game
from casino.wire.common import Card, Count, Hand, Minor, Moment, Sha256

PokerAction = Literal[Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE_TO]
"""Words listed where they are used: both games have an `Action` and a `Status`."""
AutomaticCause = Literal[Cause.CLOCK, Cause.LINE, Cause.SITTING_OUT, Cause.LEFT]
PokerGame = Literal[Game.NLHE, Game.PLO]
HandStatus = Literal[Status.PLAYING, Status.SETTLED, Status.VOID]
PokerSeatNo = Annotated[int, Field(ge=1, le=SEATS_MAX)]


class Positions(TypedDict):
    button: PokerSeatNo
    sb: PokerSeatNo | None
    """Null: no player posts a small blind in this hand."""
    bb: PokerSeatNo
    posters: list[PokerSeatNo]
    """Seats that post a big blind out of position."""


PostKind = Literal["ante", "sb", "bb", "post"]


class Post(TypedDict):
    """Payments of a seat before the cards."""

    seat: PokerSeatNo
    kind: PostKind
    amount: Minor


class DealtIn(TypedDict):
    """A seat that got cards in this hand."""

    seat_no: PokerSeatNo
    name: str
    start: Minor
    """The stack before the hand."""
    stack: Minor
    bet: Minor
    """Bet on this street, without antes."""
    folded: bool
    all_in: bool
    cards: list[Card]
    """Cards the seat has shown."""


class Pot(TypedDict):
    """A pot as it is now, street bets included."""

    amount: Minor
    contenders: list[PokerSeatNo]


class Won(TypedDict):
    seat: PokerSeatNo
    amount: Minor
    """After rake."""


class AwardedPot(Pot):
    """A pot as it was paid."""

    number: Annotated[int, Field(ge=1)]
    """The main pot is 1."""
    rake: Minor
    winners: list[Won]
    hand: Hand | None
    """What the winners won with; null if it was not shown."""


class Uncalled(TypedDict):
    """An uncalled bet that went back."""

    seat: PokerSeatNo
    amount: Minor


class Turn(TypedDict):
    """Who has to act, and until when. The three times follow one another; null where there is no such time now."""

    no: Annotated[int, Field(ge=1)]
    """Counts the decisions of the hand."""
    seat: PokerSeatNo
    deadline: Moment
    """When the decision time ends."""
    bank_until: Moment | None
    """When the time bank ends, if the player uses it up; the house acts for the player then."""
    protection_until: Moment | None
    """With the connection lost: when the protection ends, which does not touch the bank."""


class PokerHandView(TypedDict):
    """Public view of a hand."""

    table_id: str
    hand_id: str
    number: Annotated[int, Field(ge=1)]
    """The number of the hand at its table."""
    game: PokerGame
    root: Sha256 | None
    """Merkle root over the deck, published before the first card."""
    started_at: Moment
    positions: Positions
    posts: list[Post]
    status: HandStatus
    street: Street
    board: list[Card]
    price: Minor
    """The street bet every player has to match."""
    pot: Minor
    """All chips in the middle; 0 when the hand is over."""
    pots: list[Pot]
    """Main pot first; while bets are open, with the street bets in them."""
    awards: list[AwardedPot]
    """The pots as they were paid; empty until the hand is over."""
    uncalled: Uncalled | None
    rake: Minor
    seats: list[DealtIn]
    """In order of the deal, left of the button first."""


StepKind = Literal["acted", "board", "shown", "uncalled", "pot", "settled", "void", "clock"]


class StepFields(TypedDict):
    """One event of a hand. `kind` decides which of the fields are present."""

    kind: StepKind
    """`clock`: only the turn's times have changed, because a connection was lost or is back."""
    pot: Minor
    """All chips in the middle after it."""
    pots: list[Pot]
    at: Moment
    seat: NotRequired[PokerSeatNo]
    """Of `acted`, `shown` and `uncalled`."""
    action: NotRequired[PokerAction]
    paid: NotRequired[Minor]
    """Chips that the action put in."""
    to: NotRequired[Minor]
    """The price of the street after the action."""
    stack: NotRequired[Minor]
    """The stack of the seat after it."""
    all_in: NotRequired[bool]
    """Whether the action put in the rest of the stack."""
    automatic: NotRequired[AutomaticCause]
    """Why the house acted for the player."""
    street: NotRequired[Street]
    """Of `board`."""
    cards: NotRequired[list[Card]]
    """The new cards of `board`, or the cards of `shown`."""
    hand: NotRequired[Hand | None]
    """Of `shown` at the showdown: the best hand; null for single cards."""
    amount: NotRequired[Minor]
    """Of `uncalled`."""
    award: NotRequired[AwardedPot]
    """Of `pot`."""
    stacks: NotRequired[list[Won]]
    """Of `settled`: the stack of every seat dealt in."""
    rake: NotRequired[Minor]
    """Of `settled`."""
    reason: NotRequired[str]
    """Of `void`."""


PresetName = Literal["2.2x", "2.5x", "3x", "1/3", "1/2", "2/3", "pot", "all_in"]


class RaisePreset(TypedDict):
    name: PresetName
    amount: Minor
    """The total for the street, within the range."""


class RaiseRange(TypedDict):
    """Any whole number from `min` to `max` is a legal total for the street."""

    min: Minor
    max: Minor
    presets: list[RaisePreset]


class CallPrice(TypedDict):
    amount: Minor
    """Cost of a call; all-in for less is a call."""


_Raise = TypedDict("_Raise", {"raise": RaiseRange | None})  # `raise` is a keyword


class OptionFields(_Raise):
    """Options of the player; `raise` is a bet where nothing is to be called. Empty outside the player's turn."""

    fold: bool
    check: bool
    call: CallPrice | None


class DeckProof(TypedDict):
    """Proof that a card was in its place of the deck behind `root` (`casino/cards/merkle.py`)."""

    index: Count
    card: Card
    salt: Sha256
    path: list[Sha256]
    """The six sibling hashes from the leaf up."""
