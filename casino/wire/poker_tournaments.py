"""Tournaments of the poker room for players: lobby rows, the view of one tournament, and news.

Prices and prizes are minor units of the currency; chips have no value.
"""

from typing import Final, Literal

from typing_extensions import TypedDict

from casino.wire.common import Count, Minor, Moment
from casino.wire.outbound import ServerEvent
from casino.wire.poker_entries import EntryStatus, OwnEntry, Place, TournamentKindName
from casino.wire.poker_hands import PokerGame, PokerSeatNo
from casino.wire.poker_hexapro import HexaReveal

TournamentStatus = Literal["registering", "running", "finished", "cancelled"]
Feature = Literal[
    "freezeout",
    "rebuy",
    "addon",
    "reentry",
    "bounty",
    "progressive",
    "satellite",
    "freeroll",
    "multi",
    "flight",
    "phase_two",
]
NewsKind = Literal[
    "entered",
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
Requirement = Literal["verified", "deposit", "ticket"]
MoveReason = Literal["start", "late", "balance", "rebuy"]


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
    late_registration_until: Moment | None
    """If no break comes in between; null without late registration."""
    structure: str
    """The name of the structure, such as `turbo`."""
    level_minutes: Count
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


class RebuyView(TypedDict):
    """For players with at most the starting stack; `max` null: as often as they like."""

    price: Minor
    chips: Minor
    levels: Count
    max: Count | None


class AddOnView(TypedDict):
    """Once, in the pause after the rebuy levels."""

    price: Minor
    chips: Minor


class BountyView(TypedDict):
    """`to_head` percent of a progressive bounty go onto the eliminator's own head."""

    kind: Literal["regular", "progressive"]
    amount: Minor
    to_head: Count


class MultiBuyInView(TypedDict):
    min: Minor
    max: Minor
    step: Minor


class TournamentParameters(TypedDict):
    """What the tournament is played by, apart from its row and its levels."""

    stack: Minor
    entries_min: Count
    unregister_until: Moment | None
    """Null: never, or until the start of a Sit & Go."""
    reentries_max: Count
    rebuy: RebuyView | None
    addon: AddOnView | None
    bounty: BountyView | None
    multi_buy_in: MultiBuyInView | None
    ticket_value: Minor
    """Price of the tournament whose entries a satellite pays; 0 elsewhere."""
    seats_guaranteed: Count
    target: str | None
    """The schedule's name of that tournament, or of the second phase of a flight."""
    flight_ends_level: Count | None
    is_phase_two: bool
    requirements: list[Requirement]
    """What an account needs before it enters."""
    sync_breaks: bool
    break_minutes: Count


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
    parameters: TournamentParameters
    hexa: HexaReveal | None
    """The draw of a HexaPro game."""
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


class TournamentList(TypedDict):
    """Answer to `GET /api/poker/tournaments`."""

    tournaments: list[TournamentRow]


TOURNAMENT: Final = ServerEvent("tournament", TournamentView)
TOURNAMENT_NEWS: Final = ServerEvent("tournament_news", TournamentNews)
MOVED_TABLE: Final = ServerEvent("moved_table", MovedTable)
