"""Interfaces between gateways and running tables: table client, publisher and directory.

`local.py` implements them inside one process. Whatever crosses them is plain data that `codec.py` can encode, and
nothing is read across them synchronously but published values.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar, Unpack

from casino.wire.notices import HouseValues
from casino.wire.outbound import OutboundEvent, Payload

M_contra = TypeVar("M_contra", contravariant=True)


class Connection(NamedTuple):
    """A client's connection: the gateway that holds it, and its id there."""

    gateway: str
    sid: str


class SeatHolder(NamedTuple):
    """The connection that controls a seat. The epoch grows with every change of the connection."""

    connection: Connection
    epoch: int


class TableClient(Protocol[M_contra]):
    """Sends messages to one table, wherever it runs."""

    @property
    def table_id(self) -> str: ...

    def post(self, message: M_contra, arrived_ms: int) -> asyncio.Future[Payload]:
        """Sends the message with its time of arrival; returns the future reply, or the table's refusal."""

    async def ask(self, message: M_contra) -> Payload:
        """Sends the message now; returns the table's reply or raises its refusal."""


class Publisher(Protocol):
    """Sends the events of one table to gateways. It never blocks: the implementation handles slow listeners."""

    def to_table(self, event: OutboundEvent) -> None:
        """Sends an event to all players at the table."""

    def to_player(self, player_id: str, *events: OutboundEvent) -> None:
        """Sends events to the connection that holds the player's seat, together."""

    def to_hosts(self, event: OutboundEvent) -> None:
        """Sends an event to all host consoles that watch the table."""

    def to_chat(self, code: str, text: str, at_ms: int, **values: Unpack[HouseValues]) -> None:
        """Writes a system message to the table's chat; `code` as in the notice."""

    def seat_moved(self, connection: Connection) -> None:
        """Informs the connection that another one controls the seat now."""


class Directory(Protocol):
    """Published data of tables: their state, their last results, and the holders of their seats.

    Only the table itself writes its entries.
    """

    def publish(self, table_id: str, state: Payload) -> None: ...

    def publish_results(self, table_id: str, results: Sequence[Payload]) -> None:
        """Publishes the results of the last rounds, newest first."""

    def take_seat(self, table_id: str, player_id: str, connection: Connection) -> None:
        """Publishes that this connection controls the seat now."""

    def release_seat(self, table_id: str, player_id: str) -> None: ...

    def state(self, table_id: str) -> Payload:
        """Returns the state last published; raises `KeyError` for an unknown table."""

    def results(self, table_id: str) -> Sequence[Payload]: ...

    def seat_holder(self, table_id: str, player_id: str) -> SeatHolder | None: ...

    def tables_of(self, player_id: str) -> set[str]:
        """Returns the tables at which the player holds a seat."""
