"""The machine's shoe: shuffled and promised before betting opens, sealed while the round lasts, shown afterwards.

At rest the deck is encrypted with the service's secret key, so that reading the database shows no card to come.
"""

import base64
import hashlib
import json

from cryptography.fernet import Fernet, InvalidToken

from casino.cards.card import Card, distinct_cards
from casino.cards.commitment import Shoe
from casino.cards.shuffle import fresh_secret, shuffled_deck


def fresh_shoe() -> Shoe:
    return Shoe(shuffled_deck(), fresh_secret())


class Seal:
    """Closes and opens shoes with one key."""

    def __init__(self, secret_key: str) -> None:
        self._fernet = Fernet(_fernet_key(secret_key))

    def close(self, shoe: Shoe) -> str:
        return self._fernet.encrypt(json.dumps([shoe.secret, *shoe.deck]).encode()).decode()

    def open(self, sealed: str) -> Shoe | None:
        """The shoe again, or None if it was sealed with another key."""
        try:
            secret, *deck = json.loads(self._fernet.decrypt(sealed.encode()))
        except InvalidToken:
            return None
        return Shoe(distinct_cards(deck), secret)


def _fernet_key(secret_key: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(f"shoe {secret_key}".encode()).digest())


def next_card(shoe: Shoe, on_table: tuple[Card, ...]) -> Card:
    """The top of what is left. Only after a correction can it differ from the card at that place in the deck."""
    return next(card for card in shoe.deck[len(on_table) :] if card not in on_table)
