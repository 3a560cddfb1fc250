"""What players are told, and what they are answered."""

from typing import Annotated, Final, Literal

from pydantic import Field

from casino.errors import Code
from casino.shapes import Bets, Card, Count, Hand, LobbyTable, Minor, Moment, Pause, SeatNo, Shape, Spots, TableLimits
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.uth.settlement import Result


class DealtSeat(Shape):
    """One player's part in the round, as everybody at an own-hands table sees it."""

    seat_no: SeatNo | None
    """Null at a shared-hand table."""
    name: str
    player_cards: list[Card]
    bets: Bets
    decision: Action | None


class Round(Shape):
    """To all at the table when phase, cards, pause or deadline change."""

    table_id: str
    seq: Count
    """Grows by one with every `round` of the table; after a gap, join again."""
    server_time: Moment
    round_id: str | None
    """Null before the table's first round."""
    game_number: str | None
    phase: Phase
    deadline: Moment | None
    """When betting or the decision window closes; null when nothing is timed."""
    paused: Pause | None
    player_cards: list[Card]
    """The shared hand; empty at an own-hands table."""
    board: list[Card]
    dealer_cards: list[Card]
    """Dealt at the showdown, and unknown to everybody before."""
    player_hand: Hand | None
    dealer_hand: Hand | None
    dealer_qualifies: bool | None
    players: Count
    """How many have a bet in this round."""
    commitment: str | None
    """SHA-256 over the machine's shoe, published before betting; null where a presenter deals."""
    seats: list[DealtSeat] = Field(default=[])
    """Only at an own-hands table: those who have bet, in the order of their seats."""


class Seat(Shape):
    """To one player when the own seat changes."""

    table_id: str
    round_id: str | None
    """Null before the table's first round."""
    bets: Bets
    decision: Action | None
    """The last answer given, or what silence was taken for."""
    automatic: Literal["auto_checked", "auto_folded"] | None
    """What silence was taken for; null if the player answered."""
    options: list[Action]
    """What may be answered now. A PLAY the balance does not cover is not among them."""
    covers_4x: bool | None
    """Whether the balance left pays for a PLAY of 4x; null without a bet."""
    hand: Hand | None
    seat_no: SeatNo | None
    """The player's place at an own-hands table; null at a shared-hand table, and for somebody who watches."""
    player_cards: list[Card]


class RoundResult(Shape):
    """To one player when the round is over, and again if it is corrected."""

    table_id: str
    round_id: str
    status: Literal["settled", "cancelled"]
    result: Result | None
    """Null in a cancelled round."""
    spots: Spots
    staked: Minor
    returned: Minor
    """Includes the stakes that come back."""
    balance: Minor


class Balance(Shape):
    """To one player when the own money has moved."""

    balance: Minor
    available: Minor
    """The balance less what is held by open bets."""


class ChatLine(Shape):
    """To all at the table who show the chat, and at its consoles."""

    table_id: str
    from_: Annotated[str, Field(alias="from")]
    role: str
    text: str
    at: Moment
    code: str | None
    """What a line of the house is about, as in a `notice`, or `tip`; null for what people say."""


class Notice(Shape):
    """To all at the table and at its consoles: something everybody should know, as a sentence."""

    table_id: str
    level: Literal["info", "warning"]
    code: str
    """`table_paused`, `resumed`, `interrupted`, `round_cancelled`, `round_corrected`, `muted`, `unmuted`, `seat_lost`,
    `seat_found`; more may come."""
    text: str


class Table(Shape):
    """To all at the table when it opens or closes, and at most twice a second when a count has changed."""

    table_id: str
    status: Literal["open", "closed"]
    presenter: str | None
    players: Count
    """How many are at the table, with a bet or without."""
    in_round: Count
    """How many have a bet in this round."""
    left_to_decide: Count
    """How many the open decision window still waits for."""
    limits: TableLimits


class Loudness(Shape):
    muted: bool
    volume: Annotated[int, Field(ge=0, le=100)]


class Settings(Shape):
    """To every device of a person when the stored settings change; the same as `GET /api/settings` answers."""

    chat_shown: bool
    """While it is false the service sends this person no `chat`."""
    video_quality: Literal["auto", "high", "medium", "low"]
    voice: Loudness
    """Of the presenter."""
    sound: Loudness
    """Of the game."""
    view: Literal["immersive", "classic"]
    language: Literal["en", "da", "fr"] | None
    """Null: as the device says."""
    reduced_motion: bool
    """False: as the device says."""
    trainer: bool


class RealityCheck(Shape):
    """To every device of a player who wished for it, between rounds, when the interval is over.

    No new bet is taken (`limit_reached`) until `POST /api/responsible/reality-check/seen`.
    """

    since: Moment
    """When the session began."""
    elapsed: Annotated[int, Field(ge=0)]
    """In milliseconds."""
    staked: Minor
    returned: Minor
    net: int
    """What was returned less what was staked."""


class LobbyNews(Shape):
    """To those who follow the lobby, at most twice a second: the tables that have changed."""

    tables: list[LobbyTable]


class Moved(Shape):
    """To the connection that loses the seat: the same player has joined from elsewhere."""

    table_id: str


class Problem(Shape):
    code: Code
    message: str
    """A sentence for people."""


class Refused(Shape):
    """Any event may be refused; then nothing has changed."""

    ok: Literal[False]
    error: Problem


class Done(Shape):
    ok: Literal[True]


class Joined(Shape):
    """All a player needs to go on from here, in any phase."""

    ok: Literal[True]
    round: Round
    seat: Seat
    table: Table
    balance: Minor
    """What the player has, and how much of it is not held by open bets: both may have changed with the line away."""
    available: Minor
    chat: list[ChatLine]
    """What was said last, the newest last; empty for somebody who hides the chat."""


class BetsStand(Shape):
    """Stored: this is what stands on the table now."""

    ok: Literal[True]
    bets: Bets
    available: Minor


class TipGiven(Shape):
    ok: Literal[True]
    available: Minor


class InTheLobby(Shape):
    ok: Literal[True]
    tables: list[LobbyTable]


TO_PLAYERS: Final[dict[str, type[Shape]]] = {
    "round": Round,
    "seat": Seat,
    "result": RoundResult,
    "balance": Balance,
    "chat": ChatLine,
    "notice": Notice,
    "table": Table,
    "settings": Settings,
    "reality_check": RealityCheck,
    "lobby": LobbyNews,
    "moved": Moved,
}

ACKS_TO_PLAYERS: Final[dict[str, type[Shape]]] = {
    "join": Joined,
    "leave": Done,
    "bet": BetsStand,
    "decide": BetsStand,
    "chat": Done,
    "tip": TipGiven,
    "lobby": InTheLobby,
}
