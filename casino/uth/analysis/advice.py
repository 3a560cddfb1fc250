"""Value of each option in one situation, and the best option.

From the flop on, all run-outs of the cards are enumerated. Before it, the values come from the full enumeration.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from casino.cards.card import distinct_cards
from casino.errors import Code, Refusal
from casino.uth.analysis.payoffs import payoffs_of
from casino.uth.analysis.result import Analysis, Values, best_of
from casino.uth.analysis.starting_hands import starting_hand_of
from casino.uth.bets import Action
from casino.uth.paytable import STANDARD, Paytable
from casino.uth.settlement import OUTCOMES, OutcomeTable


@dataclass(frozen=True, slots=True)
class Advice:
    """Value of every option in ANTEs, the smaller bet first: the mean gain over the round, without TRIPS."""

    values: Values

    @property
    def best(self) -> Action:
        return best_of(self.values)


def advise(
    hole: Sequence[str],
    flop: Sequence[str] = (),
    turn_river: Sequence[str] = (),
    *,
    analysis: Callable[[], Analysis],
    paytable: Paytable = STANDARD,
    outcomes: OutcomeTable = OUTCOMES,
) -> Advice:
    """Returns the value of every option. `analysis`, for the same paytable, is called only before the flop."""
    cards = distinct_cards((*hole, *flop, *turn_river))
    if len(hole) != 2 or len(flop) not in (0, 3) or len(turn_river) not in ((0, 2) if flop else (0,)):
        raise Refusal(Code.BAD_REQUEST, "Give two hole cards, then no or three flop cards, then no or two more.")
    if not flop:
        return Advice(analysis().starting_hand(starting_hand_of(cards[0], cards[1])).values)
    # Compiled code loads slowly, and the cases above need none.
    from casino.uth.analysis.runouts import flop_values, river_values  # noqa: PLC0415

    payoffs = payoffs_of(paytable, outcomes)
    return Advice(river_values(cards, payoffs) if turn_river else flop_values(cards, payoffs))
