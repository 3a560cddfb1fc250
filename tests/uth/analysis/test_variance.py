"""Variance of a round's result, compared with the exact return, the settlement, and published values."""

from fractions import Fraction
from itertools import combinations
from typing import Any, cast

import numpy as np
import pytest

from casino.cards.card import DECK, Card, parse_cards
from casino.uth.analysis import Analysis, decision_kernels, enumeration
from casino.uth.analysis.decision_kernels import COUNT, GAIN, MIXED, SQUARE
from casino.uth.analysis.enumeration import Sums
from casino.uth.analysis.payoffs import payoffs_of
from casino.uth.analysis.starting_hands import STARTING_HANDS
from casino.uth.analysis.symmetry import Integers
from casino.uth.analysis.variance import (
    DECISIONS,
    Dispersion,
    RoundVariance,
    _tables,
    compute_variance,
    conclude_variance,
    from_json,
)
from casino.uth.bets import PLAY_MULTIPLE, Action, Bets
from casino.uth.paytable import STANDARD
from casino.uth.settlement import OUTCOMES, show_down, verdicts

pytestmark = pytest.mark.xdist_group("enumeration")  # shares the enumeration with the other files of the group
PAYOFFS = payoffs_of(STANDARD, OUTCOMES)
BOARD = parse_cards("2c 7d 9h Jc Ks")


@pytest.fixture(scope="session")
def variance(standard_sums: Sums) -> RoundVariance:
    """Whoever has looked at all deals once need not do it again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(enumeration, "add_up", lambda *_arguments, **_options: standard_sums)
        return compute_variance(STANDARD, workers=2)


def test_decisions_are_as_frequent_as_in_the_exact_return(variance: RoundVariance, standard: Analysis) -> None:
    shares = {action: variance.share[action] for action in variance.share}
    assert shares == {action: standard.decision_frequency[action] for action in shares}
    assert sum(shares.values()) == 1


def test_standard_deviation_is_the_published_one(variance: RoundVariance) -> None:
    assert f"{float(variance.variance) ** 0.5:.2f}" == "4.94"


def test_trips_variance_follows_from_how_often_each_hand_is_paid(variance: RoundVariance, standard_sums: Sums) -> None:
    counts = standard_sums.categories
    total = sum(counts.values())
    gains = {category: odds.ratio if (odds := STANDARD.trips_odds(category)) else Fraction(-1) for category in counts}
    mean = sum((Fraction(count, total) * gains[category] for category, count in counts.items()), Fraction())
    square = sum((Fraction(count, total) * gains[category] ** 2 for category, count in counts.items()), Fraction())
    assert variance.trips == square - mean**2


def test_record_is_read_again(variance: RoundVariance) -> None:
    assert from_json(variance.to_json()) == variance
    broken: Any
    for broken in ({}, {"by_decision": {"play_4x": ["1"]}}, {"by_decision": 5}, {"by_decision": {}, "share": {}}):
        with pytest.raises(ValueError, match="record of a variance"):
            from_json(broken)


def walked(raised: list[str], *, played: int, how: Any = lambda kernel: kernel) -> Integers:  # noqa: ANN401
    """One board, with these starting hands raised and all flops played or none."""
    tables, _ = _tables(PAYOFFS, STANDARD)
    sums = np.zeros((len(DECISIONS), 4), dtype=np.int64)
    board = sum(1 << DECK.index(card) for card in BOARD)
    is_raised = np.array([name in raised for name in STARTING_HANDS], dtype=np.int64)
    flags = np.full((1755, 1326), played, dtype=np.int64)
    how(decision_kernels.walk_decisions)(
        np.array([board], dtype=np.int64),
        np.array([1], dtype=np.int64),
        np.array(tables, dtype=np.int64),
        np.array(PAYOFFS.of_fold, dtype=np.int64),
        is_raised,
        flags,
        sums,
    )
    return sums


def settled(hole: tuple[Card, Card], action: Action) -> tuple[int, int, int, int]:
    """Deals, gains, squares and products with TRIPS over all dealer hands, as the service settles them."""
    count = gain = square = mixed = 0
    bets = Bets(ante=PAYOFFS.parts, play=PLAY_MULTIPLE[action] * PAYOFFS.parts)
    for dealer in combinations([card for card in DECK if card not in (*hole, *BOARD)], 2):
        verdict = verdicts(show_down(hole, BOARD, dealer), STANDARD, folded=action is Action.FOLD)
        seat, trips = verdict.settle(bets), verdict.trips.on(1).returned - 1
        won = seat.returned - seat.staked
        count, gain, square, mixed = count + 1, gain + won, square + won * won, mixed + won * trips
    return count, gain, square, mixed


def test_walk_adds_up_what_the_settlement_pays() -> None:
    """Pocket aces alone are raised: all other hands are played on every flop."""
    hands = list(combinations([card for card in DECK if card not in BOARD], 2))
    aces = [hand for hand in hands if hand[0][0] == hand[1][0] == "A"]
    sums = walked(["AA"], played=1)
    for row, action in ((0, Action.PLAY_4X), (4, Action.PLAY_3X)):
        right = [sum(column) for column in zip(*(settled(hand, action) for hand in aces), strict=True)]
        assert sums[row].tolist() == [10 * number for number in right]
    assert sums[2:4].tolist() == [[0] * 4] * 2
    assert sums[1, COUNT] == 10 * 990 * (len(hands) - len(aces))


def test_hands_left_to_the_river_are_played_or_folded() -> None:
    sums = walked([], played=0)
    assert sums[[0, 1, 4]].tolist() == [[0] * 4] * 3
    assert sums[2, COUNT] + sums[3, COUNT] == 10 * 990 * 1081
    assert sums[3, GAIN] == -2 * PAYOFFS.parts * sums[3, COUNT], "who folds loses ANTE and BLIND"
    assert sums[3, SQUARE] == 4 * PAYOFFS.parts**2 * sums[3, COUNT]
    assert sums[3, MIXED] == 2 * PAYOFFS.parts * sums[3, COUNT], "and TRIPS, with so weak a hand"


@pytest.mark.parametrize("name", ["count_flops", "add_decision"])
@pytest.mark.parametrize("played", [0, 1])
def test_kernel_interpreted_is_the_kernel_compiled(name: str, played: int, monkeypatch: pytest.MonkeyPatch) -> None:
    right = walked(["AA", "72o"], played=played)
    monkeypatch.setattr(decision_kernels, name, cast("Any", getattr(decision_kernels, name)).py_func)
    found = walked(["AA", "72o"], played=played, how=lambda kernel: kernel.py_func)
    assert (found == right).all()


def test_variance_of_unused_decisions_is_the_square_of_the_mean() -> None:
    total = [[4, 4, 12, 4], [0, 0, 0, 0], [0, 0, 0, 0], [4, -8, 16, 8], [4, 4, 12, 4]]
    found = conclude_variance(total, 1, 1, (Fraction(0), Fraction(1)))
    mean = Fraction(-4, 8)
    assert found.by_decision[Action.PLAY_2X] == Dispersion(mean**2, Fraction(0))
    assert found.by_decision[Action.FOLD] == Dispersion((-2 - mean) ** 2, Fraction(2))
    assert found.share[Action.PLAY_4X] == Fraction(1, 2)
