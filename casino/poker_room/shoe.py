"""Shoe of one hand: a shuffled deck, committed to card by card, and its encryption at rest.

Salts follow from one secret, so that a sealed shoe is short: the salt of card i is HMAC-SHA256(secret, byte i). A
published salt reveals no other one.
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Sequence
from typing import Final

from cryptography.fernet import Fernet, InvalidToken

from casino.cards.card import DECK, Card, distinct_cards
from casino.cards.merkle import CardProof, CommittedDeck
from casino.cards.shuffle import shuffled_deck

_LABEL: Final = b"casino poker shoes v1"
_KEY_ID_LENGTH: Final = 16
_BLOCK: Final = 64  # bytes of a block of SHA-256; the secret is shorter
_INDEXES: Final = tuple(bytes([index]) for index in range(len(DECK)))


class Shoe:
    """The deck of one hand, face down. Only the dealer of the hand looks into it."""

    __slots__ = ("_committed", "_deck", "_secret")

    def __init__(self, deck: Sequence[Card], secret: str) -> None:
        if sorted(deck) != sorted(DECK):
            raise ValueError("a deck has 52 different cards")
        self._deck = tuple(deck)
        self._secret = secret
        self._committed: CommittedDeck | None = None  # 170 hashes, which a history of own cards does not need

    def __repr__(self) -> str:
        return "Shoe(face down)"

    def __reduce__(self) -> str:
        raise TypeError("a shoe is stored sealed only")

    @property
    def root(self) -> str:
        """The published commitment to every card and its place."""
        return self._commitment.root

    def card(self, index: int) -> Card:
        return self._deck[index]

    def prove(self, index: int) -> CardProof:
        return self._commitment.prove(index)

    @property
    def _commitment(self) -> CommittedDeck:
        if self._committed is None:
            self._committed = CommittedDeck(self._deck, _salts(bytes.fromhex(self._secret)))
        return self._committed

    def content(self) -> str:
        """Everything, for the seal alone."""
        return json.dumps([self._secret, *self._deck])


def _salts(secret: bytes) -> list[str]:
    """The HMAC of each index. Both hashes of the key are made once: `hmac.digest` would make them for each card."""
    key = secret.ljust(_BLOCK, b"\0")
    inner = hashlib.sha256(key.translate(hmac.trans_36))
    outer = hashlib.sha256(key.translate(hmac.trans_5C))
    salts = []
    for index in _INDEXES:
        message, salt = inner.copy(), outer.copy()
        message.update(index)
        salt.update(message.digest())
        salts.append(salt.hexdigest())
    return salts


NewShoe = Callable[[], Shoe]
"""Makes the shoe of the next hand. Tests pass one with a fixed deck."""


def new_shoe() -> Shoe:
    return Shoe(shuffled_deck(), secrets.token_hex(32))


class ShoeSeal:
    """Encrypts and decrypts shoes with a key derived from the service's secret key. Sealed shoes name their key."""

    def __init__(self, secret_key: str) -> None:
        key = hmac.digest(secret_key.encode(), _LABEL, "sha256")
        self._fernet = Fernet(base64.urlsafe_b64encode(key))
        self.key_id: Final = hmac.digest(key, b"key id", "sha256").hex()[:_KEY_ID_LENGTH]

    def __repr__(self) -> str:
        return f"ShoeSeal({self.key_id})"

    def close(self, shoe: Shoe) -> str:
        return self.close_text(shoe.content())

    def close_text(self, text: str) -> str:
        return f"{self.key_id}:{self._fernet.encrypt(text.encode()).decode()}"

    def is_sealed_by(self, sealed: str) -> bool:
        """Whether this names the key of the seal. It may have been changed all the same."""
        return sealed.startswith(f"{self.key_id}:")

    def open(self, sealed: str) -> Shoe | None:
        """The shoe, or None if it was sealed with another key or changed."""
        text = self.open_text(sealed)
        if text is None:
            return None
        secret, *deck = json.loads(text)
        return Shoe(distinct_cards(deck), secret)

    def open_text(self, sealed: str) -> str | None:
        """The text, or None if it was sealed with another key or changed."""
        if not self.is_sealed_by(sealed):
            return None
        try:
            return self._fernet.decrypt(sealed.removeprefix(f"{self.key_id}:").encode()).decode()
        except InvalidToken:
            return None
