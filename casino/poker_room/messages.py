"""Messages to and from the poker room: plain data, so that gateways and the room may run in different processes.

A gateway posts messages of players and staff, and receives the reply of each. `FromPlayer` messages carry the
connection they came from. The room decides which connection controls a seat: the one that joined the table last.
"""

from dataclasses import dataclass
from typing import Any, Final, Protocol, get_args

from casino.hosting.codec import MessageCodec
from casino.hosting.interfaces import Connection
from casino.poker.betting import Action
from casino.poker_room.pre_actions import Choice
from casino.poker_room.senders import Sender
from casino.poker_room.tournament.messages import TournamentMessage
from casino.users.roles import Person
from casino.wire.outbound import OutboundEvent

ROOM: Final = "poker"
"""Address of the poker room, in place of the id of a table."""


@dataclass(frozen=True, slots=True)
class FollowLobby:
    """Asks for the lobby, and for its changes from now on if there is a connection."""

    sender: Sender


@dataclass(frozen=True, slots=True)
class JoinPool:
    """Asks for a seat at any table of the pool. `buy_in` is 0 if the player wants to be asked."""

    sender: Sender
    pool_id: str
    buy_in: int
    key: str
    wait_for_bb: bool = True
    auto_top_up: bool = False


@dataclass(frozen=True, slots=True)
class Sit:
    """Buys in at the reserved seat. `resume` takes a Banzai stack back."""

    sender: Sender
    table_id: str
    amount: int
    key: str
    resume: bool = False


@dataclass(frozen=True, slots=True)
class LeavePool:
    """Gives up the place in the queue."""

    sender: Sender
    pool_id: str


@dataclass(frozen=True, slots=True)
class Join:
    """The connection comes to the table, for the first time or again, and controls the player's seat from now on."""

    sender: Sender
    table_id: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Gives up the seat: at once, or after the running hand."""

    sender: Sender
    table_id: str


@dataclass(frozen=True, slots=True)
class ActInHand:
    """A decision. `amount` is a raise's total for the street."""

    sender: Sender
    table_id: str
    hand_id: str
    turn: int
    action: Action
    amount: int = 0


@dataclass(frozen=True, slots=True)
class PreAct:
    sender: Sender
    table_id: str
    hand_id: str
    choice: Choice
    price: int | None = None


@dataclass(frozen=True, slots=True)
class SitOut:
    """Sits out now or before the next big blind, or with `is_on` false comes back. Without a table: everywhere."""

    sender: Sender
    table_id: str | None
    at_big_blind: bool
    is_on: bool


@dataclass(frozen=True, slots=True)
class WaitForBigBlind:
    sender: Sender
    table_id: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class AutoTopUp:
    sender: Sender
    table_id: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class TopUp:
    """Adds chips, during a hand after it."""

    sender: Sender
    table_id: str
    amount: int
    key: str


@dataclass(frozen=True, slots=True)
class ShowCards:
    """Shows own cards after the hand."""

    sender: Sender
    table_id: str
    hand_id: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Reports the player of a seat in a hand."""

    sender: Sender
    table_id: str
    hand_id: str
    seat_no: int
    text: str


@dataclass(frozen=True, slots=True)
class MayChat:
    """Asks whether the chat of the table is open to the player; it is closed to players with live cards."""

    sender: Sender
    table_id: str


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """A connection is closed. `is_last` if the player has no other one to the room, at any table or the lobby."""

    player_id: str
    connection: Connection
    is_last: bool


@dataclass(frozen=True, slots=True)
class Exclude:
    """The player may not risk more money: leaves all queues, and all tables after the running hands."""

    player_id: str


@dataclass(frozen=True, slots=True)
class ViewLobby:
    """Asks for all pools, of one currency if it is given."""

    currency: str | None = None


@dataclass(frozen=True, slots=True)
class ViewFloor:
    """Asks for the overview of all tables, for managers."""


@dataclass(frozen=True, slots=True)
class PauseTable:
    """No hand begins at the table; a running one is finished."""

    table_id: str
    by: Person
    reason: str


@dataclass(frozen=True, slots=True)
class ResumeTable:
    table_id: str
    by: Person
    reason: str


@dataclass(frozen=True, slots=True)
class ReturnChips:
    """Pays out all chips of a table whose state cannot be read, and closes it."""

    table_id: str
    by: Person
    reason: str


@dataclass(frozen=True, slots=True)
class ViewReports:
    """Asks for reports of players, newest first: those with a smaller id than `before`."""

    limit: int
    before: int | None = None


@dataclass(frozen=True, slots=True)
class PreviewVoid:
    """Asks what voiding the running hand would return to each player."""

    table_id: str


@dataclass(frozen=True, slots=True)
class VoidRunningHand:
    """Rolls the hand back to its start. The second step after a preview: `hand_id` is the hand the preview named."""

    table_id: str
    hand_id: str
    by: Person
    reason: str


AtTable = Join | Leave | ActInHand | PreAct | WaitForBigBlind | AutoTopUp | TopUp | ShowCards
FromPlayer = FollowLobby | JoinPool | Sit | LeavePool | SitOut | Report | MayChat | AtTable
FromStaff = ViewFloor | ViewReports | PauseTable | ResumeTable | PreviewVoid | VoidRunningHand | ReturnChips
Message = FromPlayer | FromStaff | ConnectionLost | Exclude | ViewLobby | TournamentMessage

# A sender is part of a message and no message by itself.
CODEC: Final[MessageCodec[Message]] = MessageCodec[Any]([*get_args(Message), Sender])


class RoomPublisher(Protocol):
    """Sends the room's events to gateways. It never blocks: the implementation handles slow listeners."""

    def subscribe(self, table_id: str, connection: Connection) -> None:
        """From now on this connection receives the events to the table."""

    def unsubscribe(self, table_id: str, connection: Connection) -> None: ...

    def to_table(self, table_id: str, *events: OutboundEvent) -> None:
        """Sends events to all connections at the table."""

    def to_connection(self, connection: Connection, *events: OutboundEvent) -> None:
        """Sends personal events to one connection, together."""

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        """Sends events to all connections of the player, at tables or not."""

    def to_lobby(self, currency: str, *events: OutboundEvent) -> None:
        """Sends events to all connections that follow the lobby and have this currency."""

    def seat_moved(self, table_id: str, connection: Connection) -> None:
        """Informs the connection that another one controls the seat now."""
