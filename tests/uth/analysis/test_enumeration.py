from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest

from casino.cards.ranking import Category
from casino.money import Odds
from casino.uth.analysis import Analysis
from casino.uth.analysis.enumeration import add_up, analyse
from casino.uth.analysis.payoffs import payoffs_of
from casino.uth.bets import Action
from casino.uth.paytable import BLIND_ODDS, STANDARD, TRIPS_ODDS, Paytable, paytable
from casino.uth.settlement import LOSE, OUTCOMES, PUSH, WIN, Outcomes, OutcomeTable, Result

pytestmark = pytest.mark.xdist_group("enumeration")

RANKS_DOWN = "AKQJT98765432"


def percent(value: Fraction) -> str:
    return f"{float(100 * value):.2f}"


def upward(high: str, lowest: str, kind: str) -> set[str]:
    """`K5o` and up: every king with a kicker of at least five."""
    return {high + low + kind for low in RANKS_DOWN[RANKS_DOWN.index(high) + 1 : RANKS_DOWN.index(lowest) + 1]}


def test_return_is_the_published_one(standard: Analysis) -> None:
    assert percent(standard.rtp_initial) == "97.82"
    assert percent(standard.rtp_total) == "99.47"
    assert percent(standard.trips_rtp) == "96.50"


def test_house_edge_is_exact(standard: Analysis) -> None:
    assert standard.house_edge == Fraction(50643648973, 2317817502000)
    assert float(standard.house_edge) == pytest.approx(0.02184971, abs=5e-9)
    assert float(standard.average_bet) == pytest.approx(4.152210, abs=5e-7)
    assert float(standard.element_of_risk) == pytest.approx(0.00526219, abs=5e-9)
    assert standard.rtp_initial + standard.house_edge == 1
    assert standard.rtp_total + standard.element_of_risk == 1


def test_every_round_ends_with_one_decision(standard: Analysis) -> None:
    frequency = standard.decision_frequency
    assert list(frequency) == [Action.PLAY_4X, Action.PLAY_3X, Action.PLAY_2X, Action.PLAY_1X, Action.FOLD]
    assert sum(frequency.values()) == 1
    assert frequency[Action.PLAY_4X] == Fraction(500, 1326)
    assert frequency[Action.PLAY_3X] == 0
    assert float(frequency[Action.PLAY_2X]) == pytest.approx(0.212846, abs=5e-7)
    assert float(frequency[Action.PLAY_1X]) == pytest.approx(0.218221, abs=5e-7)
    assert float(frequency[Action.FOLD]) == pytest.approx(0.191858, abs=5e-7)


def test_hands_to_raise_4x_are_the_well_known_ones(standard: Analysis) -> None:
    pairs = {rank + rank for rank in RANKS_DOWN if rank != "2"}
    suited = upward("A", "2", "s") | upward("K", "2", "s") | upward("Q", "6", "s") | upward("J", "8", "s")
    offsuit = upward("A", "2", "o") | upward("K", "5", "o") | upward("Q", "8", "o") | {"JTo"}
    assert set(standard.raise_4x) == pairs | suited | offsuit
    assert len(standard.raise_4x) == len(set(standard.raise_4x))
    assert standard.raise_4x[:2] == ("AA", "KK")
    assert standard.raise_4x[-1] == "JTo"


def test_starting_hands_share_all_rounds(standard: Analysis) -> None:
    assert len(standard.starting_hands) == 169
    assert sum(hand.share for hand in standard.starting_hands) == 1


def test_value_of_a_3x_raise_is_between_those_of_4x_and_check(standard: Analysis) -> None:
    aces, deuce_three = standard.starting_hand("AA"), standard.starting_hand("32o")
    assert aces.values[Action.PLAY_4X] > aces.values[Action.PLAY_3X] > aces.values[Action.CHECK]
    assert deuce_three.values[Action.PLAY_4X] < deuce_three.values[Action.PLAY_3X] < deuce_three.values[Action.CHECK]


def test_one_hand_is_worth_what_its_19600_flops_are_one_by_one(standard: Analysis) -> None:
    """The value of the check was found by advice on every flop, which takes minutes, and is only compared here."""
    king_four = standard.starting_hand("K4o").values
    assert king_four[Action.CHECK] == Fraction(-2160649801, 10487862000)
    play_2x = (
        2 * king_four[Action.PLAY_3X] - king_four[Action.PLAY_4X]
    )  # what PLAY gains is the same for each ANTE on it
    assert play_2x == Fraction(-21435893, 66589600)


TIE_WITHOUT_QUALIFYING = {
    "all is lost": Outcomes(LOSE, LOSE, LOSE),
    "as if the player had won": OUTCOMES[False, Result.WIN],
    "the blind is lost": Outcomes(PUSH, LOSE, PUSH),
    "ante and play win": Outcomes(WIN, PUSH, WIN),
}


@pytest.mark.deep
@pytest.mark.parametrize("row", TIE_WITHOUT_QUALIFYING.values(), ids=TIE_WITHOUT_QUALIFYING)
def test_no_other_reading_of_a_tie_without_qualifying_gives_the_published_return(
    row: Outcomes, analysed: Callable[[Paytable, OutcomeTable], Analysis]
) -> None:
    other = analysed(STANDARD, OUTCOMES | {(False, Result.TIE): row})
    assert (percent(other.rtp_initial), percent(other.rtp_total)) != ("97.82", "99.47")


@pytest.mark.deep
def test_without_the_qualifying_rule_the_player_has_the_edge(
    analysed: Callable[[Paytable, OutcomeTable], Analysis],
) -> None:
    ignoring = {(qualifies, result): OUTCOMES[True, result] for qualifies, result in OUTCOMES}
    assert analysed(STANDARD, ignoring).house_edge < 0


def test_another_paytable_has_another_return(
    standard: Analysis, analysed: Callable[[Paytable, OutcomeTable], Analysis]
) -> None:
    generous = paytable({**BLIND_ODDS, Category.FLUSH: Odds(5, 3)}, {**TRIPS_ODDS, Category.THREE_OF_A_KIND: None})
    other = analysed(generous, OUTCOMES)
    assert other.house_edge < standard.house_edge
    assert other.trips_rtp < standard.trips_rtp


@pytest.mark.usefixtures("standard_sums")
def test_progress_reaches_all_boards(reports: list[tuple[int, int]]) -> None:
    assert reports == sorted(reports)
    assert len(reports) > 100
    assert reports[-1] == (134_459, 134_459)


def test_an_enumeration_can_be_stopped() -> None:
    class Stopped(Exception):
        pass

    calls = []

    def progress(done: int, total: int) -> None:
        calls.append((done, total))
        raise Stopped

    with pytest.raises(Stopped):
        add_up(payoffs_of(STANDARD, OUTCOMES), workers=2, progress=progress)
    assert len(calls) == 1


@pytest.mark.parametrize("odds", [Odds(10**7, 1), Odds(500 * 10_007 + 1, 10_007)], ids=str)
def test_odds_that_could_overflow_are_refused(odds: Odds) -> None:
    with pytest.raises(ValueError, match="too large or too finely divided"):
        analyse(paytable({**BLIND_ODDS, Category.ROYAL_FLUSH: odds}))


def test_largest_standard_gain_leaves_room() -> None:
    payoffs = payoffs_of(STANDARD, OUTCOMES)
    assert payoffs.parts == 2
    assert payoffs.largest == 2 * (500 + 1 + 4)
    assert 2 * payoffs.largest * 990 * comb(47, 2) * 24 * 2**15 < 2**63 / 1000
