"""Settlement: every row of the outcome table and of both paytables, and random deals against the oracle."""

import random

import pytest

from casino.cards.card import DECK
from casino.errors import Code, Refusal
from casino.uth.bets import Bets
from casino.uth.paytable import STANDARD
from casino.uth.settlement import Outcome, Result, SeatResult, refund, show_down, verdicts
from tests.deep import count
from tests.uth import oracle
from tests.uth.tabletop import hands

DEALS = count("CASINO_TEST_DEALS", usual=20_000, deep=200_000)


def settle(text: str, bets: Bets) -> SeatResult:
    return verdicts(show_down(*hands(text)), STANDARD, folded=not bets.play).settle(bets)


def returns(result: SeatResult) -> tuple[int, int, int, int]:
    return result.ante.returned, result.blind.returned, result.trips.returned, result.play.returned


# ANTE 10, TRIPS none, PLAY 40: what ANTE, BLIND and PLAY return.
OUTCOME_ROWS = {
    "dealer does not qualify, player wins": ("As Kd | 2c 5d 7h 9s Jc | Qd 3h", Result.WIN, (10, 10, 80)),
    "dealer does not qualify, player loses": ("Qd 3h | 2c 5d 7h 9s Jc | As Kd", Result.LOSE, (10, 0, 0)),
    "dealer does not qualify, tie": ("As 3d | Kc Qd 9h 7s 5c | Ah 3c", Result.TIE, (10, 10, 40)),
    "dealer qualifies, player wins": ("As Ad | 2c 5d 7h 9s Jc | Jd 3h", Result.WIN, (20, 10, 80)),
    "dealer qualifies, player loses": ("Jd 3h | 2c 5d 7h 9s Jc | As Ad", Result.LOSE, (0, 0, 0)),
    "dealer qualifies, tie": ("2s 3d | Kc Kd Qh Js 9c | 2h 3c", Result.TIE, (10, 10, 40)),
}


@pytest.mark.req("RND-10")
@pytest.mark.parametrize("row", OUTCOME_ROWS)
def test_outcome_row(row: str) -> None:
    text, result, (ante, blind, play) = OUTCOME_ROWS[row]
    settled = settle(text, Bets(10, 0, 40))
    assert settled.result is result
    assert returns(settled) == (ante, blind, 0, play)


@pytest.mark.parametrize("row", OUTCOME_ROWS)
def test_fold_loses_ante_and_blind_whatever_the_dealer_has(row: str) -> None:
    settled = settle(OUTCOME_ROWS[row][0], Bets(10, 0, 0))
    assert settled.result is Result.FOLD
    assert returns(settled) == (0, 0, 0, 0)
    assert settled.play.outcome is Outcome.NONE
    assert settled.staked == 20


# A winning hand of each category against a dealer who qualifies; BLIND 10 and TRIPS 10.
PAYTABLE_ROWS = {
    "royal flush": ("As Ks | Qs Js Ts 2d 2c | 3d 4c", 10 + 5000, 10 + 500),
    "straight flush": ("9s 8s | Qs Js Ts 2d 2c | 3d 4c", 10 + 500, 10 + 400),
    "four of a kind": ("9s 9d | 9h 9c Ts 2d 2c | 3d 4c", 10 + 100, 10 + 300),
    "full house": ("9s 9d | 9h 2c 2s Kd Qc | 3d 4c", 10 + 30, 10 + 80),
    "flush": ("As 3s | Ks 9s 5s 2d 2c | 3d 4c", 10 + 15, 10 + 70),
    "straight": ("9s 8d | 7h 6c 5s Kd Kc | 3d 4c", 10 + 10, 10 + 40),
    "three of a kind": ("9s 9d | 9h 2c 5s Kd Qc | 2d 4c", 10, 10 + 30),
    "two pair": ("9s 8d | 9h 8c 2s Kd Qc | 2d 4c", 10, 0),
    "pair": ("9s 8d | 9h 3c 2s Kd Qc | 2d 4c", 10, 0),
}


@pytest.mark.req("RND-10")
@pytest.mark.parametrize("row", PAYTABLE_ROWS)
def test_paytable_row(row: str) -> None:
    text, blind, trips = PAYTABLE_ROWS[row]
    settled = settle(text, Bets(10, 10, 40))
    assert settled.result is Result.WIN
    assert settled.blind.returned == blind
    assert settled.trips.returned == trips


@pytest.mark.parametrize("row", PAYTABLE_ROWS)
def test_trips_pays_the_same_after_a_fold(row: str) -> None:
    text, _, trips = PAYTABLE_ROWS[row]
    assert settle(text, Bets(10, 10, 0)).trips.returned == trips


def test_trips_pays_a_losing_hand() -> None:
    settled = settle("9s 9d | 9h 2c 2s Kd Kc | Kh 4c", Bets(10, 10, 40))
    assert settled.result is Result.LOSE
    assert returns(settled) == (0, 0, 90, 0)


def test_blind_loses_with_a_strong_losing_hand() -> None:
    assert settle("9s 9d | 9h 2c 2s Kd Kc | Kh 4c", Bets(10, 0, 40)).blind.outcome is Outcome.LOSE


def test_blind_pushes_a_win_with_less_than_a_straight() -> None:
    blind = settle(PAYTABLE_ROWS["three of a kind"][0], Bets(10, 0, 40)).blind
    assert blind.outcome is Outcome.PUSH
    assert blind.returned == blind.bet


def test_blind_pushes_a_strong_tie() -> None:
    """Both play the flush on the board: a tie is a tie however good the hand."""
    settled = settle("2d 3d | As Ks 9s 5s 3s | 2h 4h", Bets(10, 0, 40))
    assert settled.result is Result.TIE
    assert returns(settled) == (10, 10, 0, 40)


def test_winning_high_card_is_paid_on_play() -> None:
    settled = settle("As Kd | 2c 5d 7h 9s Jc | Qd 3h", Bets(10, 0, 10))
    assert settled.play == (10, Outcome.WIN, 20)


def test_three_to_two_that_leaves_a_fraction_is_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        settle(PAYTABLE_ROWS["flush"][0], Bets(5, 0, 20))
    assert refusal.value.code is Code.NOT_A_CHIP_MULTIPLE


def test_refund_returns_every_bet_as_it_was() -> None:
    result = refund(Bets(10, 5, 40))
    assert returns(result) == (10, 10, 5, 40)
    assert result.staked == result.returned == 65
    assert result.result is None


@pytest.mark.req("RND-10")
def test_settlement_agrees_with_an_independent_oracle() -> None:
    rng = random.Random(20)
    for _ in range(DEALS):
        cards = tuple(rng.sample(DECK, 9))
        ante, trips = rng.randrange(2, 500, 2), rng.choice((0, rng.randrange(1, 500)))
        bets = Bets(ante, trips, ante * rng.choice((0, 1, 2, 3, 4)))
        shown = show_down(cards[:2], cards[2:7], cards[7:])
        settled = verdicts(shown, STANDARD, folded=not bets.play).settle(bets)
        expected = oracle.returned(cards[:2], cards[2:7], cards[7:], (bets.ante, bets.trips, bets.play))
        assert returns(settled) == (expected["ante"], expected["blind"], expected["trips"], expected["play"]), cards
        assert settled.returned == sum(expected.values())
        assert settled.staked == 2 * bets.ante + bets.trips + bets.play
        assert shown.player.category == oracle.category_of(cards[:7])
