"""Who may see what. Every message about a round is built here and nowhere else.

A round never holds a card that is not on the table, so nothing hidden can slip out of it; this module decides
about the rest: bets and decisions of others, options, deadlines.
"""

from collections.abc import Mapping
from typing import Any

from casino.cards.ranking import Hand
from casino.uth.bets import Bets
from casino.uth.deciding import covers_largest_play, options
from casino.uth.phases import Phase
from casino.uth.settlement import SeatResult, SpotResult, qualifies
from casino.uth.state import Pause, Round, Seat
from casino.uth.terms import Layout

View = dict[str, Any]


def hand_view(hand: Hand | None) -> View | None:
    return {"category": hand.category, "cards": list(hand.cards)} if hand else None


def bets_view(bets: Bets) -> View:
    return {"ante": bets.ante, "blind": bets.blind, "trips": bets.trips, "play": bets.play}


def public_view(round_: Round, names: Mapping[str, str]) -> View:
    """What everybody at the table sees. The sender adds the table's running number and the time."""
    is_shared = round_.terms.layout is Layout.SHARED
    dealer_hand = round_.dealer_hand
    view: View = {
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
        # At an own-hands table all hands lie face up, and everybody sees who bet and did what.
        view["seats"] = [_dealt_seat_view(round_, seat, names) for seat in _in_order(round_)]
    return view


def outcome_view(round_: Round) -> View:
    """A round that is over, as it stands among the last results of its table."""
    view = public_view(round_, {})
    kept = ("round_id", "game_number", "player_cards", "board", "dealer_cards", "player_hand", "dealer_hand")
    return {
        **{name: view[name] for name in kept},
        "dealer_qualifies": view["dealer_qualifies"],
        "started_at": round_.started_ms,
        "status": round_.phase,
        "winner": _winner(round_),
        "commitment": round_.commitment,
    }


def _winner(round_: Round, seat_no: int | None = None) -> str | None:
    """Of the hand that everybody shares, or of a seat's own; None if it is not known, or not one answer for all."""
    player, dealer = round_.hand(seat_no), round_.dealer_hand
    if player is None or dealer is None:
        return None
    if player == dealer:
        return "tie"
    return "player" if player > dealer else "dealer"


def idle_view(table_id: str) -> View:
    """A table at which no round has begun yet."""
    nothing: View = dict.fromkeys(("round_id", "game_number", "deadline", "paused"))
    nothing |= dict.fromkeys(("player_hand", "dealer_hand", "dealer_qualifies", "commitment"))
    cards: View = {"player_cards": [], "board": [], "dealer_cards": []}
    return {"table_id": table_id, "phase": Phase.IDLE, "players": 0} | nothing | cards


def pause_view(paused: Pause | None) -> View | None:
    if paused is None:
        return None
    return {"reason": paused.reason, "since": paused.since_ms, "incident_id": paused.incident_id}


def _in_order(round_: Round) -> list[Seat]:
    return sorted(round_.seats.values(), key=lambda seat: (seat.seat_no or 0, seat.player_id))


def _dealt_seat_view(round_: Round, seat: Seat, names: Mapping[str, str]) -> View:
    return {
        "seat_no": seat.seat_no,
        "name": names.get(seat.player_id, ""),  # after a restart, until the player comes back
        "player_cards": list(round_.hole_cards(seat.seat_no)),
        "bets": bets_view(seat.bets),
        "decision": seat.action,
    }


def seat_view(round_: Round, player_id: str, available_minor: int) -> View:
    """What one player sees of the own seat, also without a bet."""
    seat = round_.seats.get(player_id)
    last = seat.last if seat else None
    automatic = {"check": "auto_checked", "fold": "auto_folded"}[last.action] if last and last.automatic else None
    is_dealt = seat is not None or round_.terms.layout is Layout.SHARED
    seat_no = seat.seat_no if seat else None
    return {
        "table_id": round_.table_id,
        "round_id": round_.round_id,
        "bets": bets_view(seat.bets if seat else Bets(0)),
        "decision": last.action if last else None,
        "automatic": automatic,
        "options": list(options(round_, player_id, available_minor)),
        "covers_4x": covers_largest_play(seat, available_minor) if seat else None,
        "hand": hand_view(round_.hand(seat_no)) if is_dealt else None,
        "seat_no": seat_no,
        "player_cards": list(round_.hole_cards(seat_no)) if is_dealt else [],
    }


def spots_view(result: SeatResult) -> View:
    spots = {"ante": result.ante, "blind": result.blind, "trips": result.trips, "play": result.play}
    return {name: _spot_view(spot) for name, spot in spots.items()}


def _spot_view(spot: SpotResult) -> View:
    return {"bet": spot.bet, "outcome": spot.outcome, "returned": spot.returned}


def result_view(round_: Round, result: SeatResult) -> View:
    """How the round ended for one player."""
    return {
        "table_id": round_.table_id,
        "round_id": round_.round_id,
        "status": round_.phase,
        "result": result.result,
        "spots": spots_view(result),
        "staked": result.staked,
        "returned": result.returned,
    }


def host_view(round_: Round, names: Mapping[str, str]) -> View:
    """What the presenter and the manager see: the table, what comes next, and the money on each spot."""
    bets = [seat.bets for seat in round_.seats.values()]
    return {
        "table_id": round_.table_id,
        "round": public_view(round_, names),
        "expects": round_.expects,
        "totals": {spot: sum(getattr(bet, spot) for bet in bets) for spot in ("ante", "blind", "trips", "play")},
        "seats": [_dealt_seat_view(round_, seat, names) | {"player_id": seat.player_id} for seat in _in_order(round_)],
        "showdown": _showdown_view(round_),
    }


def _showdown_view(round_: Round) -> list[View]:
    """What there is to announce: each hand against the dealer's, once all cards are out."""
    if round_.dealer_hand is None:
        return []
    return [
        {"seat_no": seat_no, "hand": hand_view(round_.hand(seat_no)), "winner": _winner(round_, seat_no)}
        for seat_no in round_.seat_numbers or (None,)
    ]
