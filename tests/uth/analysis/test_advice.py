from fractions import Fraction
from itertools import combinations

import pytest

from casino.cards.card import DECK, Card, parse_cards
from casino.errors import Code, Refusal
from casino.uth.analysis import Advice, Analysis, advise
from casino.uth.analysis.enumeration import Sums
from casino.uth.analysis.payoffs import payoffs_of
from casino.uth.analysis.result import best_of
from casino.uth.analysis.runouts import runouts
from casino.uth.analysis.symmetry import FLOP_HOMES, MOVED_PAIRS, PAIRS, TRIPLES
from casino.uth.bets import Action, Bets
from casino.uth.paytable import STANDARD
from casino.uth.settlement import LOSE, OUTCOMES, Outcomes, Result, show_down, verdicts

pytestmark = pytest.mark.xdist_group("enumeration")


def not_needed() -> Analysis:
    raise AssertionError("only a question before the flop needs the whole enumeration")


def advice(text: str) -> Advice:
    """The advice for cards written as `hole | flop | turn and river`."""
    hole, flop, turn_river = (*(parse_cards(part) for part in text.split("|")), (), ())[:3]
    return advise(hole, flop, turn_river, analysis=not_needed)


def test_before_the_flop_the_enumeration_answers(standard: Analysis) -> None:
    found = advise(parse_cards("5h Kd"), analysis=lambda: standard)
    assert found.values == standard.starting_hand("K5o").values
    assert list(found.values) == [Action.CHECK, Action.PLAY_3X, Action.PLAY_4X]
    assert found.best is Action.PLAY_4X
    assert advise(parse_cards("4h Kd"), analysis=lambda: standard).best is Action.CHECK


FLOPS = [
    "As Kd | 7h 7c 2s",
    "2c 2d | Kh Qh Jh",
    "9h 8h | Th Jh 2c",
    "Ac 5c | 8c 8d 8h",
    "7d 2c | Ks Qh 9d",
    "Js Td | 2c 3c 4c",
    "6s 6h | Ac Kd Qc",
    "Qh 3d | Qs 3h 9c",
]


@pytest.mark.parametrize("text", FLOPS)
def test_flop_values_equal_the_cells_of_the_full_enumeration(text: str, standard_sums: Sums) -> None:
    hole, flop = (parse_cards(part) for part in text.split("|"))
    triple = tuple(sorted(DECK.index(card) for card in flop))
    pair = tuple(sorted(DECK.index(card) for card in hole))
    home, permutation = FLOP_HOMES[TRIPLES.index((triple[0], triple[1], triple[2]))].tolist()
    cell = home, MOVED_PAIRS[permutation, PAIRS.index((pair[0], pair[1]))]

    values = advice(text).values
    assert list(values) == [Action.CHECK, Action.PLAY_2X]
    lead = Fraction(int(standard_sums.leads[cell]), 1081 * 990 * 2)
    assert values[Action.CHECK] - values[Action.PLAY_2X] == lead

    left = [card for card in DECK if card not in (*hole, *flop)]
    boards = [(*flop, *turn_river) for turn_river in combinations(left, 2)]
    played = sum(runout.best > runout.fold for runout in runouts(hole, boards, payoffs_of(STANDARD, OUTCOMES)))
    assert standard_sums.plays[cell] == played


RIVERS = [
    "As Kd | 7h 7c 2s | Jd 3c",
    "2c 3d | Ah Kh Qs | Jd 9c",
    "9s 4d | 9h Kc 2s | 3d Jc",
    "Ah 2d | Ts Js Qs | Ks As",
]


@pytest.mark.parametrize("text", RIVERS)
def test_river_values_are_the_mean_of_all_settlements(text: str) -> None:
    hole, flop, turn_river = (parse_cards(part) for part in text.split("|"))
    board = (*flop, *turn_river)
    gain = count = 0
    for dealer in combinations([card for card in DECK if card not in (*hole, *board)], 2):
        seat = verdicts(show_down(hole, board, dealer), STANDARD, folded=False).settle(Bets(ante=2, play=2))
        gain, count = gain + seat.returned - seat.staked, count + 1
    assert advice(text).values == {Action.FOLD: Fraction(-2), Action.PLAY_1X: Fraction(gain, 2 * count)}


def test_a_pair_with_a_hole_card_is_played_and_nothing_at_all_is_folded() -> None:
    assert advice("As 9d | Ah 7c 2s").best is Action.PLAY_2X
    assert advice("3s 2d | Ah Kc Qs").best is Action.CHECK
    assert advice("3s 2d | Ah Kc Qs | Jh 9d").best is Action.FOLD
    assert advice("As Kd | 7h 7c 2s | Jd 3c").best is Action.PLAY_1X


def test_advice_follows_another_outcome_table() -> None:
    royal_on_board = [parse_cards(part) for part in ("2c 3c", "Ts Js Qs", "Ks As")]
    all_lost = OUTCOMES | {(True, Result.TIE): Outcomes(LOSE, LOSE, LOSE)}
    tied = advise(*royal_on_board, analysis=not_needed)
    assert tied.values[Action.PLAY_1X] == 0
    assert advise(*royal_on_board, analysis=not_needed, outcomes=all_lost).values[Action.PLAY_1X] == -3


def test_of_equal_options_the_smaller_bet_is_best() -> None:
    zero = Fraction()
    assert best_of({Action.PLAY_4X: zero, Action.PLAY_3X: zero, Action.CHECK: zero}) is Action.CHECK
    assert best_of({Action.PLAY_4X: zero, Action.PLAY_3X: zero, Action.CHECK: Fraction(-1)}) is Action.PLAY_3X
    assert best_of({Action.PLAY_1X: Fraction(-2), Action.FOLD: Fraction(-2)}) is Action.FOLD


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        (("As", "", ""), Code.BAD_REQUEST),
        (("As Kd Qc", "", ""), Code.BAD_REQUEST),
        (("As Kd", "2c 3c", ""), Code.BAD_REQUEST),
        (("As Kd", "2c 3c 4c", "5c"), Code.BAD_REQUEST),
        (("As Kd", "", "5c 6c"), Code.BAD_REQUEST),
        (("As As", "", ""), Code.DUPLICATE_CARD),
        (("As Kd", "2c 3c As", ""), Code.DUPLICATE_CARD),
        (("As 1d", "", ""), Code.BAD_CARD),
    ],
)
def test_cards_that_are_no_situation_are_refused(cards: tuple[str, str, str], code: Code) -> None:
    hole, flop, turn_river = ([Card(card) for card in part.split()] for part in cards)
    with pytest.raises(Refusal) as refused:
        advise(hole, flop, turn_river, analysis=not_needed)
    assert refused.value.code is code
