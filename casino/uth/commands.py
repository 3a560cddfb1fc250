"""Everything that can be asked of a round. Nothing here says whether it is allowed.

What the outside world knows (funds, limits the players set themselves) comes with the command, because the
rules look nothing up.
"""

from dataclasses import dataclass

from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.uth.terms import Terms


@dataclass(frozen=True, slots=True)
class OpenBetting:
    """Begin a round. `commitment` is the published hash of a machine-dealt shoe."""

    round_id: str
    table_id: str
    terms: Terms
    commitment: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceBet:
    """Put these amounts on the table instead of what this player had there; both zero takes all back."""

    round_id: str
    player_id: str
    ante: int
    trips: int
    available_minor: int  # what no open bet holds, this round's included
    allowance_minor: int | None = None  # the most the player may still lose under their own limits
    seat_no: int | None = None  # at an own-hands table
    limited_by: str = ""  # in words, what leaves the player no more than that

    def with_funds(self, available_minor: int, allowance_minor: int | None = None, limited_by: str = "") -> "PlaceBet":
        return PlaceBet(
            self.round_id,
            self.player_id,
            self.ante,
            self.trips,
            available_minor,
            self.allowance_minor if allowance_minor is None else allowance_minor,
            self.seat_no,
            limited_by or self.limited_by,
        )


@dataclass(frozen=True, slots=True)
class WithdrawBet:
    """The player has left or lost the connection: an open bet goes back, a closed one stands."""

    player_id: str


@dataclass(frozen=True, slots=True)
class Decide:
    round_id: str
    player_id: str
    action: Action
    available_minor: int
    phase: Phase | None = None  # the decision window meant, so that a delayed CHECK cannot answer the next one

    def with_funds(self, available_minor: int) -> "Decide":
        return Decide(self.round_id, self.player_id, self.action, available_minor, self.phase)


@dataclass(frozen=True, slots=True)
class DealCard:
    """The next expected card, from the shoe or from the scanner of the presenter named."""

    round_id: str
    card: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class UndoCard:
    round_id: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Advance:
    """The clock moved: do what has become due."""


@dataclass(frozen=True, slots=True)
class VoidBetting:
    """The server stops, or has crashed, while betting is open: nobody has bet."""

    reason: str


@dataclass(frozen=True, slots=True)
class Continue:
    """The server is back: what was timed begins its time anew, so nobody pays for the downtime.

    `are_here` if it could only store nothing for a while, and those who bet were never gone: then open bets stand.
    """

    are_here: bool = False


@dataclass(frozen=True, slots=True)
class ReportProblem:
    """`resolutions` are the ways out that the house allows for this class of incident; without a class, all."""

    reason: str
    by: str
    incident_class: str = ""
    resolutions: tuple[str, ...] = ()
    incident_id: str = ""
    """Here and below: the incident that is meant; whoever names one must not meet the next. Empty: the open one."""


@dataclass(frozen=True, slots=True)
class CorrectCard:
    round_id: str
    slot: str
    card: str
    reason: str
    by: str
    incident_id: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    by: str
    reason: str = ""
    incident_id: str = ""


@dataclass(frozen=True, slots=True)
class CancelRound:
    reason: str
    by: str
    incident_id: str = ""


@dataclass(frozen=True, slots=True)
class CorrectRound:
    """A settled round turns out to have been settled on a wrong card: `cards` are slots and the right cards."""

    cards: tuple[tuple[str, str], ...]
    reason: str
    by: str


Command = (
    PlaceBet
    | WithdrawBet
    | Decide
    | DealCard
    | UndoCard
    | Advance
    | VoidBetting
    | Continue
    | ReportProblem
    | CorrectCard
    | Resume
    | CancelRound
    | CorrectRound
)
