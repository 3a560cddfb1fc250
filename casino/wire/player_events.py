"""Events and acknowledgements for players. An acknowledgement is a reply that begins with `ok: true`."""

from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from casino.errors import Code
from casino.refusals import Reason
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.uth.settlement import Result
from casino.wire.common import (
    Bets,
    Card,
    Count,
    Hand,
    LobbyTable,
    Minor,
    Moment,
    Pause,
    SeatNo,
    Spots,
    Status,
    TableLimits,
)
from casino.wire.notices import ChatLine, Notice
from casino.wire.outbound import ServerEvent, by_name


class DealtSeat(TypedDict):
    """One player's part in the round, as all players at an own-hands table see it."""

    seat_no: SeatNo | None
    """Null at a shared-hand table."""
    name: str
    player_cards: list[Card]
    bets: Bets
    decision: Action | None


class RoundView(TypedDict):
    """A round as all at the table see it."""

    table_id: str
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
    """Dealt at the showdown, and unknown before."""
    player_hand: Hand | None
    dealer_hand: Hand | None
    dealer_qualifies: bool | None
    players: Count
    """How many have a bet in this round."""
    commitment: str | None
    """SHA-256 over the server seed of a machine-dealt round, published before betting; null where a presenter deals."""
    seats: NotRequired[list[DealtSeat]]
    """Only at an own-hands table: those who have bet, in the order of their seats."""


class Round(RoundView):
    """To all at the table when phase, cards, pause or deadline change."""

    seq: Count
    """Grows by one with every `round` of the table; after a gap, join again."""
    server_time: Moment


class Seat(TypedDict):
    """To one player when their seat changes."""

    table_id: str
    round_id: str | None
    """Null before the table's first round."""
    bets: Bets
    decision: Action | None
    """The last answer given, or what silence was taken for."""
    automatic: Literal["auto_checked", "auto_folded"] | None
    """Default action after a timeout; null if the player answered."""
    options: list[Action]
    """Actions allowed now. A PLAY that the balance does not cover is not among them."""
    covers_4x: bool | None
    """Whether the balance left pays for a PLAY of 4x; null without a bet."""
    hand: Hand | None
    seat_no: SeatNo | None
    """The player's place at an own-hands table; null at a shared-hand table, and for somebody who watches."""
    player_cards: list[Card]
    seed: str | None
    """Seed this player contributes to the shuffle of a machine-dealt round; null without one."""


class RoundResult(TypedDict):
    """To every device of one player when the round is over, and again if it is corrected."""

    table_id: str
    round_id: str
    status: Literal[Phase.SETTLED, Phase.CANCELLED]
    result: Result | None
    """Null in a cancelled round."""
    spots: Spots
    staked: Minor
    returned: Minor
    """Includes the stakes that come back."""
    balance: Minor
    incident_id: NotRequired[str]
    """Why the round was cancelled; only in a cancelled round."""


class Balance(TypedDict):
    """To every device of one player when their money has moved."""

    balance: Minor
    available: Minor
    """The balance less what is held by open bets."""


class TakenSeat(TypedDict):
    """A place at an own-hands table and its player, with a bet or without."""

    seat_no: SeatNo
    name: str


class Table(TypedDict):
    """To all at the table when it opens or closes, and at most twice a second when a count has changed."""

    table_id: str
    status: Status
    presenter: str | None
    players: Count
    """How many are at the table, with a bet or without."""
    in_round: Count
    """How many have a bet in this round."""
    left_to_decide: Count
    """How many the open decision window still waits for."""
    limits: TableLimits
    taken: NotRequired[list[TakenSeat]]
    """Only at an own-hands table, in the order of the seats; sent like a count."""


class Loudness(TypedDict):
    muted: bool
    volume: Annotated[int, Field(ge=0, le=100)]


class Settings(TypedDict):
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
    decision_keys: bool
    """Whether ALT with P, C or F decides."""


class PlaySession(TypedDict):
    since: Moment
    """When the session began."""
    elapsed: Annotated[int, Field(ge=0)]
    """In milliseconds."""
    staked: Minor
    returned: Minor
    net: int
    """Returned amount minus staked amount."""


class RealityCheck(PlaySession):
    """To every device of a player who wished for it, between rounds, when the interval is over.

    No new bet is taken (`limit_reached`) until `POST /api/responsible/reality-check/seen`.
    """


class LobbyChanges(TypedDict):
    """To those who follow the lobby, at most twice a second: the tables that have changed."""

    tables: list[LobbyTable]


class Moved(TypedDict):
    """To the connection that loses the seat: the same player has joined from elsewhere."""

    table_id: str


class RefusalParams(TypedDict):
    """The values of a refusal's sentence. The reason decides which are present."""

    reason: NotRequired[Reason]
    """The situation, where several share the code."""
    minimum: NotRequired[Minor]
    maximum: NotRequired[Minor]
    chip: NotRequired[Minor]
    """The smallest chip of the table."""
    left: NotRequired[Minor]
    """The rest of the player's limit."""
    limit: NotRequired[Minor]
    """The limit the player has set."""
    currency: NotRequired[str]
    """The currency of the amounts; without it they are amounts of the table."""
    until: NotRequired[Moment]
    seconds: NotRequired[Count]
    minutes: NotRequired[Count]
    characters: NotRequired[Count]
    table: NotRequired[str]
    """The name of a table."""


class Problem(TypedDict):
    code: Code
    message: str
    """The sentence in English, for clients without sentences of their own."""
    params: NotRequired[RefusalParams]


class Refused(TypedDict):
    """Any event may be refused; then nothing has changed."""

    ok: Literal[False]
    error: Problem


class Done(TypedDict):
    pass


class Snapshot(TypedDict):
    """The state of the table for one player."""

    round: Round
    seat: Seat
    table: Table
    balance: Minor
    """Balance, and the part not held by open bets. Both may have changed while the client was disconnected."""
    available: Minor


class Joined(Snapshot):
    """All a player needs to go on from here, in any phase."""

    chat: list[ChatLine]
    """Last chat messages, the newest last; empty for a player who hides the chat."""


class BetsStand(TypedDict):
    """The stored bets of the player."""

    bets: Bets
    available: Minor


class TipGiven(TypedDict):
    available: Minor


class InTheLobby(TypedDict):
    tables: list[LobbyTable]


ROUND: Final = ServerEvent("round", Round)
SEAT: Final = ServerEvent("seat", Seat)
RESULT: Final = ServerEvent("result", RoundResult)
BALANCE: Final = ServerEvent("balance", Balance)
CHAT: Final = ServerEvent("chat", ChatLine)
NOTICE: Final = ServerEvent("notice", Notice)
TABLE: Final = ServerEvent("table", Table)
SETTINGS: Final = ServerEvent("settings", Settings)
REALITY_CHECK: Final = ServerEvent("reality_check", RealityCheck)
LOBBY: Final = ServerEvent("lobby", LobbyChanges)
MOVED: Final = ServerEvent("moved", Moved)

TO_PLAYERS: Final = by_name(ROUND, SEAT, RESULT, BALANCE, CHAT, NOTICE, TABLE, SETTINGS, REALITY_CHECK, LOBBY, MOVED)

ACKS_TO_PLAYERS: Final[dict[str, type[Any]]] = {
    "join": Joined,
    "leave": Done,
    "bet": BetsStand,
    "decide": BetsStand,
    "chat": Done,
    "tip": TipGiven,
    "lobby": InTheLobby,
}
