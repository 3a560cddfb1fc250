"""Events of a tournament that move money: bought chips, bounties, prizes and refunds."""

from dataclasses import dataclass
from typing import Literal

from casino.poker.tournament.cancel import Case
from casino.poker.tournament.commands import Means
from casino.poker.tournament.entries import Price
from casino.poker.tournament.records import EntryAmount, EntrySeat, RefundRecord


@dataclass(frozen=True, slots=True)
class ChipsBought:
    """A rebuy or an add-on; `seat` is given to a busted player who comes back."""

    entry_id: str
    reason: Literal["rebuy", "add_on"]
    price: Price
    chips: int
    seat: EntrySeat | None
    at_ms: int
    kind: Literal["chips_bought"] = "chips_bought"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class BountyPaid:
    """`amount` goes to the eliminator at once, `to_head` onto the eliminator's own head."""

    entry_id: str
    eliminator: str
    amount: int
    to_head: int
    at_ms: int
    kind: Literal["bounty_paid"] = "bounty_paid"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class VipPaid:
    """The house pays the prize on a VIP's head to the entries that knocked the VIP out for good."""

    player_id: str
    parts: tuple[EntryAmount, ...]
    at_ms: int
    kind: Literal["vip_paid"] = "vip_paid"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class RegistrationClosed:
    """Prizes are final. `overlay` is added by the house, with the added money.

    It is negative if the house keeps a part of the buy-ins, after a HexaPro draw below three. A flight has no prizes.
    """

    prizes: tuple[int, ...]
    tickets: int
    overlay: int
    at_ms: int
    kind: Literal["registration_closed"] = "registration_closed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class PrizeAwarded:
    entry_id: str
    place: int
    amount: int
    means: Means
    at_ms: int
    kind: Literal["prize_awarded"] = "prize_awarded"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class PrizeHeld:
    """The prize of a disqualified player's place stays with the house until the case is decided."""

    entry_id: str
    place: int
    amount: int
    means: Means
    at_ms: int
    kind: Literal["prize_held"] = "prize_held"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Cancelled:
    reason: str
    by: str
    case: Case
    refunds: tuple[RefundRecord, ...]
    to_house: int
    at_ms: int
    kind: Literal["cancelled"] = "cancelled"
    version: Literal[1] = 1
