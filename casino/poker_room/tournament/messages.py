"""Messages about tournaments to the poker room. A repeated key is the same registration or purchase."""

from dataclasses import dataclass

from casino.poker_room.senders import Sender
from casino.poker_room.tournament.staff_messages import TournamentFromStaff


@dataclass(frozen=True, slots=True)
class RegisterEntry:
    """Enter a tournament, late or again too. `amount` chooses the total of a multi-buy-in; 0 is the usual price."""

    sender: Sender
    tournament_id: str
    key: str
    ticket_id: str | None = None
    amount: int = 0


@dataclass(frozen=True, slots=True)
class UnregisterEntry:
    sender: Sender
    entry_id: str
    key: str


@dataclass(frozen=True, slots=True)
class BuyChips:
    """A rebuy, or the add-on."""

    sender: Sender
    tournament_id: str
    key: str
    is_add_on: bool


@dataclass(frozen=True, slots=True)
class DeclineOffer:
    """No rebuy: the place is final at once."""

    sender: Sender
    tournament_id: str


@dataclass(frozen=True, slots=True)
class RegisterHexa:
    """Pays for several games of a HexaPro product at once."""

    sender: Sender
    product: str
    buy_in: int
    games: int
    key: str


@dataclass(frozen=True, slots=True)
class CancelHexa:
    """Take a waiting entry back."""

    sender: Sender
    entry_id: str
    key: str


@dataclass(frozen=True, slots=True)
class FollowTournament:
    sender: Sender
    tournament_id: str


@dataclass(frozen=True, slots=True)
class UnfollowTournament:
    sender: Sender
    tournament_id: str


@dataclass(frozen=True, slots=True)
class ListTournaments:
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class ViewTournament:
    """One page of the tournament lobby: `overview`, `players`, `prizes`, `tables` or `structure`."""

    tournament_id: str
    page: str
    player_id: str | None = None
    search: str = ""
    """Part of the names of players."""


@dataclass(frozen=True, slots=True)
class ListEntries:
    """The player's entries that have not ended."""

    player_id: str


TournamentFromPlayer = (
    RegisterEntry
    | UnregisterEntry
    | BuyChips
    | DeclineOffer
    | RegisterHexa
    | CancelHexa
    | FollowTournament
    | UnfollowTournament
)
TournamentView = ListTournaments | ViewTournament | ListEntries
TournamentMessage = TournamentFromPlayer | TournamentView | TournamentFromStaff
