"""Money: whole minor units, exact odds, and no floats."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino import money
from casino.errors import Code, Refusal
from casino.money import MINOR_MAX, Odds

PACKAGE = Path(money.__file__).parent
MONEY_MODULES = [
    "money.py",
    "uth/bets.py",
    "uth/betting.py",
    "uth/paytable.py",
    "uth/results.py",
    "uth/settlement.py",
]

odds = st.builds(Odds, st.integers(0, 1000), st.integers(1, 1000))


@pytest.mark.parametrize(
    ("written", "bet", "winnings"),
    [
        (Odds(500, 1), 100, 50_000),
        (Odds(3, 2), 100, 150),
        (Odds(3, 2), 2, 3),
        (Odds(1, 1), 1, 1),
        (Odds(0, 1), 100, 0),
        (Odds(500, 1), MINOR_MAX, 500 * MINOR_MAX),
        (Odds(7, 1), 0, 0),
    ],
)
def test_odds_pay_their_gain_for_every_stake(written: Odds, bet: int, winnings: int) -> None:
    assert written.winnings_minor(bet) == winnings


@pytest.mark.parametrize(("written", "bet"), [(Odds(3, 2), 1), (Odds(3, 2), 25), (Odds(1, 3), 100)])
def test_a_payout_that_would_leave_a_fraction_is_refused_not_rounded(written: Odds, bet: int) -> None:
    with pytest.raises(Refusal) as refused:
        written.winnings_minor(bet)
    assert refused.value.code is Code.NOT_A_CHIP_MULTIPLE
    assert str(written) in refused.value.message


@given(odds, st.integers(1, 10**6), st.integers(0, 10**6))
def test_odds_exact_for_a_chip_pay_every_multiple_of_it_exactly(written: Odds, chip: int, count: int) -> None:
    if written.is_exact_for(chip):
        assert written.winnings_minor(chip * count) == written.ratio * chip * count
    else:
        with pytest.raises(Refusal):
            written.winnings_minor(chip)


@pytest.mark.parametrize(("gain", "stake"), [(1, 0), (1, -1), (-1, 1), (0, 0)])
def test_odds_without_a_stake_or_with_a_loss_cannot_be_written(gain: int, stake: int) -> None:
    with pytest.raises(ValueError, match="whole number"):
        Odds(gain, stake)


def test_odds_show_as_they_are_written_and_compare_as_numbers() -> None:
    assert str(Odds(3, 2)) == "3:2"
    assert Odds(3, 2).ratio == Fraction(3, 2) == Odds(6, 4).ratio


def test_the_largest_round_of_the_largest_bets_is_far_below_what_a_64_bit_column_holds() -> None:
    largest_gain = 999_999  # the most the configuration takes
    spots = 2
    assert spots * MINOR_MAX * (largest_gain + 1) + 5 * MINOR_MAX * 2 < 2**63


@pytest.mark.req("LED-1")
@pytest.mark.parametrize("module", MONEY_MODULES)
def test_money_modules_use_no_float_and_no_division(module: str) -> None:
    for node in ast.walk(ast.parse((PACKAGE / module).read_text())):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), ast.unparse(node)
        assert not isinstance(node, ast.Div), "true division"
        assert not (isinstance(node, ast.Name) and node.id in {"float", "round"}), node.id
