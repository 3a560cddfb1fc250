"""Enumerates run-outs of known cards against every dealer hand.

It shares only the payoffs with the full enumeration, so that each checks the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from casino.cards.card import DECK, INDEX, Card
from casino.uth.analysis.kernels import count_showdowns
from casino.uth.analysis.payoffs import Payoffs
from casino.uth.analysis.result import Values
from casino.uth.bets import PLAY_MULTIPLE, Action


@dataclass(frozen=True, slots=True)
class Runout:
    """Value of a complete deal: exact, in parts of an ANTE, summed over all dealer hands."""

    base: int
    play: int
    fold: int
    dealer_hands: int

    def playing(self, action: Action) -> int:
        return self.base + PLAY_MULTIPLE[action] * self.play

    @property
    def best(self) -> int:
        return max(self.fold, self.playing(Action.PLAY_1X))


def river_values(cards: Sequence[Card], payoffs: Payoffs) -> Values:
    [runout] = runouts(cards[:2], [cards[2:]], payoffs)
    unit = runout.dealer_hands * payoffs.parts
    return {
        Action.FOLD: Fraction(runout.fold, unit),
        Action.PLAY_1X: Fraction(runout.playing(Action.PLAY_1X), unit),
    }


def flop_values(cards: Sequence[Card], payoffs: Payoffs) -> Values:
    left = [card for card in DECK if card not in cards]
    boards = [(*cards[2:], *turn_river) for turn_river in combinations(left, 2)]
    ends = list(runouts(cards[:2], boards, payoffs))
    unit = sum(runout.dealer_hands for runout in ends) * payoffs.parts
    return {
        Action.CHECK: Fraction(sum(runout.best for runout in ends), unit),
        Action.PLAY_2X: Fraction(sum(runout.playing(Action.PLAY_2X) for runout in ends), unit),
    }


def runouts(hole: Sequence[Card], boards: Sequence[Sequence[Card]], payoffs: Payoffs) -> Iterator[Runout]:
    """Value of the hole cards on each of these boards."""
    own = _mask(hole)
    for board in boards:
        counts = np.zeros(6, dtype=np.int64)
        category = count_showdowns(own, _mask(board), counts)
        cells = list(zip(counts.tolist(), payoffs.by_cell[category], strict=True))
        yield Runout(
            base=sum(count * base for count, (base, _) in cells),
            play=sum(count * play for count, (_, play) in cells),
            fold=sum(count for count, _ in cells) * payoffs.of_fold[category],
            dealer_hands=sum(count for count, _ in cells),
        )


def _mask(cards: Sequence[Card]) -> int:
    return sum(1 << INDEX[card] for card in cards)
