"""Cards and their places as people write them: A♠, 10♥, FLOP 1."""

import re
from typing import Final

_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_SEAT: Final = re.compile(r"seat_([0-9]+)_card_([0-9]+)")


def card_text(card: str) -> str:
    rank, suit = card[0], card[1]
    return f"{'10' if rank == 'T' else rank}{_SUITS[suit]}"


def is_red(card: str) -> bool:
    return card[1] in "hd"


def slot_text(slot: str) -> str:
    of_seat = _SEAT.fullmatch(slot)
    if of_seat:
        return f"SEAT {of_seat[1]}, CARD {of_seat[2]}"
    return slot.replace("_", " ").upper()
