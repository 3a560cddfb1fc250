"""Shift: the presenter on duty, and the tips received during it."""

from casino.live_table import hand_over
from casino.live_table.shift import Shift


def test_tips_are_counted_for_one_shift_and_play_money_apart() -> None:
    shift = Shift(is_open=False).opened("Pia", is_presenter=True)
    shift = shift.tipped(500, is_play_money=False).tipped(300, is_play_money=True).tipped(200, is_play_money=False)
    assert (shift.tips, shift.play_tips) == (700, 300)
    for again in (shift.opened("Pia", is_presenter=True), shift.opened("Max", is_presenter=False), shift.closed()):
        assert (again.presenter, again.tips, again.play_tips) == ("Pia", 700, 300)


def test_next_presenter_and_next_shift_begin_with_nothing() -> None:
    shift = Shift(is_open=False).opened("Pia", is_presenter=True).tipped(500, is_play_money=False)
    handed_over = hand_over.request(shift, "Per", 0).handed_over()
    assert (handed_over.presenter, handed_over.tips) == ("Per", 0)
    ended = shift.closed().at_rest()
    assert (ended.presenter, ended.tips) == (None, 0)
    assert ended.opened("Pia", is_presenter=True).tips == 0
    assert shift.at_rest() == shift


def test_request_for_the_next_round_ends_with_its_presenter() -> None:
    shift = Shift(is_open=False).opened("Pia", is_presenter=True).wanting(is_wanted=True)
    assert shift.opened("Pia", is_presenter=True).wants_round
    assert shift.opened("Max", is_presenter=False).wants_round
    for over in (hand_over.request(shift, "Per", 0).handed_over(), shift.closed(), shift.retired()):
        assert not over.wants_round
