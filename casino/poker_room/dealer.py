"""Dealer of one hand: the only reader of its shoe.

With n players dealt in, card k of the player at place i (0 is left of the button) is deck index k * n + i. The board
takes the next indexes. The place of every card is therefore fixed before the hand begins.
"""

from collections.abc import Iterable, Sequence

from casino.cards.card import Card
from casino.cards.merkle import CardProof
from casino.poker.commands import DealBoard, Reveal
from casino.poker.state import Hand, WantKind
from casino.poker.streets import BOARD_CARDS
from casino.poker.terms import Game
from casino.poker_room.shoe import Shoe


class Dealer:
    """Deals to the seats in order, the first one left of the button. Hole cards are for their player alone."""

    __slots__ = ("_hole_cards", "_places", "_shoe")

    def __init__(self, shoe: Shoe, game: Game, seats: Sequence[int]) -> None:
        self._shoe = shoe
        self._places = {seat_no: place for place, seat_no in enumerate(seats)}
        self._hole_cards = game.hole_cards

    @classmethod
    def of(cls, shoe: Shoe, hand: Hand) -> "Dealer":
        return cls(shoe, hand.terms.game, [seat.seat_no for seat in hand.seats])

    def __repr__(self) -> str:
        return "Dealer(face down)"

    def hole(self, seat_no: int) -> tuple[Card, ...]:
        """The hole cards of this seat, for its player alone."""
        return tuple(map(self._shoe.card, self._hole_indexes(seat_no)))

    def serve(self, hand: Hand) -> DealBoard | Reveal:
        """The cards the hand wants: of the board, or of the seats it asks for."""
        wants = hand.wants
        if wants.kind is WantKind.REVEAL:
            return Reveal(hand.hand_id, {seat_no: self.hole(seat_no) for seat_no in wants.seats})
        assert wants.kind is WantKind.BOARD, "the hand waits for no cards"
        first = len(hand.board)
        return DealBoard(hand.hand_id, self.board()[first : first + wants.cards])

    def board(self) -> tuple[Card, ...]:
        """All five board cards; the hand asks for them street by street."""
        return tuple(map(self._shoe.card, self._board_indexes()))

    def proofs(self, hand: Hand, seat_no: int | None, known: dict[int, CardProof] | None = None) -> list[CardProof]:
        """Proofs of all cards that the player of this seat has seen: own ones, the board, and shown ones.

        `known` keeps proofs by index, for players who have seen the same cards.
        """
        known = {} if known is None else known
        assert hand.is_over, "proofs are given after the hand"
        seen = [*self._board_indexes()[: len(hand.board)]]
        if seat_no is not None:
            seen += self._hole_indexes(seat_no)
        for shown_seat, cards in hand.shown:
            seen += [index for index in self._hole_indexes(shown_seat) if self._shoe.card(index) in cards]
        for index in seen:
            if index not in known:
                known[index] = self._shoe.prove(index)
        return [known[index] for index in sorted(set(seen))]

    def is_held(self, seat_no: int, cards: Iterable[str]) -> bool:
        """Whether all these cards are hole cards of this seat."""
        return set(cards) <= set(self.hole(seat_no))

    def _hole_indexes(self, seat_no: int) -> list[int]:
        players, place = len(self._places), self._places[seat_no]
        return [card * players + place for card in range(self._hole_cards)]

    def _board_indexes(self) -> list[int]:
        first = len(self._places) * self._hole_cards
        return [*range(first, first + BOARD_CARDS)]
