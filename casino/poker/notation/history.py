"""A finished hand to be written: its events, the cards the reader may see, and names for the players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from casino.cards.card import Card
from casino.money import decimals
from casino.poker.events import Event, HandOpened
from casino.poker.hand import replay
from casino.poker.state import Hand
from casino.poker.tournament.entries import Price

_DAYS_BEFORE_1970_FROM_0000_03 = 719_468
_DAYS_IN_400_YEARS = 146_097


@dataclass(frozen=True, slots=True)
class TournamentInfo:
    """The tournament a hand belongs to. `price` is in minor units of `currency`; the hand's amounts are chips.

    `flags` are those of OHH, such as `SNG`, `Lottery`, `Bounty`, `Progressive-Bounty`, `Re-Entry`, `Satellite`.
    """

    tournament_id: str
    name: str
    starts_ms: int
    currency: str
    price: Price
    stack: int
    kind: Literal["MTT", "STT"]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class History:
    """`hole` holds only cards the reader may see; cards shown in the hand need not be there.

    Without a `currency` amounts are tournament chips, else minor units of it.
    """

    opened: HandOpened
    events: Sequence[Event]
    hole: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    currency: str | None = None
    table_name: str = ""
    site: str = "casino"
    reader: str | None = None
    """The player the history is written for."""
    seats: int | None = None
    """Seats of the table, taken or not; None if the reader of the history can't know."""
    tournament: "TournamentInfo | None" = None

    @property
    def hand(self) -> Hand:
        hand = replay(self.opened, self.events)
        assert hand.is_over, "a hand is written when it is over"
        return hand

    def amount(self, minor: int) -> Decimal:
        """The amount in major units, or chips."""
        return in_major(minor, self.currency) if self.currency else Decimal(minor)

    def name(self, player_id: str) -> str:
        return self.names.get(player_id, player_id)


def in_major(minor: int, currency: str) -> Decimal:
    return Decimal(minor).scaleb(-decimals(currency))


def utc(at_ms: int) -> tuple[int, int, int, int, int, int]:
    """Year, month, day, hour, minute and second of a time, by the Gregorian calendar. Years begin in March here."""
    days, seconds = divmod(at_ms // 1000, 86_400)
    era, day_of_era = divmod(days + _DAYS_BEFORE_1970_FROM_0000_03, _DAYS_IN_400_YEARS)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = month_from_march + 3 if month_from_march < 10 else month_from_march - 9
    year = year_of_era + era * 400 + (month <= 2)
    return year, month, day, seconds // 3600, seconds // 60 % 60, seconds % 60
