"""A card is its two-character name: a rank of `23456789TJQKA` and a suit of `cdhs`, such as `As` or `Td`.

The name is the same on the wire, in the journal, in the tests and in the rules, so nothing is ever translated.
"""

from collections.abc import Iterable
from typing import Final, NewType

from casino.errors import Code, Refusal

Card = NewType("Card", str)

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

DECK: Final[tuple[Card, ...]] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 cards in the house's order, suit by suit. A card's index here is also its bit in a mask of cards."""

INDEX: Final[dict[str, int]] = {card: index for index, card in enumerate(DECK)}


_SIGNS: Final = dict(zip(SUITS, "♣♦♥♠", strict=True))


def written(card: str) -> str:
    """The card as people read it: `A♠`, `10♥`."""
    return card[0].replace("T", "10") + _SIGNS[card[1]]


def parse_card(text: str) -> Card:
    if text not in INDEX:
        raise Refusal(Code.BAD_CARD, f"{text[:20]!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}.")
    return Card(text)


def distinct_cards(cards: Iterable[str]) -> tuple[Card, ...]:
    """The cards, checked: each is one, and none appears twice."""
    checked = tuple(map(parse_card, cards))
    if len(set(checked)) != len(checked):
        twice = next(card for card in checked if checked.count(card) > 1)
        raise Refusal(Code.DUPLICATE_CARD, f"{twice} appears twice.")
    return checked


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards written with blanks between them, `As Kd`, or without, `AsKd`."""
    packed = "".join(text.split())
    return distinct_cards(packed[i : i + 2] for i in range(0, len(packed), 2))
