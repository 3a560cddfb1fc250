"""Commands to a round. The rules elsewhere decide whether a command is allowed.

External facts, such as funds and player limits, come with the command, because the rules look nothing up.
"""

from dataclasses import dataclass
from typing import Literal

from casino.errors import Refusal
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.uth.terms import Terms


@dataclass(frozen=True, slots=True)
class OpenBetting:
    """Begin a round. `commitment` is the hash published before a machine deals."""

    round_id: str
    table_id: str
    terms: Terms
    commitment: str | None = None
    commitment_version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True)
class PlaceBet:
    """Replaces this player's bets with these amounts; both zero takes all back."""

    round_id: str
    player_id: str
    ante: int
    trips: int
    available_minor: int  # what no open bet holds, this round's included
    allowance_minor: int | None = None  # the most the player may still lose under their own limits
    seat_no: int | None = None  # at an own-hands table
    limited_by: Refusal | None = None  # names the limit that leaves the player no more than that
    seed: str | None = None  # contributed to the shuffle; None keeps the seed sent with an earlier bet

    def with_funds(
        self, available_minor: int, allowance_minor: int | None = None, limited_by: Refusal | None = None
    ) -> "PlaceBet":
        """Returns the bet with the funds known; `dataclasses.replace` would cost a tenth of a stored bet."""
        return PlaceBet(
            self.round_id,
            self.player_id,
            self.ante,
            self.trips,
            available_minor,
            allowance_minor,
            self.seat_no,
            limited_by,
            self.seed,
        )


@dataclass(frozen=True, slots=True)
class WithdrawBet:
    """The player has left or lost the connection: an open bet is returned, a closed one stays."""

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
class ConfirmCards:
    """The presenter has checked the street and does not wait for the rest of the confirm time."""

    round_id: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Advance:
    """Executes everything that is due at this time."""


@dataclass(frozen=True, slots=True)
class VoidBetting:
    """The server stops, or has crashed, while betting is open: all bets are void."""

    reason: str


@dataclass(frozen=True, slots=True)
class Continue:
    """The server is back: running windows restart with their full time.

    `are_here` if only the database was unavailable and players stayed connected: then open bets stay.
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
    """Here and below: the incident that is meant, so that no command affects the next one. Empty: the open one."""
    presenter: str = ""
    """The presenter on shift, who is reported with a class that demands another presenter."""
    change_presenter: bool = False


@dataclass(frozen=True, slots=True)
class CorrectCard:
    round_id: str
    slot: str
    card: str
    reason: str
    by: str
    incident_id: str = ""


@dataclass(frozen=True, slots=True)
class SwapCards:
    """Two dealt cards were scanned in the wrong order: each takes the position of the other."""

    round_id: str
    slot: str
    other_slot: str
    reason: str
    by: str
    incident_id: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """`automatic` if the table itself ends a pause that no person has ended: then it asks for no permission."""

    by: str
    reason: str = ""
    incident_id: str = ""
    presenter: str = ""
    """The presenter on shift, who continues to deal."""
    automatic: bool = False
    reopen: bool = False
    """Voids the answers of the last decision window, which were given on a card corrected since."""


@dataclass(frozen=True, slots=True)
class CancelRound:
    """`automatic` if the service itself cannot go on with the round: then there is no second person to ask."""

    reason: str
    by: str
    incident_id: str = ""
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class ApproveProposal:
    proposal_id: str
    by: str


@dataclass(frozen=True, slots=True)
class RejectProposal:
    proposal_id: str
    by: str
    reason: str


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
    | ConfirmCards
    | Advance
    | VoidBetting
    | Continue
    | ReportProblem
    | CorrectCard
    | SwapCards
    | Resume
    | CancelRound
    | CorrectRound
    | ApproveProposal
    | RejectProposal
)
