"""Refunds of a tournament cancelled by a failure: cases 52 to 55 of the published rules.

In every case a player also gets the value of the bounty on their own head; bounties of eliminated players are paid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from casino.poker.tournament.icm import icm_shares
from casino.poker.tournament.shares import by_chips, in_equal_parts


class Kind(StrEnum):
    MTT = "mtt"
    SNG = "sng"
    HEXAPRO = "hexapro"


class Case(StrEnum):
    """The number of the published rule, with a letter for its two situations in the money."""

    NOT_STARTED = "52"
    BEFORE_THE_MONEY = "53"
    IN_THE_MONEY = "54a"
    FINAL_TABLE = "54b"
    HEXAPRO = "55"
    IN_FULL = "full"  # outside the published cases, decided by two people


@dataclass(frozen=True, slots=True)
class Remaining:
    """A player who is not eliminated. `paid` went into the prize pool, rebuys and add-ons included.

    `bounty` is the value of the entry's head; `ticket` says that the entry was paid with a ticket.
    """

    player_id: str
    chips: int
    paid: int
    fees: int
    bounty: int = 0
    ticket: bool = False


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A tournament at the moment of the failure. `players` are in order of entry; before the start, all entries.

    `player_pool` is what players paid into the pool, `added` the overlay and other money of the house. `prizes_left`
    are the prizes not yet credited, highest first; prizes that are no money count with their price.
    """

    kind: Kind
    started: bool
    players: tuple[Remaining, ...]
    player_pool: int = 0
    added: int = 0
    places_paid: int = 1
    tables: int = 1
    final_table: bool = False
    freeroll: bool = False
    prizes_left: tuple[int, ...] = ()
    is_refunded_in_full: bool = False

    def __post_init__(self) -> None:
        if not self.players or len({player.player_id for player in self.players}) != len(self.players):
            raise ValueError("there must be at least one player, and each only once")
        if self.started and any(player.chips < 1 for player in self.players):
            raise ValueError("a remaining player has at least one chip")
        if self.freeroll and self.player_pool:
            raise ValueError("the pool of a freeroll comes from the house, not from players")
        if case_of(self) in PRIZE_CASES and not 1 <= len(self.prizes_left) <= len(self.players):
            raise ValueError("in this case there is at least one prize left, and no more prizes than players")


@dataclass(frozen=True, slots=True)
class Refund:
    """`ticket` is the value of a ticket that comes back instead of money; `total` is the money."""

    fees: int
    share: int
    bounty: int
    ticket: int | None = None

    @property
    def total(self) -> int:
        return self.fees + self.share + self.bounty


@dataclass(frozen=True, slots=True)
class Cancellation:
    """`to_house` is money of the house in the pool that goes back to it."""

    case: Case
    refunds: dict[str, Refund]
    to_house: int


PRIZE_CASES = (Case.IN_THE_MONEY, Case.FINAL_TABLE, Case.HEXAPRO)


def case_of(state: Interrupted) -> Case:
    """The rule that applies. A HexaPro game starts with its draw."""
    if state.is_refunded_in_full:
        return Case.IN_FULL
    if not state.started:
        return Case.NOT_STARTED
    if state.kind is Kind.HEXAPRO:
        return Case.HEXAPRO
    if len(state.players) > state.places_paid:
        return Case.BEFORE_THE_MONEY
    return Case.FINAL_TABLE if state.final_table or state.tables == 1 else Case.IN_THE_MONEY


def cancel(state: Interrupted) -> Cancellation:
    """Each remaining player's refund."""
    case = case_of(state)
    if case is Case.NOT_STARTED:
        return Cancellation(case, {player.player_id: _entry_back(player) for player in state.players}, state.added)
    if case is Case.IN_FULL:
        paid = {player.player_id: Refund(player.fees, player.paid, player.bounty) for player in state.players}
        return Cancellation(case, paid, 0)
    chips = [player.chips for player in state.players]
    shares = _shares(case, state, chips)
    refunds = {
        player.player_id: Refund(player.fees, share, player.bounty)
        for player, share in zip(state.players, shares, strict=True)
    }
    divided = state.player_pool if case is Case.BEFORE_THE_MONEY else sum(state.prizes_left)
    if case is Case.BEFORE_THE_MONEY and state.freeroll:
        divided = state.added
    assert sum(shares) == divided, "the whole pool is divided, and nothing else"
    stays = state.added if case is Case.BEFORE_THE_MONEY and not state.freeroll else 0
    return Cancellation(case, refunds, stays)


def _entry_back(player: Remaining) -> Refund:
    """The whole price in the means it was paid with."""
    if player.ticket:
        return Refund(0, 0, 0, ticket=player.paid + player.fees + player.bounty)
    return Refund(player.fees, player.paid, player.bounty)


def _shares(case: Case, state: Interrupted, chips: Sequence[int]) -> list[int]:
    if case is Case.BEFORE_THE_MONEY:
        if state.freeroll:
            return in_equal_parts(state.added, chips)
        second = state.player_pool // 2
        return _sums(in_equal_parts(state.player_pool - second, chips), by_chips(second, chips))
    left = sum(state.prizes_left)
    if case is Case.FINAL_TABLE:
        return icm_shares(left, chips, state.prizes_left)
    if case is Case.HEXAPRO:
        each = left // 10
        by_icm = icm_shares(left - each * len(chips), chips, state.prizes_left)
        return [each + part for part in by_icm]
    lowest = min(state.prizes_left) if len(state.prizes_left) == len(chips) else 0
    rest = by_chips(left - lowest * len(chips), chips)
    return [lowest + part for part in rest]


def _sums(first: Sequence[int], second: Sequence[int]) -> list[int]:
    return [one + other for one, other in zip(first, second, strict=True)]
