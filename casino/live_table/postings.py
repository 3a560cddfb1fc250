"""Ledger postings of a round: captures, settlements and refunds, for one seat or for all.

A winner is paid from their own stake and by the house, never from another player's stake.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from casino.ledger import accounts
from casino.ledger.accounts import Account
from casino.ledger.posting import Operation, Posting, move
from casino.uth.phases import Phase
from casino.uth.results import results
from casino.uth.settlement import SeatResult
from casino.uth.state import Round

SYSTEM = "system"

Currencies = Mapping[str, str]
"""The currency of each player in the round."""


def capture(round_: Round, stakes: Iterable[tuple[str, str, int]]) -> Operation:
    """Moves the held (player, currency, amount) into the round's escrow when betting closes."""
    postings = tuple(
        move(amount, accounts.player_cash(player_id, currency), accounts.escrow(round_.round_id, currency))
        for player_id, currency, amount in sorted(stakes)
    )
    return Operation(f"{round_.round_id}:capture", "capture", postings, SYSTEM, round_id=round_.round_id)


def play(round_: Round, plays: Iterable[tuple[str, str, int]], number: int) -> Operation:
    """Moves PLAY bets decided together, as (player, currency, amount); `number` distinguishes the batches."""
    postings = tuple(
        move(amount, accounts.player_cash(player_id, currency), accounts.escrow(round_.round_id, currency))
        for player_id, currency, amount in plays
    )
    return Operation(f"{round_.round_id}:play:{number}", "play", postings, SYSTEM, round_id=round_.round_id)


def play_return(round_: Round, phase: Phase, currencies: Currencies) -> Operation | None:
    """Returns the PLAY bets of a decision window that opens again; `round_` is the round before. None if none."""
    postings = tuple(
        move(
            seat.bets.play,
            accounts.escrow(round_.round_id, currencies[player_id]),
            accounts.player_cash(player_id, currencies[player_id]),
        )
        for player_id, seat in sorted(round_.seats.items())
        if seat.last and seat.last.phase is phase and seat.bets.play
    )
    key = f"{round_.round_id}:play_return:{round_.reopened + 1}"
    return Operation(key, "play_return", postings, SYSTEM, round_id=round_.round_id) if postings else None


def settle(
    round_: Round, currencies: Currencies, *, correction: int = 0, ended: Mapping[str, SeatResult] | None = None
) -> Operation:
    """Empties the escrow of the round: returns to players by the rules, the difference to the house.

    `ended` holds the results of all seats, if known already.
    """
    postings: list[Posting] = []
    for player_id, result in sorted((results(round_) if ended is None else ended).items()):
        escrow, house = _round_accounts(round_.round_id, currencies[player_id])
        if result.returned > result.staked:
            postings.append(move(result.returned - result.staked, house, escrow))
        elif result.staked > result.returned:
            postings.append(move(result.staked - result.returned, escrow, house))
        if result.returned:
            cash = accounts.player_cash(player_id, escrow.currency)
            postings.append(move(result.returned, escrow, cash))
    key = f"{round_.round_id}:settle" + (f":{correction}" if correction else "")
    return Operation(key, "settle", tuple(postings), SYSTEM, round_id=round_.round_id)


def refund(round_: Round, currencies: Currencies) -> Operation:
    """Refunds all stakes of a cancelled round."""
    postings = tuple(
        move(
            result.returned,
            accounts.escrow(round_.round_id, currencies[player_id]),
            accounts.player_cash(player_id, currencies[player_id]),
        )
        for player_id, result in sorted(results(round_).items())
    )
    return Operation(f"{round_.round_id}:refund", "refund", postings, SYSTEM, round_id=round_.round_id)


def reverse(settled: Operation, correction: int, actor: str, reason: str) -> Operation:
    """Reverses a settlement, posting by posting, because another one replaces it."""
    postings = tuple(posting.reversed() for posting in reversed(settled.postings))
    return Operation(f"{settled.round_id}:reversal:{correction}", "reversal", postings, actor, reason, settled.round_id)


@lru_cache(maxsize=64)
def _round_accounts(round_id: str, currency: str) -> tuple[Account, Account]:
    return accounts.escrow(round_id, currency), accounts.house(currency)
