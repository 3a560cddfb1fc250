"""Events and acknowledgements for host consoles. An acknowledgement is a reply that begins with `ok: true`."""

from typing import Any, Final, Literal

from typing_extensions import TypedDict

from casino.uth.phases import Phase
from casino.uth.state import Resolution
from casino.wire.common import (
    Bets,
    Card,
    Count,
    Hand,
    Minor,
    Moment,
    Moves,
    SeatNo,
    Status,
    TableLimits,
    Winner,
)
from casino.wire.notices import HostChatLine
from casino.wire.outbound import ServerEvent, by_name
from casino.wire.player_events import NOTICE, DealtSeat, Done, Round


class HostSeat(DealtSeat):
    """The same, for the host console."""

    player_id: str
    currency: str
    """Of the bets; empty where it is not known yet."""


class CurrencyTotals(Bets):
    """The sum of the bets in one currency on each spot."""

    currency: str


class Announced(TypedDict):
    """One hand against the dealer's, when all cards are out."""

    seat_no: SeatNo | None
    """Null at a shared-hand table."""
    name: str
    """Of the player in the seat; empty at a shared-hand table."""
    hand: Hand
    winner: Winner
    """By the cards alone."""
    folded: bool
    """The seat has folded and loses whatever its cards are; at a shared hand: all players have."""


class WinningPlayer(TypedDict):
    """A player to whom the settled round returned more than was staked."""

    seat_no: SeatNo | None
    """Null at a shared-hand table."""
    name: str
    won: Minor
    """Amount returned beyond the stakes, TRIPS included."""
    currency: str


class Incident(TypedDict):
    """Incident that pauses the round, and its allowed resolutions."""

    incident_id: str
    incident_class: str | None
    """Null until somebody has said what kind of problem it is."""
    title: str | None
    steps: list[str]
    """Steps of the presenter, in this order."""
    resolutions: list[Literal[Resolution.CORRECT_CARD, Resolution.RESUME, Resolution.CANCEL]]
    """Choices of the manager."""
    change_presenter: bool
    """The round is resumed only when another presenter than `presenter` is on shift."""
    presenter: str | None
    """Who was on shift at the stop."""
    reopens: Phase | None
    """The decision window that `resume` with `reopen` opens again; null if there is none."""


class EndedIncident(TypedDict):
    """How the last incident of the round ended, and by whom."""

    incident_id: str
    outcome: Literal["resumed", "cancelled", "void"]
    by: str | None
    reason: str


class Proposal(TypedDict):
    """A decision of one manager that waits for a second person. Unanswered, it cancels the round."""

    proposal_id: str
    proposes: Literal["cancel_round", "correct_card", "swap_cards"]
    slot: str | None
    """Of the card to be corrected."""
    was: Card | None
    card: Card | None
    other_slot: str | None
    """Of the card to be swapped with it: `was` goes there."""
    reason: str
    proposed_by: str
    proposed_at: Moment
    expires_at: Moment


class HandOver(TypedDict):
    """A presenter asks for this table; the one on shift or a manager approves or rejects it."""

    proposal_id: str
    by: str
    asked_at: Moment


class DeckCount(TypedDict):
    """A count under way. It is whole when nothing is missing and nothing else was read."""

    deck: str
    by: str
    cards: list[Card]
    """In the order they were read."""
    missing: list[Card]
    duplicates: list[Card]
    """Read a second time."""
    foreign: list[str]
    """What is no card of this deck: a card of another deck by its name, anything else by its code."""
    doubt: str | None
    """A doubtful reading: the card or code that has to be read again before the count goes on."""


class Deck(TypedDict):
    """The deck in use at a presenter's table."""

    name: str
    """Empty where the decks of the table have no names."""
    names: list[str]
    counted_by: str | None
    counted_at: Moment | None
    rounds_since: Count
    """Rounds begun since it was counted."""
    count_within_rounds: Count
    """Rounds after which the table takes no bets before the deck is counted again; 0: no limit."""
    is_due: bool
    count: DeckCount | None


class HostRound(TypedDict):
    """The round, for presenter and manager."""

    table_id: str
    round: Round
    expects: str | None
    """The card to be dealt next: `player_1`, `flop_3`, `seat_3_card_1`; null when none is."""
    totals: Bets
    """The sum of all bets on each spot, whatever their currency."""
    totals_by_currency: list[CurrencyTotals]
    """The same for each currency: play money never adds to real money."""
    seats: list[HostSeat]
    showdown: list[Announced]
    """Announcements; empty before the dealer's cards are out."""
    winners: list[WinningPlayer]
    """The largest wins of the settled round in each currency, largest first; empty before."""
    winners_total: Count
    """How many players have won, whether listed or not."""


class ConsoleState(TypedDict):
    """State of the console between rounds."""

    incident: Incident | None
    """Null unless the round is paused."""
    ended: EndedIncident | None
    """Null while one is open, and in a round without any."""
    deck: Deck
    limits: TableLimits
    next_limits: TableLimits | None
    """From the next round on; null if nothing changes."""
    limit_bounds: TableLimits
    """The lowest minimum and the highest maximum that a manager may set."""
    practice: bool
    """Nothing here is real: players and money are simulated."""


class Host(HostRound, ConsoleState):
    """To the consoles that watch the table, whenever the players get a `round` or a count has changed."""

    tips: Minor
    """Tips of the presenter in this shift, in the currency of the service."""
    play_tips: Minor
    """The same in play money."""
    presenter: str | None
    status: Status
    is_opening: bool
    """The presenter has asked for the next round, and it begins by itself."""
    left_to_decide: Count
    """How many have not answered in the open decision window."""
    confirm_until: Moment | None
    """All cards of the street are out, and until then the last can still be taken back."""
    proposal: Proposal | None
    """Null unless a second person has to answer."""
    hand_over: HandOver | None


class Drill(TypedDict):
    """At a practice table: something goes wrong now, or how the presenter has dealt with it."""

    table_id: str
    situation: str | None
    """View of the presenter; null once it is over."""
    at: Moment
    expected: str | None
    """Afterwards: the class of incident it was."""
    reported: str | None
    """Afterwards: the class that was reported; null if nothing was."""
    text: str


class Watched(TypedDict):
    """The state of the table for a console."""

    host: Host


class HostTalk(TypedDict):
    chat: list[HostChatLine]
    """Last chat messages, the newest last."""
    muted: list[str]
    """The players who may not write at this table, by `player_id`."""


class Watching(Watched, HostTalk):
    pass


class Preview(Moves):
    """Nothing has moved yet."""


class Decided(TypedDict):
    """Done, or waiting for a second person."""

    pending: bool
    """True: nothing has changed yet, and `proposal_id` names what `approve` or `reject` answers."""
    proposal_id: str | None


class LimitsSet(TypedDict):
    in_force: bool
    """False: a round is being played, and the next one takes them."""


HOST: Final = ServerEvent("host", Host)
HOST_CHAT: Final = ServerEvent("chat", HostChatLine)
DRILL: Final = ServerEvent("drill", Drill)

TO_HOSTS: Final = by_name(HOST, HOST_CHAT, NOTICE, DRILL)

ACKS_TO_HOSTS: Final[dict[str, type[Any]]] = {
    "watch": Watching,
    "open_table": Done,
    "close_table": Done,
    "start_round": Done,
    "scan": Done,
    "undo_scan": Done,
    "report_problem": Done,
    "correct_card": Decided,
    "swap_cards": Decided,
    "confirm_cards": Done,
    "resume": Done,
    "cancel_round": Decided,
    "approve": Done,
    "reject": Done,
    "take_over": Decided,
    "preview_cancel": Preview,
    "set_limits": LimitsSet,
    "count_deck": Done,
    "count_card": Done,
    "end_count": Done,
    "say": Done,
    "mute": Done,
    "unmute": Done,
}
