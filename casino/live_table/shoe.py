"""Encryption at rest for secrets of machine-dealt rounds, with the service's secret key, until the round is over.

The database therefore reveals no future card. Shoes of commitment version 1 can still be opened.
"""

import base64
import hashlib
import json

from cryptography.fernet import Fernet, InvalidToken

from casino.cards.card import Card, distinct_cards
from casino.cards.commitment import Shoe
from casino.cards.seeded_shuffle import ServerSeed


class Seal:
    """Encrypts server seeds, and decrypts them and the shoes of version 1, with one key."""

    def __init__(self, secret_key: str) -> None:
        self._fernet = Fernet(_fernet_key(secret_key))

    def close(self, server_seed: ServerSeed) -> str:
        return self._fernet.encrypt(json.dumps({"server_seed": server_seed.hex}).encode()).decode()

    def open_seed(self, sealed: str) -> ServerSeed | None:
        """The server seed, or None if it was sealed with another key."""
        content = self._content(sealed)
        return ServerSeed(content["server_seed"]) if isinstance(content, dict) else None

    def close_shoe(self, shoe: Shoe) -> str:
        return self._fernet.encrypt(json.dumps([shoe.secret, *shoe.deck]).encode()).decode()

    def open_shoe(self, sealed: str) -> Shoe | None:
        """The shoe of a round of version 1, or None if it was sealed with another key."""
        content = self._content(sealed)
        if not isinstance(content, list):
            return None
        secret, *deck = content
        return Shoe(distinct_cards(deck), secret)

    def _content(self, sealed: str) -> object:
        try:
            return json.loads(self._fernet.decrypt(sealed.encode()))
        except InvalidToken:
            return None


def _fernet_key(secret_key: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(f"shoe {secret_key}".encode()).digest())


def next_card(shoe: Shoe, on_table: tuple[Card, ...]) -> Card:
    """Version 1: returns the top remaining card. After a correction it can differ from the deck at that place."""
    return next(card for card in shoe.deck[len(on_table) :] if card not in on_table)
