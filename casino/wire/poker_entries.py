"""Tournament entries of a player: their states, acknowledgements of payments, tickets and results.

Prices and prizes are minor units of the currency; chips have no value.
"""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from casino.wire.common import Minor, Moment
from casino.wire.poker_hands import PokerSeatNo
from casino.wire.poker_hexapro import HexaDraw

TournamentKindName = Literal["mtt", "sng", "hexapro"]
EntryStatus = Literal["waiting", "registered", "playing", "out", "finished", "returned"]
MeansName = Literal["money", "ticket"]
Place = Annotated[int, Field(ge=1)]


class OwnEntry(TypedDict):
    """An entry of the player. `line` is set while it waits for a HexaPro game."""

    entry_id: str
    tournament_id: str | None
    line: str | None
    name: str
    status: EntryStatus
    table_id: str | None
    seat_no: PokerSeatNo | None
    chips: Minor
    bounty: Minor
    """On the player's own head."""
    rank: Place | None
    """Place by chips among the players left; null before the start."""
    paid: Minor
    won: Minor
    place: Place | None
    can_unregister: bool
    can_rebuy: bool
    rebuy_until: Moment | None
    """How long a player without chips may decide."""
    can_add_on: bool
    can_reenter: bool


class OwnEntries(TypedDict):
    entries: list[OwnEntry]


class RegisteredAck(TypedDict):
    entry_id: str
    available: Minor


class UnregisteredAck(TypedDict):
    returned: MeansName
    available: Minor


class ChipsBoughtAck(TypedDict):
    entry_id: str
    stack: Minor
    available: Minor


class TicketView(TypedDict):
    ticket_id: str
    value: Minor
    currency: str
    origin: Literal["satellite", "refund", "promotion"]
    event: str | None
    """Usable for tournaments of this source only; null: of exactly this price."""
    issued_at: Moment
    expires_at: Moment
    status: Literal["open", "used", "expired"]


class Tickets(TypedDict):
    tickets: list[TicketView]


class TournamentResult(TypedDict):
    """An own entry that has ended or was returned."""

    entry_id: str
    tournament_id: str | None
    """Null for a HexaPro entry that was taken back while it waited."""
    kind: TournamentKindName
    name: str
    currency: str
    registered_at: Moment
    ended_at: Moment
    is_returned: bool
    with_ticket: bool
    paid: Minor
    won: Minor
    """Prizes, bounties and refunds in money."""
    ticket: Minor | None
    """Value of a ticket that was won."""
    place: Place | None
    draw: HexaDraw | None


class TournamentResults(TypedDict):
    """Newest first."""

    results: list[TournamentResult]
    next: str | None
    """A value for `before`; null on the last page."""
