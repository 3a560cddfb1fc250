"""Views of a tournament table and of one player's own seat there. Stacks are chips without a value."""

from typing import TYPE_CHECKING

from casino.poker_room.seat_views import bank, chips, pre_action, seat_view, shown_hand_no
from casino.poker_room.table_seats import TableSeat
from casino.wire.poker_events import PokerSeat, PokerTable, SeatState

if TYPE_CHECKING:
    from casino.poker_room.tournament.tournament_table import TournamentTable


def table_view(table: "TournamentTable") -> PokerTable:
    """Public view of the table."""
    terms, live = table.terms, table.live
    seats = sorted(table.seats.seats.values(), key=lambda seat: seat.seat_no)
    level = terms.structure.level(terms.level)
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
        "seats": [seat_view(table, seat, _state(seat), table.heads.get(seat.player_id, 0)) for seat in seats],
        "button": live.hand.positions.button if live is not None else None,
        "hand_no": shown_hand_no(table),
        "next_hand_at": table.next_hand_at,
        "next_level_at": table.next_level_ms,
        "paused": table.paused,
    }


def own_seat_view(table: "TournamentTable", player_id: str) -> PokerSeat:
    """A seat as its player sees it."""
    seat = table.seats.seats[player_id]
    return {
        "pool": None,
        "table_id": table.terms.table_id,
        "seat_no": seat.seat_no,
        "state": _state(seat),
        "stack": chips(table, seat),
        "owes": 0,
        "bank": bank(table, seat),
        "wait_for_bb": False,
        "auto_top_up": False,
        "sit_out_next_bb": False,
        "sit_out_until": None,
        "pre_action": pre_action(table, player_id),
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
