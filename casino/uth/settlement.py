"""Settlement: the outcome table of the rules as data, and one function that applies it.

A showdown is ranked once; every seat of the same hand is then four multiplications.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from casino.cards.card import Card
from casino.cards.ranking import PAIR, Hand, best_hand
from casino.money import Odds
from casino.uth.bets import Bets
from casino.uth.paytable import NO_GAIN, Paytable


class Result(StrEnum):
    """How the player's hand did against the dealer's."""

    WIN = "win"
    LOSE = "lose"
    TIE = "tie"
    FOLD = "fold"


class Outcome(StrEnum):
    """Result of the bet on one spot."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    NONE = "none"


class Outcomes(NamedTuple):
    """One row of the outcome table. A winning ANTE or PLAY is paid 1:1, a winning BLIND by its paytable."""

    ante: Outcome
    blind: Outcome
    play: Outcome


WIN, PUSH, LOSE = Outcome.WIN, Outcome.PUSH, Outcome.LOSE

OutcomeTable = dict[tuple[bool, Result], Outcomes]

OUTCOMES: Final[OutcomeTable] = {
    # (dealer qualifies, result): ANTE, BLIND, PLAY
    (False, Result.WIN): Outcomes(PUSH, WIN, WIN),
    (False, Result.LOSE): Outcomes(PUSH, LOSE, LOSE),
    (False, Result.TIE): Outcomes(PUSH, PUSH, PUSH),
    (True, Result.WIN): Outcomes(WIN, WIN, WIN),
    (True, Result.LOSE): Outcomes(LOSE, LOSE, LOSE),
    (True, Result.TIE): Outcomes(PUSH, PUSH, PUSH),
}
FOLDED: Final = Outcomes(LOSE, LOSE, Outcome.NONE)

EVEN: Final = Odds(1, 1)


def qualifies(dealer: Hand) -> bool:
    """Whether the dealer has a pair or better."""
    return dealer.strength >= PAIR


@dataclass(frozen=True, slots=True)
class Showdown:
    """A player hand against the dealer's, with all cards out."""

    player: Hand
    dealer: Hand

    @property
    def dealer_qualifies(self) -> bool:
        return qualifies(self.dealer)

    @property
    def result(self) -> Result:
        if self.player.strength == self.dealer.strength:
            return Result.TIE
        return Result.WIN if self.player > self.dealer else Result.LOSE


def show_down(player_cards: Sequence[Card], board: Sequence[Card], dealer_cards: Sequence[Card]) -> Showdown:
    return Showdown(best_hand((*player_cards, *board)), best_hand((*dealer_cards, *board)))


class SpotResult(NamedTuple):
    """A bet, what became of it, and what comes back to the player, the stake included."""

    bet: int
    outcome: Outcome
    returned: int


class SeatResult(NamedTuple):
    """All four spots of one player. `result` is None in a cancelled round."""

    result: Result | None
    ante: SpotResult
    blind: SpotResult
    trips: SpotResult
    play: SpotResult
    staked: int
    returned: int


NO_BET: Final = SpotResult(0, Outcome.NONE, 0)


class Verdict(NamedTuple):
    """Outcome of a hand for any bet on one spot."""

    outcome: Outcome
    odds: Odds = NO_GAIN

    def on(self, bet: int) -> SpotResult:
        outcome = self.outcome
        if not bet:
            return NO_BET
        if outcome is WIN:
            return SpotResult(bet, outcome, bet + self.odds.winnings_minor(bet))
        return SpotResult(bet, outcome, bet if outcome is PUSH else 0)


def _verdict(outcome: Outcome, odds: Odds) -> Verdict:
    """A win that gains nothing, such as a BLIND with less than a straight, is a push."""
    if outcome is WIN and odds.gain:
        return Verdict(WIN, odds)
    return Verdict(PUSH if outcome is WIN else outcome)


@dataclass(frozen=True, slots=True)
class HandVerdicts:
    """Outcome of one showdown for all spots of all seats that played its hand, computed once."""

    result: Result
    ante: Verdict
    blind: Verdict
    trips: Verdict
    play: Verdict

    def settle(self, bets: Bets) -> SeatResult:
        ante, blind = self.ante.on(bets.ante), self.blind.on(bets.blind)
        trips, play = self.trips.on(bets.trips), self.play.on(bets.play)
        returned = ante.returned + blind.returned + trips.returned + play.returned
        return SeatResult(self.result, ante, blind, trips, play, bets.total, returned)


def verdicts(showdown: Showdown, paytable: Paytable, *, folded: bool) -> HandVerdicts:
    """TRIPS depends on the player's hand alone, also after a FOLD."""
    result = Result.FOLD if folded else showdown.result
    row = FOLDED if folded else OUTCOMES[showdown.dealer_qualifies, result]
    category = showdown.player.category
    trips_odds = paytable.trips_odds(category)
    return HandVerdicts(
        result,
        ante=_verdict(row.ante, EVEN),
        blind=_verdict(row.blind, paytable.blind_odds(category)),
        trips=_verdict(WIN, trips_odds) if trips_odds else Verdict(LOSE),
        play=_verdict(row.play, EVEN),
    )


def refund(bets: Bets) -> SeatResult:
    """Returns every bet of a cancelled round."""
    ante, blind, trips, play = (Verdict(PUSH).on(bet) for bet in (bets.ante, bets.blind, bets.trips, bets.play))
    return SeatResult(None, ante, blind, trips, play, bets.total, bets.total)
