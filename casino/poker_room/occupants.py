"""Occupant: the player of a seat, with the state outside the rules: connections, top-ups, the request to leave."""

from dataclasses import dataclass, field
from enum import StrEnum

from casino.hosting.interfaces import Connection
from casino.poker_room.stacks import SeatStack
from casino.poker_room.table_seats import TableSeat


class DepartureReason(StrEnum):
    """Why a player is no longer at a table."""

    LEFT = "left"
    REMOVED = "removed"  # sat out for too long
    NO_CHIPS = "no_chips"
    EXCLUDED = "excluded"  # may not risk more money
    NOT_BOUGHT_IN = "not_bought_in"
    TABLE_CLOSED = "table_closed"


@dataclass(slots=True)
class Occupant:
    """`holder` is the connection that controls the seat; others of the same player count as connected, too.

    `requested` is a top-up to make after the hand, under `requested_key`. `last_top_up` is key and amount of the last
    one that was accepted, made or not. `is_moving_money` while a transaction of the player at this table is under way:
    the table begins no hand then.
    """

    player_id: str
    name: str
    initial: int
    available: int
    since_ms: int
    is_auto: bool = False
    connections: list[Connection] = field(default_factory=list)
    holder: Connection | None = None
    requested: int = 0
    requested_key: str = ""
    last_top_up: tuple[str, int] = ("", 0)
    rebuy_until_ms: int | None = None
    leaving: DepartureReason | None = None
    sit_out_until_ms: int | None = None
    is_moving_money: bool = False

    @property
    def is_connected(self) -> bool:
        return bool(self.connections)

    def stack_of(self, seat: TableSeat) -> SeatStack:
        return SeatStack(seat.stack, self.initial, self.is_auto, self.requested)
