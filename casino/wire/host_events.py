"""What host consoles are told, and what they are answered."""

from typing import Final, Literal

from casino.shapes import (
    BalanceMove,
    Bets,
    Card,
    Count,
    Hand,
    Minor,
    Moment,
    MoveTotal,
    SeatNo,
    Shape,
    TableLimits,
)
from casino.sockets.outgoing.to_players import ChatLine, DealtSeat, Done, Notice, Round


class HostSeat(DealtSeat):
    """The same, for the host console."""

    player_id: str


class HostChatLine(ChatLine):
    """The same at a console, where somebody may have to be muted."""

    player_id: str | None
    """Null if no player has said it."""


class Announced(Shape):
    """One hand against the dealer's, when all cards are out."""

    seat_no: SeatNo | None
    """Null where everybody shares the hand."""
    hand: Hand
    winner: Literal["player", "dealer", "tie"]


class Incident(Shape):
    """What the round is paused for, and what may be done about it."""

    incident_id: str
    incident_class: str | None
    """Null until somebody has said what kind of problem it is."""
    title: str | None
    steps: list[str]
    """What the presenter does, in this order."""
    resolutions: list[Literal["correct_card", "resume", "cancel"]]
    """What the manager may choose."""


class EndedIncident(Shape):
    """How the last incident of the round ended, and by whom."""

    incident_id: str
    outcome: Literal["resumed", "cancelled", "void"]
    by: str | None
    reason: str


class DeckCount(Shape):
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


class Deck(Shape):
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


class Host(Shape):
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


class Drill(Shape):
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


class Watching(Shape):
    ok: Literal[True]
    host: Host
    chat: list[HostChatLine]
    """What was said last, the newest last."""
    muted: list[str]
    """The players who may not write at this table, by `player_id`."""


class Preview(Shape):
    """Nothing has moved yet."""

    ok: Literal[True]
    round_id: str
    moves: list[BalanceMove]
    totals: list[MoveTotal]


class LimitsSet(Shape):
    ok: Literal[True]
    in_force: bool
    """False: a round is being played, and the next one takes them."""


TO_HOSTS: Final[dict[str, type[Shape]]] = {
    "host": Host,
    "chat": HostChatLine,
    "notice": Notice,
    "drill": Drill,
}

ACKS_TO_HOSTS: Final[dict[str, type[Shape]]] = {
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
