"""Views of a hand for the command line: options, pots, awards and an uncalled bet."""

from casino.poker.terms import Game, RakeTerms, Terms
from casino.poker.views import award_view, options_view, pots_view, uncalled_view
from tests.poker.table import opened


def test_options_without_a_raise_and_without_a_turn() -> None:
    assert options_view(None) is None
    table = opened([200, 200, 200, 5]).play("3 raise_to 20")
    assert options_view(table.options) == {"fold": True, "check": False, "call": 5, "raise": None}
    first = opened([200] * 3)
    assert options_view(first.options) == {"fold": True, "check": False, "call": 2, "raise": {"min": 4, "max": 200}}


def test_pots_during_a_street_and_as_they_were_paid() -> None:
    table = opened([200, 200, 200]).play("3 raise_to 6", "1 call")
    assert pots_view(table.hand) == [{"amount": 14, "contenders": [1, 2, 3]}]
    assert uncalled_view(table.hand) is None
    terms = Terms(Game.NLHE, 1, 2, rake=RakeTerms(60, 300))
    paid = opened([100, 200, 200], terms=terms).with_cards("2c 3d 4h 8s 9c", {1: "As Ah", 2: "Kc Kd"})
    paid.play("3 fold", "1 raise_to 100", "2 call")
    awards = [award_view(award) for award in paid.hand.awards]
    assert awards == [{"amount": 200, "rake": 12, "contenders": [1, 2], "winners": {"1": 188}}]


def test_an_uncalled_bet_is_seen() -> None:
    table = opened([200] * 3).play("3 raise_to 50", "1 fold", "2 fold")
    assert uncalled_view(table.hand) == {"seat": 3, "amount": 48}
