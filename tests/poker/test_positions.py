"""Button, blinds and posters: vectors V6 of the rules and every small table there is."""

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

import pytest

from casino.errors import Code, Refusal
from casino.poker.positions import LastHand, NextHand, Table, next_positions
from tests.deep import DEEP

ALL = frozenset(range(1, 7))


def after_full_ring(**changes: object) -> Table:
    """Six seats; the last hand had all six, button 1, small blind 2, big blind 3."""
    return replace(Table(6, ALL, ALL, LastHand(3, ALL)), **changes)  # type: ignore[arg-type]


def without(*seats: int) -> Table:
    return after_full_ring(present=ALL - set(seats), current=ALL - set(seats))


def newcomer(seat: int, *, posts: bool) -> Table:
    """The seat was empty in the last hand, and a player has sat down there."""
    posting = frozenset({seat} if posts else ())
    return after_full_ring(current=ALL - {seat}, last=LastHand(3, ALL - {seat}), posting=posting)


def heads_up(seat: int, *, posts: bool) -> Table:
    """The last hand was heads-up between 1 on the button and 3; one player joins."""
    two = frozenset({1, 3})
    return Table(6, two | {seat}, two, LastHand(3, two), posting=frozenset({seat} if posts else ()))


def only(*seats: int) -> Table:
    return after_full_ring(present=frozenset(seats), current=frozenset(seats))


def seats_of(hand: NextHand) -> tuple[int, int | None, int]:
    positions = hand.positions
    return positions.button, positions.small_blind, positions.big_blind


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param(without(), (2, 3, 4), id="V6.1"),
        pytest.param(without(2), (1, 3, 4), id="V6.2"),
        pytest.param(without(3), (2, None, 4), id="V6.3"),
        pytest.param(without(2, 3), (1, None, 4), id="V6.4"),
        pytest.param(without(3, 4), (2, None, 5), id="V6.5"),
        pytest.param(without(4), (2, 3, 5), id="V6.6"),
        pytest.param(after_full_ring(sit_out_next_bb=frozenset({4, 6})), (2, 3, 5), id="V6.7"),
        pytest.param(newcomer(5, posts=True), (2, 3, 4), id="V6.8"),
        pytest.param(newcomer(5, posts=False), (2, 3, 4), id="V6.9"),
        pytest.param(newcomer(4, posts=False), (2, 3, 4), id="V6.10"),
        pytest.param(newcomer(2, posts=True), (1, 3, 4), id="V6.11"),
        pytest.param(only(1, 3), (3, 3, 1), id="V6.12"),
        pytest.param(only(1, 2), (2, 2, 1), id="V6.13"),
        pytest.param(heads_up(5, posts=False), (1, 3, 5), id="V6.14 waits"),
        pytest.param(heads_up(5, posts=True), (1, 3, 5), id="V6.14 posts"),
        pytest.param(heads_up(2, posts=True), (3, 3, 1), id="V6.15"),
    ],
)
def test_positions_of_the_published_vectors(table: Table, expected: tuple[int, int | None, int]) -> None:
    assert seats_of(next_positions(table)) == expected


def test_v6_3_the_hand_after_a_missing_small_blind() -> None:
    first = next_positions(without(3))
    table = Table(6, ALL - {3}, ALL - {3}, LastHand(4, frozenset(first.dealt_in)))
    assert seats_of(next_positions(table)) == (2, 4, 5)


def test_v6_6_and_v6_7_the_passed_player_has_missed_the_big_blind() -> None:
    assert next_positions(without(4)).missed_big_blind == (4,)
    asked = next_positions(after_full_ring(sit_out_next_bb=frozenset({4})))
    assert (asked.sat_out, asked.missed_big_blind, asked.dealt_in) == ((4,), (4,), (1, 2, 3, 5, 6))
    both = next_positions(after_full_ring(sit_out_next_bb=frozenset({4, 5})))
    assert (both.sat_out, both.passed, both.positions.big_blind) == ((4, 5), (4, 5), 6)


def test_nobody_sits_out_the_big_blind_of_a_tournament() -> None:
    hand = next_positions(after_full_ring(is_tournament=True, sit_out_next_bb=frozenset({4})))
    assert (hand.sat_out, hand.positions.big_blind, hand.dealt_in) == ((), 4, (1, 2, 3, 4, 5, 6))


def test_v6_8_to_v6_11_who_posts_and_who_waits() -> None:
    posted = next_positions(newcomer(5, posts=True))
    assert (posted.positions.posters, posted.dealt_in) == ((5,), (1, 2, 3, 4, 5, 6))
    assert next_positions(newcomer(5, posts=False)).dealt_in == (1, 2, 3, 4, 6)
    assert next_positions(newcomer(4, posts=True)).positions.posters == ()
    between = next_positions(newcomer(2, posts=True))
    assert (between.positions.posters, between.dealt_in) == ((), (1, 3, 4, 5, 6))


def test_v6_15_the_newcomer_between_waits_and_is_big_blind_next() -> None:
    first = next_positions(heads_up(2, posts=True))
    assert first.dealt_in == (1, 3)
    table = Table(6, frozenset({1, 2, 3}), frozenset({1, 3}), LastHand(1, frozenset({1, 3})))
    assert seats_of(next_positions(table)) == (3, 1, 2)


def test_the_small_blind_that_nobody_pays_is_missed() -> None:
    assert next_positions(without(3, 4)).passed == (3, 4)
    assert next_positions(only(1, 2)).passed == (3, 4, 5, 6)
    assert next_positions(without()).passed == ()


def test_a_newcomer_in_the_seat_of_the_last_big_blind_has_missed_nothing() -> None:
    hand = next_positions(after_full_ring(current=ALL - {3}))
    assert (seats_of(hand), hand.passed, hand.dealt_in) == ((2, None, 4), (), (1, 2, 4, 5, 6))


def test_the_first_hand_draws_its_button() -> None:
    table = Table(6, frozenset({2, 4, 5}), frozenset(), None, drawn=4)
    assert table.needs_draw
    assert seats_of(next_positions(table)) == (4, 5, 2)
    assert next_positions(table).dealt_in == (2, 4, 5)
    assert seats_of(next_positions(replace(table, is_tournament=True))) == (5, 2, 4)
    assert seats_of(next_positions(replace(table, present=frozenset({2, 5}), drawn=5))) == (5, 5, 2)


def test_positions_start_over_with_fewer_than_two_current_players() -> None:
    table = Table(6, frozenset({1, 2, 6}), frozenset({1}), LastHand(3, frozenset({1, 3, 4})), drawn=6)
    assert seats_of(next_positions(table)) == (6, 1, 2)
    assert next_positions(table).dealt_in == (1, 2, 6)


@pytest.mark.parametrize("drawn", [None, 3])
def test_a_drawn_button_must_be_present(drawn: int | None) -> None:
    with pytest.raises(Refusal) as refused:
        next_positions(Table(6, frozenset({2, 4}), frozenset(), None, drawn=drawn))
    assert refused.value.code is Code.BAD_REQUEST


def test_one_player_alone_starts_no_hand() -> None:
    with pytest.raises(Refusal) as refused:
        next_positions(replace(only(1, 2), sit_out_next_bb=frozenset({1})))
    assert refused.value.code is Code.NOT_OFFERED


def test_the_button_goes_to_somebody_who_played_at_a_cash_table_only() -> None:
    """Seat 2 is current, but was not dealt in: it has come back without missing a blind."""
    table = after_full_ring(last=LastHand(3, ALL - {2}))
    assert next_positions(table).positions.button == 1
    assert next_positions(replace(table, is_tournament=True)).positions.button == 2
    nobody_played = after_full_ring(last=LastHand(3, frozenset({3})))
    assert next_positions(nobody_played).positions.button == 2


def subsets(seats: Iterable[int], least: int = 0) -> list[frozenset[int]]:
    seats = tuple(seats)
    return [frozenset(some) for size in range(least, len(seats) + 1) for some in combinations(seats, size)]


def check(table: Table, hand: NextHand) -> None:
    """Invariant 4 of the rules, and that no player is skipped."""
    button, small_blind, big_blind = seats_of(hand)
    dealt_in = set(hand.dealt_in)
    assert {button, big_blind, *hand.positions.posters} <= dealt_in <= table.present
    assert button != big_blind != small_blind
    if len(dealt_in) > 2:
        assert button != small_blind
    else:
        assert small_blind == button
    if table.last is not None and not table.needs_draw:
        assert table.present & table.current <= dealt_in
        first = next(seat for seat in table.clockwise_after(table.last.big_blind) if seat in table.present)
        assert big_blind == first
        assert not set(hand.passed) & table.present
        in_order = [*table.clockwise_after(button)]
        waiting = in_order[: in_order.index(big_blind)]
        assert set(hand.positions.posters) == table.posting - {big_blind} - set(waiting) or len(dealt_in) == 2


def test_seats_clockwise_and_counter_clockwise() -> None:
    table = without()
    assert [*table.clockwise_after(4)] == [5, 6, 1, 2, 3, 4]
    assert [*table.before(2)] == [1, 6, 5, 4, 3]


def test_every_table_of_six_seats() -> None:
    """All players of a last hand, who is present now, who is current, and who posts: 55,000 tables, deep 190,000."""
    counted = 0
    for dealt_in in subsets(ALL, 2):
        for present in subsets(ALL, 2):
            stayed, came = present & dealt_in, present - dealt_in
            for owing in subsets(came):
                current = frozenset(stayed | (came - owing))
                for posting in subsets(owing) if DEEP else {frozenset[int](), owing}:
                    for big_blind in ALL if DEEP else dealt_in:
                        table = Table(
                            6, present, current, LastHand(big_blind, dealt_in), posting=posting, drawn=min(present)
                        )
                        check(table, next_positions(table))
                        counted += 1
    assert counted > 50_000


def test_the_big_blind_of_a_tournament_never_skips_or_repeats() -> None:
    """Random knock-outs and arrivals at tables of nine, 18,000 hands, deep a million.

    Between two big blinds of one player, all others have had theirs.
    """
    chance = random.Random(7)
    for _ in range(17_000 if DEEP else 300):
        present = frozenset(chance.sample(range(1, 10), chance.randint(3, 9)))
        hand = next_positions(Table(9, present, present, None, is_tournament=True))
        for _ in range(60):
            last = LastHand(hand.positions.big_blind, frozenset(hand.dealt_in))
            leaving = frozenset(seat for seat in present if chance.random() < 0.05)
            coming = frozenset(seat for seat in range(1, 10) if chance.random() < 0.03)
            changed = (present - leaving) | coming
            present = changed if len(changed) > 1 else present
            table = Table(9, present, present, last, is_tournament=True)
            hand = next_positions(table)
            check(table, hand)
            assert hand.positions.big_blind != last.big_blind
            assert set(hand.dealt_in) == present
