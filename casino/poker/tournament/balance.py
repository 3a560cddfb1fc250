"""Seating of a tournament: the first seats, table balancing, breaking tables, and the seat a moved player takes.

`Pick` makes every random choice: it gets a number n and answers with an index below n.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple, TypeVar

T = TypeVar("T")
Pick = Callable[[int], int]


class Move(NamedTuple):
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int


class Seating(NamedTuple):
    """The occupied seats of a table, and the seat of its last big blind, if it has played a hand."""

    occupied: frozenset[int]
    last_bb: int | None = None


SeatingOf = Callable[[int], Seating]


class Sizes:
    """Table numbers by size, so that the largest and smallest tables are found at once. Never changed."""

    __slots__ = ("_by_size", "players", "tables")

    def __init__(self, by_size: tuple[frozenset[int], ...]) -> None:
        self._by_size = by_size
        self.tables = sum(map(len, by_size))
        self.players = sum(size * len(tables) for size, tables in enumerate(by_size))

    @classmethod
    def of(cls, sizes: Mapping[int, int]) -> "Sizes":
        most = max(sizes.values(), default=0)
        return cls(tuple(frozenset(no for no, size in sizes.items() if size == of) for of in range(most + 1)))

    def changed(self, table_no: int, before: int | None, after: int | None) -> "Sizes":
        """With one table grown, shrunk, opened (`before` is None) or closed (`after` is None)."""
        by_size = list(self._by_size)
        if before is not None:
            by_size[before] -= {table_no}
        if after is not None:
            by_size += [frozenset()] * (after + 1 - len(by_size))
            by_size[after] |= {table_no}
        return Sizes(tuple(by_size))

    @property
    def smallest(self) -> int:
        return next(size for size, tables in enumerate(self._by_size) if tables)

    @property
    def largest(self) -> int:
        return next(size for size in reversed(range(len(self._by_size))) if self._by_size[size])

    def tables_of(self, size: int) -> frozenset[int]:
        return self._by_size[size]


def drawn(choices: Collection[T], pick: Pick) -> T:
    return list(choices)[pick(len(choices))]


def shuffled(items: Iterable[T], pick: Pick) -> list[T]:
    """Fisher-Yates with the given choices."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        chosen = pick(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def first_seating(players: Sequence[str], seats: int, pick: Pick) -> dict[int, dict[int, str]]:
    """Players by table and seat. Sizes differ by at most one; tables and seats are random."""
    tables = -(-len(players) // seats)
    order = shuffled(players, pick)
    seated: dict[int, dict[int, str]] = {}
    for table in range(tables):
        there = order[table::tables]
        numbers = shuffled(range(1, seats + 1), pick)[: len(there)]
        seated[table + 1] = dict(zip(numbers, there, strict=True))
    return seated


def seat_for(table: Seating, seats: int, pick: Pick) -> int:
    """The free seat whose turn as big blind comes latest: the most players clockwise after the last big blind.

    Before the first hand of a table all free seats are alike. Ties are drawn.
    """
    if table.last_bb is None:
        return drawn([seat for seat in range(1, seats + 1) if seat not in table.occupied], pick)
    before: dict[int, int] = {}
    passed = 0
    for step in range(1, seats + 1):
        seat = (table.last_bb + step - 1) % seats + 1
        if seat in table.occupied:
            passed += 1
        else:
            before[seat] = passed
    latest = max(before.values())
    return drawn([seat for seat in sorted(before) if before[seat] == latest], pick)


def table_to_break(sizes: Sizes, seats: int) -> int | None:
    """The table with the fewest players, ties to the highest number, if the players fit at fewer tables."""
    if sizes.tables < 2 or -(-sizes.players // seats) >= sizes.tables:
        return None
    return max(sizes.tables_of(sizes.smallest))


def breaking_moves(seating_of: SeatingOf, sizes: Sizes, table_no: int, seats: int, pick: Pick) -> Iterator[Move]:
    """Its players, in random order, go one by one to a table with the fewest players."""
    occupied = seating_of(table_no).occupied
    others = sizes.changed(table_no, len(occupied), None)
    changed: dict[int, Seating] = {}
    for from_seat in shuffled(sorted(occupied), pick):
        to_table = drawn(sorted(others.tables_of(others.smallest)), pick)
        seating = changed.get(to_table) or seating_of(to_table)
        to_seat = seat_for(seating, seats, pick)
        changed[to_table] = Seating(seating.occupied | {to_seat}, seating.last_bb)
        others = others.changed(to_table, len(seating.occupied), len(seating.occupied) + 1)
        yield Move(table_no, from_seat, to_table, to_seat)


def balancing_move(seating_of: SeatingOf, sizes: Sizes, idle: Set[int], seats: int, pick: Pick) -> Move | None:
    """One player of a largest table between two hands to a smallest one, if they differ by two or more."""
    if sizes.largest - sizes.smallest < 2:
        return None
    givers = sorted(sizes.tables_of(sizes.largest) & idle)
    if not givers:
        return None
    from_table = givers[0]
    from_seat = drawn(sorted(seating_of(from_table).occupied), pick)
    to_table = drawn(sorted(sizes.tables_of(sizes.smallest)), pick)
    return Move(from_table, from_seat, to_table, seat_for(seating_of(to_table), seats, pick))
