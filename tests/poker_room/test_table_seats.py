"""Seats between hands: the start rule, positions and blinds owed, time banks, and the stored state."""

import itertools
import random
from dataclasses import replace

import pytest

from casino.poker.clock import CASH
from casino.poker.positions import LastHand
from casino.poker_room.table_seats import TableSeat, TableSeats, new_seat, restored


def no_draw(_: int) -> int:
    raise AssertionError("no button is drawn")


def table_of(*seat_numbers: int, last: LastHand | None = None, **fields: object) -> TableSeats:
    table = TableSeats(6, last=last)
    for seat_no in seat_numbers:
        table = table.sat_down(TableSeat(f"p{seat_no}", seat_no, 1000, 15_000, **fields))  # type: ignore[arg-type]
    return table


ALL_SIX = LastHand(3, frozenset(range(1, 7)))
"""The last hand of the rules' vectors: all six dealt in, button 1, small blind 2, big blind 3."""


def playing(*seat_numbers: int, last: LastHand = ALL_SIX) -> TableSeats:
    return table_of(*seat_numbers, last=last, is_current=True)


class TestStart:
    def test_three_players_start(self) -> None:
        assert not table_of(1).may_start()
        assert not table_of(1, 2).may_start()
        assert table_of(1, 2, 3).may_start()

    def test_two_play_one_more_hand_after_three(self) -> None:
        table = playing(1, 3, last=LastHand(3, frozenset({1, 2, 3})))
        assert table.may_start()
        again = table.deal(no_draw).seats
        assert again.last is not None
        assert again.last.dealt_in == {1, 3}
        assert not again.may_start()

    def test_absent_players_and_empty_stacks_do_not_count(self) -> None:
        table = table_of(1, 2, 3)
        assert not table.changed("p1", sits_out=True).may_start()
        assert not table.changed("p1", stack=0).may_start()

    def test_the_first_button_is_drawn_among_the_present(self) -> None:
        table = table_of(1, 3, 4, 6).changed("p3", sits_out=True)
        bounds = []

        def draw(bound: int) -> int:
            bounds.append(bound)
            return 1

        dealt = table.deal(draw)
        assert bounds == [3]
        assert dealt.next_hand.positions.button == 4
        assert [(entrant.seat_no, entrant.player_id, entrant.stack) for entrant in dealt.entrants] == [
            (1, "p1", 1000),
            (4, "p4", 1000),
            (6, "p6", 1000),
        ]
        assert all(dealt.seats.seats[player].is_current for player in ("p1", "p4", "p6"))
        assert dealt.next_hand.positions.posters == ()


class TestBlinds:
    def test_v6_1_positions_with_the_same_players(self) -> None:
        positions = playing(1, 2, 3, 4, 5, 6).deal(no_draw).next_hand.positions
        assert (positions.button, positions.small_blind, positions.big_blind) == (2, 3, 4)

    def test_v6_6_a_player_who_sits_out_at_the_big_blind_owes_one(self) -> None:
        dealt = playing(1, 2, 3, 4, 5, 6).changed("p4", sits_out=True).deal(no_draw)
        assert dealt.next_hand.positions.big_blind == 5
        assert not dealt.seats.seats["p4"].is_current
        back = dealt.seats.changed("p4", sits_out=False)
        assert 4 not in back.deal(no_draw).next_hand.dealt_in
        posting = back.changed("p4", waits_for_bb=False).deal(no_draw)
        assert posting.next_hand.positions.posters == ()  # between button and big blind: waits one hand
        assert posting.seats.deal(no_draw).next_hand.positions.posters == (4,)

    def test_v6_7_a_player_sits_out_before_the_big_blind(self) -> None:
        table, passed = playing(1, 2, 3, 4, 5, 6).changed("p4", sits_out_at_bb=True).with_sit_outs()
        assert passed == ("p4",)
        dealt = table.deal(no_draw)
        seat = dealt.seats.seats["p4"]
        assert (seat.sits_out, seat.sits_out_at_bb, seat.is_current) == (True, False, False)
        assert dealt.next_hand.positions.big_blind == 5

    def test_sitting_out_before_the_big_blind_waits_for_the_big_blind(self) -> None:
        table = playing(1, 2, 3, 4, 5, 6).changed("p5", sits_out_at_bb=True)
        assert table.with_sit_outs() == (table, ())
        assert 5 in table.deal(no_draw).next_hand.dealt_in
        assert table.deal(no_draw).seats.with_sit_outs()[1] == ("p5",)

    def test_several_players_sitting_out_in_a_row_can_leave_too_few_players(self) -> None:
        table = playing(1, 2, 3, last=LastHand(3, frozenset({1, 2, 3})))
        table = table.changed("p1", sits_out_at_bb=True).changed("p2", sits_out_at_bb=True)
        after, passed = table.with_sit_outs()
        assert passed == ("p1", "p2")
        assert not after.may_start()

    def test_v6_8_a_newcomer_who_posts_is_dealt_in(self) -> None:
        table = playing(1, 2, 3, 4, 6, last=LastHand(3, frozenset({1, 2, 3, 4, 6})))
        table = table.sat_down(new_seat("new", 5, 500, CASH, waits_for_bb=False))
        dealt = table.deal(no_draw)
        assert dealt.next_hand.positions.posters == (5,)
        assert dealt.seats.seats["new"].is_current

    def test_v6_9_a_newcomer_who_waits_gets_the_big_blind_of_the_hand_after(self) -> None:
        table = playing(1, 2, 3, 4, 6, last=LastHand(3, frozenset({1, 2, 3, 4, 6})))
        dealt = table.sat_down(new_seat("new", 5, 500, CASH)).deal(no_draw)
        assert 5 not in dealt.next_hand.dealt_in
        assert not dealt.seats.seats["new"].is_current
        following = dealt.seats.deal(no_draw)
        assert following.next_hand.positions.big_blind == 5
        assert following.seats.seats["new"].is_current

    def test_returning_without_a_missed_blind_costs_nothing(self) -> None:
        dealt = playing(1, 2, 3, 4, 5, 6).changed("p1", sits_out=True).deal(no_draw)
        back = dealt.seats.changed("p1", sits_out=False).deal(no_draw)
        assert 1 in back.next_hand.dealt_in
        assert back.next_hand.positions.posters == ()

    def test_a_void_hand_leaves_the_same_big_blind_due(self) -> None:
        table = playing(1, 2, 3, 4, 5, 6)
        assert table.deal(no_draw).next_hand == table.deal(no_draw).next_hand

    def test_random_arrivals_and_departures_keep_positions_valid(self) -> None:
        chance = random.Random(6)
        table, counter = TableSeats(6), itertools.count()
        for _ in range(3_000):
            free = sorted(set(range(1, 7)) - {seat.seat_no for seat in table.seats.values()})
            if free and chance.random() < 0.5:
                seat = new_seat(f"n{next(counter)}", chance.choice(free), 500, CASH)
                table = table.sat_down(replace(seat, waits_for_bb=chance.random() < 0.5))
            for player in list(table.seats):
                if chance.random() < 0.1:
                    table = table.stood_up(player)
                elif chance.random() < 0.2:
                    table = table.changed(player, sits_out=chance.random() < 0.5)
                elif chance.random() < 0.1:
                    table = table.changed(player, sits_out_at_bb=True)
            table, _ = table.with_sit_outs()
            if table.may_start():
                dealt = table.deal(chance.randrange)
                table, positions = dealt.seats, dealt.next_hand.positions
                assert positions.button != positions.big_blind
                assert len(dealt.entrants) >= 2
                assert {positions.big_blind, *positions.posters} <= {entrant.seat_no for entrant in dealt.entrants}
                assert all(table.seats[entrant.player_id].is_current for entrant in dealt.entrants)


class TestBank:
    def test_v7_5_fourteen_hands_without_using_the_bank(self) -> None:
        table = table_of(1)
        for _ in range(14):
            table = table.played({"p1": 1000}, {"p1": table.seats["p1"].bank_ms}, CASH)
        assert table.seats["p1"].bank_ms == 20_000

    def test_played_hands_change_banks_and_stacks(self) -> None:
        table = table_of(1, 2).played({"p1": 900, "p2": 1095}, {"p1": 4_321, "p2": 15_000}, CASH)
        assert [(seat.stack, seat.bank_ms, seat.hands) for seat in table.seats.values()] == [
            (900, 4_321, 1),
            (1095, 15_000, 1),
        ]


class TestState:
    def test_the_state_comes_back_with_the_chips_of_the_accounts(self) -> None:
        table = playing(1, 2, 4).changed("p2", sits_out=True, bank_ms=77, hands=9, is_current=False)
        occupied = [(seat.player_id, seat.seat_no, seat.stack) for seat in table.seats.values()]
        assert restored(table.dump(), 6, occupied, CASH) == table

    def test_a_player_who_sat_down_after_the_last_hand_owes_a_big_blind(self) -> None:
        state = playing(1, 2, 4).dump()
        table = restored(state, 6, [("p1", 1, 1000), ("new", 5, 700)], CASH)
        assert table.seats["new"] == new_seat("new", 5, 700, CASH)
        assert "p2" not in table.seats

    def test_a_new_table_has_no_last_hand(self) -> None:
        assert restored(TableSeats(5).dump(), 5, (), CASH) == TableSeats(5)

    @pytest.mark.parametrize(
        "state", ["", "nonsense", '{"version": 2}', "{}", "[]", '{"version": 1, "last": {}, "seats": 5}']
    )
    def test_an_unreadable_state_is_refused(self, state: str) -> None:
        with pytest.raises(ValueError, match="cannot be read"):
            restored(state, 6, [("p1", 1, 1000)], CASH)


def test_a_seat_has_one_player_and_a_player_one_seat() -> None:
    table = table_of(1)
    for seat in (TableSeat("p1", 2, 5, 0), TableSeat("p2", 1, 5, 0), TableSeat("p2", 7, 5, 0)):
        with pytest.raises(AssertionError):
            table.sat_down(seat)
