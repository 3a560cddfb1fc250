"""Uncalled bets, main and side pots, odd chips: vectors V4 of the rules."""

import pytest

from casino.poker.positions import Positions
from casino.poker.pots import Pot, divide, divide_during_street, share_out, uncalled_bet
from casino.poker.state import Seat, Status
from casino.poker.streets import Street
from casino.poker.terms import Game, RakeTerms, Terms
from tests.poker.table import opened


def seats(*totals: int, folded: tuple[int, ...] = (), dead: tuple[int, ...] = ()) -> list[Seat]:
    """Seats 1, 2, 3 … with these totals; `folded` and `dead` name seats, the latter with one dead chip."""
    return [
        Seat(no, f"p{no}", 5000, 0, total=total, dead=int(no in dead), folded=Street.FLOP if no in folded else None)
        for no, total in enumerate(totals, start=1)
    ]


def test_v4_1_main_and_side_pot() -> None:
    assert divide(seats(1000, 1000, 100)) == [Pot(300, (1, 2, 3)), Pot(1800, (1, 2))]


def test_v4_2_odd_chips_go_one_each() -> None:
    assert share_out(17, [1, 3, 4]) == ((1, 6), (3, 6), (4, 5))


def test_v4_3_an_uncalled_bet_goes_back_and_is_not_raked() -> None:
    terms = Terms(Game.NLHE, 50, 100, rake=RakeTerms(60, 300))
    table = opened([1000, 1000, 1000], terms=terms).play("3 fold", "1 call", "2 check", "1 raise_to 500", "2 fold")
    assert table.hand.uncalled == (1, 500)
    assert [award[:3] for award in table.hand.awards] == [(1, 200, 12)]
    assert table.stacks == {1: 1088, 2: 900, 3: 1000}


def test_v4_4_the_difference_goes_back_to_the_bigger_stack() -> None:
    totals = seats(300, 500, 80, folded=(3,))
    assert uncalled_bet(totals) == (1, 200)
    assert divide(seats(300, 300, 80, folded=(3,))) == [Pot(680, (1, 2))]


def test_a_folded_post_that_nobody_has_matched_goes_back() -> None:
    """A post of 2 that was folded against blinds of 1: the pot has no more from the poster than from the others."""
    totals = seats(1, 1, 2, folded=(3,))
    assert uncalled_bet(totals) == (2, 1)
    assert uncalled_bet(seats(1, 1, 2, 2, folded=(3, 4))) is None


def test_folded_money_above_the_highest_level_is_in_the_last_pot() -> None:
    """Two folded posts of 3 against all-ins of 1 and 2."""
    assert divide(seats(1, 2, 3, 3, folded=(3, 4))) == [Pot(4, (1, 2)), Pot(5, (2,))]


def test_a_short_big_blind_wins_one_blind_from_everybody() -> None:
    """The big blind is all-in with 1; the poster folds a free check, and the small blind need not be asked."""
    table = opened([200, 1, 200, 200], positions=Positions(4, 1, 2, (4,)))
    table.with_cards("2c 3d 4h 8s 9c", {1: "Kc Kd", 2: "As Ah"}).play("3 fold", "4 fold")
    assert table.hand.uncalled == (4, 1)
    assert [award.amount for award in table.hand.awards] == [3]
    assert table.stacks == {1: 199, 2: 3, 3: 200, 4: 199}


def test_v4_5_the_big_blind_is_not_asked_against_a_shorter_all_in() -> None:
    table = opened([1, 200, 200, 200]).with_cards("2c 3d 4h 8s 9c", {1: "As Ah", 2: "Kc Kd"}).play("3 fold", "4 fold")
    assert table.hand.status is Status.SETTLED
    assert table.hand.uncalled == (2, 1)
    assert table.stacks == {1: 2, 2: 199, 3: 200, 4: 200}


def test_v4_6_every_pot_is_shared_by_itself() -> None:
    pots = [(5, 5), (4, 4), (9, 3), (30, 2)]
    assert [share_out(amount, [1, 4]) for amount, _ in pots] == [
        ((1, 3), (4, 2)),
        ((1, 2), (4, 2)),
        ((1, 5), (4, 4)),
        ((1, 15), (4, 15)),
    ]


def test_v4_6_played_through_with_all_losers_out() -> None:
    """Totals 1, 2, 5 and twice 20, and the same best hand in seats 1 and 4 for every pot."""
    table = opened({1: 20, 2: 5, 3: 1, 4: 20, 5: 2}, positions=Positions(5, 1, 2)).with_cards(
        "Ah Kh Qd Jd 9c", {1: "Ts 2s", 2: "3c 4c", 3: "3d 4d", 4: "Th 2d", 5: "5c 6c"}
    )
    table.play("3 call", "4 raise_to 20", "5 call", "1 call", "2 call")
    assert [award.amount for award in table.hand.awards] == [5, 4, 9, 30]
    assert [award.winners for award in table.hand.awards] == [
        ((1, 3), (4, 2)),
        ((1, 2), (4, 2)),
        ((1, 5), (4, 4)),
        ((1, 15), (4, 15)),
    ]
    assert table.stacks == {1: 25, 2: 0, 3: 0, 4: 23, 5: 0}


def test_no_bet_is_uncalled_when_two_are_equal() -> None:
    assert uncalled_bet(seats(300, 300, 80)) is None


def test_folded_money_above_the_highest_level_goes_to_the_last_pot() -> None:
    assert divide(seats(1, 1, 2, 2, folded=(3, 4))) == [Pot(6, (1, 2))]


def test_a_side_pot_of_folded_money_has_one_contender() -> None:
    assert divide(seats(80, 50, 80, folded=(3,))) == [Pot(150, (1, 2)), Pot(60, (1,))]


def test_bets_of_a_street_make_no_side_pots() -> None:
    """Blinds of 1 and 2, one player who has not acted, and one who has folded."""
    table = opened([200, 200, 200, 200]).play("3 fold")
    assert divide_during_street(table.hand.seats) == [Pot(3, (1, 2, 4))]


def test_an_all_in_player_ends_a_pot_before_the_street_ends() -> None:
    """V3.1: 12 from each of two callers, 20 and 27 from two players who are all-in."""
    table = opened([200, 200, 20, 27]).play("3 call", "4 call", "1 call", "2 check")
    table.play("1 raise_to 10", "2 call", "3 raise_to 18", "4 raise_to 25")
    assert divide_during_street(table.hand.seats) == [Pot(64, (1, 2, 3, 4)), Pot(7, (1, 2, 4))]


def test_dead_money_belongs_to_the_main_pot() -> None:
    assert divide(seats(10, 5, dead=(1, 2))) == [Pot(12, (1, 2)), Pot(5, (1,))]


@pytest.mark.parametrize(
    ("amount", "winners", "parts"), [(9, [2], (9,)), (2, [5, 1, 3], (1, 1, 0)), (0, [1, 2], (0, 0))]
)
def test_shares_add_up(amount: int, winners: list[int], parts: tuple[int, ...]) -> None:
    assert share_out(amount, winners) == tuple(zip(winners, parts, strict=True))
