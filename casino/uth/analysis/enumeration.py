"""Exact return by full enumeration of boards, hands and dealer hands, in integers, without sampling.

Decisions are computed backwards (backward induction). On the river a hand is played if that is worth more than
folding. On the flop the sums over all 1,081 run-outs decide, before the flop the sums over all flops. Each sum is an
integer in parts of an ANTE. A paytable whose sums could exceed 63 bits is refused.
"""

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from queue import SimpleQueue
from typing import Final

import numpy as np

from casino.cards.batch_ranking import category_counts
from casino.cards.ranking import Category
from casino.uth.analysis.kernels import BASE, DEALER_HANDS, PLAY, PLAYS_BITS, walk_boards
from casino.uth.analysis.payoffs import Payoffs, payoffs_of
from casino.uth.analysis.result import Analysis, StartingHand, Values, best_of
from casino.uth.analysis.serialization import DECISIONS, OPENINGS
from casino.uth.analysis.starting_hands import COMBINATIONS, STARTING_HANDS
from casino.uth.analysis.symmetry import (
    CANONICAL_FLOPS,
    MOVED_PAIRS,
    PAIR_CLASSES,
    PAIRS,
    PERMUTATIONS,
    Integers,
    canonical_sets,
    fixed_flops,
    mask_of,
    multiplicity,
)
from casino.uth.bets import PLAY_MULTIPLE, Action
from casino.uth.paytable import STANDARD, Paytable
from casino.uth.settlement import OUTCOMES, OutcomeTable

Progress = Callable[[int, int], None]
"""Progress callback: boards done, and boards in total."""

Accumulator = tuple[Integers, Integers]
"""Cells by canonical flop and pair of cards, and two sums for each starting hand: see the kernels."""

_FLOPS: Final = comb(50, 3)  # with two cards in hand
_RUNOUTS: Final = comb(47, 2)
_FLOPS_PER_BOARD: Final = comb(5, 3)
_CHUNK: Final = 1024  # boards, a fraction of a second of work


@dataclass(frozen=True, slots=True)
class Sums:
    """All boards added up. Arrays by flop go over canonical flops and pairs of cards.

    `leads` is by how much a check beats play_2x, summed over the runouts; `plays` how many of them are played on
    the river after a check. `by_class` holds the two gains for each starting hand, summed over hands and boards;
    `categories` how many sets of seven cards make each category, which is all that TRIPS depends on.
    """

    leads: Integers
    plays: Integers
    by_class: Integers
    categories: dict[Category, int]


def analyse(
    paytable: Paytable = STANDARD,
    outcomes: OutcomeTable = OUTCOMES,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Analysis:
    """Returns the exact return with best play, computed on this many threads."""
    payoffs = payoffs_of(paytable, outcomes)
    sums = add_up(payoffs, workers=workers, progress=progress or (lambda _done, _total: None))
    return conclude(sums, payoffs.parts, paytable)


def conclude(sums: Sums, parts: int, paytable: Paytable) -> Analysis:
    """Derives the result from the sums, which are in `parts` of an ANTE."""
    openings = _openings(sums, parts)
    hands = tuple(StartingHand(name, values) for name, values in openings.items())
    return Analysis(hands, _frequencies(sums, openings), trips_rtp(paytable, sums.categories))


def trips_rtp(paytable: Paytable, counts: dict[Category, int]) -> Fraction:
    """Return of one unit on TRIPS, stake included, for these frequencies of hands."""
    paid = ((count, paytable.trips_odds(category)) for category, count in counts.items())
    returned = sum((count * (1 + odds.ratio) for count, odds in paid if odds), Fraction())
    return returned / sum(counts.values())


_all_categories: Final = cache(category_counts)  # the same for every game


def add_up(payoffs: Payoffs, *, workers: int, progress: Progress) -> Sums:
    _refuse_overflow(payoffs)
    pool = ThreadPoolExecutor(workers)
    try:
        categories = pool.submit(_all_categories)
        packed, by_class = _walk(payoffs, pool, workers, progress)
        leads, plays = packed >> PLAYS_BITS, packed & (1 << PLAYS_BITS) - 1
        return Sums(_each_once(leads), _each_once(plays), by_class, categories.result())
    finally:
        pool.shutdown(cancel_futures=True)


def _walk(payoffs: Payoffs, pool: Executor, workers: int, progress: Progress) -> Accumulator:
    sets = list(canonical_sets(5))
    boards = np.array([mask_of(masks) for masks in sets], dtype=np.int64)
    weights = np.array([multiplicity(masks) for masks in sets], dtype=np.int64)
    gains = np.array(payoffs.by_cell, dtype=np.int64).reshape(len(payoffs.by_cell), -1)
    folds = np.array(payoffs.of_fold, dtype=np.int64)
    # Every chunk of boards has its own accumulator, so that no two threads add to the same sum.
    accumulators: SimpleQueue[Accumulator] = SimpleQueue()
    for _ in range(workers):
        cells = np.zeros((len(CANONICAL_FLOPS), len(PAIRS)), dtype=np.int64)
        accumulators.put((cells, np.zeros((len(STARTING_HANDS), 2), dtype=np.int64)))

    def add(start: int) -> int:
        cells, by_class = accumulators.get()
        chunk = slice(start, start + _CHUNK)
        walk_boards(boards[chunk], weights[chunk], gains, folds, cells, by_class)
        accumulators.put((cells, by_class))
        return boards[chunk].size

    done = 0
    for chunk in as_completed([pool.submit(add, start) for start in range(0, boards.size, _CHUNK)]):
        done += chunk.result()
        progress(done, boards.size)
    cells, by_class = (sum(parts) for parts in zip(*(accumulators.get() for _ in range(workers)), strict=True))
    return _symmetrised(cells), by_class


def _symmetrised(cells: Integers) -> Integers:
    """Every flop and hand with all their boards, 24 times over.

    A board was added only as its canonical self, so its worth lies in one of the cells that the permutations of
    suits keeping the flop turn into each other. The sum over these permutations holds every runout 24 times.
    """
    sums = np.zeros_like(cells)
    for permutation, moved in zip(PERMUTATIONS, MOVED_PAIRS, strict=True):
        flops = fixed_flops(permutation)
        sums[flops] += cells[np.ix_(flops, moved)]
    return sums


def _each_once(sums: Integers) -> Integers:
    assert not np.any(sums % 24)
    return sums // 24


def _refuse_overflow(payoffs: Payoffs) -> None:
    """The largest sum is a packed cell with all its boards 24 times over, or the sum of one hand's cells later on."""
    lead = 2 * payoffs.largest * DEALER_HANDS * _RUNOUTS  # the difference of two gains
    if lead * max(24 << PLAYS_BITS, comb(52, 3)) >= 2**63:
        raise ValueError(
            f"the BLIND odds are too large or too finely divided to be analysed: a round can move {payoffs.largest} "
            f"parts of 1/{payoffs.parts} ANTE, and the sums would not fit into 63 bits"
        )


def _openings(sums: Sums, parts: int) -> dict[str, Values]:
    """Value of every option before the flop, for each starting hand."""
    checked = _over_flops(np.maximum(sums.leads, 0))
    values: dict[str, Values] = {}
    for number, name in enumerate(STARTING_HANDS):
        base, play = (_FLOPS_PER_BOARD * int(sums.by_class[number, gain]) for gain in (BASE, PLAY))
        played = {action: base + PLAY_MULTIPLE[action] * play for action in PLAY_MULTIPLE}
        totals = played | {Action.CHECK: played[Action.PLAY_2X] + checked[number]}
        unit = COMBINATIONS[name] * _FLOPS * _RUNOUTS * DEALER_HANDS * parts
        values[name] = {action: Fraction(totals[action], unit) for action in OPENINGS}
    return values


def _frequencies(sums: Sums, openings: dict[str, Values]) -> dict[Action, Fraction]:
    """Frequency of each final decision with best play; of equal values the smaller bet counts."""
    played_2x = _over_flops((sums.leads < 0).astype(np.int64))
    played_1x = _over_flops(np.where(sums.leads < 0, 0, sums.plays))
    counts = dict.fromkeys(DECISIONS, 0)
    for number, (name, values) in enumerate(openings.items()):
        rounds = COMBINATIONS[name] * _FLOPS * _RUNOUTS
        best = best_of(values)
        if best is Action.CHECK:
            on_flop, on_river = played_2x[number] * _RUNOUTS, played_1x[number]
            counts[Action.PLAY_2X] += on_flop
            counts[Action.PLAY_1X] += on_river
            counts[Action.FOLD] += rounds - on_flop - on_river
        else:
            counts[best] += rounds
    return {action: Fraction(count, sum(counts.values())) for action, count in counts.items()}


def _over_flops(cells: Integers) -> list[int]:
    """Sums over all hands and flops of each starting hand; a canonical flop counts for all flops it represents."""
    weights = np.array([multiplicity(masks) for masks in CANONICAL_FLOPS], dtype=np.int64)
    totals = [0] * len(STARTING_HANDS)
    for number, total in zip(PAIR_CLASSES.tolist(), (weights @ cells).tolist(), strict=True):
        totals[number] += total
    return totals
