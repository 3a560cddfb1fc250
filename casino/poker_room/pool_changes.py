"""Changes of a pool after every event: the queue is served, tables open, and tables that cannot play are closed.

Order of service: tables that wait for players, the longest waiting first; then free seats at tables in play, drawn as
for a player who joins; then a new table for three or more.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from casino.poker.cash.seating import openings
from casino.poker_room.pool import (
    Draw,
    Pool,
    PoolTable,
    Reserved,
    Seated,
    Visitor,
    Waiting,
    drawn_table_id,
    is_at_limit,
    may_sit,
    seat,
)


class Served(NamedTuple):
    """Seats given to players of the queue, in order, and the tables that were opened for them."""

    pool: Pool
    seats: list[Seated | Reserved]
    opened: list[str]


def serve_queue(
    pool: Pool, visitors: Mapping[str, Visitor], now_ms: int, draw: Draw, new_table_id: Callable[[], str]
) -> Served:
    """Seat as many players of the queue as possible. Players without an entry in `visitors` keep waiting."""
    known = {
        waiting.player_id: replace(visitors[waiting.player_id], stack=waiting.stack)
        for waiting in pool.queue
        if waiting.player_id in visitors
    }
    waiting_for_seat = [player for player, visitor in known.items() if not is_at_limit(pool.terms, visitor)]
    idle = sorted((table for table in pool.tables if table.idle_since_ms is not None), key=_waits_since)
    served = Served(pool, [], [])
    for opening in openings(
        waiting_for_seat,
        [(table.table_id, len(table.free_seats)) for table in idle],
        pool.terms.stake.seats,
        lambda player, table_id: may_sit(pool, known[player], pool.table(table_id), now_ms),
    ):
        if opening.table_id is not None:
            for player in opening.players:
                served = _seat(served, known[player], opening.table_id, now_ms, draw)
    for player in waiting_for_seat:
        table_id = None
        if served.pool.place_of(player) is not None:
            table_id = drawn_table_id(served.pool, known[player], now_ms, draw)
        if table_id is not None:
            served = _seat(served, known[player], table_id, now_ms, draw)
    left = [player for player in waiting_for_seat if served.pool.place_of(player) is not None]
    for opening in openings(left, (), pool.terms.stake.seats, start_min=pool.terms.start_min):
        table_id = new_table_id()
        table = PoolTable(table_id, pool.terms.stake.seats, idle_since_ms=now_ms)
        served = Served(served.pool.with_table(table), served.seats, [*served.opened, table_id])
        for player in opening.players:
            served = _seat(served, known[player], table_id, now_ms, draw)
    return served


class Closed(NamedTuple):
    """A table that is closed: its players wait at the front of the queue with their stacks."""

    pool: Pool
    table_id: str
    players: tuple[str, ...]


def close_idle_table(
    pool: Pool,
    stacks: Mapping[str, Mapping[str, int]],
    now_ms: int,
    blocked: Mapping[str, frozenset[str]] | None = None,
) -> Closed | None:
    """Close one table that could not start a hand for a minute, if all its players fit at other tables of the pool.

    `stacks` are the chips by table and player, `blocked` the tables each player is kept from. The table with the fewest
    players goes first. A table with a reserved seat waits until the reservation has ended; one that is being opened, or
    whose players have chips on their way, waits for them.
    """
    due = [
        table
        for table in pool.tables
        if table.idle_since_ms is not None
        and now_ms - table.idle_since_ms >= pool.terms.close_after_ms
        and not table.reservations
        and table.table_id in stacks
        and stacks[table.table_id].keys() >= {player for _, player in table.seated}
        and _fits_elsewhere(pool, table, blocked or {})
    ]
    if not due:
        return None
    table = min(due, key=lambda table: (len(table.seated), _waits_since(table), table.table_id))
    players = tuple(player for _, player in table.seated)
    moved = tuple(Waiting(player, now_ms, stacks[table.table_id][player]) for player in players)
    rest = pool.without_table(table.table_id).without_waiting(players)
    return Closed(replace(rest, queue=(*moved, *rest.queue)), table.table_id, players)


def _fits_elsewhere(pool: Pool, table: PoolTable, blocked: Mapping[str, frozenset[str]]) -> bool:
    """Whether each player gets a seat at another table: a matching of players to free seats."""
    taken: dict[tuple[str, int], str] = {}
    others = {other.table_id: other for other in pool.tables if other is not table}

    def place(player: str, tried: set[tuple[str, int]]) -> bool:
        for table_id, other in others.items():
            if player in other.players or table_id in blocked.get(player, frozenset()):
                continue
            for seat_no in other.free_seats:
                free = (table_id, seat_no)
                if free in tried:
                    continue
                tried.add(free)
                if free not in taken or place(taken[free], tried):
                    taken[free] = player
                    return True
        return False

    return all(place(player, set()) for _, player in table.seated)


def _seat(served: Served, visitor: Visitor, table_id: str, now_ms: int, draw: Draw) -> Served:
    pool, given = seat(served.pool, visitor, table_id, now_ms, draw)
    return Served(pool, [*served.seats, given], served.opened)


def _waits_since(table: PoolTable) -> int:
    assert table.idle_since_ms is not None
    return table.idle_since_ms
