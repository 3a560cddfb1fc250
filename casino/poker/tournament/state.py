"""The state of a tournament: frozen values, changed only by `evolve` in `replay.py`.

Entries and tables are persistent maps, so that one knock-out among 10,000 players copies little.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from immutables import Map

from casino.poker.tournament.balance import Seating, Sizes
from casino.poker.tournament.commands import Means
from casino.poker.tournament.entries import Price, satellite_prizes
from casino.poker.tournament.prizes import places_paid
from casino.poker.tournament.records import BustRecord, PauseReason, RefundProposal
from casino.poker.tournament.terms import TournamentTerms


class Status(StrEnum):
    REGISTERING = "registering"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Entry:
    """`number` is the place in the order of entry, `price` everything paid so far, `head` the bounty on this entry.

    `out_no` counts eliminations from 1. `offer_until_ms` is when the rebuy offer of a busted entry ends or has ended.
    """

    entry_id: str
    player_id: str
    means: Means
    price: Price
    number: int
    chips: int = 0
    head: int = 0
    table_no: int | None = None
    seat_no: int | None = None
    rebuys: int = 0
    has_added_on: bool = False
    offer_until_ms: int | None = None
    out_no: int | None = None
    is_disqualified: bool = False
    prize: int = 0


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """Entries by seat. `last_bb` is the seat of the last big blind, the running hand's too; `bb_before` the one before.

    `dealt_in` are the seats of the last hand; a late table is opened during late registration.
    """

    seats: tuple[tuple[int, str], ...] = ()
    last_bb: int | None = None
    bb_before: int | None = None
    dealt_in: tuple[int, ...] = ()
    is_late: bool = False

    @property
    def seating(self) -> Seating:
        return Seating(frozenset(seat for seat, _ in self.seats), self.last_bb)


@dataclass(frozen=True, slots=True)
class Pause:
    """A break or the add-on pause. `until_ms` is None while tables finish their hands."""

    reason: PauseReason
    until_ms: int | None = None


_NO_ENTRIES: Final[Map[str, Entry]] = Map()
_NO_NAMES: Final[Map[str, str]] = Map()
_NO_TABLES: Final[Map[int, TournamentTable]] = Map()
_NO_BUSTS: Final[Map[str, BustRecord]] = Map()
_NO_SIZES: Final = Sizes(())


@dataclass(frozen=True)
class Tournament:
    """`idle` are the tables between two hands. `clock_ms` is the running time of the levels up to `clock_from_ms`.

    `busts` are knock-outs not yet ranked, by hand in the order of play; `vip_busts` wait until the player cannot come
    back.
    """

    terms: TournamentTerms
    status: Status = Status.REGISTERING
    entries: Map[str, Entry] = _NO_ENTRIES
    latest: Map[str, str] = _NO_NAMES
    """The newest entry of each player."""
    field_entries: int = 0
    """Entries that count for prizes: of all flights in a second phase."""
    tables: Map[int, TournamentTable] = _NO_TABLES
    sizes: Sizes = _NO_SIZES
    idle: frozenset[int] = frozenset()
    last_table_no: int = 0
    last_entry_no: int = 0
    out: int = 0
    busts: tuple[tuple[BustRecord, ...], ...] = ()
    vip_busts: Map[str, BustRecord] = _NO_BUSTS
    pool: int = 0
    fees: int = 0
    chips: int = 0
    """Chips issued and not taken out of play."""
    heads_paid: int = 0
    is_open: bool = True
    """Registration is open."""
    prizes: tuple[int, ...] = ()
    tickets: int = 0
    overlay: int = 0
    credited: int = 0
    held: int = 0
    """Prizes of disqualified players."""
    clock_ms: int = 0
    clock_from_ms: int | None = None
    pause: Pause | None = None
    is_stopped: bool = False
    """Staff have paused the tournament."""
    proposal: RefundProposal | None = None
    ordered_out: frozenset[str] = frozenset()
    """Entries whose disqualification waits for the end of a hand."""
    paused_at_ms: int = 0
    is_add_on_over: bool = False

    def changed(self, **fields: Any) -> "Tournament":  # noqa: ANN401  any of the fields above
        changed = object.__new__(Tournament)
        object.__setattr__(changed, "__dict__", {**self.__dict__, **fields})
        return changed

    def has_offer(self, entry_id: str, at_ms: int) -> bool:
        """Whether the busted entry may still buy chips. Offers end with registration at the latest."""
        until_ms = self.entries[entry_id].offer_until_ms
        return until_ms is not None and self.is_open and at_ms < until_ms

    @property
    def left(self) -> int:
        """Entries that are not eliminated, busted ones with an open offer included."""
        return len(self.entries) - self.out

    def running_ms(self, at_ms: int) -> int:
        """Running time of the level clock; it stands still in breaks."""
        return self.clock_ms + (max(at_ms - self.clock_from_ms, 0) if self.clock_from_ms is not None else 0)

    def level(self, at_ms: int) -> int:
        return self.terms.structure.number_at(self.running_ms(at_ms))

    def levels_played(self, at_ms: int) -> int:
        """Levels that are over, also beyond the last of the structure."""
        return self.running_ms(at_ms) // self.terms.structure.level_ms

    @property
    def is_all_idle(self) -> bool:
        return len(self.idle) == len(self.tables)

    @property
    def is_hand_for_hand(self) -> bool:
        """Tables play one hand each and wait: shortly before the money, while there is more than one table.

        So they do during late registration too, but not while a knock-out may still be undone by a rebuy.
        """
        if len(self.tables) < 2 or self.terms.flight_ends_level or (self.is_open and self.terms.rebuy):
            return False
        return 0 < self.left - self.places <= self.terms.hand_for_hand_from

    @property
    def places(self) -> int:
        """Places paid, or tickets of a satellite; for the entries so far while registration is open."""
        terms = self.terms
        if not self.is_open:
            return self.tickets or len(self.prizes)
        if terms.ticket_value:
            return satellite_prizes(self.pool, terms.ticket_value, terms.seats_guaranteed, self.field_entries).tickets
        if terms.percents:
            return min(len(terms.percents), len(self.entries))
        return places_paid(self.field_entries, terms.seats, terms.payouts)

    def place_of(self, out_no: int) -> int:
        return len(self.entries) - out_no + 1
