"""Exact variance of a round's result by the decision that ends it, from full enumeration.

The decisions are those of best play, the same as for the return. Every deal is evaluated a second time, because a
decision on the flop is known only after all deals have been evaluated once.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Final

from casino.cards.ranking import CATEGORIES, Category
from casino.uth.analysis.payoffs import Payoffs, payoffs_of
from casino.uth.bets import Action
from casino.uth.paytable import Paytable
from casino.uth.settlement import OUTCOMES

DECISIONS: Final = (Action.PLAY_4X, Action.PLAY_2X, Action.PLAY_1X, Action.FOLD, Action.PLAY_3X)
"""In the order in which the kernels count them."""

_CHUNK: Final = 64  # boards; no sum of squares exceeds 63 bits


@dataclass(frozen=True, slots=True)
class Dispersion:
    """Second moments of the rounds that end with one decision, about the mean of all rounds."""

    square: Fraction
    """Mean squared deviation of the gain, in square ANTEs."""
    with_trips: Fraction
    """Covariance of the gain with that of one unit on TRIPS."""


@dataclass(frozen=True, slots=True)
class RoundVariance:
    """Variance of a round's result, by final decision. PLAY 3x never occurs with best play; players may choose it.

    `share` is the frequency of each final decision.
    """

    by_decision: Mapping[Action, Dispersion]
    share: Mapping[Action, Fraction]
    trips: Fraction
    """Variance of one unit on TRIPS."""

    @property
    def variance(self) -> Fraction:
        """Variance of a round with one ANTE and best play."""
        return sum((self.share[action] * self.by_decision[action].square for action in self.share), Fraction())

    def to_json(self) -> dict[str, Any]:
        """Returns a record with fractions as text, such as `-1/3`."""
        return {
            "by_decision": {str(a): [str(one.square), str(one.with_trips)] for a, one in self.by_decision.items()},
            "share": {str(action): str(part) for action, part in self.share.items()},
            "trips": str(self.trips),
        }


def from_json(record: Mapping[str, Any]) -> RoundVariance:
    """Returns the result of a record; raises ValueError for anything else."""
    try:
        dispersions = {Action(name): Dispersion(*map(Fraction, one)) for name, one in record["by_decision"].items()}
        share = {Action(name): Fraction(part) for name, part in record["share"].items()}
        return RoundVariance(dispersions, share, Fraction(record["trips"]))
    except (ArithmeticError, AttributeError, KeyError, TypeError) as error:
        raise ValueError("this is not the record of a variance") from error


def compute_variance(paytable: Paytable, *, workers: int = 1) -> RoundVariance:
    """Computes the variance; takes twice as long as the exact return."""
    # Compiled code loads slowly.
    import numpy as np  # noqa: PLC0415

    from casino.uth.analysis.decision_kernels import walk_decisions  # noqa: PLC0415
    from casino.uth.analysis.enumeration import add_up, conclude  # noqa: PLC0415
    from casino.uth.analysis.symmetry import canonical_sets, mask_of, multiplicity  # noqa: PLC0415

    payoffs = payoffs_of(paytable, OUTCOMES)
    sums = add_up(payoffs, workers=workers, progress=lambda _done, _total: None)
    openings = conclude(sums, payoffs.parts, paytable).starting_hands
    raised = np.array([hand.best is not Action.CHECK for hand in openings], dtype=np.int64)
    played = (sums.leads < 0).astype(np.int64)
    sets = list(canonical_sets(5))
    boards = np.array([mask_of(masks) for masks in sets], dtype=np.int64)
    weights = np.array([multiplicity(masks) for masks in sets], dtype=np.int64)
    tables, parts = _tables(payoffs, paytable)
    folds = np.array(payoffs.of_fold, dtype=np.int64)

    def walk(start: int) -> list[list[int]]:
        found = np.zeros((len(DECISIONS), 4), dtype=np.int64)
        chunk = slice(start, start + _CHUNK)
        walk_decisions(boards[chunk], weights[chunk], np.array(tables, dtype=np.int64), folds, raised, played, found)
        return found.tolist()

    total = [[0] * 4 for _ in DECISIONS]
    with ThreadPoolExecutor(workers) as pool:
        for found in pool.map(walk, range(0, boards.size, _CHUNK)):
            total = [[one + more for one, more in zip(*rows, strict=True)] for rows in zip(total, found, strict=True)]
    return conclude_variance(total, payoffs.parts, parts, _trips(paytable, sums.categories))


def conclude_variance(
    total: list[list[int]], parts: int, trips_parts: int, trips: tuple[Fraction, Fraction]
) -> RoundVariance:
    """Computes the variance from sums of each decision: deals, gains, squares, products with TRIPS.

    Gains are in parts of an ANTE and of a unit on TRIPS.
    """
    ending = total[:-1]
    deals, gains = (sum(row[column] for row in ending) for column in (0, 1))
    mean, (trips_mean, trips_square) = Fraction(gains, deals * parts), trips
    dispersions = {}
    for action, (count, gain, square, mixed) in zip(DECISIONS, total, strict=True):
        rounds = max(count, 1)  # a decision that best play never makes has no variance
        own = Fraction(gain, rounds * parts)
        squared = Fraction(square, rounds * parts**2) - 2 * mean * own + mean**2
        dispersions[action] = Dispersion(squared, Fraction(mixed, rounds * parts * trips_parts) - trips_mean * own)
    share = {action: Fraction(row[0], deals) for action, row in zip(DECISIONS, ending, strict=False)}
    return RoundVariance(dispersions, share, trips_square - trips_mean**2)


def _tables(payoffs: Payoffs, paytable: Paytable) -> tuple[list[list[list[int]]], int]:
    """Returns tables of gains, squares and products with the gain on TRIPS, and the parts of a unit of TRIPS.

    Each table has a row per category, with two numbers for each of the six cells.
    """
    parts = lcm(*(odds.stake for odds in paytable.trips if odds))
    trips = [parts * odds.gain // odds.stake if odds else -parts for odds in paytable.trips]
    gains = [[gain for cell in cells for gain in cell] for cells in payoffs.by_cell]
    squares = [[gain * gain for gain in row] for row in gains]
    products = [
        [number for base, play in cells for number in (base * play, won)]
        for cells, won in zip(payoffs.by_cell, trips, strict=True)
    ]
    return [gains, squares, products], parts


def _trips(paytable: Paytable, counts: Mapping[Category, int]) -> tuple[Fraction, Fraction]:
    """Returns mean and mean square of the gain of one unit on TRIPS."""
    gains = {
        category: odds.ratio if odds else Fraction(-1)
        for category, odds in zip(CATEGORIES, paytable.trips, strict=True)
    }
    total = sum(counts.values())
    mean = sum((count * gains[category] for category, count in counts.items()), Fraction()) / total
    return mean, sum((count * gains[category] ** 2 for category, count in counts.items()), Fraction()) / total
