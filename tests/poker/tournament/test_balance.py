"""Breaking, balancing and the seat rule: vectors V9.1 to V9.5b, then random tournaments of moves alone."""

import random
from collections import Counter

import pytest

from casino.poker.positions import LastHand, Table, next_positions
from casino.poker.tournament.balance import (
    Seating,
    Sizes,
    balancing_move,
    breaking_moves,
    first_seating,
    seat_for,
    shuffled,
    table_to_break,
)
from tests.deep import DEEP

SEATS = 6
first = (0).__mul__
"""A choice that always takes the first."""


def seated(*sizes: int) -> tuple[dict[int, Seating], Sizes]:
    tables = {no: Seating(frozenset(range(1, size + 1)), 1) for no, size in enumerate(sizes, start=1)}
    return tables, Sizes.of(dict(enumerate(sizes, start=1)))


def after_moves(*sizes: int, idle: int) -> list[int]:
    """The sizes after the hand of table `idle` is over."""
    tables, counted = seated(*sizes)
    now = Counter(dict(enumerate(sizes, start=1)))
    broken = table_to_break(counted, SEATS)
    if broken == idle:
        for breaking in breaking_moves(tables.__getitem__, counted, broken, SEATS, first):
            now[breaking.from_table] -= 1
            now[breaking.to_table] += 1
    elif broken is None and (move := balancing_move(tables.__getitem__, counted, {idle}, SEATS, first)):
        now[move.from_table] -= 1
        now[move.to_table] += 1
    return [size for size in now.values() if size]


def test_v9_1_one_moves_then_no_more() -> None:
    assert after_moves(6, 6, 4, idle=1) == [5, 6, 5]
    assert after_moves(5, 6, 5, idle=2) == [5, 6, 5]


def test_v9_2_the_smallest_table_breaks() -> None:
    assert after_moves(5, 4, 3, idle=3) == [6, 6]
    assert after_moves(5, 4, 3, idle=1) == [5, 4, 3], "not before its hand is over"


def test_v9_3_two_tables_stay() -> None:
    assert after_moves(4, 3, idle=1) == [4, 3]


def test_v9_4_final_table() -> None:
    assert table_to_break(seated(3, 3)[1], SEATS) == 2, "ties go to the highest number"
    assert after_moves(3, 3, idle=2) == [6]


def test_v9_5_the_seat_with_the_latest_big_blind() -> None:
    table = Seating(frozenset({1, 2, 4, 6}), 2)
    assert seat_for(table, SEATS, first) == 5
    after = next_positions(
        Table(SEATS, table.occupied | {5}, table.occupied | {5}, LastHand(2, table.occupied), is_tournament=True)
    ).positions
    assert (after.big_blind, after.small_blind, after.button) == (4, 2, 1)


def test_v9_5b_the_seat_with_the_latest_big_blind_gets_the_button() -> None:
    table = Seating(frozenset({2, 4, 5, 6}), 2)
    assert seat_for(table, SEATS, first) == 1
    present = table.occupied | {1}
    after = next_positions(Table(SEATS, present, present, LastHand(2, table.occupied), is_tournament=True))
    assert after.positions.button == 1


def test_before_the_first_hand_all_free_seats_are_alike() -> None:
    chance = random.Random(1)
    found = {seat_for(Seating(frozenset({2, 4})), SEATS, chance.randrange) for _ in range(200)}
    assert found == {1, 3, 5, 6}


def test_only_a_largest_table_between_two_hands_gives() -> None:
    tables, sizes = seated(6, 6, 4)
    assert balancing_move(tables.__getitem__, sizes, {3}, SEATS, first) is None
    tables, sizes = seated(6, 5)
    assert balancing_move(tables.__getitem__, sizes, {1}, SEATS, first) is None


def test_one_table_never_breaks() -> None:
    assert table_to_break(seated(2)[1], SEATS) is None


@pytest.mark.parametrize(("players", "seats"), [(1, 6), (6, 6), (7, 6), (20, 9), (10_000, 6)])
def test_first_seating_fills_tables_evenly(players: int, seats: int) -> None:
    names = [f"p{number}" for number in range(players)]
    tables = first_seating(names, seats, random.Random(1).randrange)
    sizes = [len(table) for table in tables.values()]
    assert len(tables) == -(-players // seats)
    assert max(sizes) - min(sizes) <= 1
    assert sorted(name for table in tables.values() for name in table.values()) == sorted(names)
    assert all(1 <= seat <= seats for table in tables.values() for seat in table)


def test_shuffles_are_even() -> None:
    chance = random.Random(3)
    orders = Counter("".join(shuffled("abc", chance.randrange)) for _ in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_sizes_follow_every_change() -> None:
    sizes = Sizes.of({1: 3})
    sizes = sizes.changed(2, None, 5).changed(1, 3, 2)
    assert (sizes.players, sizes.tables, sizes.smallest, sizes.largest) == (7, 2, 2, 5)
    sizes = sizes.changed(2, 5, None)
    assert (sizes.players, sizes.tables, sizes.largest) == (2, 1, 2)


class Room:
    """Tables of a tournament whose hands take turns in random order; in one of five a random player busts, or two."""

    def __init__(self, players: int, seats: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.seats = seats
        seating = first_seating([str(number) for number in range(players)], seats, self.chance.randrange)
        self.tables = {no: Seating(frozenset(table)) for no, table in seating.items()}
        self.sizes = Sizes.of({no: len(table) for no, table in seating.items()})
        self.moves = self.hands = self.busts = self.worst = 0

    def put(self, no: int, occupied: frozenset[int], last_bb: int | None) -> None:
        self.sizes = self.sizes.changed(no, len(self.tables[no].occupied), len(occupied))
        self.tables[no] = Seating(occupied, last_bb)

    def play_round(self) -> None:
        """One hand at each table, in random order."""
        for no in self.chance.sample([*self.tables], len(self.tables)):
            if no in self.tables and self.sizes.players > 1:
                self.play_hand(no)

    def play_hand(self, no: int) -> None:
        table = self.tables[no]
        if len(table.occupied) < 2:
            self.rearrange(no)
            return
        self.hands += 1
        last = LastHand(table.last_bb, table.occupied) if table.last_bb is not None else None
        dealt = next_positions(Table(self.seats, table.occupied, table.occupied, last, is_tournament=True))
        assert set(dealt.dealt_in) == table.occupied
        bb = dealt.positions.big_blind
        self.check_big_blind(table, bb)
        busts = min(self.chance.choice([0] * 16 + [1, 1, 1, 2]), len(table.occupied) - 1)
        out = set(self.chance.sample(sorted(table.occupied), busts))
        self.busts += busts
        self.put(no, table.occupied - out, bb)
        self.rearrange(no)

    def check_big_blind(self, table: Seating, bb: int) -> None:
        """Of those who were there at the last big blind, the next clockwise has it now, unless a newcomer does."""
        if table.last_bb is None:
            return
        between = {(table.last_bb + step - 1) % self.seats + 1 for step in range(1, self.seats)}
        passed = [seat for seat in between if (seat - table.last_bb) % self.seats < (bb - table.last_bb) % self.seats]
        assert not table.occupied & set(passed), "the big blind skipped a player"
        assert bb != table.last_bb or len(table.occupied) == 1, "the big blind came twice running"

    def rearrange(self, no: int) -> None:
        while True:
            broken = table_to_break(self.sizes, self.seats)
            if broken is not None and (broken == no or len(self.tables[broken].occupied) < 2):
                moves = [
                    *breaking_moves(self.tables.__getitem__, self.sizes, broken, self.seats, self.chance.randrange)
                ]
                for breaking in moves:
                    self.move(*breaking)
                self.sizes = self.sizes.changed(broken, 0, None)
                del self.tables[broken]
                if broken == no:
                    return
            elif broken is None and (
                move := balancing_move(self.tables.__getitem__, self.sizes, {no}, self.seats, self.chance.randrange)
            ):
                self.move(*move)
            else:
                break
        spread = self.sizes.largest - self.sizes.smallest
        is_largest = no in self.sizes.tables_of(self.sizes.largest)
        assert spread < 2 or not is_largest or table_to_break(self.sizes, self.seats), "a largest table gives"
        self.worst = max(self.worst, spread)

    def move(self, from_table: int, from_seat: int, to_table: int, to_seat: int) -> None:
        self.moves += 1
        target = self.tables[to_table]
        assert to_seat not in target.occupied
        self.put(from_table, self.tables[from_table].occupied - {from_seat}, self.tables[from_table].last_bb)
        self.put(to_table, target.occupied | {to_seat}, target.last_bb)


@pytest.mark.parametrize("seats", [6, 9])
@pytest.mark.parametrize("seed", range(4))
def test_sizes_and_big_blinds_of_whole_tournaments(seats: int, seed: int) -> None:
    players = 10_000 if DEEP else 300
    room = Room(players, seats, seed)
    while room.sizes.players > 1:
        room.play_round()
        assert room.sizes.players == players - room.busts
        assert room.sizes.largest <= seats
    assert len(room.tables) == 1
    assert room.worst <= 3, "two busts in one hand unbalance a table until a largest one has finished its hand"
    assert room.moves < 1.2 * players
