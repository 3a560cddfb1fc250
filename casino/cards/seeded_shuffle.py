"""Commitment version 2: a committed server seed and the players' seeds determine the deck.

The house publishes the hash of its server seed before betting opens, so it is bound before it knows any player's seed.
The deck is a Fisher–Yates shuffle driven by HMAC-SHA256 over all seeds, so no player can predict it.
docs/fairness.md specifies every byte; the page has a second implementation, tested with the same vectors.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from casino.cards.card import RANKS, SUITS, Card

VERSION: Final = 2
START_ORDER: Final = tuple(Card(rank + suit) for rank in RANKS for suit in SUITS)
"""The deck before the shuffle: 2c 2d 2h 2s 3c … As."""

SEED_PATTERN: Final = "^[ -~]{1,64}$"
"""A seed contributed by a player: 1 to 64 printable ASCII characters."""

_WORDS: Final = 1 << 32
_SERVER_SEED: Final = re.compile("[0-9a-f]{64}")
_PLAYER_SEED: Final = re.compile("[ -~]{1,64}")


@dataclass(frozen=True, slots=True)
class ServerSeed:
    """The secret 32 bytes of one round, as 64 lower-case hexadecimal digits. Never shown before the round is over."""

    hex: str = field(repr=False)

    def __post_init__(self) -> None:
        if not _SERVER_SEED.fullmatch(self.hex):
            raise ValueError("a server seed is 64 lower-case hexadecimal digits")

    def __str__(self) -> str:
        return "ServerSeed(sealed)"


class Contribution(NamedTuple):
    """One player's seed, under the player's opaque id of this round."""

    player: str
    seed: str


def commit_to_seed(server_seed: ServerSeed, table_id: str, round_id: str) -> str:
    """The commitment published before betting opens."""
    return hashlib.sha256(f"{_prefix(table_id, round_id)}|{server_seed.hex}".encode()).hexdigest()


def opaque_player(server_seed: ServerSeed, table_id: str, round_id: str, player_id: str) -> str:
    """The player's id in the proof of this round.

    It follows from the committed seed, so the house cannot choose it. Each player can compute their own one after the
    round; without knowing the account's id, ids of different rounds cannot be linked.
    """
    message = f"{_prefix(table_id, round_id)}|player|{player_id}"
    return _hmac(server_seed, message).hex()[:16]


def is_player_seed(text: object) -> bool:
    return isinstance(text, str) and _PLAYER_SEED.fullmatch(text) is not None


def seeded_deck(
    server_seed: ServerSeed, table_id: str, round_id: str, contributions: Iterable[Contribution]
) -> tuple[Card, ...]:
    """The deck of the round: Fisher–Yates with rejection sampling, so that every order is equally likely."""
    words = _words(server_seed, _message(table_id, round_id, sorted(contributions)))
    deck = list(START_ORDER)
    for last in range(len(deck) - 1, 0, -1):
        chosen = _below(last + 1, words)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


def _prefix(table_id: str, round_id: str) -> str:
    return f"v{VERSION}|{table_id}|{round_id}"


def _message(table_id: str, round_id: str, contributions: Sequence[Contribution]) -> str:
    listed = json.dumps([{"player": one.player, "seed": one.seed} for one in contributions], separators=(",", ":"))
    return f"{_prefix(table_id, round_id)}|{listed}"


def _hmac(server_seed: ServerSeed, message: str) -> bytes:
    return hmac.digest(bytes.fromhex(server_seed.hex), message.encode(), "sha256")


def _words(server_seed: ServerSeed, message: str) -> Iterator[int]:
    """32-bit big-endian words: eight from each HMAC block, as many blocks as are needed."""
    number = 0
    while True:
        block = _hmac(server_seed, f"{message}|{number}")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        number += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """A number below the bound. The words above its largest multiple are rejected: they would favour low numbers."""
    limit = _WORDS - _WORDS % bound
    return next(word for word in words if word < limit) % bound
