"""Ranking of Omaha hands: one showdown at a time as at a live table, and in compiled batches."""

import random

import numpy as np
from phevaluator import evaluate_omaha_cards
from pokerkit import Card as TheirCard
from pokerkit import OmahaHoldemHand

from benchmarks.measurement import Row, Work, duration, faster, race
from casino.cards.card import DECK, INDEX
from casino.cards.omaha_batch_ranking import rank_omaha
from casino.poker.omaha import omaha_strength

HANDS = 200
COPIES = 500
DEALS = [random.Random(seed).sample(DECK, 9) for seed in range(HANDS)]  # noqa: S311


def _live() -> None:
    for cards in DEALS:
        omaha_strength(cards[:4], cards[4:])


def _pokerkit() -> None:
    for hole, board in PARSED:
        OmahaHoldemHand.from_game(hole, board)


def _phevaluator_names() -> None:
    for cards in DEALS:
        evaluate_omaha_cards(*cards[4:], *cards[:4])


def _phevaluator_numbers() -> None:
    for numbers in NUMBERS:
        evaluate_omaha_cards(*numbers)


PARSED = [(tuple(TheirCard.parse("".join(cards[:4]))), tuple(TheirCard.parse("".join(cards[4:])))) for cards in DEALS]
NUMBERS = [
    [4 * (INDEX[card] % 13) + INDEX[card] // 13 for card in (*cards[4:], *cards[:4])] for cards in DEALS
]  # phevaluator counts rank by rank


def rows() -> list[Row]:
    holes = np.array([[INDEX[card] for card in cards[:4]] for cards in DEALS] * COPIES, dtype=np.int64)
    boards = np.array([[INDEX[card] for card in cards[4:]] for cards in DEALS] * COPIES, dtype=np.int64)
    strengths = np.zeros(len(holes), dtype=np.int64)
    rank_omaha(holes, boards, strengths)  # compile, or load what was compiled
    seconds = race(
        {
            "live": Work(_live, HANDS),
            "pokerkit": Work(_pokerkit, HANDS),
            "bulk": Work(lambda: rank_omaha(holes, boards, strengths), HANDS * COPIES),
            "names": Work(_phevaluator_names, HANDS),
            "numbers": Work(_phevaluator_numbers, HANDS),
        },
        repeats=5,
    )
    return [
        Row("omaha_strength, card names, board prepared each time", duration(seconds["live"])),
        faster("PokerKit, parsed cards", seconds["pokerkit"], seconds["live"], goal=20),
        faster("phevaluator, card names", seconds["names"], seconds["live"]),
        Row("rank_omaha, compiled", duration(seconds["bulk"])),
        faster("phevaluator, its own numbers", seconds["numbers"], seconds["bulk"], goal=3),
    ]
