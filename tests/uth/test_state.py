"""Round state: a value, whose fast copy equals the ordinary one."""

from dataclasses import replace

from casino.uth.phases import Phase
from casino.uth.state import NO_SEATS, Seat
from tests.uth.tabletop import OWN, Tabletop, table_in


def test_round_with_other_seats_is_what_replacing_them_makes() -> None:
    round_ = table_in(Phase.DECIDING_FLOP).round
    seats = NO_SEATS.set("eve", Seat("eve", 500, 0))
    assert round_.with_seats(seats, undone=1, unanswered=1) == replace(round_, seats=seats, undone=1, unanswered=1)


def test_derived_values_follow_replaced_seats() -> None:
    table = Tabletop(OWN)
    table.bet("ann", 500, seat_no=3)
    before = table.round
    table.bet("bob", 500, seat_no=1)
    assert (before.seat_numbers, table.round.seat_numbers) == ((3,), (1, 3))
    assert (before.slots[0], table.round.slots[0]) == ("seat_3_card_1", "seat_1_card_1")
