"""Messages of managers about tournaments to the poker room. Every act has a person and a reason, and is audited."""

from dataclasses import dataclass

from casino.users.roles import Person


@dataclass(frozen=True, slots=True)
class ViewTournamentFloor:
    """All tournaments that are announced or running, and those that cannot go on."""


@dataclass(frozen=True, slots=True)
class ViewTemplates:
    """What a manager can choose from for a new tournament."""


@dataclass(frozen=True, slots=True)
class ViewManagedTournament:
    """One tournament with its tables and everything staff have decided about it."""

    tournament_id: str


@dataclass(frozen=True, slots=True)
class CreateTournament:
    """`template` is an entry of `schedule.toml`, as JSON. A preview announces nothing."""

    template: str
    currency: str
    by: Person
    reason: str
    is_preview: bool = False


@dataclass(frozen=True, slots=True)
class ChangeTournament:
    """`changes` are keys of `schedule.toml` with their new values, as JSON; `starts_ms` delays the start."""

    tournament_id: str
    changes: str
    starts_ms: int | None
    by: Person
    reason: str
    is_preview: bool = False


@dataclass(frozen=True, slots=True)
class PauseTournament:
    """The level clock stops, and no hand begins; running hands are finished."""

    tournament_id: str
    by: Person
    reason: str


@dataclass(frozen=True, slots=True)
class ContinueTournament:
    tournament_id: str
    by: Person
    reason: str


@dataclass(frozen=True, slots=True)
class DisqualifyPlayer:
    """Take the player's chips out of play, after the running hand; prizes not yet credited are held."""

    tournament_id: str
    player_id: str
    by: Person
    reason: str


@dataclass(frozen=True, slots=True)
class PreviewCancellation:
    """What cancelling now would return to each player: by the published case, or in full."""

    tournament_id: str
    is_in_full: bool = False


@dataclass(frozen=True, slots=True)
class CancelTournament:
    """Cancel by the published cases."""

    tournament_id: str
    by: Person
    reason: str


@dataclass(frozen=True, slots=True)
class ProposeRefund:
    """Cancel outside the published cases: the remaining players get back all they have paid. Needs two people."""

    tournament_id: str
    by: Person
    reason: str


@dataclass(frozen=True, slots=True)
class AnswerRefund:
    """The second person's answer."""

    tournament_id: str
    by: Person
    is_approved: bool
    reason: str


@dataclass(frozen=True, slots=True)
class AnswerProposal:
    """The second person's answer to a tournament for which the house promises more than one person may."""

    proposal_id: str
    by: Person
    is_approved: bool
    reason: str


TournamentFromStaff = (
    ViewTournamentFloor
    | ViewTemplates
    | ViewManagedTournament
    | CreateTournament
    | ChangeTournament
    | PauseTournament
    | ContinueTournament
    | DisqualifyPlayer
    | PreviewCancellation
    | CancelTournament
    | ProposeRefund
    | AnswerRefund
    | AnswerProposal
)
