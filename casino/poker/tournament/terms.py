"""Terms of a tournament, fixed when it is announced."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from casino.poker.terms import Game
from casino.poker.tournament.bounty import BountyTerms
from casino.poker.tournament.entries import MultiBuyIn, Price
from casino.poker.tournament.hexapro import Draw
from casino.poker.tournament.prizes import STANDARD, PayoutTerms
from casino.poker.tournament.structure import MINUTE_MS, Structure

REBUY_OFFER_MS: Final = 15_000
ADD_ON_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class RebuyTerms:
    """More chips for players with at most the starting stack, during the first levels. `most` None: no limit."""

    price: Price
    chips: int
    levels: int = 6
    most: int | None = None


@dataclass(frozen=True, slots=True)
class AddOnTerms:
    """More chips once, in a pause after the rebuy levels."""

    price: Price
    chips: int


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """`late_levels`: registration closes with the end of this level. `ticket_value`: the prizes of a satellite.

    `percents` are fixed shares instead of the usual prizes; `vips` are players with a prize of the house on their
    heads. `draw` is the prize pool of a HexaPro game. A flight ends after `flight_ends_level`; the second phase
    (`is_phase_two`) is seated with its survivors. `target` is the schedule's name of the tournament that a satellite
    leads to, or of the second phase of a flight. `requirements` are checked outside the rules.
    """

    tournament_id: str
    name: str
    game: Game
    seats: int
    price: Price
    structure: Structure
    stack: int
    starts_ms: int
    late_levels: int = 6
    unregister_ms: int | None = 5 * MINUTE_MS
    entries_min: int = 3
    entries_max: int = 10_000
    reentries_max: int = 0
    rebuy: RebuyTerms | None = None
    addon: AddOnTerms | None = None
    bounty: BountyTerms | None = None
    vips: tuple[tuple[str, int], ...] = ()
    guarantee: int = 0
    added: int = 0
    multi_buy_in: MultiBuyIn | None = None
    ticket_value: int = 0
    seats_guaranteed: int = 0
    flight_ends_level: int | None = None
    is_phase_two: bool = False
    is_sit_and_go: bool = False
    sync_breaks: bool = True
    break_ms: int = 5 * MINUTE_MS
    hand_for_hand_from: int = 1
    payouts: PayoutTerms = STANDARD
    percents: tuple[int, ...] = ()
    draw: Draw | None = None
    target: str | None = None
    requirements: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for is_impossible, reason in self._combinations():
            if is_impossible:
                raise ValueError(reason)

    def _combinations(self) -> Iterator[tuple[bool, str]]:
        """Each impossible combination: whether the terms are one, and the reason against it."""
        has_bounty = bool(self.bounty or self.price.bounty)
        is_flight, is_satellite = bool(self.flight_ends_level), bool(self.ticket_value)
        money = bool(self.guarantee or self.added)
        extras = [extra.price.total for extra in (self.rebuy, self.addon) if extra]
        yield bool(self.rebuy) and has_bounty, "a tournament with bounties has no rebuys"
        yield bool(self.addon) and not self.rebuy, "an add-on ends the rebuy levels, so it needs them"
        yield 0 in extras, "a rebuy or an add-on has a price"
        yield (
            bool(self.bounty) != bool(self.price.bounty),
            "a bounty is part of the price, and the price has one only with bounty terms",
        )
        yield bool(self.rebuy) and is_flight, "a flight has no rebuys"
        yield (
            has_bounty and (is_flight or self.is_phase_two),
            "flights and their second phase have no bounties: survivors bring chips only",
        )
        yield (
            is_flight and (money or is_satellite),
            "a flight has no prizes: guarantee, added and satellite_to belong to the second phase",
        )
        yield bool(self.seats_guaranteed) and not is_satellite, "seats are guaranteed by satellites only"
        yield self.seats_guaranteed > self.entries_max, "more seats are guaranteed than there are entries"
        yield is_satellite and money, "a satellite guarantees seats, not money: use seats_guaranteed"
        yield is_satellite and bool(self.percents), "a satellite has no fixed shares: its prizes are entries"
        yield (
            self.multi_buy_in is not None and self.multi_buy_in.least != self.price.total,
            "the total is the smallest buy-in of a multi-buy-in",
        )
        yield self.stack < self.structure.levels[0].big_blind, "the stack is below the first big blind"
        yield (
            not 2 <= self.entries_min <= self.entries_max,
            "entries_min must be at least 2, and not above entries_max",
        )
        yield self.draw is not None and (not self.percents or money), "a drawn prize pool is divided by fixed shares"

    @property
    def registration_levels(self) -> int:
        """Registration, re-entry and rebuys end with this level; an add-on pause follows it."""
        return max(self.late_levels, self.rebuy.levels if self.rebuy else 0)

    @property
    def is_freeroll(self) -> bool:
        """No player has paid for the pool. Entries of a second phase cost nothing, but those of its flights did."""
        return self.price.total == 0 and not self.is_phase_two
