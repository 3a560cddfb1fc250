"""Messages of clients. The server refuses all others.

All models are strict: no unknown field, no conversion of types, and a limit on every value.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from casino.cards.seeded_shuffle import SEED_PATTERN
from casino.money import MINOR_MAX
from casino.security.spreadsheet_formulas import KEY_PATTERN
from casino.storage.text_types import StoredText

Id = Annotated[StoredText, Field(min_length=1, max_length=60)]
IncidentId = Annotated[StoredText, Field(min_length=1, max_length=20)]
Amount = Annotated[int, Field(ge=0, le=MINOR_MAX)]
CardText = Annotated[str, Field(max_length=40)]
"""A card, or the code with which the table's scanner names one."""
Reason = Annotated[StoredText, Field(min_length=1, max_length=300)]
MaybeReason = Annotated[StoredText, Field(max_length=300)]
Text = Annotated[str, Field(min_length=1, max_length=2000)]
Key = Annotated[str, Field(pattern=KEY_PATTERN)]


class Incoming(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Lobby(Incoming):
    """Subscribes to the changes of every table until the connection ends."""


class AtTable(Incoming):
    """Everything else is said at a table."""

    table_id: Id


class Join(AtTable):
    seat_no: Annotated[int, Field(ge=1, le=7)] | None = None


class Leave(AtTable):
    pass


class Bet(AtTable):
    """Absolute amounts, replacing what this player had on the table in this round."""

    round_id: Id
    ante: Amount
    trips: Amount
    seed: Annotated[str, Field(pattern=SEED_PATTERN)] | None = None
    """This player's contribution to the shuffle of a machine-dealt round; without it an earlier one stands."""


class Decide(AtTable):
    round_id: Id
    action: Literal["play_4x", "play_3x", "play_2x", "play_1x", "check", "fold"]
    phase: Literal["deciding_preflop", "deciding_flop", "deciding_river"] | None = None


class Chat(AtTable):
    text: Text


class Tip(AtTable):
    """For the presenter on shift. Repeated under the same key it is the same tip."""

    amount: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    key: Key


class Watch(AtTable):
    pass


class OpenTable(AtTable):
    pass


class CloseTable(AtTable):
    pass


class StartRound(AtTable):
    pass


class Scan(AtTable):
    round_id: Id
    card: CardText


class UndoScan(AtTable):
    round_id: Id


class ConfirmCards(AtTable):
    """All cards of the street are checked: the confirm time ends now."""

    round_id: Id


class ReportProblem(AtTable):
    """`incident_class` names one of `GET /api/host/incidents`; it may follow later, while the round is paused."""

    reason: Reason
    incident_class: Annotated[StoredText, Field(min_length=1, max_length=40)] | None = None
    incident_id: IncidentId | None = None
    """Here and below: the incident that is meant. If it has ended, the message is `too_late`."""


class CorrectCard(AtTable):
    round_id: Id
    slot: Annotated[StoredText, Field(min_length=1, max_length=20)]
    card: CardText
    reason: Reason
    incident_id: IncidentId | None = None


class SwapCards(AtTable):
    """Exchange two dealt cards that were scanned in the wrong order: one correction."""

    round_id: Id
    slot: Annotated[StoredText, Field(min_length=1, max_length=20)]
    other_slot: Annotated[StoredText, Field(min_length=1, max_length=20)]
    reason: Reason
    incident_id: IncidentId | None = None


class Resume(AtTable):
    """With `reopen`, the answers of the last decision window are void: they were given on a card corrected since."""

    reason: MaybeReason = ""
    incident_id: IncidentId | None = None
    reopen: bool = False


class CancelRound(AtTable):
    reason: Reason
    incident_id: IncidentId | None = None


class Approve(AtTable):
    """By a manager other than the proposer. A request to take over a table is approved by the presenter on shift or
    by a manager."""

    proposal_id: Id


class Reject(AtTable):
    """By the same people. The round stays paused."""

    proposal_id: Id
    reason: Reason


class TakeOver(AtTable):
    """Ask for a colleague's table: the colleague or a manager approves it."""


class PreviewCancel(AtTable):
    """Preview of the amounts that a cancellation now would return."""


class CountDeck(AtTable):
    """Begin a new deck count; `deck` if the table has several."""

    deck: Annotated[StoredText, Field(min_length=1, max_length=20)] | None = None


class CountCard(AtTable):
    card: CardText


class EndCount(AtTable):
    """Give the count up. One that has found all 52 cards ends by itself."""


class SetLimits(AtTable):
    """From the next round on."""

    ante_min: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    ante_max: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    trips_min: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    trips_max: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    reason: Reason


class Say(AtTable):
    text: Text


class Mute(AtTable):
    """The player may not write at this table for this many minutes; null: until it is taken back.

    `at` is the time of the chat message the mute is about, for the audit log; without it, the player's last one.
    """

    player_id: Id
    minutes: Annotated[int, Field(ge=1, le=525_600)] | None
    reason: MaybeReason = ""
    at: Annotated[int, Field(ge=0, le=2**53)] | None = None


class Unmute(AtTable):
    player_id: Id
    reason: MaybeReason = ""


FROM_PLAYERS: Final[dict[str, type[Incoming]]] = {
    "join": Join,
    "leave": Leave,
    "bet": Bet,
    "decide": Decide,
    "chat": Chat,
    "tip": Tip,
    "lobby": Lobby,
}

PRESENTER: Final = frozenset({"presenter"})
MANAGER: Final = frozenset({"manager"})
BOTH: Final = PRESENTER | MANAGER

FROM_HOSTS: Final[dict[str, tuple[type[AtTable], frozenset[str]]]] = {
    # what, and who may say it
    "watch": (Watch, BOTH),
    "open_table": (OpenTable, BOTH),
    "close_table": (CloseTable, BOTH),
    "start_round": (StartRound, PRESENTER),
    "scan": (Scan, PRESENTER),
    "undo_scan": (UndoScan, PRESENTER),
    "confirm_cards": (ConfirmCards, PRESENTER),
    "report_problem": (ReportProblem, BOTH),
    "correct_card": (CorrectCard, MANAGER),
    "swap_cards": (SwapCards, MANAGER),
    "resume": (Resume, MANAGER),
    "cancel_round": (CancelRound, MANAGER),
    "approve": (Approve, BOTH),
    "reject": (Reject, BOTH),
    "take_over": (TakeOver, PRESENTER),
    "preview_cancel": (PreviewCancel, MANAGER),
    "set_limits": (SetLimits, MANAGER),
    "count_deck": (CountDeck, PRESENTER),
    "count_card": (CountCard, PRESENTER),
    "end_count": (EndCount, PRESENTER),
    "say": (Say, BOTH),
    "mute": (Mute, BOTH),
    "unmute": (Unmute, BOTH),
}
