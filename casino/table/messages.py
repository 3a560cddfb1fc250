"""What can be said to a running table, and what a table says. Nobody touches its objects; everybody sends messages.

The commands of a round (`casino.uth.commands`) are messages too: a player's bet and decision, a presenter's card, a
manager's resumption. Here stand those that concern the table around the round.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from casino.errors import Refusal
from casino.people.roles import Person
from casino.uth.commands import Command

Payload = dict[str, Any]
News = tuple[str, Payload]
"""The name of an event, and what it says."""


@dataclass(frozen=True, slots=True)
class Join:
    """A player comes to the table, or comes back to it; `seat_no` is a wish at an own-hands table."""

    player_id: str
    name: str
    seat_no: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """The player has left, or the connection is lost: open bets go back."""

    player_id: str


@dataclass(frozen=True, slots=True)
class Watch:
    """Somebody at the host console wants to see the table."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A presenter who opens a table is on shift there, in the place of whoever was."""

    by: str
    role: str = "presenter"


@dataclass(frozen=True, slots=True)
class CloseTable:
    """The running round ends as any other, and with it the shift."""

    by: str
    role: str = "presenter"


@dataclass(frozen=True, slots=True)
class StartRound:
    by: str


@dataclass(frozen=True, slots=True)
class CountDeck:
    """Begin to count the deck down, from the first card; `deck` names one of those the table has."""

    by: str
    deck: str | None = None


@dataclass(frozen=True, slots=True)
class CountCard:
    by: str
    code: str


@dataclass(frozen=True, slots=True)
class EndCount:
    """Give the count up. One that finds all 52 cards ends by itself."""

    by: str


@dataclass(frozen=True, slots=True)
class SetLimits:
    """From the next round on: the one being played keeps the limits it began with."""

    by: str
    role: str
    limits: Mapping[str, int]
    reason: str


@dataclass(frozen=True, slots=True)
class PreviewCancel:
    """What would everybody get back?"""


@dataclass(frozen=True, slots=True)
class CorrectSettled:
    """Somebody approves the correction of a settled round of this table that somebody else has proposed."""

    correction_id: str
    by: Person
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Tipped:
    """A player has given the presenter on shift something; the money has moved."""

    player_id: str
    amount: int
    is_play_money: bool


@dataclass(frozen=True, slots=True)
class Retire:
    """The server stops: open bets go back, no new round begins."""


OfTheConsole = CountDeck | CountCard | EndCount | SetLimits | PreviewCancel | CorrectSettled
Message = Join | Leave | Watch | OpenTable | CloseTable | StartRound | Tipped | Retire | OfTheConsole | Command


class Envelope(NamedTuple):
    """A message, when it arrived, and where its answer goes."""

    message: Message
    at_ms: int
    reply: asyncio.Future[Payload]

    def answer(self, payload: Payload) -> None:
        if not self.reply.done():  # whoever asked may have gone
            self.reply.set_result(payload)

    def refuse(self, refusal: Refusal) -> None:
        if not self.reply.done():
            self.reply.set_exception(refusal)
            self.reply.exception()  # nobody has to listen: who lost the connection has left without asking


class Outlet(Protocol):
    """Where the table speaks to. It must not block: a slow listener is the outlet's problem, not the table's."""

    def to_table(self, event: str, payload: Payload) -> None:
        """To everybody at the table."""

    def to_player(self, player_id: str, *told: News) -> None:
        """To one player, wherever that player sits; what is told together travels together."""

    def to_chat(self, code: str, text: str, at_ms: int) -> None:
        """A line of the table's own in its chat, where it can be read again; `code` as in the notice."""

    @property
    def are_hosts_watching(self) -> bool:
        """What nobody would hear need not be put into words: a full table has thousands of seats."""

    def to_hosts(self, event: str, payload: Payload) -> None:
        """To everybody at a host console who watches the table."""
