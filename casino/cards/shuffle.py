"""Randomness of the operating system: server seeds of machine-dealt rounds, and a direct Fisher–Yates shuffle.

Neither takes a player, stake or balance, and no seed can be configured. This is the one module of the pure rules
that may use chance.
"""

import secrets

from casino.cards.card import DECK, Card
from casino.cards.seeded_shuffle import ServerSeed


def shuffled_deck() -> tuple[Card, ...]:
    """All 52 cards, every order equally likely. `secrets.randbelow` rejects rather than folds, so nothing is biased."""
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        chosen = secrets.randbelow(last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


def new_server_seed() -> ServerSeed:
    """32 bytes of the operating system's generator, new for every machine-dealt round."""
    return ServerSeed(secrets.token_hex(32))
