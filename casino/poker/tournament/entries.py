"""Prices of entries, multi-buy-ins, satellites, tickets and flights."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from casino.errors import Code, Refusal

DAY_MS: Final = 24 * 60 * 60 * 1000
TICKET_DAYS: Final = 365
FEE_PERCENT: Final = 10


@dataclass(frozen=True, slots=True)
class Price:
    """A buy-in: the part for the prize pool, the part for the entry's head, and the fee."""

    pool: int
    fee: int = 0
    bounty: int = 0

    def __post_init__(self) -> None:
        if min(self.pool, self.fee, self.bounty) < 0:
            raise ValueError("no part of a price is negative")

    @property
    def total(self) -> int:
        return self.pool + self.fee + self.bounty


def usual_fee(total: int) -> int:
    """Ten percent of the total, half up."""
    return (total * FEE_PERCENT + 50) // 100


@dataclass(frozen=True, slots=True)
class MultiBuyIn:
    """The total of an entry is chosen in steps between two bounds."""

    least: int
    most: int
    step: int

    def __post_init__(self) -> None:
        if not 0 < self.least <= self.most or self.step < 1 or (self.most - self.least) % self.step:
            raise ValueError("steps must lead from the smallest total to the largest")

    def priced(self, price: Price, stack: int, chosen: int) -> tuple[Price, int]:
        """Price and stack of the chosen total; stack, fee and bounty are in proportion, the rest goes to the pool."""
        if chosen < self.least:
            raise Refusal(Code.BELOW_MINIMUM, "That is below the smallest buy-in of this tournament.")
        if chosen > self.most:
            raise Refusal(Code.ABOVE_MAXIMUM, "That is above the largest buy-in of this tournament.")
        if (chosen - self.least) % self.step:
            raise Refusal(Code.NOT_A_CHIP_MULTIPLE, "Choose one of the offered buy-ins.")
        fee = price.fee * chosen // self.least
        bounty = price.bounty * chosen // self.least
        return Price(chosen - fee - bounty, fee, bounty), stack * chosen // self.least


class SatellitePrizes(NamedTuple):
    """`overlay` is what the house adds for guaranteed seats, `rest` the money prize of the next place."""

    tickets: int
    rest: int
    overlay: int


def satellite_prizes(pool: int, value: int, seats_guaranteed: int = 0, entries: int | None = None) -> SatellitePrizes:
    """As many entries of this value as the pool pays for, at least the guaranteed ones, at most one for each entry."""
    if value < 1:
        raise ValueError("an entry of the target has a price")
    tickets = max(pool // value, seats_guaranteed)
    if entries is not None:
        tickets = min(tickets, entries)
    overlay = max(tickets * value - pool, 0)
    return SatellitePrizes(tickets, pool + overlay - tickets * value, overlay)


class Origin(StrEnum):
    SATELLITE = "satellite"
    REFUND = "refund"
    PROMOTION = "promotion"


class Lapse(StrEnum):
    """The fate of a ticket after its last day."""

    MONEY = "money"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Ticket:
    """An entry of exactly this value, or to one named event. It is no money and cannot be given away."""

    ticket_id: str
    value: int
    currency: str
    origin: Origin
    issued_ms: int
    event: str | None = None

    @property
    def expires_ms(self) -> int:
        return self.issued_ms + TICKET_DAYS * DAY_MS

    def is_usable(self, event: str, total: int, currency: str, now_ms: int) -> bool:
        fits = self.event == event if self.event is not None else self.value == total
        return fits and self.currency == currency and now_ms < self.expires_ms

    @property
    def lapse(self) -> Lapse:
        """Tickets that players have paid for turn into money."""
        return Lapse.NOTHING if self.origin is Origin.PROMOTION else Lapse.MONEY


class Survivor(NamedTuple):
    """A player who has chips at the end of a flight. `fees` were paid there; a failure gives them back."""

    player_id: str
    entry_id: str
    stack: int
    fees: int = 0


def phase_two(survivors: Iterable[Survivor]) -> list[Survivor]:
    """Each player once, with the largest stack; among equal stacks the earlier flight counts."""
    best: dict[str, Survivor] = {}
    for survivor in survivors:
        known = best.get(survivor.player_id)
        if known is None or survivor.stack > known.stack:
            best[survivor.player_id] = survivor
    return list(best.values())
