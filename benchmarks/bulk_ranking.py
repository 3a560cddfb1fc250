"""Batch ranking of a million hands, compiled, on one thread."""

import numpy as np

from benchmarks.hands import HANDS, SEVENS, phevaluator_on_names, phevaluator_on_numbers
from benchmarks.measurement import Row, Work, duration, faster, race
from casino.cards.batch_ranking import rank_masks
from casino.cards.card import INDEX

COPIES = 100


def rows() -> list[Row]:
    masks = np.array([sum(1 << INDEX[card] for card in hand) for hand in SEVENS] * COPIES, dtype=np.int64)
    np.random.default_rng(1).shuffle(masks)
    strengths = np.zeros_like(masks)
    rank_masks(masks, strengths)  # compile, or load what was compiled
    seconds = race(
        {
            "bulk": Work(lambda: rank_masks(masks, strengths), HANDS * COPIES),
            "names": phevaluator_on_names(),
            "numbers": phevaluator_on_numbers(),
        }
    )
    ours = seconds["bulk"]
    return [
        Row("rank_masks", duration(ours)),
        faster("phevaluator, card names", seconds["names"], ours, goal=100),
        faster("phevaluator, its own numbers", seconds["numbers"], ours, goal=100),
    ]
