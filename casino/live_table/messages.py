"""Messages to and from a running table. Other code never touches a table's objects; it sends messages.

The commands of a round (`casino.uth.commands`) are messages too: bets, decisions, scanned cards, a manager's
resumption. This module defines the messages about the table outside the round.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

from casino.hosting.codec import MessageCodec
from casino.hosting.interfaces import Connection
from casino.users.roles import Person
from casino.uth.commands import Advance, Command, Continue, CorrectRound, Decide, PlaceBet, VoidBetting


@dataclass(frozen=True, slots=True)
class Join:
    """A player joins or rejoins the table; `seat_no` is the preferred seat at an own-hands table.

    `connection` controls the seat from now on; None for simulated players, which have none.
    """

    player_id: str
    name: str
    seat_no: int | None = None
    connection: Connection | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """The player has left, or the connection is lost: open bets are returned.

    Without effect if another connection than this one controls the seat.
    """

    player_id: str
    connection: Connection | None = None


@dataclass(frozen=True, slots=True)
class FromSeat:
    """A bet or decision sent by a connection; refused unless that controls the player's seat."""

    connection: Connection
    command: PlaceBet | Decide


@dataclass(frozen=True, slots=True)
class Watch:
    """A host console subscribes to the table; `by` is the person at the console."""

    by: str = ""
    connection: Connection | None = None


@dataclass(frozen=True, slots=True)
class Unwatch:
    """The connection of a host console is closed."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Opens the table; the presenter goes on shift, unless a colleague is."""

    by: str
    role: str = "presenter"


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Closes the table: the running round ends normally, and the shift ends with it."""

    by: str
    role: str = "presenter"


@dataclass(frozen=True, slots=True)
class StartRound:
    by: str


@dataclass(frozen=True, slots=True)
class CountDeck:
    """Starts a deck count from the first card; `deck` names one of the table's decks."""

    by: str
    deck: str | None = None


@dataclass(frozen=True, slots=True)
class CountCard:
    by: str
    code: str


@dataclass(frozen=True, slots=True)
class EndCount:
    """Abandons the deck count. A count that has read all 52 cards ends by itself."""

    by: str


@dataclass(frozen=True, slots=True)
class SetLimits:
    """Sets limits from the next round on; the running round keeps its own."""

    by: str
    role: str
    limits: Mapping[str, int]
    reason: str


@dataclass(frozen=True, slots=True)
class PreviewCancel:
    """Asks for the refunds of a cancellation."""


@dataclass(frozen=True, slots=True)
class CorrectSettled:
    """Approves the correction of a settled round of this table, proposed by another person."""

    correction_id: str
    by: Person
    remark: str = ""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """A presenter asks for the table of a colleague."""

    by: str


@dataclass(frozen=True, slots=True)
class AnswerHandOver:
    """Confirms or refuses that request, by the colleague on shift or a manager."""

    proposal_id: str
    by: str
    role: str
    is_confirmed: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TipReceived:
    """A player tipped the presenter on shift; the money has moved."""

    player_id: str
    amount: int
    is_play_money: bool


@dataclass(frozen=True, slots=True)
class Drain:
    """The server stops: open bets are returned, and no new round begins."""


ConsoleMessage = (
    CountDeck | CountCard | EndCount | SetLimits | PreviewCancel | CorrectSettled | TakeOver | AnswerHandOver
)
StaffMessage = OpenTable | CloseTable | StartRound | ConsoleMessage | Command


@dataclass(frozen=True, slots=True)
class FromPresenter:
    """A message of a presenter; refused unless this presenter may act at this table."""

    by: str
    message: StaffMessage


Message = Join | Leave | FromSeat | Watch | Unwatch | TipReceived | Drain | StaffMessage | FromPresenter

OWN_COMMANDS: Final = frozenset({Advance, VoidBetting, Continue, CorrectRound})
"""Commands that a table gives itself. No other part sends them, and no bytes are decoded to them."""
CODEC: Final = MessageCodec[Message](kind for kind in get_args(Message) if kind not in OWN_COMMANDS)
