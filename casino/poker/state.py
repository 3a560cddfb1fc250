"""The state of a hand: frozen values, changed only by `evolve` in `replay.py`.

The state never holds a card that has not been shown. The deck stays with the dealer, and the state says what it
wants next: an action, board cards, or the hands of certain seats.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from casino.cards.card import Card
from casino.poker.positions import Positions
from casino.poker.streets import NEW_CARDS, NEXT, Street
from casino.poker.terms import Terms


class Status(StrEnum):
    PLAYING = "playing"
    SETTLED = "settled"
    VOID = "void"


class Seat(NamedTuple):
    """One player in the hand. `bet` counts for the street, `total` for the hand with antes.

    `dead` is money in the pot that is no part of the player's bets; only replays of hands from elsewhere have any.
    `answered` is the value of `Hand.reopened` when the player last acted on this street.
    """

    seat_no: int
    player_id: str
    start: int
    stack: int
    bet: int = 0
    total: int = 0
    dead: int = 0
    folded: Street | None = None
    answered: int | None = None

    @property
    def is_live(self) -> bool:
        return self.folded is None

    @property
    def is_able(self) -> bool:
        """Live, and has chips left to bet."""
        return self.folded is None and self.stack > 0

    def paying(self, amount: int, answered: int | None) -> "Seat":
        """The seat after it has put this much more into the street."""
        assert 0 <= amount <= self.stack
        return Seat(
            self.seat_no,
            self.player_id,
            self.start,
            self.stack - amount,
            self.bet + amount,
            self.total + amount,
            self.dead,
            self.folded,
            answered,
        )

    def folding(self, street: Street) -> "Seat":
        """The seat after it has folded on this street; its chips stay in the pot."""
        return Seat(
            self.seat_no,
            self.player_id,
            self.start,
            self.stack,
            self.bet,
            self.total,
            self.dead,
            street,
            self.answered,
        )

    def holding(self, stack: int, total: int) -> "Seat":
        """The seat with chips moved outside a street."""
        return Seat(self.seat_no, self.player_id, self.start, stack, 0, total, self.dead, self.folded)


class WantKind(StrEnum):
    ACT = "act"
    BOARD = "board"
    REVEAL = "reveal"
    NOTHING = "nothing"


class Wants(NamedTuple):
    """The next thing the hand waits for: an action of a seat, a number of board cards, or hands of seats."""

    kind: WantKind
    seats: tuple[int, ...] = ()
    cards: int = 0


class ShownCards(NamedTuple):
    seat_no: int
    cards: tuple[Card, ...]


class Award(NamedTuple):
    """A pot as it was paid: `winners` are (seat, amount) after rake."""

    number: int
    amount: int
    rake: int
    contenders: tuple[int, ...]
    winners: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Hand:
    """`seats` are clockwise from the player left of the button; `pending` are indexes into them."""

    hand_id: str
    table_id: str
    number: int
    started_ms: int
    terms: Terms
    positions: Positions
    root: str | None
    seats: tuple[Seat, ...]
    street: Street = Street.PREFLOP
    board: tuple[Card, ...] = ()
    to: int = 0
    """The price: the street bet every player has to match."""
    inc: int = 0
    """The last full increment: a raise must be at least this much more."""
    reopened: int = 0
    """How often betting was opened or reopened on this street."""
    chain: int = 0
    """Sum of undersized all-in increments in succession."""
    pending: tuple[int, ...] = ()
    """The players who must still act on this street, the next one first."""
    aggressor: int | None = None
    """The last seat that bet or raised on this street."""
    turn: int = 1
    """Counts decisions, so that a delayed answer cannot meet a later question."""
    is_street_over: bool = False
    shown: tuple[ShownCards, ...] = ()
    is_revealed: bool = False
    """The hands of the showdown are on the table."""
    uncalled: tuple[int, int] | None = None
    """Seat and amount of a bet that went back."""
    awards: tuple[Award, ...] = ()
    rake: int = 0
    rake_shares: tuple[tuple[int, int], ...] = ()
    status: Status = Status.PLAYING
    ended_ms: int | None = None

    def changed(self, **fields: Any) -> "Hand":  # noqa: ANN401  any of the fields above
        """A copy with these fields; `dataclasses.replace` takes five times as long."""
        changed = object.__new__(Hand)
        object.__setattr__(changed, "__dict__", {**self.__dict__, **fields})
        return changed

    @property
    def live(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.folded is None)

    @property
    def middle(self) -> int:
        """All chips in the middle: pots of earlier streets, street bets, antes, posts, folded and dead money."""
        chips = 0
        for seat in self.seats:
            chips += seat.total + seat.dead
        return chips

    @property
    def is_over(self) -> bool:
        return self.status is not Status.PLAYING

    @property
    def is_betting_closed(self) -> bool:
        """No further bet is possible in this hand."""
        if not self.is_street_over:
            return False
        return self.street is Street.RIVER or sum(seat.is_able for seat in self.seats) < 2 or len(self.live) == 1

    @property
    def wants(self) -> Wants:
        if self.status is not Status.PLAYING:
            return Wants(WantKind.NOTHING)
        if self.pending:
            return Wants(WantKind.ACT, (self.seats[self.pending[0]].seat_no,))
        if self.is_betting_closed and not self.is_revealed:
            return Wants(WantKind.REVEAL, tuple(seat.seat_no for seat in self.live))
        return Wants(WantKind.BOARD, cards=NEW_CARDS[NEXT[self.street]])

    def index_of(self, seat_no: int) -> int:
        return [seat.seat_no for seat in self.seats].index(seat_no)

    def seat_of(self, player_id: str) -> Seat | None:
        for seat in self.seats:
            if seat.player_id == player_id:
                return seat
        return None

    def cards_of(self, seat_no: int) -> tuple[Card, ...]:
        """Cards this seat has shown, if any."""
        return next((shown.cards for shown in self.shown if shown.seat_no == seat_no), ())
