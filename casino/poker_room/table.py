"""Cash table: seats, the running hand, and one deadline. It is synchronous and stores nothing by itself.

The table answers messages at once and runs due work at `tick`. Work that needs the database leaves as effects: a
finished hand to store, chips to move. While the finished hand is being stored, its result is held back and no hand
begins. No hand begins while chips of a seated player move either, so that a hand starts with the stacks of the books.
"""

from casino.poker.commands import Cause
from casino.poker.state import Status
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.deadlines import earliest
from casino.poker_room.decks import Decks, PreparedDeck
from casino.poker_room.effects import AddChips, PassedByBigBlind, SatOut
from casino.poker_room.live_hand import HandPlayer, LiveHand
from casino.poker_room.occupants import DepartureReason
from casino.poker_room.pool import Draw
from casino.poker_room.seated_table import SeatedTable
from casino.poker_room.table_seats import TableSeats
from casino.poker_room.table_terms import TableTerms
from casino.poker_room.table_views import own_seat_view, table_view
from casino.wire.poker_events import PokerSeat
from casino.wire.poker_events import PokerTable as TableView


class PokerTable(SeatedTable):
    """`deck` is the one of the next hand, stored already. `hand_no` is the number of the last stored hand."""

    def __init__(
        self,
        terms: TableTerms,
        seats: TableSeats,
        *,
        deck: PreparedDeck,
        decks: Decks,
        broadcaster: TableBroadcaster,
        draw: Draw,
        hand_no: int = 0,
    ) -> None:
        super().__init__(terms, seats, deck=deck, decks=decks, broadcaster=broadcaster, hand_no=hand_no)
        self.is_closing = False
        self._draw = draw

    # Interface for the room

    @property
    def idle_since_ms(self) -> int | None:
        """Since when no hand can start."""
        return self._next.idle_since_ms

    @property
    def due_ms(self) -> int | None:
        """When `tick` has something to do."""
        due_ms = super().due_ms
        for occupant in self.occupants.values():
            if occupant.rebuy_until_ms is not None and not occupant.is_moving_money:
                due_ms = earliest(due_ms, occupant.rebuy_until_ms + 1)
        return due_ms

    def publish_changes(self, now_ms: int) -> bool:
        self._reconsider(now_ms)
        return super().publish_changes(now_ms)

    def _view(self) -> TableView:
        return table_view(self)

    def _own_seat_view(self, player_id: str) -> PokerSeat:
        return own_seat_view(self, player_id)

    # Time

    def tick(self, now_ms: int) -> None:
        super().tick(now_ms)
        for occupant in self.occupants.values():
            if (
                occupant.rebuy_until_ms is not None
                and now_ms > occupant.rebuy_until_ms
                and not occupant.is_moving_money
            ):
                occupant.rebuy_until_ms = None
                occupant.leaving = occupant.leaving or DepartureReason.NO_CHIPS
                self._depart(occupant)

    def wait_for_players(self, now_ms: int) -> None:
        """Players without chips have their time to decide from the end of the wait on."""
        super().wait_for_players(now_ms)
        until_ms = now_ms + self.terms.after_restart_ms
        for player_id, occupant in self.occupants.items():
            if not self.seats.seats[player_id].stack:
                occupant.rebuy_until_ms = until_ms + self.terms.rebuy_ms

    @property
    def _awaited(self) -> list[str]:
        return [seat.player_id for seat in self.seats.present]

    def _start_without(self, absent: list[str]) -> None:
        self._effects += [SatOut(player_id) for player_id in absent]

    # Hands

    @property
    def _can_start(self) -> bool:
        return (
            super()._can_start
            and not self.is_closing
            and not any(occupant.is_moving_money for occupant in self.occupants.values())
            and self.seats.may_start(self.terms.start_min)
        )

    def _reconsider(self, now_ms: int) -> None:
        is_at_rest = self.is_at_rest
        is_able = not is_at_rest or (self.paused is None and self.seats.may_start(self.terms.start_min))
        if self._next.note(now_ms, is_able=is_able, is_at_rest=is_at_rest):
            self._is_changed = True

    def _begin(self, now_ms: int) -> None:
        self.seats, passed = self.seats.with_sit_outs()
        for player_id in passed:
            self._effects.append(PassedByBigBlind(player_id))
            self._note(player_id)
        if not self.seats.may_start(self.terms.start_min):
            return
        dealt = self.seats.deal(self._draw)
        players = [self._hand_player(entrant.player_id) for entrant in dealt.entrants]
        self._runner.begin(self.seats, dealt, players, now_ms)
        self.seats = dealt.seats
        self._changed.update(self.occupants)
        self._is_changed = True
        self._moved(now_ms)

    def _hand_player(self, player_id: str) -> HandPlayer:
        occupant = self.occupants[player_id]
        absence = Cause.LEFT if occupant.leaving is not None else None
        return HandPlayer(player_id, self.seats.seats[player_id].bank_ms, occupant.is_connected, absence)

    def _after_hand(self, live: LiveHand, now_ms: int) -> None:
        for player in live.players.values():
            if player.is_silent and live.hand.status is Status.SETTLED:
                self._effects.append(SatOut(player.player_id))
        for player_id, occupant in self.occupants.items():
            stack = self.seats.seats[player_id].stack
            if occupant.leaving is not None:
                self._depart(occupant)
                continue
            if not stack and occupant.rebuy_until_ms is None:
                occupant.rebuy_until_ms = now_ms + self.terms.rebuy_ms
            wants_more = occupant.is_auto and stack < occupant.initial
            if (occupant.requested or wants_more) and not occupant.is_moving_money:
                occupant.is_moving_money = True
                self._effects.append(AddChips(player_id))
