"""Commitment to a deck card by card: a Merkle root before the hand, and a proof for each card that was seen.

The promise holds without showing folded cards. Byte by byte:

- leaf i (0 to 51) = SHA-256(salt i: 32 bytes, index i: one byte, name of the card: two ASCII characters);
- leaves 52 to 63 are 32 zero bytes;
- a node = SHA-256(left child, right child); the root is the sixth level above the leaves, in hexadecimal;
- a proof names the index, the card, the salt, and the six sibling hashes from the leaf up.

A leaf is the hash of 35 bytes and a node that of 64, so that one can never pass for the other. The rules of dealing fix
the index of every card, so a proof also shows that no other card could have been dealt.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from casino.cards.card import DECK, INDEX, Card

LEAVES: Final = 64
DEPTH: Final = 6
_SIZE: Final = 32
_FIRST: Final = tuple(2 * LEAVES - (2 * LEAVES >> level) for level in range(DEPTH))
"""The place of the first node of each level, in a list of all nodes from the leaves up."""
_PADDING: Final = bytes(_SIZE)
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_ALL_SALTS: Final = re.compile(f"[0-9a-f]{{{2 * _SIZE * len(DECK)}}}")
_SORTED: Final = sorted(DECK)


@dataclass(frozen=True, slots=True)
class CardProof:
    """`salt` and the hashes of `path` are 64 hexadecimal digits each."""

    index: int
    card: Card
    salt: str
    path: tuple[str, ...]


class CommittedDeck:
    """A shuffled deck with one secret salt per card. It never leaves the server; only proofs of seen cards do."""

    __slots__ = ("_deck", "_nodes", "_salts")

    def __init__(self, deck: Sequence[Card], salts: Sequence[str]) -> None:
        if sorted(deck) != _SORTED:
            raise ValueError("a deck has 52 different cards")
        together = "".join(salts)
        is_each_whole = len(set(salts)) == len(DECK) and {len(salt) for salt in salts} == {2 * _SIZE}
        if not is_each_whole or not _ALL_SALTS.fullmatch(together):
            raise ValueError("each card needs a salt of its own of 64 hexadecimal digits")
        self._deck = tuple(deck)
        # A room holds thousands of decks: two byte strings take a third of the memory of 180 separate hashes.
        self._salts = salted = bytes.fromhex(together)
        sha256 = hashlib.sha256  # every hand builds a tree of 115 hashes: no function call for each
        leaves = [
            sha256(b"%b%c%b" % (salted[_SIZE * index : _SIZE * (index + 1)], index, card.encode())).digest()
            for index, card in enumerate(deck)
        ]
        level = leaves + [_PADDING] * (LEAVES - len(leaves))
        nodes = [*level]
        while len(level) > 1:
            level = [sha256(level[at] + level[at + 1]).digest() for at in range(0, len(level), 2)]
            nodes += level
        self._nodes = b"".join(nodes)

    def __repr__(self) -> str:
        return "CommittedDeck(face down)"

    @property
    def root(self) -> str:
        return self._nodes[-_SIZE:].hex()

    def prove(self, index: int) -> CardProof:
        """The proof for the card at this place of the deck."""
        siblings = tuple(_hash_at(self._nodes, _FIRST[level] + ((index >> level) ^ 1)) for level in range(DEPTH))
        return CardProof(index, self._deck[index], _hash_at(self._salts, index), siblings)


def is_proven(root: str, proof: CardProof) -> bool:
    """Whether the card was at that place of the deck when the root was published. Malformed proofs prove nothing."""
    hashes = (proof.salt, *proof.path)
    if not 0 <= proof.index < len(DECK) or proof.card not in INDEX or len(proof.path) != DEPTH:
        return False
    if not all(_HASH.fullmatch(text) for text in hashes):
        return False
    found = _leaf(proof.index, proof.card, proof.salt)
    for level, sibling in enumerate(map(bytes.fromhex, proof.path)):
        is_right = proof.index >> level & 1
        found = _node(sibling, found) if is_right else _node(found, sibling)
    return found.hex() == root


def _hash_at(hashes: bytes, place: int) -> str:
    return hashes[place * _SIZE : (place + 1) * _SIZE].hex()


def _leaf(index: int, card: Card, salt: str) -> bytes:
    return hashlib.sha256(bytes.fromhex(salt) + bytes([index]) + card.encode()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(left + right).digest()
