"""Ranking of one hand at a time, as a live table does it: from card names, checked."""

from benchmarks.hands import HANDS, SEVENS, phevaluator_on_names, phevaluator_on_numbers, treys_on_numbers
from benchmarks.measurement import Row, Work, duration, faster, race
from casino.cards.ranking import best_hand, strength_of


def _rank_all() -> None:
    for hand in SEVENS:
        strength_of(hand)


def _name_all() -> None:
    for hand in SEVENS:
        best_hand(hand)


def rows() -> list[Row]:
    seconds = race(
        {
            "strength": Work(_rank_all, HANDS),
            "best": Work(_name_all, HANDS),
            "names": phevaluator_on_names(),
            "numbers": phevaluator_on_numbers(),
            "treys": treys_on_numbers(),
        }
    )
    ours = seconds["strength"]
    return [
        Row("strength_of, card names, checked", duration(ours)),
        Row("best_hand, with the five cards used", duration(seconds["best"])),
        faster("phevaluator, card names, unchecked", seconds["names"], ours, goal=1),
        faster("phevaluator, its own numbers, unchecked", seconds["numbers"], ours),
        faster("treys, its own numbers, unchecked", seconds["treys"], ours),
    ]
