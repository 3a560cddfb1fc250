"""Views of a round: the data each audience may see. Every message about a round is built here.

A round never holds a card that is not on the table, so no hidden card can leak. This module decides about the rest:
bets and decisions of others, options, deadlines.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final, Literal

from typing_extensions import TypedDict

from casino.cards.ranking import Hand
from casino.uth.bets import Action, Bets
from casino.uth.decisions import covers_largest_play, options
from casino.uth.phases import Phase
from casino.uth.results import results
from casino.uth.settlement import SeatResult, SpotResult, qualifies
from casino.uth.state import Pause, Round, Seat
from casino.uth.terms import Layout
from casino.wire import common, host_events, player_events

_NO_BETS: Final = Bets(0)
_WINNERS_MAX: Final = 7
"""Announced by name in each currency: as many as an own-hands table has seats."""
_AUTOMATIC: Final[Mapping[Action, Literal["auto_checked", "auto_folded"]]] = {
    Action.CHECK: "auto_checked",
    Action.FOLD: "auto_folded",
}


def hand_view(hand: Hand | None) -> common.Hand | None:
    return shown_hand(hand) if hand else None


def shown_hand(hand: Hand) -> common.Hand:
    return {"category": hand.category, "cards": list(hand.cards)}


def bets_view(bets: Bets = _NO_BETS) -> common.Bets:
    return {"ante": bets.ante, "blind": bets.blind, "trips": bets.trips, "play": bets.play}


def public_view(round_: Round, names: Mapping[str, str]) -> player_events.RoundView:
    """Returns the view of all at the table. The sender adds the table's sequence number and the time."""
    is_shared = round_.terms.layout is Layout.SHARED
    dealer_hand = round_.dealer_hand
    view: player_events.RoundView = {
        "table_id": round_.table_id,
        "round_id": round_.round_id,
        "game_number": round_.game_number,
        "phase": round_.phase,
        "deadline": round_.due_ms if round_.phase is Phase.BETTING or round_.is_deciding else None,
        "paused": pause_view(round_.paused),
        "player_cards": list(round_.hole_cards(None)) if is_shared else [],
        "board": list(round_.board),
        "dealer_cards": list(round_.dealer_cards),
        "player_hand": hand_view(round_.hand(None)) if is_shared else None,
        "dealer_hand": hand_view(dealer_hand),
        "dealer_qualifies": qualifies(dealer_hand) if dealer_hand else None,
        "players": len(round_.seats),
        "commitment": round_.commitment,
    }
    if not is_shared:
        # At an own-hands table all hands are face up, and all players see bets and decisions.
        view["seats"] = [_dealt_seat_view(round_, seat, names) for seat in _in_order(round_)]
    return view


def outcome_view(round_: Round) -> common.PastRound:
    """Returns a finished round as listed among the last results of its table."""
    view = public_view(round_, {})
    player, dealer = round_.hand(None), round_.dealer_hand
    return {
        "round_id": round_.round_id,
        "game_number": round_.game_number,
        "player_cards": view["player_cards"],
        "board": view["board"],
        "dealer_cards": view["dealer_cards"],
        "player_hand": view["player_hand"],
        "dealer_hand": view["dealer_hand"],
        "dealer_qualifies": view["dealer_qualifies"],
        "started_at": round_.started_ms,
        "status": _ending(round_),
        "winner": _winner(player, dealer) if player and dealer else None,
        "commitment": round_.commitment,
    }


def _ending(round_: Round) -> Literal[Phase.SETTLED, Phase.CANCELLED]:
    assert round_.phase is Phase.SETTLED or round_.phase is Phase.CANCELLED, "the round has ended"
    return round_.phase


def _winner(player: Hand, dealer: Hand) -> common.Winner:
    if player == dealer:
        return "tie"
    return "player" if player > dealer else "dealer"


def idle_view(table_id: str) -> player_events.RoundView:
    """Returns the view of a table at which no round has begun yet."""
    return {
        "table_id": table_id,
        "phase": Phase.IDLE,
        "players": 0,
        "round_id": None,
        "game_number": None,
        "deadline": None,
        "paused": None,
        "player_hand": None,
        "dealer_hand": None,
        "dealer_qualifies": None,
        "commitment": None,
        "player_cards": [],
        "board": [],
        "dealer_cards": [],
    }


def pause_view(paused: Pause | None) -> common.Pause | None:
    if paused is None:
        return None
    return {"reason": paused.reason, "since": paused.since_ms, "incident_id": paused.incident_id}


def _in_order(round_: Round) -> list[Seat]:
    return sorted(round_.seats.values(), key=lambda seat: (seat.seat_no or 0, seat.player_id))


def _dealt_seat_view(round_: Round, seat: Seat, names: Mapping[str, str]) -> player_events.DealtSeat:
    return {
        "seat_no": seat.seat_no,
        "name": names.get(seat.player_id, ""),  # after a restart, until the player comes back
        "player_cards": list(round_.hole_cards(seat.seat_no)),
        "bets": bets_view(seat.bets),
        "decision": seat.action,
    }


def seat_view(round_: Round, player_id: str, available_minor: int) -> player_events.Seat:
    """Returns a player's view of their seat, also without a bet."""
    seat = round_.seats.get(player_id)
    last = seat.last if seat else None
    is_dealt = seat is not None or round_.terms.layout is Layout.SHARED
    seat_no = seat.seat_no if seat else None
    return {
        "table_id": round_.table_id,
        "round_id": round_.round_id,
        "bets": bets_view(seat.bets) if seat else bets_view(),
        "decision": last.action if last else None,
        "automatic": _AUTOMATIC[last.action] if last and last.automatic else None,
        "options": list(options(round_, player_id, available_minor)),
        "covers_4x": covers_largest_play(seat, available_minor) if seat else None,
        "hand": hand_view(round_.hand(seat_no)) if is_dealt else None,
        "seat_no": seat_no,
        "player_cards": list(round_.hole_cards(seat_no)) if is_dealt else [],
        "seed": seat.seed if seat else None,
    }


def idle_seat_view(table_id: str, seat_no: int | None) -> player_events.Seat:
    """Returns a player's view of their seat at a table at which no round has begun yet."""
    return {
        "table_id": table_id,
        "bets": bets_view(),
        "options": [],
        "player_cards": [],
        "round_id": None,
        "decision": None,
        "automatic": None,
        "covers_4x": None,
        "hand": None,
        "seed": None,
        "seat_no": seat_no,
    }


def spots_view(result: SeatResult) -> common.Spots:
    return {
        "ante": _spot_view(result.ante),
        "blind": _spot_view(result.blind),
        "trips": _spot_view(result.trips),
        "play": _spot_view(result.play),
    }


def _spot_view(spot: SpotResult) -> common.Spot:
    return {"bet": spot.bet, "outcome": spot.outcome, "returned": spot.returned}


def result_view(round_: Round, result: SeatResult, balance: int) -> player_events.RoundResult:
    """Returns the result of the round for one player."""
    view: player_events.RoundResult = {
        "table_id": round_.table_id,
        "round_id": round_.round_id,
        "status": _ending(round_),
        "result": result.result,
        "spots": spots_view(result),
        "staked": result.staked,
        "returned": result.returned,
        "balance": balance,
    }
    if round_.phase is Phase.CANCELLED:
        view["incident_id"] = round_.incidents[-1].incident_id
    return view


def host_view(
    round_: Round, names: Mapping[str, str], public: player_events.Round, currencies: Mapping[str, str]
) -> host_events.HostRound:
    """Returns the view of presenter and manager: the table, the next step, and the total of each spot."""
    bets = [seat.bets for seat in round_.seats.values()]
    return {
        "table_id": round_.table_id,
        "round": public,
        "expects": round_.expects,
        "totals": _totals(bets),
        "totals_by_currency": _totals_by_currency(round_, currencies),
        "seats": [
            {
                **_dealt_seat_view(round_, seat, names),
                "player_id": seat.player_id,
                "currency": currencies.get(seat.player_id, ""),
            }
            for seat in _in_order(round_)
        ],
        "showdown": _showdown_view(round_, names),
        **_winners_view(round_, names, currencies),
    }


def _totals(bets: Collection[Bets]) -> common.Bets:
    return {
        "ante": sum(bet.ante for bet in bets),
        "blind": sum(bet.blind for bet in bets),
        "trips": sum(bet.trips for bet in bets),
        "play": sum(bet.play for bet in bets),
    }


def _totals_by_currency(round_: Round, currencies: Mapping[str, str]) -> list[host_events.CurrencyTotals]:
    found = defaultdict[str, list[Bets]](list)
    for seat in round_.seats.values():
        found[currencies.get(seat.player_id, "")].append(seat.bets)
    return [{**_totals(bets), "currency": currency} for currency, bets in sorted(found.items())]


def idle_host_view(public: player_events.Round) -> host_events.HostRound:
    """Returns the view of presenter and manager at a table at which no round has begun yet."""
    return {
        "table_id": public["table_id"],
        "expects": None,
        "totals": bets_view(),
        "totals_by_currency": [],
        "seats": [],
        "showdown": [],
        "winners": [],
        "winners_total": 0,
        "round": public,
    }


class _Winners(TypedDict):
    winners: list[host_events.WinningPlayer]
    winners_total: int


def _winners_view(round_: Round, names: Mapping[str, str], currencies: Mapping[str, str]) -> _Winners:
    """Returns the players who have won, to be announced. The largest wins are those of each currency by itself."""
    if round_.phase is not Phase.SETTLED:
        return {"winners": [], "winners_total": 0}
    found = defaultdict[str, list[tuple[int, str]]](list)
    for player_id, result in results(round_).items():
        if result.returned > result.staked:
            found[currencies.get(player_id, "")].append((result.returned - result.staked, player_id))
    winners: list[host_events.WinningPlayer] = [
        {
            "seat_no": round_.seats[player_id].seat_no,
            "name": names.get(player_id, ""),
            "won": won,
            "currency": currency,
        }
        for currency, won_in in sorted(found.items())
        for won, player_id in sorted(won_in, key=lambda one: (-one[0], one[1]))[:_WINNERS_MAX]
    ]
    return {"winners": winners, "winners_total": sum(map(len, found.values()))}


def _showdown_view(round_: Round, names: Mapping[str, str]) -> list[host_events.Announced]:
    """Returns the announcements: each hand against the dealer's, once all cards are out."""
    dealer = round_.dealer_hand
    if dealer is None:
        return []
    if round_.terms.layout is Layout.SHARED:
        folded = bool(round_.seats) and all(seat.is_folded for seat in round_.seats.values())
        return _announced(round_, dealer, None, "", folded=folded)
    return [
        announced
        for seat in _in_order(round_)
        for announced in _announced(round_, dealer, seat.seat_no, names.get(seat.player_id, ""), folded=seat.is_folded)
    ]


def _announced(
    round_: Round, dealer: Hand, seat_no: int | None, name: str, *, folded: bool
) -> list[host_events.Announced]:
    hand = round_.hand(seat_no)
    if hand is None:
        return []
    winner = _winner(hand, dealer)
    return [{"seat_no": seat_no, "name": name, "hand": shown_hand(hand), "winner": winner, "folded": folded}]
