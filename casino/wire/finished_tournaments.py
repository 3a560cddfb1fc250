"""Tournaments that are over, for everybody: a list of the last ones, and the results of one."""

from typing import Literal

from typing_extensions import TypedDict

from casino.wire.common import Count, Minor, Moment
from casino.wire.poker_entries import Place, TournamentKindName
from casino.wire.poker_hands import PokerGame, PokerSeatNo
from casino.wire.poker_hexapro import HexaDraw
from casino.wire.poker_tournaments import (
    Feature,
    PrizeView,
    TournamentParameters,
    TournamentPrice,
    TournamentStructure,
)


class FinishedTournamentRow(TypedDict):
    tournament_id: str
    kind: TournamentKindName
    name: str
    game: PokerGame
    currency: str
    seats: PokerSeatNo
    """Of each table."""
    price: TournamentPrice
    structure: str
    """The name of the structure."""
    features: list[Feature]
    guarantee: Minor
    ticket_value: Minor
    """Price of the tournament whose entries a satellite paid; 0 elsewhere."""
    status: Literal["finished", "cancelled"]
    starts_at: Moment
    ended_at: Moment
    entries: Count
    paid_out: Minor
    """Prizes, bounties and refunds in money."""
    winner: str | None


class FinishedTournaments(TypedDict):
    """Latest start first."""

    tournaments: list[FinishedTournamentRow]
    next: str | None
    """A value for `before`; null on the last page."""


class FinishedPlace(TypedDict):
    """An entry: a player who entered again has several. `ticket`: the prize is an entry of that price."""

    name: str
    place: Place | None
    """Null after a cancellation for those who were left, and for survivors of a flight."""
    prize: Minor
    ticket: bool
    bounties: Minor
    """Won by eliminating others."""
    refund: Minor
    """After a cancellation."""
    chips: Minor
    """That a survivor of a flight takes to the second phase; 0 elsewhere."""
    rebuys: Count
    has_add_on: bool


class FinalTableSeat(TypedDict):
    """`icm`: the expected prize of these chips when the final table began, by Malmuth and Harville."""

    name: str
    chips: Minor
    icm: Minor
    place: Place | None
    prize: Minor


class FinishedTournament(FinishedTournamentRow):
    rebuys: Count
    add_ons: Count
    added: Minor
    overlay: Minor
    """What the house added to reach the guarantee, with the added money."""
    prizes: list[PrizeView]
    """Empty if it was cancelled before registration closed."""
    level: Count
    """In which it ended; 0 if no hand was dealt."""
    parameters: TournamentParameters
    levels: TournamentStructure
    cancelled_because: str | None
    draw: HexaDraw | None
    final_table: list[FinalTableSeat]
    """Of tournaments with several tables, by chips when it began."""
    places: list[FinishedPlace]
    total: Count
    """Entries that the search finds; `places` has the first of them."""
