"""The shuffle: Fisher–Yates on the operating system's generator.

It takes no player, stake or balance, and there is no seed to set. This is the one module of the pure rules
that may use chance.
"""

import secrets

from casino.cards.card import DECK, Card


def shuffled_deck() -> tuple[Card, ...]:
    """All 52 cards, every order equally likely. `secrets.randbelow` rejects rather than folds, so nothing is biased."""
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        chosen = secrets.randbelow(last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


def fresh_secret() -> str:
    """The 256 secret bits that keep a published commitment from being guessed, as 64 hexadecimal digits."""
    return secrets.token_hex(32)
