"""Every message the server sends and every acknowledgement it gives, in one place, exactly as they are sent.

Nothing is built from these models while the service runs: views and tables build plain payloads. They say what a
client may rely on; the types of the pages and the protocol document are generated from them, and tests hold the
payloads of played rounds against them.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from casino.cards.ranking import Category
from casino.errors import Code
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.uth.settlement import Outcome, Result

CARD_PATTERN: Final = "^[2-9TJQKA][cdhs]$"

Card = Annotated[str, Field(pattern=CARD_PATTERN)]
Minor = Annotated[int, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
Moment = Annotated[int, Field(ge=0)]
SeatNo = Annotated[int, Field(ge=1, le=7)]


class Outgoing(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


# Parts


class Hand(Outgoing):
    """The best five of the cards so far, all of them while there are fewer."""

    category: Category
    cards: list[Card]
    """The strongest group first."""


class Bets(Outgoing):
    """An amount for each of the four spots. BLIND is always equal to ANTE."""

    ante: Minor
    blind: Minor
    trips: Minor
    play: Minor


class Spot(Outgoing):
    """What became of the bet on one spot."""

    bet: Minor
    outcome: Outcome
    returned: Minor
    """What comes back to the player, the stake included."""


class Spots(Outgoing):
    ante: Spot
    blind: Spot
    trips: Spot
    play: Spot


class Pause(Outgoing):
    """Why the round stands still."""

    reason: str
    since: Moment
    incident_id: str


class TableLimits(Outgoing):
    ante_min: Minor
    ante_max: Minor
    trips_min: Minor
    trips_max: Minor


class DealtSeat(Outgoing):
    """One player's part in the round, as everybody at an own-hands table sees it."""

    seat_no: SeatNo | None
    """Null at a shared-hand table."""
    name: str
    player_cards: list[Card]
    bets: Bets
    decision: Action | None


class HostSeat(DealtSeat):
    """The same, for the host console."""

    player_id: str


# Events


class Round(Outgoing):
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
    seats: list[DealtSeat] = []
    """Only at an own-hands table: those who have bet, in the order of their seats."""


class Seat(Outgoing):
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


class RoundResult(Outgoing):
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


class Balance(Outgoing):
    """To one player when the own money has moved."""

    balance: Minor
    available: Minor
    """The balance less what is held by open bets."""


class ChatLine(Outgoing):
    """To all at the table who show the chat, and at its consoles."""

    table_id: str
    from_: Annotated[str, Field(alias="from")]
    role: str
    text: str
    at: Moment
    code: str | None
    """What a line of the house is about, as in a `notice`, or `tip`; null for what people say."""


class HostChatLine(ChatLine):
    """The same at a console, where somebody may have to be muted."""

    player_id: str | None
    """Null if no player has said it."""


class Notice(Outgoing):
    """To all at the table and at its consoles: something everybody should know, as a sentence."""

    table_id: str
    level: Literal["info", "warning"]
    code: str
    """`table_paused`, `resumed`, `interrupted`, `round_cancelled`, `round_corrected`, `muted`, `unmuted`; more may
    come."""
    text: str


class Table(Outgoing):
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


class Loudness(Outgoing):
    muted: bool
    volume: Annotated[int, Field(ge=0, le=100)]


class Settings(Outgoing):
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


class RealityCheck(Outgoing):
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


class LobbyTable(Outgoing):
    """A table as the lobby shows it; the same as in `GET /api/tables`."""

    id: str
    table_id: str
    name: str
    dealing: Literal["auto", "presenter"]
    hands: Literal["shared", "own"]
    seats: SeatNo | None
    """How many an own-hands table has."""
    language: str
    multi_table: bool
    """Whether it may be played beside other tables."""
    limits: TableLimits
    status: str
    players: Count
    presenter: str | None


class LobbyNews(Outgoing):
    """To those who follow the lobby, at most twice a second: the tables that have changed."""

    tables: list[LobbyTable]


class Moved(Outgoing):
    """To the connection that loses the seat: the same player has joined from elsewhere."""

    table_id: str


class Announced(Outgoing):
    """One hand against the dealer's, when all cards are out."""

    seat_no: SeatNo | None
    """Null where everybody shares the hand."""
    hand: Hand
    winner: Literal["player", "dealer", "tie"]


class Incident(Outgoing):
    """What the round is paused for, and what may be done about it."""

    incident_id: str
    incident_class: str | None
    """Null until somebody has said what kind of problem it is."""
    title: str | None
    steps: list[str]
    """What the presenter does, in this order."""
    resolutions: list[Literal["correct_card", "resume", "cancel"]]
    """What the manager may choose."""


class EndedIncident(Outgoing):
    """How the last incident of the round ended, and by whom."""

    incident_id: str
    outcome: Literal["resumed", "cancelled", "void"]
    by: str | None
    reason: str


class DeckCount(Outgoing):
    """A count under way. It is whole when nothing is missing and nothing else was read."""

    deck: str
    by: str
    cards: list[Card]
    """In the order they were read."""
    missing: list[Card]
    duplicates: list[Card]
    """Read a second time."""
    foreign: list[str]
    """Codes that are no card of this deck."""


class Deck(Outgoing):
    """The deck in use at a presenter's table."""

    name: str
    """Empty where the decks of the table have no names."""
    names: list[str]
    counted_by: str | None
    counted_at: Moment | None
    rounds_since: Count
    """Rounds begun since it was counted."""
    count_within_rounds: Count
    """After so many the table takes no bets before it is counted again; 0: it always does."""
    is_due: bool
    count: DeckCount | None


class Host(Outgoing):
    """To the consoles that watch the table, whenever the players get a `round` or a count has changed."""

    table_id: str
    round: Round
    expects: str | None
    """The card to be dealt next: `player_1`, `flop_3`, `seat_3_card_1`; null when none is."""
    totals: Bets
    """The sum of all bets on each spot."""
    seats: list[HostSeat]
    showdown: list[Announced]
    """What there is to announce; empty before the dealer's cards are out."""
    tips: Minor
    """What the presenter was given in this shift, in the house's currency."""
    play_tips: Minor
    """The same in play money."""
    presenter: str | None
    status: Literal["open", "closed"]
    is_opening: bool
    """The presenter has asked for the next round, and it begins by itself."""
    left_to_decide: Count
    """How many have not answered in the open decision window."""
    confirm_until: Moment | None
    """All cards of the street are out, and until then the last can still be taken back."""
    incident: Incident | None
    """Null unless the round is paused."""
    ended: EndedIncident | None
    """Null while one is open, and in a round without any."""
    deck: Deck
    limits: TableLimits
    next_limits: TableLimits | None
    """From the next round on; null if nothing changes."""
    practice: bool
    """Nothing here is real: players and money are simulated."""


class Drill(Outgoing):
    """At a practice table: something goes wrong now, or how the presenter has dealt with it."""

    table_id: str
    situation: str | None
    """What the presenter sees; null once it is over."""
    at: Moment
    expected: str | None
    """Afterwards: the class of incident it was."""
    reported: str | None
    """Afterwards: the class that was reported; null if nothing was."""
    text: str


class BalanceMove(Outgoing):
    """What one account would gain, negative if it would lose."""

    player_id: str
    name: str
    currency: str
    amount: int
    balance_before: int
    balance_after: int
    available_before: int
    available_after: int
    covered: bool
    """False where the player no longer has what would have to be taken back."""


class MoveTotal(Outgoing):
    """The sum of all moves in one currency."""

    currency: str
    amount: int


# Acknowledgements


class Problem(Outgoing):
    code: Code
    message: str
    """A sentence for people."""


class Refused(Outgoing):
    """Any event may be refused; then nothing has changed."""

    ok: Literal[False]
    error: Problem


class Done(Outgoing):
    ok: Literal[True]


class Joined(Outgoing):
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


class BetsStand(Outgoing):
    """Stored: this is what stands on the table now."""

    ok: Literal[True]
    bets: Bets
    available: Minor


class Watching(Outgoing):
    ok: Literal[True]
    host: Host
    chat: list[HostChatLine]
    """What was said last, the newest last."""
    muted: list[str]
    """The players who may not write at this table, by `player_id`."""


class Preview(Outgoing):
    """Nothing has moved yet."""

    ok: Literal[True]
    round_id: str
    moves: list[BalanceMove]
    totals: list[MoveTotal]


class LimitsSet(Outgoing):
    ok: Literal[True]
    in_force: bool
    """False: a round is being played, and the next one takes them."""


class TipGiven(Outgoing):
    ok: Literal[True]
    available: Minor


class InTheLobby(Outgoing):
    ok: Literal[True]
    tables: list[LobbyTable]


TO_PLAYERS: Final[dict[str, type[Outgoing]]] = {
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

TO_HOSTS: Final[dict[str, type[Outgoing]]] = {
    "host": Host,
    "chat": HostChatLine,
    "notice": Notice,
    "drill": Drill,
}

ACKS_TO_PLAYERS: Final[dict[str, type[Outgoing]]] = {
    "join": Joined,
    "leave": Done,
    "bet": BetsStand,
    "decide": BetsStand,
    "chat": Done,
    "tip": TipGiven,
    "lobby": InTheLobby,
}

ACKS_TO_HOSTS: Final[dict[str, type[Outgoing]]] = {
    "watch": Watching,
    "open_table": Done,
    "close_table": Done,
    "start_round": Done,
    "scan": Done,
    "undo_scan": Done,
    "report_problem": Done,
    "correct_card": Done,
    "resume": Done,
    "cancel_round": Done,
    "preview_cancel": Preview,
    "set_limits": LimitsSet,
    "count_deck": Done,
    "count_card": Done,
    "end_count": Done,
    "say": Done,
    "mute": Done,
    "unmute": Done,
}
