"""Events and acknowledgements for poker players, namespace `/poker`.

`hand` and `step` are numbered per table; after a gap a client joins again. Own cards and options are in personal
messages only: `cards`, `options`, `hand_over`, `seat`, and the acknowledgement of `join`.
"""

from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from casino.poker.terms import Format
from casino.wire.common import Card, Count, Hand, Minor, Moment, Pause
from casino.wire.notices import ChatLine
from casino.wire.outbound import ServerEvent, by_name
from casino.wire.player_events import BALANCE, CHAT, MOVED, NOTICE, REALITY_CHECK, SETTINGS, Done
from casino.wire.poker_entries import ChipsBoughtAck, OwnEntry, RegisteredAck, UnregisteredAck
from casino.wire.poker_hands import DeckProof, OptionFields, PokerGame, PokerHandView, PokerSeatNo, StepFields, Turn
from casino.wire.poker_hexapro import HEXA, HexaCancelledAck, HexaLine, HexaRegisteredAck
from casino.wire.poker_tournaments import MOVED_TABLE, TOURNAMENT, TOURNAMENT_NEWS, TournamentRow, TournamentView

StakeFormat = Literal[Format.REGULAR, Format.DEEP, Format.SHORT, Format.BANZAI]
Choice = Literal["none", "fold", "check_fold", "check", "call", "call_any"]
SeatState = Literal["reserved", "waiting", "playing", "sitting_out", "leaving"]
OwnState = Literal["queued", "reserved", "waiting", "playing", "sitting_out", "leaving", "gone"]


class Blinds(TypedDict):
    sb: Minor
    bb: Minor


class PokerTableSeat(TypedDict):
    """A taken seat. Whether it has folded or is all-in follows from the hand."""

    no: PokerSeatNo
    name: str
    stack: Minor
    state: SeatState
    """`waiting`: for the big blind or the next hand. `leaving`: after the hand, told once the player has folded."""
    connected: bool
    bank: Count
    """Remaining time bank, in milliseconds."""
    bounty: Minor
    """The price on the head in a tournament; 0 elsewhere."""
    since_ms: Moment
    """When the state began."""


class PokerTable(TypedDict):
    """To all at the table when seats, stacks between hands, blinds or a pause change."""

    id: str
    table_id: str
    pool: str | None
    """Of a cash table, as in `nl10:FUN`."""
    tournament: str | None
    """Of a tournament table."""
    name: str
    game: PokerGame
    format: StakeFormat | None
    """Null at a tournament table."""
    currency: str | None
    """Null where chips have no value."""
    size: PokerSeatNo
    """How many seats the table has."""
    blinds: Blinds
    ante: Minor
    seats: list[PokerTableSeat]
    button: PokerSeatNo | None
    """Of the last hand; null before the first."""
    hand_no: Count
    """The number of the last hand; 0 before the first."""
    next_hand_at: Moment | None
    """When the next hand begins; null during a hand, and while too few players are present."""
    next_level_at: Moment | None
    """Of a tournament; null at a cash table."""
    paused: Pause | None


class PokerHand(PokerHandView):
    """To all at the table: a new hand. The same shape, with later steps in it, is in the acknowledgement of `join`."""

    seq: Count
    """The number of the last `hand` or `step` that is contained in it."""
    server_time: Moment
    turn: Turn | None


class PokerStep(StepFields):
    """To all at the table: something happened in the hand."""

    table_id: str
    hand_id: str
    seq: Count
    """Grows by one with every `hand` and `step` of the table; after a gap, join again."""
    server_time: Moment
    turn: Turn | None
    """Who has to act now; null while cards are dealt and when the hand is over."""


class OwnCards(TypedDict):
    """To one player, with the deal and with every street."""

    table_id: str
    hand_id: str
    seat_no: PokerSeatNo
    cards: list[Card]
    hand: Hand | None
    """The best hand so far; null before an Omaha flop."""


class PokerOptions(OptionFields):
    """To one player when their turn begins, when its times change, and, empty, when it is over."""

    table_id: str
    hand_id: str
    turn: Annotated[int, Field(ge=1)] | None
    """The decision these are for; null when it is not the player's turn."""
    deadline: Moment | None
    bank_until: Moment | None
    protection_until: Moment | None


class PokerHandOver(TypedDict):
    """To one player when a hand the player was dealt in is over and stored."""

    table_id: str
    hand_id: str
    net: int
    """Net result of the hand, negative for a loss."""
    stack: Minor
    available: Minor
    """Of the account."""
    proofs: list[DeckProof]
    """Of the player's cards, the board and cards shown to all."""
    history: str
    """Path of the hand in the player's history."""


class PokerSeat(TypedDict):
    """To one player when their seat or place in a queue changes."""

    pool: str | None
    """Null at a tournament table."""
    table_id: str | None
    """Null in a queue."""
    seat_no: PokerSeatNo | None
    state: OwnState
    stack: Minor
    owes: Minor
    """The blind that is due before the player is dealt in, unless the big blind comes first; 0 if none."""
    bank: Count
    """Remaining time bank, in milliseconds."""
    wait_for_bb: bool
    auto_top_up: bool
    sit_out_next_bb: bool
    sit_out_until: Moment | None
    """When the player is removed if still sitting out; null if the player does not."""
    pre_action: Choice
    place: Count | None
    """In the queue, counted from 1; null elsewhere."""
    missing: Count | None
    """How many more players open a table; null elsewhere."""
    min: Minor | None
    """The least buy-in or top-up that is possible now; null where none is."""
    max: Minor | None
    amounts: list[Minor]
    """Banzai: the only amounts possible; empty elsewhere."""
    until: Moment | None
    """How long the seat is reserved, or how long a player without chips may top up."""
    reason: str | None
    """Why the seat is `gone`: `left`, `removed`, `no_chips`, `not_bought_in`, `table_closed`; more may come."""


class PokerPool(TypedDict):
    """A stake in one currency, as the lobby shows it."""

    pool: str
    stake: str
    currency: str
    game: PokerGame
    format: StakeFormat
    blinds: Blinds
    seats: PokerSeatNo
    """Of each table."""
    buy_in_min: Minor
    """Without a stack the player has left with."""
    buy_in_max: Minor
    permille: Count
    """The rake in tenths of a percent."""
    cap: Minor
    """The most rake a hand pays with four or more dealt in."""
    tables: Count
    players: Count
    """How many have a seat."""
    waiting: Count
    average_pot: Minor
    """Of the last hands."""
    hands_per_hour: Count
    """Of one table, on average."""


class PokerLobbyChanges(TypedDict):
    """To those who follow the lobby, at most twice a second: what has changed."""

    pools: list[PokerPool]
    lines: list[HexaLine]
    tournaments: list[TournamentRow]
    """Without games of HexaPro lines. A finished or cancelled tournament leaves the lobby."""


class KeptChips(TypedDict):
    """Chips at a table that is out of order. They are safe, and staff return them."""

    table_id: str
    pool: str
    chips: Minor


class PokerLobby(PokerLobbyChanges):
    """All pools of the player's currency, and where the player has a seat, an entry or a place in a queue."""

    seats: list[PokerSeat]
    entries: list[OwnEntry]
    kept: list[KeptChips]


class PoolJoined(TypedDict):
    """`seated`: with the buy-in asked for. `reserved`: `sit` is due with an amount from `min` to `max`."""

    status: Literal["seated", "reserved", "queued"]
    pool: str
    table_id: NotRequired[str]
    """Of `seated` and `reserved`."""
    seat_no: NotRequired[PokerSeatNo]
    stack: NotRequired[Minor]
    """Of `seated`."""
    available: NotRequired[Minor]
    """Of `seated`."""
    min: NotRequired[Minor]
    """Of `reserved`."""
    max: NotRequired[Minor]
    amounts: NotRequired[list[Minor]]
    """Of `reserved` at a Banzai table: the only amounts possible."""
    reserved_until: NotRequired[Moment]
    place: NotRequired[Count]
    """Of `queued`: the place, counted from 1."""
    missing: NotRequired[Count]
    """Of `queued`: how many more players open a table."""


class SatDown(TypedDict):
    seat_no: PokerSeatNo
    stack: Minor
    available: Minor


class PokerSnapshot(TypedDict):
    """The table for one player, as the table itself answers."""

    table: PokerTable
    hand: PokerHand | None
    """The running hand, or the last one while its result is shown."""
    seat: PokerSeat | None
    """Null for a spectator of a tournament table."""
    cards: OwnCards | None
    options: PokerOptions | None
    available: Minor


class PokerJoined(PokerSnapshot):
    """All a player needs to go on from here, at any moment."""

    chat: list[ChatLine]
    """The last 20 lines, the newest last; empty for a player who hides the chat."""


class SeatLeft(TypedDict):
    stack: Minor
    """Amount that returns to the account, at once or after the hand."""
    available: Minor
    after_hand: bool


class Acted(TypedDict):
    turn: Annotated[int, Field(ge=1)]
    paid: Minor
    stack: Minor


class SatOut(TypedDict):
    sitting_out: bool
    until: Moment | None
    """When the player is removed; null while not sitting out."""


class ToppedUp(TypedDict):
    stack: Minor
    """With the new chips, at once or after the hand."""
    after_hand: bool
    available: Minor


POKER_TABLE: Final = ServerEvent("poker_table", PokerTable)
HAND: Final = ServerEvent("hand", PokerHand)
STEP: Final = ServerEvent("step", PokerStep)
CARDS: Final = ServerEvent("cards", OwnCards)
OPTIONS: Final = ServerEvent("options", PokerOptions)
HAND_OVER: Final = ServerEvent("hand_over", PokerHandOver)
POKER_SEAT: Final = ServerEvent("seat", PokerSeat)
POKER_LOBBY: Final = ServerEvent("lobby", PokerLobbyChanges)

TO_POKER_PLAYERS: Final = by_name(
    POKER_TABLE,
    HAND,
    STEP,
    CARDS,
    OPTIONS,
    HAND_OVER,
    POKER_SEAT,
    POKER_LOBBY,
    TOURNAMENT,
    TOURNAMENT_NEWS,
    MOVED_TABLE,
    HEXA,
    NOTICE,
    CHAT,
    BALANCE,
    SETTINGS,
    REALITY_CHECK,
    MOVED,
)

ACKS_TO_POKER_PLAYERS: Final[dict[str, type[Any]]] = {
    "lobby": PokerLobby,
    "join_pool": PoolJoined,
    "sit": SatDown,
    "leave_pool": Done,
    "join": PokerJoined,
    "leave": SeatLeft,
    "act": Acted,
    "pre_act": Done,
    "sit_out": SatOut,
    "wait_for_bb": Done,
    "auto_top_up": Done,
    "top_up": ToppedUp,
    "show": Done,
    "register": RegisteredAck,
    "unregister": UnregisteredAck,
    "rebuy": ChipsBoughtAck,
    "add_on": ChipsBoughtAck,
    "re_enter": RegisteredAck,
    "decline": Done,
    "hexa_register": HexaRegisteredAck,
    "hexa_cancel": HexaCancelledAck,
    "follow": TournamentView,
    "unfollow": Done,
    "report": Done,
    "chat": Done,
}
