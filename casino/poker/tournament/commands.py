"""Commands to a tournament. The rules elsewhere decide whether a command is allowed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from casino.poker.state import Award
from casino.poker.tournament.entries import Survivor
from casino.poker.tournament.terms import TournamentTerms


class Means(StrEnum):
    MONEY = "money"
    TICKET = "ticket"


@dataclass(frozen=True, slots=True)
class Register:
    """Enter, late or again too. `amount` chooses the total of a multi-buy-in; 0 is the usual price."""

    entry_id: str
    player_id: str
    means: Means = Means.MONEY
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Unregister:
    entry_id: str


@dataclass(frozen=True, slots=True)
class CarryOver:
    """Seat the survivors of all flights in the second phase; the field and its pool decide the prizes.

    Each player comes once. `fees_earned` are those of smaller stacks that were left behind.
    """

    survivors: tuple[Survivor, ...]
    field_entries: int
    pool: int
    fees_earned: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """Delay the tournament or change its terms before the start."""

    terms: TournamentTerms
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Start:
    """Draw the seats and deal; with too few entries the tournament is cancelled instead."""


class SeatChips(NamedTuple):
    seat_no: int
    chips: int


@dataclass(frozen=True, slots=True)
class HandDone:
    """A table's report at the end of a hand. A void hand has the stacks of its start.

    `rebuys` are entries that asked for one during the hand.
    """

    table_no: int
    stacks: tuple[SeatChips, ...]
    awards: tuple[Award, ...] = ()
    is_void: bool = False
    rebuys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rebuy:
    entry_id: str


@dataclass(frozen=True, slots=True)
class AddOn:
    entry_id: str


@dataclass(frozen=True, slots=True)
class Decline:
    """A busted player takes no rebuy, or will not enter again."""

    entry_id: str


@dataclass(frozen=True, slots=True)
class TimePasses:
    """Check everything that depends on time: levels, offers and pauses."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after a restart: the level clock stood still since `stopped_ms`."""

    stopped_ms: int


@dataclass(frozen=True, slots=True)
class Disqualify:
    """Take a player's chips out of play between two hands of the table."""

    entry_id: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Pause the tournament until staff continue it."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Continue:
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Cancel:
    """By the published cases."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class ProposeRefund:
    """Cancel outside the published cases, with everything the remaining players have paid."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class ApproveRefund:
    """By a second person."""

    by: str


@dataclass(frozen=True, slots=True)
class RejectRefund:
    reason: str
    by: str


Command = (
    Register
    | Unregister
    | CarryOver
    | Change
    | Start
    | HandDone
    | Rebuy
    | AddOn
    | Decline
    | TimePasses
    | Resume
    | Disqualify
    | Stop
    | Continue
    | Cancel
    | ProposeRefund
    | ApproveRefund
    | RejectRefund
)
