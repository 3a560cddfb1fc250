"""Pool host: one pool with its running tables, the requests of waiting players, and the numbers of the lobby."""

import asyncio
from collections import deque
from dataclasses import replace
from typing import Final, NamedTuple

from casino.poker_room.buy_in_offers import BuyInOffer
from casino.poker_room.messages import JoinPool
from casino.poker_room.pool import Pool, PoolTable, PoolTerms, Queued, stand_up
from casino.poker_room.seat_money import Place
from casino.poker_room.table import PokerTable
from casino.wire.poker_events import OwnState, PokerPool, PokerSeat

RECENT_HANDS: Final = 50
CLOSE_RETRY_MS: Final = 5_000
"""A table whose players fit nowhere else is looked at again after this time."""
HOUR_MS: Final = 60 * 60_000


class RecentHand(NamedTuple):
    ended_ms: int
    pot: int


class PoolHost:
    """`requests` are those of players in the queue, `reserved` those of players with a reserved seat."""

    def __init__(self, terms: PoolTerms) -> None:
        self.pool = Pool(terms)
        self.tables: Final[dict[str, PokerTable]] = {}
        self.opening: Final[dict[str, asyncio.Event]] = {}
        self.closing: Final[dict[str, PokerTable]] = {}
        self.requests: Final[dict[str, JoinPool]] = {}
        self.reserved: Final[dict[tuple[str, str], JoinPool]] = {}
        self.moving_from: Final[dict[str, Place]] = {}
        self.service: asyncio.Task[None] | None = None
        self.is_dirty = False
        self.close_check_ms = 0
        self._recent: deque[RecentHand] = deque(maxlen=RECENT_HANDS)
        # Asked after every hand, while the pool itself seldom changes: a room has thousands of tables.
        self._due: tuple[Pool, int, int | None] | None = None
        self._by_id: tuple[Pool, dict[str, PoolTable]] | None = None

    @property
    def terms(self) -> PoolTerms:
        return self.pool.terms

    @property
    def pool_id(self) -> str:
        return self.pool.terms.pool_id

    def due_ms(self) -> int | None:
        """When a reservation lapses, or a table that cannot play may be closed."""
        if self._due is None or self._due[0] is not self.pool or self._due[1] != self.close_check_ms:
            self._due = (self.pool, self.close_check_ms, self._next_due_ms())
        return self._due[2]

    def _next_due_ms(self) -> int | None:
        lapses = [kept.until_ms + 1 for table in self.pool.tables for kept in table.reservations]
        closes = [
            max(table.idle_since_ms + self.terms.close_after_ms, self.close_check_ms)
            for table in self.pool.tables
            if table.idle_since_ms is not None and not table.reservations
        ]
        return min([*lapses, *closes], default=None)

    def mirror(self, table: PokerTable) -> bool:
        """Notes who is present at the table and whether it can play; returns whether that has changed."""
        if self._by_id is None or self._by_id[0] is not self.pool:
            self._by_id = (self.pool, {other.table_id: other for other in self.pool.tables})
        known = self._by_id[1].get(table.terms.table_id)
        if known is None:
            return False
        is_open = table.paused is None and not table.is_closing
        absent = frozenset(
            player
            for _, player in known.seated
            if not is_open or player not in table.seats.seats or not table.seats.seats[player].is_present
        )
        # Players with a buy-in under way keep their table open.
        is_settled = all(player in table.seats.seats for _, player in known.seated)
        idle_since_ms = table.idle_since_ms if is_settled and is_open and table.is_at_rest else None
        changed = replace(known, absent=absent, idle_since_ms=idle_since_ms)
        if changed == known:
            return False
        self.pool = self.pool.with_table(changed)
        return True

    def free(self, table_id: str, player_id: str) -> None:
        """Frees the player's seat or reservation, unless the table is closed."""
        self.reserved.pop((table_id, player_id), None)
        if any(table.table_id == table_id for table in self.pool.tables):
            self.pool = stand_up(self.pool, table_id, player_id)

    def pool_table_of(self, player_id: str) -> PoolTable | None:
        """The table at which a seat is reserved for the player."""
        return next(
            (table for table in self.pool.tables if any(kept.player_id == player_id for kept in table.reservations)),
            None,
        )

    def waits_for_seat(self, player_id: str) -> bool:
        """Whether the player has a place in the queue or a reserved seat. Asked for each connection that is lost."""
        return player_id in self.requests or any(player_id == other for _, other in self.reserved)

    @property
    def moved_without_seat(self) -> frozenset[str]:
        """Players of a closed table who have no seat at another one yet."""
        return frozenset(waiting.player_id for waiting in self.pool.queue if waiting.stack is not None)

    def played(self, ended_ms: int, pot: int) -> None:
        self._recent.append(RecentHand(ended_ms, pot))

    def view(self, now_ms: int) -> PokerPool:
        stake, tables = self.terms.stake, self.pool.tables
        hour = [hand for hand in self._recent if hand.ended_ms > now_ms - HOUR_MS]
        since_ms = max(now_ms - min((hand.ended_ms for hand in hour), default=now_ms), 60_000)
        playing = max(sum(table.idle_since_ms is None and bool(table.seated) for table in tables), 1)
        return {
            "pool": self.pool_id,
            "stake": stake.stake_id,
            "currency": self.terms.currency,
            "game": stake.game,
            "format": stake.format,
            "blinds": {"sb": stake.small_blind, "bb": stake.big_blind},
            "seats": stake.seats,
            "buy_in_min": stake.buy_in_min_bb * stake.big_blind,
            "buy_in_max": stake.buy_in_max_bb * stake.big_blind,
            "permille": stake.permille,
            "cap": stake.cap,
            "tables": len(tables),
            "players": sum(len(table.seated) for table in tables),
            "waiting": len(self.pool.queue),
            "average_pot": sum(hand.pot for hand in hour) // len(hour) if hour else 0,
            "hands_per_hour": len(hour) * HOUR_MS // since_ms // playing,
        }


def pool_seat_view(
    pool_id: str,
    state: OwnState,
    *,
    table_id: str | None = None,
    seat_no: int | None = None,
    offer: BuyInOffer | None = None,
    until_ms: int | None = None,
    queued: Queued | None = None,
    reason: str | None = None,
    request: JoinPool | None = None,
) -> PokerSeat:
    """The place of a player who has no chips at a table yet: in the queue, or with a reserved seat."""
    return {
        "pool": pool_id,
        "table_id": table_id,
        "seat_no": seat_no,
        "state": state,
        "stack": 0,
        "owes": 0,
        "bank": 0,
        "wait_for_bb": request.wait_for_bb if request is not None else True,
        "auto_top_up": request.auto_top_up if request is not None else False,
        "sit_out_next_bb": False,
        "sit_out_until": None,
        "pre_action": "none",
        "place": queued.place if queued is not None else None,
        "missing": queued.missing if queued is not None else None,
        "min": offer.smallest if offer is not None else None,
        "max": offer.largest if offer is not None else None,
        "amounts": [*offer.exactly] if offer is not None else [],
        "until": until_ms,
        "reason": reason,
    }
