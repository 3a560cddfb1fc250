"""Commitment version 1: the hash of a shuffled deck is published before betting, the deck afterwards.

New rounds use version 2 (`seeded_shuffle`). Rounds dealt by version 1 are still checked by this module.

Anyone can then check that the deck was fixed before the first bet. The hash covers a secret as well, because
trying out decks must not reveal the deck behind the hash.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from casino.cards.card import DECK, Card


@dataclass(frozen=True, slots=True)
class Shoe:
    """A shuffled deck with its secret. It never leaves the server before the round is over."""

    deck: tuple[Card, ...]
    secret: str

    def __repr__(self) -> str:
        return "Shoe(face down)"


def commitment_of(shoe: Shoe) -> str:
    """SHA-256, in hexadecimal, of the ASCII text `secret:card card card …`."""
    return hashlib.sha256(f"{shoe.secret}:{' '.join(shoe.deck)}".encode()).hexdigest()


def broken_promises(commitment: str, shoe: Shoe, dealt: Sequence[Card]) -> list[str]:
    """Everything wrong with a revealed shoe, in sentences; an empty list proves the deal fair.

    `dealt` are the cards in the order they were dealt: they must be the top of the deck.
    """
    faults = []
    if sorted(shoe.deck) != sorted(DECK):
        faults.append("The revealed deck is not 52 different cards.")
    if commitment_of(shoe) != commitment:
        faults.append("The revealed deck and secret do not give the hash published before betting.")
    if tuple(dealt) != shoe.deck[: len(dealt)]:
        faults.append("The cards dealt are not the top of the revealed deck.")
    return faults
