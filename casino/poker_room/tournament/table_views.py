"""Views of a tournament table and of one player's own seat there. Stacks are chips without a value."""

from typing import TYPE_CHECKING

from casino.poker_room.pre_actions import Choice
from casino.poker_room.table_seats import TableSeat
from casino.wire.poker_events import Choice as ChoiceName
from casino.wire.poker_events import PokerSeat, PokerTable, PokerTableSeat, SeatState

if TYPE_CHECKING:
    from casino.poker_room.tournament.tournament_table import TournamentTable


def table_view(table: "TournamentTable") -> PokerTable:
    """Public view of the table."""
    terms, live = table.terms, table.live
    seats = sorted(table.seats.seats.values(), key=lambda seat: seat.seat_no)
    level = terms.structure.level(terms.level)
    is_playing = not table.is_at_rest and live is not None
    return {
        "id": terms.table_id,
        "table_id": terms.table_id,
        "pool": None,
        "tournament": terms.tournament_id,
        "name": f"{terms.name} {terms.table_id.rpartition('-')[2]}",
        "game": terms.game,
        "format": None,
        "currency": None,
        "size": terms.size,
        "blinds": {"sb": level.small_blind, "bb": level.big_blind},
        "ante": level.ante,
        "seats": [_seat(table, seat) for seat in seats],
        "button": live.hand.positions.button if live is not None else None,
        "hand_no": live.hand.number if live is not None and is_playing else table.hand_no,
        "next_hand_at": table.next_hand_at,
        "next_level_at": table.next_level_ms,
        "paused": table.paused,
    }


def own_seat_view(table: "TournamentTable", player_id: str) -> PokerSeat:
    """The own seat as its player sees it."""
    seat = table.seats.seats[player_id]
    return {
        "pool": None,
        "table_id": table.terms.table_id,
        "seat_no": seat.seat_no,
        "state": _state(seat),
        "stack": _chips(table, seat),
        "owes": 0,
        "bank": _bank(table, seat),
        "wait_for_bb": False,
        "auto_top_up": False,
        "sit_out_next_bb": False,
        "sit_out_until": None,
        "pre_action": _pre_action(table, player_id),
        "place": None,
        "missing": None,
        "min": None,
        "max": None,
        "amounts": [],
        "until": None,
        "reason": None,
    }


def _state(seat: TableSeat) -> SeatState:
    return "sitting_out" if seat.sits_out else "playing"


def _public_state(table: "TournamentTable", seat: TableSeat) -> SeatState:
    """Who has begun to sit out in this hand folds at the next turn: no other player may know before it."""
    hand = table.public_hand
    dealt = hand.seat_of(seat.player_id) if hand is not None and table.is_dealt_in(seat.player_id) else None
    return "playing" if dealt is not None and dealt.is_live else _state(seat)


def _chips(table: "TournamentTable", seat: TableSeat) -> int:
    hand = table.public_hand
    dealt = hand.seat_of(seat.player_id) if hand is not None and table.is_dealt_in(seat.player_id) else None
    return dealt.stack if dealt is not None else seat.stack


def _bank(table: "TournamentTable", seat: TableSeat) -> int:
    live = table.live
    if live is not None and table.is_dealt_in(seat.player_id):
        return live.players[seat.player_id].bank_ms
    return seat.bank_ms


def _seat(table: "TournamentTable", seat: TableSeat) -> PokerTableSeat:
    occupant = table.occupants[seat.player_id]
    return {
        "no": seat.seat_no,
        "name": occupant.name,
        "stack": _chips(table, seat),
        "state": _public_state(table, seat),
        "connected": occupant.is_connected,
        "bank": _bank(table, seat),
        "bounty": table.heads.get(seat.player_id, 0),
        "since_ms": occupant.since_ms,
    }


def _pre_action(table: "TournamentTable", player_id: str) -> ChoiceName:
    live = table.live
    player = live.players.get(player_id) if live is not None else None
    chosen = player.pre_action if player is not None else None
    choice = chosen.choice if chosen is not None else Choice.NONE
    return choice.value
