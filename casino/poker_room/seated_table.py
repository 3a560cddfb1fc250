"""Seated table: the seats of a running table, the players' chips there, and their leaving.

Work that needs the database leaves as effects. A player with cards in a hand that is not stored keeps chips and seat
until it is: leaving, top-ups and sitting out take effect after the hand.
"""

from dataclasses import replace

from casino.poker.commands import Cause
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.decks import Decks, PreparedDeck
from casino.poker_room.effects import Depart
from casino.poker_room.occupants import DepartureReason, Occupant
from casino.poker_room.running_table import RunningTable
from casino.poker_room.senders import Sender
from casino.poker_room.stacks import verify_top_up
from casino.poker_room.table_seats import TableSeat, TableSeats, new_seat
from casino.poker_room.table_terms import BANK_KEPT_MS, TableTerms
from casino.poker_room.table_views import own_seat_view
from casino.wire.poker_events import PokerSeat


class SeatedTable(RunningTable[TableTerms, TableSeats]):
    """`seats` are those of the last stored hand, with the players who have sat down since."""

    def __init__(
        self,
        terms: TableTerms,
        seats: TableSeats,
        *,
        deck: PreparedDeck,
        decks: Decks,
        broadcaster: TableBroadcaster,
        hand_no: int = 0,
    ) -> None:
        super().__init__(terms, seats, deck=deck, decks=decks, broadcaster=broadcaster, hand_no=hand_no)
        self._kept_banks: dict[str, tuple[int, int, int]] = {}  # bank, hands and the end of remembering them

    def sit_down(
        self,
        sender: Sender,
        seat_no: int,
        stack: int,
        now_ms: int,
        *,
        initial: int | None = None,
        available: int = 0,
        waits_for_bb: bool = True,
        is_auto: bool = False,
        moved_with: TableSeat | None = None,
    ) -> None:
        """The player's chips are on the table. Before the first hand, no player owes a blind.

        `moved_with` is the seat at the table the house has closed: its time bank and settings come along.
        """
        seat = new_seat(sender.player_id, seat_no, stack, self.terms.clock, waits_for_bb=waits_for_bb)
        bank_ms, hands, until_ms = self._kept_banks.pop(sender.player_id, (seat.bank_ms, 0, 0))
        if moved_with is not None:
            seat = replace(
                seat,
                bank_ms=moved_with.bank_ms,
                hands=moved_with.hands,
                sits_out=moved_with.sits_out,
                sits_out_at_bb=moved_with.sits_out_at_bb,
            )
        elif now_ms <= until_ms:
            seat = replace(seat, bank_ms=bank_ms, hands=hands)
        self.seats = self.seats.sat_down(replace(seat, auto_top_up=is_auto))
        self.add_occupant(Occupant(sender.player_id, sender.name, initial or stack, available, now_ms, is_auto))

    def add_occupant(self, occupant: Occupant) -> None:
        self.occupants[occupant.player_id] = occupant
        self._note(occupant.player_id)

    def stand_up(self, player_id: str, reason: DepartureReason, now_ms: int) -> None:
        """The player's chips have left the table."""
        assert not self.is_dealt_in(player_id), "a player leaves after the hand is stored"
        seat, occupant = self.seats.seats[player_id], self.occupants.pop(player_id)
        self._kept_banks = {who: kept for who, kept in self._kept_banks.items() if kept[2] >= now_ms}
        self._kept_banks[player_id] = (seat.bank_ms, seat.hands, now_ms + BANK_KEPT_MS)
        view = own_seat_view(self, player_id, occupant)
        departed: PokerSeat = {**view, "state": "gone", "stack": 0, "owes": 0, "reason": reason.value}
        self.seats = self.seats.stood_up(player_id)
        self._broadcaster.seat(occupant, departed)
        self._broadcaster.left(occupant.connections)
        self._is_changed = True

    def leave(self, player_id: str, reason: DepartureReason, now_ms: int) -> bool:
        """The player leaves now, or after the running hand; returns whether it is now."""
        occupant = self.occupants[player_id]
        occupant.leaving = occupant.leaving or reason
        self._note(player_id)
        if not self.is_dealt_in(player_id):
            self._depart(occupant)
            return True
        if (running := self._runner.running) is not None:
            running.absent(player_id, Cause.LEFT, now_ms)
            self._moved(now_ms)
        return False

    def leave_after_hand(self, player_id: str, reason: DepartureReason) -> None:
        """The player leaves now, or once the running hand is over, which is played normally."""
        occupant = self.occupants[player_id]
        occupant.leaving = occupant.leaving or reason
        self._note(player_id)
        if not self.is_dealt_in(player_id):
            self._depart(occupant)

    def sit_out(self, player_id: str, until_ms: int | None) -> None:
        """The player sits out until then at the latest, from the next hand on; None: the player is back."""
        occupant = self.occupants[player_id]
        occupant.sit_out_until_ms = until_ms
        is_out = until_ms is not None
        if not is_out and self.live is not None and player_id in self.live.players:
            self.live.players[player_id].is_silent = False
        changed = {"sits_out": is_out} if is_out else {"sits_out": False, "sits_out_at_bb": False}
        self.seats = self.seats.changed(player_id, **changed)
        self._note(player_id)

    def sit_out_at_big_blind(self, player_id: str, *, is_on: bool) -> None:
        self.seats = self.seats.changed(player_id, sits_out_at_bb=is_on)
        self._note(player_id)

    def wait_for_big_blind(self, player_id: str, *, is_on: bool) -> None:
        self.seats = self.seats.changed(player_id, waits_for_bb=is_on)
        self._note(player_id)

    def set_auto_top_up(self, player_id: str, *, is_on: bool) -> None:
        self.occupants[player_id].is_auto = is_on
        self.seats = self.seats.changed(player_id, auto_top_up=is_on)
        self._note(player_id)

    # Chips

    def request_top_up(self, player_id: str, amount: int, key: str, available: int) -> bool:
        """Returns whether the chips move now; during a hand of the player the request is kept for after it.

        Chips that are about to be added after a hand include it: no hand may begin between the two.
        Refuses as `stacks.verify_top_up`.
        """
        occupant = self.occupants[player_id]
        is_later = self.is_dealt_in(player_id) or occupant.is_moving_money
        seat = occupant.stack_of(self.seats.seats[player_id])
        verify_top_up(self.terms.stake, seat, amount, available, in_hand=is_later)
        if is_later:
            occupant.requested, occupant.requested_key = amount, key
        else:
            occupant.is_moving_money = True
        return not is_later

    def chips_added(self, player_id: str, stack: int | None, available: int | None) -> None:
        """The seat's account holds this stack now; None if nothing has moved.

        The ledger says what is there: a repeated key moves no money, and no chips may appear by it.
        """
        occupant = self.occupants.get(player_id)
        if occupant is None:
            return
        assert stack is None or not self.is_dealt_in(player_id), "chips move between hands only"
        occupant.is_moving_money, occupant.requested, occupant.requested_key = False, 0, ""
        if available is not None:
            occupant.available = available
        if stack:
            self.seats = self.seats.changed(player_id, stack=stack)
            occupant.rebuy_until_ms = None
        self._note(player_id)
        if occupant.leaving is not None and not self.is_dealt_in(player_id):
            self._depart(occupant)

    def _depart(self, occupant: Occupant) -> None:
        """Asks for the player's chips to go back, once at a time."""
        assert occupant.leaving is not None
        if not occupant.is_moving_money:
            occupant.is_moving_money = True
            self._effects.append(Depart(occupant.player_id, occupant.leaving))
