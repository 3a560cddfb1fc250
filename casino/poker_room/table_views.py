"""Views of a cash table and of one player's own seat there."""

from typing import TYPE_CHECKING

from casino.poker_room.occupants import Occupant
from casino.poker_room.seat_views import bank, chips, pre_action, seat_view, shown_hand_no
from casino.poker_room.stacks import top_up_offer
from casino.poker_room.table_seats import TableSeat
from casino.wire.poker_events import PokerSeat, PokerTable, SeatState

if TYPE_CHECKING:
    from casino.poker_room.seated_table import SeatedTable
    from casino.poker_room.table import PokerTable as Table


def table_view(table: "Table") -> PokerTable:
    """Public view of the table."""
    terms, stake = table.terms, table.terms.stake
    seats = sorted(table.seats.seats.values(), key=lambda seat: seat.seat_no)
    live = table.live
    return {
        "id": terms.table_id,
        "table_id": terms.table_id,
        "pool": terms.pool_id,
        "tournament": None,
        "name": table_name(terms.table_id),
        "game": stake.game,
        "format": stake.format,
        "currency": terms.currency,
        "size": stake.seats,
        "blinds": {"sb": stake.small_blind, "bb": stake.big_blind},
        "ante": 0,
        "seats": [seat_view(table, seat, seat_state(table, seat, table.occupants[seat.player_id])) for seat in seats],
        "button": live.hand.positions.button if live is not None else None,
        "hand_no": shown_hand_no(table),
        "next_hand_at": table.next_hand_at,
        "next_level_at": None,
        "paused": table.paused,
    }


def own_seat_view(table: "SeatedTable", player_id: str, occupant: Occupant | None = None) -> PokerSeat:
    """A seat as its player sees it."""
    occupant = occupant or table.occupants[player_id]
    seat, stake = table.seats.seats[player_id], table.terms.stake
    in_hand = table.is_dealt_in(player_id)
    offer = None if in_hand else top_up_offer(stake, seat.stack, occupant.initial)
    owes = not seat.is_current and table.seats.last is not None
    return {
        "pool": table.terms.pool_id,
        "table_id": table.terms.table_id,
        "seat_no": seat.seat_no,
        "state": seat_state(table, seat, occupant),
        "stack": chips(table, seat),
        "owes": stake.big_blind if owes else 0,
        "bank": bank(table, seat),
        "wait_for_bb": seat.waits_for_bb,
        "auto_top_up": occupant.is_auto,
        "sit_out_next_bb": seat.sits_out_at_bb,
        "sit_out_until": occupant.sit_out_until_ms,
        "pre_action": pre_action(table, player_id),
        "place": None,
        "missing": None,
        "min": offer.smallest if offer else None,
        "max": offer.largest if offer else None,
        "amounts": [],
        "until": occupant.rebuy_until_ms,
        "reason": occupant.leaving.value if occupant.leaving is not None else None,
    }


def seat_state(table: "SeatedTable", seat: TableSeat, occupant: Occupant) -> SeatState:
    if occupant.leaving is not None:
        return "leaving"
    if table.is_dealt_in(seat.player_id):
        return "playing"
    if seat.sits_out:
        return "sitting_out"
    owes = not seat.is_current and table.seats.last is not None
    return "waiting" if owes or not seat.stack else "playing"


def table_name(table_id: str) -> str:
    """The last part of the id, which is random."""
    return table_id.rpartition("-")[2].upper()
