"""Result of the full enumeration in exact fractions; all other figures of the return follow from it.

Values are gains in ANTEs, without TRIPS.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from casino.uth.analysis.starting_hands import COMBINATIONS
from casino.uth.bets import PLAY_MULTIPLE, Action

Values = Mapping[Action, Fraction]
"""The value of every option, the smaller bet first."""


def best_of(values: Values) -> Action:
    """Option with the highest value; of equal ones the smaller bet."""
    return max(values, key=lambda option: (values[option], -PLAY_MULTIPLE[option]))


@dataclass(frozen=True, slots=True)
class StartingHand:
    """The value of each decision before the flop, with best play from there on."""

    name: str
    values: Values

    @property
    def best(self) -> Action:
        return best_of(self.values)

    @property
    def share(self) -> Fraction:
        """Share of all rounds that begin with this hand."""
        return Fraction(COMBINATIONS[self.name], sum(COMBINATIONS.values()))


@dataclass(frozen=True, slots=True)
class Analysis:
    """Exact return with best play. `decision_frequency` is the share of rounds that each decision ends."""

    starting_hands: tuple[StartingHand, ...]
    decision_frequency: Mapping[Action, Fraction]
    trips_rtp: Fraction

    @property
    def house_edge(self) -> Fraction:
        """Expected loss of the player per ANTE; negative if the game favours the player."""
        return -_total(hand.share * hand.values[hand.best] for hand in self.starting_hands)

    @property
    def average_bet(self) -> Fraction:
        """Mean of ANTE, BLIND and PLAY per round, in ANTEs."""
        return 2 + _total(PLAY_MULTIPLE[action] * part for action, part in self.decision_frequency.items())

    @property
    def element_of_risk(self) -> Fraction:
        return self.house_edge / self.average_bet

    @property
    def rtp_initial(self) -> Fraction:
        return 1 - self.house_edge

    @property
    def rtp_total(self) -> Fraction:
        return 1 - self.element_of_risk

    @property
    def raise_4x(self) -> tuple[str, ...]:
        """Starting hands to play 4x."""
        return tuple(hand.name for hand in self.starting_hands if hand.best is Action.PLAY_4X)

    def starting_hand(self, name: str) -> StartingHand:
        return next(hand for hand in self.starting_hands if hand.name == name)


def _total(parts: Iterable[Fraction]) -> Fraction:
    return sum(parts, Fraction())
