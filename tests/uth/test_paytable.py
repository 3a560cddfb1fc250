"""Paytables: validation, and payouts."""

import pytest

from casino.cards.ranking import Category
from casino.money import Odds
from casino.uth.paytable import BLIND_ODDS, STANDARD, TRIPS_ODDS, parse_paytable, paytable


def test_standard_blind_and_trips() -> None:
    assert [str(odds) for odds in STANDARD.blind] == "0:1 0:1 0:1 0:1 1:1 3:2 3:1 10:1 50:1 500:1".split()
    assert STANDARD.trips[:3] == (None, None, None)
    assert [str(odds) for odds in STANDARD.trips[3:]] == "3:1 4:1 7:1 8:1 30:1 40:1 50:1".split()


@pytest.mark.parametrize(("chip", "is_exact"), [(100, True), (2, True), (5, False), (25, False), (50, True)])
def test_three_to_two_must_come_out_exact(chip: int, is_exact: bool) -> None:  # noqa: FBT001
    assert STANDARD.is_exact_for(chip) is is_exact


def test_better_hand_never_pays_less() -> None:
    with pytest.raises(ValueError, match="blind: full_house pays less than flush"):
        paytable(blind={**BLIND_ODDS, Category.FLUSH: Odds(4, 1)})
    with pytest.raises(ValueError, match="trips: flush pays less than straight"):
        paytable(trips={**TRIPS_ODDS, Category.FLUSH: None})


def test_equal_pay_for_neighbours_is_allowed() -> None:
    assert paytable(trips={**TRIPS_ODDS, Category.ROYAL_FLUSH: Odds(40, 1)}).trips[9] == Odds(40, 1)


def test_hand_not_named_pushes_blind_and_loses_trips() -> None:
    sparse = paytable(blind={Category.ROYAL_FLUSH: Odds(100, 1)}, trips={Category.ROYAL_FLUSH: Odds(100, 1)})
    assert sparse.blind_odds(Category.STRAIGHT_FLUSH) == Odds(0, 1)
    assert sparse.trips_odds(Category.STRAIGHT_FLUSH) is None


def test_paytable_is_read_again_from_its_line() -> None:
    odd = paytable(blind={Category.ROYAL_FLUSH: Odds(1001, 3)}, trips={Category.FLUSH: Odds(0, 1), **TRIPS_ODDS})
    assert str(STANDARD).startswith("0:1,0:1,0:1,0:1,1:1,3:2,")
    assert [parse_paytable(str(table)) for table in (STANDARD, odd)] == [STANDARD, odd]
