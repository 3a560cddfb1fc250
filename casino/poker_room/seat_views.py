"""Views of a seat that cash tables and tournament tables share: chips, time bank, pre-action and public state."""

from typing import TYPE_CHECKING, Any

from casino.poker_room.pre_actions import Choice
from casino.poker_room.table_seats import TableSeat
from casino.wire.poker_events import Choice as ChoiceName
from casino.wire.poker_events import PokerTableSeat, SeatState

if TYPE_CHECKING:
    from casino.poker_room.running_table import RunningTable


def seat_view(table: "RunningTable[Any, Any]", seat: TableSeat, state: SeatState, bounty: int = 0) -> PokerTableSeat:
    """The seat as all see it. `state` is as its player sees it."""
    occupant = table.occupants[seat.player_id]
    return {
        "no": seat.seat_no,
        "name": occupant.name,
        "stack": chips(table, seat),
        "state": _public_state(table, seat, state),
        "connected": occupant.is_connected,
        "bank": bank(table, seat),
        "bounty": bounty,
        "since_ms": occupant.since_ms,
    }


def _public_state(table: "RunningTable[Any, Any]", seat: TableSeat, state: SeatState) -> SeatState:
    """A player who leaves or sits out in a hand folds at the next turn: no other player may know before it."""
    hand = table.public_hand
    dealt = hand.seat_of(seat.player_id) if hand is not None and table.is_dealt_in(seat.player_id) else None
    return "playing" if dealt is not None and dealt.is_live else state


def chips(table: "RunningTable[Any, Any]", seat: TableSeat) -> int:
    """The chips behind: of the hand as far as it has been published, if the player is in it."""
    hand = table.public_hand
    dealt = hand.seat_of(seat.player_id) if hand is not None and table.is_dealt_in(seat.player_id) else None
    return dealt.stack if dealt is not None else seat.stack


def bank(table: "RunningTable[Any, Any]", seat: TableSeat) -> int:
    live = table.live
    if live is not None and table.is_dealt_in(seat.player_id):
        return live.players[seat.player_id].bank_ms
    return seat.bank_ms


def pre_action(table: "RunningTable[Any, Any]", player_id: str) -> ChoiceName:
    live = table.live
    player = live.players.get(player_id) if live is not None else None
    chosen = player.pre_action if player is not None else None
    choice = chosen.choice if chosen is not None else Choice.NONE
    return choice.value


def shown_hand_no(table: "RunningTable[Any, Any]") -> int:
    """The number of the running hand, else of the last one."""
    return table.hand_no if table.is_at_rest or table.live is None else table.live.hand.number
