"""Events of a tournament. Replaying them rebuilds it without a clock, a draw or today's configuration.

Each event carries its kind and version. When a kind must change, a new version is added and both stay readable.
"""

from dataclasses import dataclass
from typing import Final, Literal

from casino.event_codec import EventCodec
from casino.poker.positions import Positions
from casino.poker.tournament.commands import Means, SeatChips
from casino.poker.tournament.entries import Price, Survivor
from casino.poker.tournament.money_events import (
    BountyPaid,
    Cancelled,
    ChipsBought,
    PrizeAwarded,
    PrizeHeld,
    RegistrationClosed,
    VipPaid,
)
from casino.poker.tournament.records import BustRecord, EntrySeat, PauseReason
from casino.poker.tournament.terms import TournamentTerms


@dataclass(frozen=True, slots=True)
class Announced:
    terms: TournamentTerms
    at_ms: int
    kind: Literal["announced"] = "announced"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Changed:
    """New terms, before the start; delays are a change of `starts_ms`."""

    terms: TournamentTerms
    reason: str
    by: str
    at_ms: int
    kind: Literal["changed"] = "changed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Registered:
    """`seat` is given to late entries at once."""

    entry_id: str
    player_id: str
    means: Means
    price: Price
    stack: int
    seat: EntrySeat | None
    at_ms: int
    kind: Literal["registered"] = "registered"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Unregistered:
    entry_id: str
    means: Means
    at_ms: int
    kind: Literal["unregistered"] = "unregistered"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class CarriedOver:
    survivors: tuple[Survivor, ...]
    field_entries: int
    pool: int
    at_ms: int
    fees_earned: int = 0
    """Fees of stacks that a player with a larger one has left behind."""
    kind: Literal["carried_over"] = "carried_over"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Started:
    seats: tuple[EntrySeat, ...]
    at_ms: int
    kind: Literal["started"] = "started"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class TableOpened:
    table_no: int
    at_ms: int
    kind: Literal["table_opened"] = "table_opened"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class TableClosed:
    table_no: int
    at_ms: int
    kind: Literal["table_closed"] = "table_closed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class HandDealt:
    """The table may play its next hand, with the blinds of this level and these positions."""

    table_no: int
    level: int
    positions: Positions
    dealt_in: tuple[int, ...]
    at_ms: int
    kind: Literal["hand_dealt"] = "hand_dealt"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class HandEnded:
    """After a void hand the same big blind is due again."""

    table_no: int
    is_void: bool
    stacks: tuple[SeatChips, ...]
    busts: tuple[BustRecord, ...]
    at_ms: int
    kind: Literal["hand_ended"] = "hand_ended"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    entry_id: str
    to_table: int
    to_seat: int
    at_ms: int
    kind: Literal["player_moved"] = "player_moved"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RebuyOffered:
    entry_id: str
    until_ms: int
    at_ms: int
    kind: Literal["rebuy_offered"] = "rebuy_offered"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RebuyDeclined:
    """The offer is over. The place of the player may still depend on other offers."""

    entry_id: str
    at_ms: int
    kind: Literal["rebuy_declined"] = "rebuy_declined"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class DisqualificationOrdered:
    """The player is out as soon as the player's table is between two hands and earlier knock-outs have their places."""

    entry_id: str
    reason: str
    by: str
    at_ms: int
    kind: Literal["disqualification_ordered"] = "disqualification_ordered"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Eliminated:
    """`out_no` counts eliminations from 1; the place is final when registration is closed."""

    entry_id: str
    out_no: int
    disqualified: bool
    at_ms: int
    kind: Literal["eliminated"] = "eliminated"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class PauseDue:
    """The level clock has stopped at `stopped_ms`; the tables finish their hands."""

    reason: PauseReason
    stopped_ms: int
    at_ms: int
    kind: Literal["pause_due"] = "pause_due"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class PauseBegan:
    until_ms: int
    at_ms: int
    kind: Literal["pause_began"] = "pause_began"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class PauseEnded:
    at_ms: int
    kind: Literal["pause_ended"] = "pause_ended"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Stopped:
    """Staff have paused the tournament: the level clock stops, and running hands are finished."""

    reason: str
    by: str
    at_ms: int
    kind: Literal["stopped"] = "stopped"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Continued:
    reason: str
    by: str
    at_ms: int
    kind: Literal["continued"] = "continued"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RefundProposed:
    reason: str
    by: str
    at_ms: int
    kind: Literal["refund_proposed"] = "refund_proposed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RefundRejected:
    reason: str
    by: str
    at_ms: int
    kind: Literal["refund_rejected"] = "refund_rejected"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class FlightEnded:
    """`field_entries` and `pool` are what the flight adds to its second phase."""

    survivors: tuple[Survivor, ...]
    field_entries: int
    pool: int
    at_ms: int
    kind: Literal["flight_ended"] = "flight_ended"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Finished:
    at_ms: int
    kind: Literal["finished"] = "finished"
    version: Literal[1] = 1


Event = (
    Announced
    | Changed
    | Registered
    | Unregistered
    | CarriedOver
    | Started
    | TableOpened
    | TableClosed
    | HandDealt
    | HandEnded
    | PlayerMoved
    | RebuyOffered
    | RebuyDeclined
    | ChipsBought
    | DisqualificationOrdered
    | Eliminated
    | BountyPaid
    | VipPaid
    | RegistrationClosed
    | PrizeAwarded
    | PrizeHeld
    | PauseDue
    | PauseBegan
    | PauseEnded
    | Stopped
    | Continued
    | RefundProposed
    | RefundRejected
    | FlightEnded
    | Finished
    | Cancelled
)

_CODEC: Final = EventCodec[Event](Event)
dump_event: Final = _CODEC.dump
load_event: Final = _CODEC.load
