"""Decks of the room: shuffled and sealed before the hand they are for, and stored with the hand before it."""

from typing import Final, NamedTuple

from casino.poker_room.hand_record import Deck
from casino.poker_room.shoe import NewShoe, Shoe, ShoeSeal, new_shoe


class PreparedDeck(NamedTuple):
    """The shoe of the next hand, and what is stored of it."""

    shoe: Shoe
    stored: Deck

    def __repr__(self) -> str:
        return f"PreparedDeck({self.stored.root})"


class Decks:
    """`shoe` makes the decks. Only tests pass one that is not shuffled; no setting reaches it."""

    def __init__(self, seal: ShoeSeal, shoe: NewShoe = new_shoe) -> None:
        self.seal: Final = seal
        self._shoe = shoe

    def prepare(self) -> PreparedDeck:
        shoe = self._shoe()
        return PreparedDeck(shoe, Deck(shoe.root, self.seal.close(shoe)))
