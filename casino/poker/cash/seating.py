"""Seating and waitlist of a pool: the table a player gets, the queue, and new tables. Players choose no table.

Random numbers are arguments, so that a draw can be repeated from what was recorded.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from casino.poker.cash.buy_in import RETURN_MS, is_remembered
from casino.poker.terms import Format, Stake

PRESENT_MIN: Final = 2
"""A table with fewer players present is no candidate for a player who joins."""
RETURN_WEIGHT: Final = 3
START_MIN: Final = 3
"""Players a hand or a new table needs."""
CASH_TABLES_MAX: Final = 8
BANZAI_TABLES_MAX: Final = 4
"""Tables of one Banzai stake a player may sit at."""


@dataclass(frozen=True, slots=True)
class TableOffer:
    """A table of the pool as one player would find it.

    `smallest_buy_in` is that player's. `left_ms` is when the player last left this table, or None.
    """

    table_id: str
    free_seats: tuple[int, ...]
    present: int
    smallest_buy_in: int
    is_seated: bool = False
    is_blocked: bool = False
    left_ms: int | None = None


def is_candidate(table: TableOffer, available: int) -> bool:
    """Whether the player could sit down there now."""
    return (
        bool(table.free_seats)
        and table.present >= PRESENT_MIN
        and not table.is_seated
        and not table.is_blocked
        and table.smallest_buy_in <= available
    )


def weight(table: TableOffer, now_ms: int, return_ms: int = RETURN_MS) -> int:
    """The table's weight in the draw: many free seats, and a table the player has left a short time ago, count more."""
    is_return = table.left_ms is not None and is_remembered(table.left_ms, now_ms, return_ms)
    return len(table.free_seats) ** 2 * (RETURN_WEIGHT if is_return else 1)


def draw_bound(tables: Iterable[TableOffer], available: int, now_ms: int, return_ms: int = RETURN_MS) -> int:
    """The number of equal chances in the draw: 0 means the player joins the queue."""
    return sum(weight(table, now_ms, return_ms) for table in tables if is_candidate(table, available))


def drawn_table(
    tables: Iterable[TableOffer], available: int, now_ms: int, number: int, return_ms: int = RETURN_MS
) -> TableOffer:
    """The candidate that a number from 0 to below `draw_bound` falls on."""
    for table in tables:
        if is_candidate(table, available):
            number -= weight(table, now_ms, return_ms)
            if number < 0:
                return table
    raise ValueError("the number is beyond the weights of all candidates")


def is_table_limit_reached(
    stake: Stake,
    tables: int,
    tables_of_stake: int,
    tables_max: int = CASH_TABLES_MAX,
    banzai_tables_max: int = BANZAI_TABLES_MAX,
) -> bool:
    """Whether a player sits at as many tables as allowed: in all, or of one Banzai stake."""
    return tables >= tables_max or (stake.format is Format.BANZAI and tables_of_stake >= banzai_tables_max)


def may_start(present: int, dealt_in_before: int, start_min: int = START_MIN) -> bool:
    """Whether a hand may start: with three present, or once with two after a hand of three or more."""
    return present >= start_min or (present == PRESENT_MIN and dealt_in_before >= start_min)


class Opening(NamedTuple):
    """Players of the queue who sit down: at a table that waits, or at a new one if `table_id` is None."""

    table_id: str | None
    players: tuple[str, ...]


def openings(
    queue: Sequence[str],
    waiting: Sequence[tuple[str, int]],
    seats: int,
    may_sit: Callable[[str, str], bool] = lambda _player, _table: True,
    *,
    start_min: int = START_MIN,
) -> list[Opening]:
    """Serve the queue in order: first free seats of tables that wait for players, then new tables for three or more.

    `waiting` are tables with their free seats, the one that waits longest first. `may_sit` says whether a player may
    sit at a table: not where that player sits already or is blocked.
    """
    left = [*queue]
    found = []
    for table_id, free in waiting:
        players = tuple(player for player in left if may_sit(player, table_id))[:free]
        if players:
            found.append(Opening(table_id, players))
            left = [player for player in left if player not in players]
    while len(left) >= start_min:
        found.append(Opening(None, tuple(left[:seats])))
        left = left[seats:]
    return found


def missing_for_table(queued: int, start_min: int = START_MIN) -> int:
    """How many more players the queue needs before a table opens."""
    return max(start_min - queued, 0)
