"""Payoff of each showdown, read from the same outcome table and paytable as the settlement.

The settlement itself computes each payoff, with one ANTE as the bet, so that no rule exists twice. Amounts are
integers in parts of an ANTE, small enough that every BLIND payout is whole. This module knows no probabilities.
"""

from dataclasses import dataclass
from itertools import product
from math import lcm
from typing import Final

from casino.money import Odds
from casino.uth.bets import PLAY_MULTIPLE_MAX
from casino.uth.paytable import NO_GAIN, Paytable
from casino.uth.settlement import EVEN, FOLDED, WIN, Outcome, Outcomes, OutcomeTable, Result, Verdict

CELLS: Final = tuple(product((False, True), (Result.WIN, Result.TIE, Result.LOSE)))
"""The six ways a showdown can end, (dealer qualifies, result), in the order in which they are counted."""

Payoff = tuple[int, int]
"""Gain on ANTE and BLIND together, and gain on PLAY per ANTE staked there. A loss is negative."""


@dataclass(frozen=True, slots=True)
class Payoffs:
    """Gains in parts of an ANTE, `parts` to one ANTE, for a player hand of each category."""

    parts: int
    by_cell: tuple[tuple[Payoff, ...], ...]
    of_fold: tuple[int, ...]

    @property
    def largest(self) -> int:
        """Largest gain or loss of one round."""
        showdowns = (payoff for cells in self.by_cell for payoff in cells)
        return max(
            *(abs(base) + PLAY_MULTIPLE_MAX * abs(play) for base, play in showdowns),
            *(abs(fold) for fold in self.of_fold),
        )


def payoffs_of(paytable: Paytable, outcomes: OutcomeTable) -> Payoffs:
    parts = lcm(*(odds.stake for odds in paytable.blind))
    by_cell = tuple(tuple(_payoff(outcomes[cell], odds, parts) for cell in CELLS) for odds in paytable.blind)
    of_fold = tuple(_payoff(FOLDED, odds, parts)[0] for odds in paytable.blind)
    return Payoffs(parts, by_cell, of_fold)


def _payoff(row: Outcomes, blind: Odds, parts: int) -> Payoff:
    return _gain(row.ante, EVEN, parts) + _gain(row.blind, blind, parts), _gain(row.play, EVEN, parts)


def _gain(outcome: Outcome, odds: Odds, bet: int) -> int:
    return Verdict(outcome, odds if outcome is WIN else NO_GAIN).on(bet).returned - bet
