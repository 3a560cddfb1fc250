"""Every message a client may send, in one place. Nothing else is listened to.

All are strict: no unknown field, no text where a number belongs, and a bound on everything.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from casino.money import MINOR_MAX

Id = Annotated[str, Field(min_length=1, max_length=60)]
Amount = Annotated[int, Field(ge=0, le=MINOR_MAX)]
CardText = Annotated[str, Field(max_length=10)]
Reason = Annotated[str, Field(min_length=1, max_length=300)]
Text = Annotated[str, Field(min_length=1, max_length=2000)]


class Incoming(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    table_id: Id


class Join(Incoming):
    seat_no: Annotated[int, Field(ge=1, le=7)] | None = None


class Leave(Incoming):
    pass


class Bet(Incoming):
    """Absolute amounts, replacing what this player had on the table in this round."""

    round_id: Id
    ante: Amount
    trips: Amount


class Decide(Incoming):
    round_id: Id
    action: Literal["play_4x", "play_3x", "play_2x", "play_1x", "check", "fold"]
    phase: Literal["deciding_preflop", "deciding_flop", "deciding_river"] | None = None


class Chat(Incoming):
    text: Text


class Watch(Incoming):
    pass


class OpenTable(Incoming):
    pass


class CloseTable(Incoming):
    pass


class StartRound(Incoming):
    pass


class Scan(Incoming):
    round_id: Id
    card: CardText


class UndoScan(Incoming):
    round_id: Id


class ReportProblem(Incoming):
    reason: Reason


class CorrectCard(Incoming):
    round_id: Id
    slot: Annotated[str, Field(min_length=1, max_length=20)]
    card: CardText
    reason: Reason


class Resume(Incoming):
    reason: Annotated[str, Field(max_length=300)] = ""


class CancelRound(Incoming):
    reason: Reason


class Say(Incoming):
    text: Text


FROM_PLAYERS: Final[dict[str, type[Incoming]]] = {
    "join": Join,
    "leave": Leave,
    "bet": Bet,
    "decide": Decide,
    "chat": Chat,
}

PRESENTER: Final = frozenset({"presenter"})
MANAGER: Final = frozenset({"manager"})
BOTH: Final = PRESENTER | MANAGER

FROM_HOSTS: Final[dict[str, tuple[type[Incoming], frozenset[str]]]] = {
    # what, and who may say it
    "watch": (Watch, BOTH),
    "open_table": (OpenTable, BOTH),
    "close_table": (CloseTable, BOTH),
    "start_round": (StartRound, PRESENTER),
    "scan": (Scan, PRESENTER),
    "undo_scan": (UndoScan, PRESENTER),
    "report_problem": (ReportProblem, BOTH),
    "correct_card": (CorrectCard, MANAGER),
    "resume": (Resume, MANAGER),
    "cancel_round": (CancelRound, MANAGER),
    "say": (Say, BOTH),
}
