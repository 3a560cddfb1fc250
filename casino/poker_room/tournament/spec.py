"""Spec of a tournament: what its stored row says and its terms do not."""

from enum import StrEnum
from typing import NamedTuple

from casino.ledger import accounts
from casino.ledger.accounts import Account
from casino.poker.tournament.terms import TournamentTerms
from casino.settings.poker.room import ClockName


class TournamentKind(StrEnum):
    MTT = "mtt"
    SIT_AND_GO = "sng"
    HEXAPRO = "hexapro"


class TournamentSpec(NamedTuple):
    """`source` is the template of the schedule, or the line of a Sit & Go or HexaPro game, with its currency.

    `draw_no` is the number of a HexaPro game's draw in its line.
    """

    tournament_id: str
    kind: TournamentKind
    source: str
    currency: str
    clock: ClockName
    opens_ms: int
    draw_no: int | None = None

    @property
    def pool(self) -> Account:
        return accounts.tournament_pool(self.tournament_id, self.currency)

    @property
    def bounties(self) -> Account:
        return accounts.tournament_bounties(self.tournament_id, self.currency)

    @property
    def fees(self) -> Account:
        return accounts.tournament_fees(self.tournament_id, self.currency)

    @property
    def accounts(self) -> list[Account]:
        """Accounts that postings of the tournament need, apart from those of players."""
        shared = [accounts.tickets(self.currency), accounts.fees(self.currency), accounts.promo(self.currency)]
        return [self.pool, self.bounties, self.fees, *shared]

    def accounts_of(self, terms: TournamentTerms) -> list[Account]:
        """With those in which money of flights waits for their second phase."""
        waiting = source_of(terms.target, self.currency) if terms.target and terms.flight_ends_level else None
        if terms.is_phase_two:
            waiting = self.source
        if waiting is None:
            return self.accounts
        transit = (accounts.tournament_pool(waiting, self.currency), accounts.tournament_fees(waiting, self.currency))
        return [*self.accounts, *transit]

    @property
    def line_pool(self) -> Account:
        """Account of the entries that wait in the line of a HexaPro game."""
        return accounts.tournament_pool(self.source, self.currency)


def source_of(name: str, currency: str, buy_in: int | None = None) -> str:
    """`daily-10-eur`, or `classic-100-eur` with a buy-in: no colon, because names of accounts contain it."""
    return "-".join((name, *([] if buy_in is None else [str(buy_in)]), currency.lower()))
