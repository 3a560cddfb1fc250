"""Floor of the poker room, for managers: its tables, reports of players, and the preview of a voided hand."""

from typing import Literal

from pydantic import JsonValue
from typing_extensions import TypedDict

from casino.wire.common import Count, Minor, Moment, Pause
from casino.wire.poker_entries import EntryStatus, TournamentKindName
from casino.wire.poker_hands import PokerSeatNo
from casino.wire.poker_tournaments import TournamentParameters, TournamentRow, TournamentStructure, TournamentView


class PokerFloorTable(TypedDict):
    table_id: str
    name: str
    pool: str
    currency: str
    phase: Literal["waiting", "playing", "storing", "stopped"]
    """`stopped`: a hand could not be stored, and staff decide."""
    players: Count
    present: Count
    seats: PokerSeatNo
    hand_id: str | None
    """Of the running hand."""
    hand_no: Count
    pot: Minor
    chips: Minor
    """All chips of the seats, those of the running hand as at its start."""
    idle_since: Moment | None
    paused: Pause | None


class KeptStack(TypedDict):
    player_id: str
    name: str
    seat_no: PokerSeatNo
    chips: Minor
    """In the account of the seat."""


class UnreadablePokerTable(TypedDict):
    """A table of an earlier run that cannot go on. Its chips stay where they are until staff return them."""

    table_id: str
    name: str
    pool: str
    currency: str
    hand_no: Count
    """The number of the last stored hand."""
    chips: Minor
    players: list[KeptStack]
    why: str
    to_do: str
    """Next step for a manager."""


class PokerFloor(TypedDict):
    tables: list[PokerFloorTable]
    unreadable: list[UnreadablePokerTable]


class PreviewedRefund(TypedDict):
    """`ticket` is the value of a ticket that comes back instead of money."""

    player_id: str
    name: str
    chips: Minor
    fees: Minor
    share: Minor
    bounty: Minor
    ticket: Minor | None


class CancellationPreview(TypedDict):
    """What cancelling a tournament now would return: by the published case, or `full`, which needs two people."""

    tournament_id: str
    currency: str
    case: Literal["52", "53", "54a", "54b", "55", "full"]
    to_house: Minor
    refunds: list[PreviewedRefund]


class PokerPerson(TypedDict):
    id: str
    name: str


class PokerReport(TypedDict):
    """A player's report about another one."""

    id: str
    at: Moment
    table_id: str
    hand_id: str
    seat_no: PokerSeatNo
    author: PokerPerson
    player: PokerPerson
    """Whom the report is about."""
    text: str


class PokerReports(TypedDict):
    reports: list[PokerReport]
    next: str | None
    """A value for `before`; null on the last page."""


class ReturnedStack(TypedDict):
    """Stack of a player after the hand is voided: that from its start."""

    player_id: str
    name: str
    seat_no: PokerSeatNo
    stack: Minor
    """Now, with the bets of the hand gone."""
    start: Minor


class VoidPreview(TypedDict):
    hand_id: str
    returns: list[ReturnedStack]


class ProposedRefund(TypedDict):
    """A cancellation outside the published cases that waits for a second person."""

    by: str
    reason: str


class FloorTournament(TypedDict):
    tournament: TournamentRow
    is_paused: bool
    proposal: ProposedRefund | None
    tables: Count
    paused_tables: list[str]
    """Tables that wait for staff: the tournament waits for them."""


class UnreadableTournament(TypedDict):
    """A tournament of an earlier run that cannot go on. Its money stays in its accounts until it is decided about."""

    tournament_id: str
    name: str
    kind: TournamentKindName
    currency: str
    status: Literal["registering", "running"]
    starts_at: Moment
    last_at: Moment
    """Of the last thing that is stored of it."""
    entries: Count
    """Paid and not ended."""
    money: Minor
    """In its accounts: prize pool, bounties and fees."""
    why: str
    to_do: str
    """Next step for a manager."""


class HeldPrize(TypedDict):
    """A prize of a disqualified player. Finance pays it or gives it away, by a request that two people decide."""

    tournament_id: str
    tournament: str
    player_id: str
    name: str
    account: str
    """Of the held money, in the ledger."""
    currency: str
    amount: Minor


class TournamentPreview(TypedDict):
    """A tournament as it would be announced."""

    tournament: TournamentRow
    parameters: TournamentParameters
    structure: TournamentStructure
    promised: Minor
    """Money of the house: guarantee, added money and guaranteed seats."""
    needs_second_person: bool
    """More than one manager may promise alone."""


class ProposedTournament(TypedDict):
    """A new tournament, or a change of one, that waits for a second manager."""

    proposal_id: str
    act: Literal["create", "change"]
    tournament_id: str
    name: str
    currency: str
    promised: Minor
    by: str
    at: Moment
    reason: str
    preview: TournamentPreview | None
    """Null if it is not possible any more."""
    refusal: str | None
    """Why it is not possible any more."""


class TournamentFloor(TypedDict):
    tournaments: list[FloorTournament]
    proposals: list[ProposedTournament]
    unreadable: list[UnreadableTournament]
    held: list[HeldPrize]


class OfferedStructure(TypedDict):
    name: str
    level_minutes: Count
    stack: Minor
    """Chips that a tournament of this structure starts with, unless it names others."""


class TournamentTemplates(TypedDict):
    """What a new tournament can be made of."""

    templates: list[dict[str, JsonValue]]
    """Entries of `schedule.toml`; keys with their default are left out."""
    structures: list[OfferedStructure]
    prizes: list[str]
    """Names of fixed prize tables; without one, prizes follow the rules."""
    currencies: list[str]
    promised_alone_max: Minor
    """Money of the house that one manager may promise alone, in minor units."""


class ManagedTable(TypedDict):
    table_id: str
    table_no: Count
    phase: Literal["waiting", "playing", "storing", "stopped"]
    players: Count
    hand_id: str | None
    """Of the running hand."""
    hand_no: Count
    paused: Pause | None


class ManagedPlayer(TypedDict):
    player_id: str
    entry_id: str
    name: str
    status: EntryStatus
    chips: Minor
    table_no: Count | None
    is_disqualified: bool
    """Out, or out as soon as the running hand is over."""


class StaffAct(TypedDict):
    """What a member of staff has done, as the audit log has it."""

    action: str
    by: str
    at: Moment
    reason: str
    about: str | None
    """The name of the player concerned."""


class ManagedTournament(TypedDict):
    """A tournament as its managers see it. Tables that wait for staff come first."""

    view: TournamentView
    is_paused: bool
    proposal: ProposedRefund | None
    tables: list[ManagedTable]
    players: list[ManagedPlayer]
    acts: list[StaffAct]


class CreatedTournament(TypedDict):
    tournament_id: str
    waits_for_second_person: bool
    """It is announced once another manager approves."""


class ChangedTournament(TypedDict):
    waits_for_second_person: bool
