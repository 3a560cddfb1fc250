"""Pool: all tables of one game, stake and currency, with their seats, reservations and queue, as frozen values.

`join` gives a player a seat or a place in the queue. `pool_changes` serves the queue, opens and closes tables. Random
numbers come from the argument `draw`, which returns a number from 0 to below its argument.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from casino.poker.cash.buy_in import RETURN_MS
from casino.poker.cash.seating import (
    BANZAI_TABLES_MAX,
    CASH_TABLES_MAX,
    START_MIN,
    TableOffer,
    draw_bound,
    drawn_table,
    is_table_limit_reached,
    missing_for_table,
)
from casino.poker.terms import Stake
from casino.poker_room.buy_in_offers import BuyInOffer, DayCounters, Departure, buy_in_offer
from casino.refusals import Reason

Draw = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class PoolTerms:
    """A stake in one currency, and the limits of the room. Times are milliseconds."""

    stake: Stake
    currency: str
    cash_tables_max: int = CASH_TABLES_MAX
    banzai_tables_max: int = BANZAI_TABLES_MAX
    start_min: int = START_MIN
    reserve_ms: int = 20_000
    close_after_ms: int = 60_000
    return_ms: int = RETURN_MS

    @property
    def pool_id(self) -> str:
        return f"{self.stake.stake_id}:{self.currency}"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A player who wants a seat. `buy_in` is the buy-in asked for, 0 to be asked at the table.

    `stack` is set for a player whose table was closed: these chips move along, and no buy-in is due.
    """

    player_id: str
    available: int
    buy_in: int = 0
    departures: tuple[Departure, ...] = ()
    counters: DayCounters = field(default_factory=DayCounters)
    blocked: frozenset[str] = frozenset()
    tables: int = 0
    tables_of_stake: int = 0
    stack: int | None = None


class Reservation(NamedTuple):
    """A seat kept for a player who must still choose a buy-in."""

    player_id: str
    seat_no: int
    until_ms: int


@dataclass(frozen=True, slots=True)
class PoolTable:
    """A table as its pool sees it. `idle_since_ms` is None while hands are played."""

    table_id: str
    seats: int
    seated: tuple[tuple[int, str], ...] = ()
    """Seat number and player."""
    absent: frozenset[str] = frozenset()
    """Seated players who sit out or have no chips."""
    reservations: tuple[Reservation, ...] = ()
    idle_since_ms: int | None = None

    @property
    def free_seats(self) -> tuple[int, ...]:
        taken = {seat_no for seat_no, _ in self.seated} | {kept.seat_no for kept in self.reservations}
        return tuple(seat_no for seat_no in range(1, self.seats + 1) if seat_no not in taken)

    @property
    def is_full(self) -> bool:
        return len(self.seated) + len(self.reservations) >= self.seats

    @property
    def present(self) -> int:
        return sum(player not in self.absent for _, player in self.seated)

    @property
    def players(self) -> frozenset[str]:
        """Players with a seat or a reserved one."""
        return frozenset((*(player for _, player in self.seated), *(kept.player_id for kept in self.reservations)))


class Waiting(NamedTuple):
    """A place in the queue. `stack` is set for a player of a closed table."""

    player_id: str
    since_ms: int
    stack: int | None = None


@dataclass(frozen=True, slots=True)
class Pool:
    terms: PoolTerms
    tables: tuple[PoolTable, ...] = ()
    queue: tuple[Waiting, ...] = ()

    def table(self, table_id: str) -> PoolTable:
        return next(table for table in self.tables if table.table_id == table_id)

    def with_table(self, changed: PoolTable) -> "Pool":
        """The pool with this table in place of the one with the same id, or added."""
        if all(table.table_id != changed.table_id for table in self.tables):
            return replace(self, tables=(*self.tables, changed))
        tables = tuple(changed if table.table_id == changed.table_id else table for table in self.tables)
        return replace(self, tables=tables)

    def without_waiting(self, player_ids: Iterable[str]) -> "Pool":
        departed = frozenset(player_ids)
        return replace(self, queue=tuple(waiting for waiting in self.queue if waiting.player_id not in departed))

    def without_table(self, table_id: str) -> "Pool":
        return replace(self, tables=tuple(table for table in self.tables if table.table_id != table_id))

    def place_of(self, player_id: str) -> int | None:
        """The player's place in the queue, counted from 1."""
        places = (place for place, waiting in enumerate(self.queue, 1) if waiting.player_id == player_id)
        return next(places, None)


class Seated(NamedTuple):
    """The player sits down at once with this amount. `offer` is None for a player who brings a stack along."""

    player_id: str
    table_id: str
    seat_no: int
    amount: int
    offer: BuyInOffer | None


class Reserved(NamedTuple):
    """The player must choose a buy-in of the offer until then."""

    player_id: str
    table_id: str
    seat_no: int
    until_ms: int
    offer: BuyInOffer


class Queued(NamedTuple):
    """The player waits at this place; `missing` more players are needed before a table opens."""

    player_id: str
    place: int
    missing: int


Joined = Seated | Reserved | Queued


def offer_at(terms: PoolTerms, visitor: Visitor, table_id: str | None, now_ms: int) -> BuyInOffer:
    return buy_in_offer(
        terms.stake,
        visitor.departures,
        visitor.counters,
        now_ms,
        pool_id=terms.pool_id,
        table_id=table_id,
        return_ms=terms.return_ms,
    )


def join(pool: Pool, visitor: Visitor, now_ms: int, draw: Draw) -> tuple[Pool, Joined]:
    """Give the player a seat at a drawn table, or a place in the queue. A player who waits already keeps the place.

    Refuses `too_many_tables`, `insufficient_funds` if the player could not sit at a new table.
    """
    if pool.place_of(visitor.player_id) is not None:
        return pool, queued(pool, visitor.player_id)
    if is_at_limit(pool.terms, visitor):
        raise Reason.TOO_MANY_TABLES.refusal()
    table_id = drawn_table_id(pool, visitor, now_ms, draw)
    if table_id is not None:
        return seat(pool, visitor, table_id, now_ms, draw)
    smallest = offer_at(pool.terms, visitor, None, now_ms).smallest
    if smallest > visitor.available:
        raise Reason.STAKE_TOO_HIGH.refusal(minimum=smallest)
    waiting = replace(pool, queue=(*pool.queue, Waiting(visitor.player_id, now_ms)))
    return waiting, queued(waiting, visitor.player_id)


def leave_queue(pool: Pool, player_id: str) -> tuple[Pool, Waiting | None]:
    """Give up the place in the queue; returns it, because the caller pays out a stack that waits there."""
    given_up = next((waiting for waiting in pool.queue if waiting.player_id == player_id), None)
    return pool.without_waiting([player_id]), given_up


def queued(pool: Pool, player_id: str) -> Queued:
    place = pool.place_of(player_id)
    assert place is not None, "the player is not in the queue"
    return Queued(player_id, place, missing_for_table(len(pool.queue), pool.terms.start_min))


def is_at_limit(terms: PoolTerms, visitor: Visitor) -> bool:
    """Whether the player may not sit at one more table. A player who is moved gave up a table for it."""
    return visitor.stack is None and is_table_limit_reached(
        terms.stake, visitor.tables, visitor.tables_of_stake, terms.cash_tables_max, terms.banzai_tables_max
    )


def may_sit(pool: Pool, visitor: Visitor, table: PoolTable, now_ms: int) -> bool:
    """Whether the player is not yet at the table, is not kept from it and has the money for it."""
    return (
        visitor.player_id not in table.players
        and table.table_id not in visitor.blocked
        and _smallest(pool.terms, visitor, table.table_id, now_ms) <= visitor.available
    )


def drawn_table_id(pool: Pool, visitor: Visitor, now_ms: int, draw: Draw) -> str | None:
    """The table of the weighted draw, or None if no table is a candidate."""
    offers = [_table_offer(pool.terms, visitor, table, now_ms) for table in pool.tables if not table.is_full]
    bound = draw_bound(offers, visitor.available, now_ms, pool.terms.return_ms)
    if not bound:
        return None
    return drawn_table(offers, visitor.available, now_ms, draw(bound), pool.terms.return_ms).table_id


def seat(pool: Pool, visitor: Visitor, table_id: str, now_ms: int, draw: Draw) -> tuple[Pool, Seated | Reserved]:
    """Give the player a random free seat of this table: at once if the buy-in fits the offer, else reserved."""
    table, player_id = pool.table(table_id), visitor.player_id
    pool = pool.without_waiting([player_id])
    free = table.free_seats
    seat_no = free[draw(len(free))]
    if visitor.stack is not None:
        return _sit(pool, table, Seated(player_id, table_id, seat_no, visitor.stack, None))
    offer = offer_at(pool.terms, visitor, table_id, now_ms)
    if offer.fits(visitor.buy_in) and visitor.buy_in <= visitor.available:
        return _sit(pool, table, Seated(player_id, table_id, seat_no, visitor.buy_in, offer))
    until_ms = now_ms + pool.terms.reserve_ms
    kept = replace(table, reservations=(*table.reservations, Reservation(player_id, seat_no, until_ms)))
    return pool.with_table(kept), Reserved(player_id, table_id, seat_no, until_ms, offer)


def take_reserved(pool: Pool, visitor: Visitor, table_id: str, amount: int, now_ms: int) -> tuple[Pool, Seated]:
    """Sit down in the reserved seat with this buy-in.

    Refuses `no_such_table` without such a table, `too_late` without a reservation, amounts outside the offer, and
    `insufficient_funds`.
    """
    table = next((table for table in pool.tables if table.table_id == table_id), None)
    if table is None:
        raise Reason.TABLE_GONE.refusal()
    kept = next((kept for kept in table.reservations if kept.player_id == visitor.player_id), None)
    if kept is None or now_ms > kept.until_ms:
        raise Reason.SEAT_LAPSED.refusal()
    offer = offer_at(pool.terms, visitor, table_id, now_ms)
    offer.check(amount)
    if amount > visitor.available:
        raise Reason.ABOVE_AVAILABLE.refusal()
    left = replace(table, reservations=tuple(other for other in table.reservations if other is not kept))
    return _sit(pool, left, Seated(visitor.player_id, table_id, kept.seat_no, amount, offer))


def stand_up(pool: Pool, table_id: str, player_id: str) -> Pool:
    """Free the player's seat or reservation at this table."""
    table = pool.table(table_id)
    freed = replace(
        table,
        seated=tuple(place for place in table.seated if place[1] != player_id),
        absent=table.absent - {player_id},
        reservations=tuple(kept for kept in table.reservations if kept.player_id != player_id),
    )
    return pool.with_table(freed)


def without_lapsed(pool: Pool, now_ms: int) -> tuple[Pool, Sequence[tuple[str, str]]]:
    """Free reserved seats whose time is over; returns the (table, player) of each."""
    lapsed = [
        (table.table_id, kept.player_id)
        for table in pool.tables
        for kept in table.reservations
        if now_ms > kept.until_ms
    ]
    for table_id, player_id in lapsed:
        pool = stand_up(pool, table_id, player_id)
    return pool, lapsed


def _sit(pool: Pool, table: PoolTable, seated: Seated) -> tuple[Pool, Seated]:
    places = tuple(sorted((*table.seated, (seated.seat_no, seated.player_id))))
    return pool.with_table(replace(table, seated=places)), seated


def _smallest(terms: PoolTerms, visitor: Visitor, table_id: str, now_ms: int) -> int:
    return 0 if visitor.stack is not None else offer_at(terms, visitor, table_id, now_ms).smallest


def _table_offer(terms: PoolTerms, visitor: Visitor, table: PoolTable, now_ms: int) -> TableOffer:
    left = [departure.left_ms for departure in visitor.departures if departure.table_id == table.table_id]
    return TableOffer(
        table.table_id,
        table.free_seats,
        table.present,
        _smallest(terms, visitor, table.table_id, now_ms),
        is_seated=visitor.player_id in table.players,
        is_blocked=table.table_id in visitor.blocked,
        left_ms=max(left, default=None),
    )
