"""Account names of the ledger. The name of an account states its purpose."""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    PLAYER = "player"
    ESCROW = "escrow"
    TIPS = "tips"
    CHARITY = "charity"
    HOUSE = "house"
    WITHDRAWAL = "withdrawal"
    SEAT = "seat"  # chips of one player at one poker table
    POT = "pot"  # of one poker table: empty between operations
    RAKE = "rake"
    TOURNAMENT = "tournament"  # pool, bounties or fees of one tournament: empty once it is finished
    TICKETS = "tickets"  # value of all tickets that can still be used
    FEES = "fees"  # fees of finished tournaments
    PROMO = "promo"  # money of the house for players: overlays, added money, expired promotion tickets
    HELD = "held"  # prizes and money held back until a case is decided
    CREDIT = "credit"  # source of credits by the house
    RECEIVABLE = "receivable"  # owed by one player: its balance is zero or negative
    CASHIER = "cashier"  # the outside world: source of deposits, destination of withdrawals


class Account(NamedTuple):
    id: str
    kind: Kind
    currency: str


def player_cash_id(player_id: str) -> str:
    return f"player:{player_id}:cash"


def player_cash(player_id: str, currency: str) -> Account:
    return Account(player_cash_id(player_id), Kind.PLAYER, currency)


def escrow(round_id: str, currency: str) -> Account:
    """Account that holds the stakes of a round until it is settled or refunded."""
    return Account(f"round:{round_id}:escrow:{currency}", Kind.ESCROW, currency)


def house(currency: str) -> Account:
    return Account(f"house:{currency}", Kind.HOUSE, currency)


def tips(presenter_id: str, currency: str) -> Account:
    return Account(f"presenter:{presenter_id}:tips:{currency}", Kind.TIPS, currency)


def charity(currency: str) -> Account:
    """Account for stakes that could not be settled or refunded for 90 days. It should stay empty."""
    return Account(f"charity:{currency}", Kind.CHARITY, currency)


def withdrawal(payment_id: str, currency: str) -> Account:
    """Account for money on its way out of the house."""
    return Account(f"withdrawal:{payment_id}:{currency}", Kind.WITHDRAWAL, currency)


def seat_id(table_id: str, player_id: str) -> str:
    assert ":" not in table_id, "the name of a seat ends with its player"
    return f"seat:{table_id}:{player_id}"


def seat(table_id: str, player_id: str, currency: str) -> Account:
    """Account for the chips of one player at one poker table."""
    return Account(seat_id(table_id, player_id), Kind.SEAT, currency)


def pot(table_id: str, currency: str) -> Account:
    """Account that the postings of a hand pass through, so that none goes from player to player. It is always empty."""
    return Account(f"pot:{table_id}:{currency}", Kind.POT, currency)


def rake(currency: str) -> Account:
    """Account for the rake of cash hands."""
    return Account(f"rake:{currency}", Kind.RAKE, currency)


def tournament_pool(tournament_id: str, currency: str) -> Account:
    """Account of the prize pool: buy-ins and overlay until they are paid out as prizes."""
    return _of_tournament(tournament_id, "pool", currency)


def tournament_bounties(tournament_id: str, currency: str) -> Account:
    """Account of the bounties on the heads of players."""
    return _of_tournament(tournament_id, "bounty", currency)


def tournament_fees(tournament_id: str, currency: str) -> Account:
    """Account of fees until they are final, which is at the end of the tournament."""
    return _of_tournament(tournament_id, "fees", currency)


def _of_tournament(tournament_id: str, part: str, currency: str) -> Account:
    assert ":" not in tournament_id, "the name of a tournament's account has four parts"
    return Account(f"mtt:{tournament_id}:{part}:{currency}", Kind.TOURNAMENT, currency)


def tickets(currency: str) -> Account:
    """Account for the value of all tickets that can still be used."""
    return Account(f"tickets:{currency}", Kind.TICKETS, currency)


def fees(currency: str) -> Account:
    """Account for the fees of finished tournaments."""
    return Account(f"fees:{currency}", Kind.FEES, currency)


def promo(currency: str) -> Account:
    """Account of the house for overlays, added money and the difference of HexaPro draws. It may owe."""
    return Account(f"promo:{currency}", Kind.PROMO, currency)


def held(case_id: str, player_id: str, currency: str) -> Account:
    """Account for money of one player that is held back until a case is decided."""
    assert ":" not in case_id, "the name of the account ends with its player"
    return Account(f"held:{case_id}:{player_id}", Kind.HELD, currency)


def credit(currency: str) -> Account:
    """Account that credits by the house come from, apart from the cashier's deposits and withdrawals."""
    return Account(f"credit:{currency}", Kind.CREDIT, currency)


def receivable(player_id: str, currency: str) -> Account:
    """Account for what a player owes after a correction. Its balance is the debt, as a negative amount."""
    return Account(f"receivable:{player_id}:{currency}", Kind.RECEIVABLE, currency)


def cashier(currency: str) -> Account:
    return Account(f"cashier:{currency}", Kind.CASHIER, currency)
