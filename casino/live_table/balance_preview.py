"""Preview of the balance changes of a cancellation or a correction, seat by seat. It moves no money."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from casino.errors import Code, Refusal
from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Balance
from casino.ledger.posting import net_changes
from casino.live_table import postings
from casino.live_table.receivables import missing
from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.wire.common import BalanceMove, BalanceMoves


class Move(NamedTuple):
    """Change of one player's balance, negative for a loss. `released` is money that is no longer held."""

    player_id: str
    amount: int
    released: int = 0


def cancellation(round_: Round | None) -> list[Move]:
    """Returns the moves of a cancellation: open bets are released, all others refunded."""
    if round_ is None or round_.is_over:
        raise Refusal(Code.TOO_LATE, "No round is running.")
    seats = sorted(round_.seats.values(), key=lambda seat: (seat.seat_no or 0, seat.player_id))
    if round_.phase is Phase.BETTING:
        return [Move(seat.player_id, 0, seat.bets.total) for seat in seats]
    return [Move(seat.player_id, seat.bets.total) for seat in seats]


def correction(before: Round, after: Round, currencies: Mapping[str, str]) -> list[Move]:
    """Returns the moves of a correction: reversed and new settlement as one change per player."""
    undone = postings.reverse(postings.settle(before, currencies), 1, "", "")
    net = net_changes((*undone.postings, *postings.settle(after, currencies).postings))
    return [Move(player_id, net.get(player_cash_id(player_id), 0)) for player_id in sorted(before.seats)]


def moves_view(moves: Iterable[Move], balances: Mapping[str, Balance], names: Mapping[str, str]) -> BalanceMoves:
    """Lists every changed balance before and after; what a player no longer has becomes a receivable."""
    rows, totals = list[BalanceMove](), defaultdict[str, int](int)
    for player_id, amount, released in moves:
        currency, balance, _ = balances[player_id]
        available = balances[player_id].available
        totals[currency] += amount + released
        owed = missing(balances[player_id], amount + released)
        rows.append(
            {
                "player_id": player_id,
                "name": names.get(player_id, ""),
                "currency": currency,
                "amount": amount + released,
                "balance_before": balance,
                "balance_after": balance + amount + owed,
                "available_before": available,
                "available_after": available + amount + released + owed,
                "covered": owed == 0,
                "receivable": owed,
            }
        )
    return {"moves": rows, "totals": [{"currency": one, "amount": totals[one]} for one in sorted(totals)]}
