"""Tournaments of the poker room for players: lobby rows, the view of one tournament, entries, and news.

Prices and prizes are minor units of the currency; chips have no value.
"""

from typing import Annotated, Final, Literal

from pydantic import Field
from typing_extensions import TypedDict

from casino.wire.common import Count, Minor, Moment, Sha256
from casino.wire.outbound import ServerEvent
from casino.wire.poker_hands import PokerGame, PokerSeatNo

TournamentKindName = Literal["mtt", "sng", "hexapro"]
TournamentStatus = Literal["registering", "running", "finished", "cancelled"]
EntryStatus = Literal["waiting", "registered", "playing", "out", "finished", "returned"]
MeansName = Literal["money", "ticket"]
Feature = Literal["freezeout", "rebuy", "addon", "reentry", "bounty", "progressive", "satellite", "freeroll", "multi"]
NewsKind = Literal[
    "started",
    "changed",
    "break",
    "break_over",
    "rebuy_offer",
    "addon_offer",
    "eliminated",
    "prize",
    "ticket",
    "bounty",
    "finished",
    "cancelled",
]
MoveReason = Literal["start", "late", "balance", "rebuy"]
Place = Annotated[int, Field(ge=1)]


class TournamentPrice(TypedDict):
    """Parts of a buy-in."""

    pool: Minor
    bounty: Minor
    fee: Minor
    total: Minor


class TournamentRow(TypedDict):
    """A tournament as the lobby shows it. A started HexaPro game is no row of the lobby."""

    tournament_id: str
    kind: TournamentKindName
    source: str
    """The template of the schedule or the line, with the currency, as in `sng-5-100-eur`."""
    name: str
    game: PokerGame
    currency: str
    seats: PokerSeatNo
    """Of each table."""
    price: TournamentPrice
    status: TournamentStatus
    registration_opens_at: Moment
    starts_at: Moment | None
    """Null for a Sit & Go, which starts when all seats are taken."""
    is_registration_open: bool
    late_levels: Count
    entries: Count
    entries_max: Count
    players_left: Count
    guarantee: Minor
    added: Minor
    prize_pool: Minor
    """Player-funded money with guarantee and added money, as if registration closed now."""
    overlay: Minor
    """What the house would add now to reach the guarantee."""
    level: Count
    """0 before the start."""
    features: list[Feature]


class HexaLine(TypedDict):
    """The line of a HexaPro product and buy-in: three different players make a game."""

    line: str
    product: str
    name: str
    game: PokerGame
    currency: str
    buy_in: Minor
    waiting: Count
    """Entries."""
    next_game: Count
    """The number of the next game of the line."""
    commitment: Sha256
    """SHA-256 of `secret:number` of the next game's draw, in hexadecimal. Both are revealed with the draw."""


class LevelView(TypedDict):
    number: Count
    sb: Minor
    bb: Minor
    ante: Minor


class TournamentStructure(TypedDict):
    name: str
    level_minutes: Count
    levels: list[LevelView]


class PrizeView(TypedDict):
    """Places `first` to `last` get `amount` each. `ticket`: as an entry of that price."""

    first: Place
    last: Place
    amount: Minor
    ticket: bool


class TournamentPrizes(TypedDict):
    is_final: bool
    """Registration is closed. Before, prizes are as if it closed now."""
    pool: Minor
    places: Count
    prizes: list[PrizeView]


class TournamentPlayer(TypedDict):
    name: str
    status: EntryStatus
    place: Place | None
    """Of a player who is out; final once registration is closed."""
    chips: Minor
    table_no: Count | None
    bounty: Minor
    """On the player's head."""
    prize: Minor


class TournamentPlayers(TypedDict):
    """In order of chips, then of places."""

    players: list[TournamentPlayer]
    total: Count


class TournamentTableRow(TypedDict):
    table_id: str
    table_no: Count
    players: Count
    largest: Minor
    smallest: Minor


class TournamentTables(TypedDict):
    tables: list[TournamentTableRow]


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
    paid: Minor
    won: Minor
    place: Place | None
    can_unregister: bool
    can_rebuy: bool
    rebuy_until: Moment | None
    """How long a player without chips may decide."""
    can_add_on: bool
    can_reenter: bool


class TournamentView(TypedDict):
    """To those who follow the tournament, when something has changed."""

    tournament: TournamentRow
    server_time: Moment
    started_at: Moment | None
    level: LevelView | None
    next_level: LevelView | None
    next_level_at: Moment | None
    """Null while the level clock stands still."""
    next_break_at: Moment | None
    on_break: bool
    break_until: Moment | None
    """Null while tables still finish their hands."""
    hand_for_hand: bool
    places_paid: Count
    average_stack: Minor
    largest_stack: Minor
    smallest_stack: Minor
    tables: Count
    late_registration_until: Moment | None
    prizes: list[PrizeView]
    prizes_are_final: bool
    own: OwnEntry | None
    """Only in the acknowledgement of `follow` and the answer to the player."""


class TournamentNews(TypedDict):
    """To an entrant: something that concerns the player's tournament."""

    tournament_id: str
    kind: NewsKind
    entry_id: str | None
    place: Place | None
    amount: Minor | None
    """Of a prize, bounty or refund."""
    until: Moment | None
    """Of a break or an offer."""
    table_id: str | None
    text: str


class MovedTable(TypedDict):
    """To a player whose seat is at another table of the tournament from now on."""

    tournament_id: str
    from_table_id: str | None
    """Null for the first seat."""
    table_id: str
    seat_no: PokerSeatNo
    reason: MoveReason
    """`balance`: also when the old table is closed."""


class HexaReveal(TypedDict):
    """To the three players of a HexaPro game: the draw, before the first hand."""

    tournament_id: str
    line: str
    product: str
    game_no: Count
    buy_in: Minor
    multiplier: Count
    number: Count
    secret: str
    commitment: Sha256
    prizes: list[Minor]
    stack: Minor
    level_minutes: Count
    first_hand_at: Moment
    table_id: str


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


class HexaRegisteredAck(TypedDict):
    entries: list[str]
    available: Minor


class HexaCancelledAck(TypedDict):
    available: Minor


class TournamentList(TypedDict):
    """Answer to `GET /api/poker/tournaments`."""

    tournaments: list[TournamentRow]


class OwnEntries(TypedDict):
    entries: list[OwnEntry]


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


TOURNAMENT: Final = ServerEvent("tournament", TournamentView)
TOURNAMENT_NEWS: Final = ServerEvent("tournament_news", TournamentNews)
MOVED_TABLE: Final = ServerEvent("moved_table", MovedTable)
HEXA: Final = ServerEvent("hexa", HexaReveal)
