"""What a cancellation or a correction would move, seat by seat, before anybody confirms it. Nothing moves here."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from casino.errors import Code, Refusal
from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Balance
from casino.ledger.posting import net_changes
from casino.table import stakes
from casino.table.messages import Payload
from casino.uth.phases import Phase
from casino.uth.state import Round


class Move(NamedTuple):
    """What one player's account would gain, negative if it would lose; `released` is only no longer held."""

    player_id: str
    amount: int
    released: int = 0


def cancellation(round_: Round | None) -> list[Move]:
    """Everything goes back: bets that are still open are released, others are refunded."""
    if round_ is None or round_.is_over:
        raise Refusal(Code.TOO_LATE, "No round is being played.")
    seats = sorted(round_.seats.values(), key=lambda seat: (seat.seat_no or 0, seat.player_id))
    if round_.phase is Phase.BETTING:
        return [Move(seat.player_id, 0, seat.bets.total) for seat in seats]
    return [Move(seat.player_id, seat.bets.total) for seat in seats]


def correction(before: Round, after: Round, currencies: Mapping[str, str]) -> list[Move]:
    """The settlement taken back and the right one in its place, as one change for each player."""
    undone = stakes.reverse(stakes.settle(before, currencies), 1, "", "")
    net = net_changes((*undone.postings, *stakes.settle(after, currencies).postings))
    return [Move(player_id, net.get(player_cash_id(player_id), 0)) for player_id in sorted(before.seats)]


def moves_view(moves: Iterable[Move], balances: Mapping[str, Balance], names: Mapping[str, str]) -> Payload:
    """Every balance that would change, before and after; `covered` is false where a player no longer has the money."""
    rows, totals = [], defaultdict[str, int](int)
    for player_id, amount, released in moves:
        currency, balance, _ = balances[player_id]
        available = balances[player_id].available
        totals[currency] += amount + released
        rows.append(
            {
                "player_id": player_id,
                "name": names.get(player_id, ""),
                "currency": currency,
                "amount": amount + released,
                "balance_before": balance,
                "balance_after": balance + amount,
                "available_before": available,
                "available_after": available + amount + released,
                "covered": available + amount + released >= 0,
            }
        )
    return {"moves": rows, "totals": [{"currency": one, "amount": totals[one]} for one in sorted(totals)]}
