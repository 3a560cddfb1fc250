"""Cash table: seats, the running hand, and one deadline. It is synchronous and stores nothing by itself.

The table answers messages at once and runs due work at `tick`. Work that needs the database leaves as effects: a
finished hand to store, chips to move. While the finished hand is being stored, its result is held back and no hand
begins. No hand begins while chips of a seated player move either, so that a hand starts with the stacks of the books.
"""

from collections.abc import Mapping

from casino.hosting.interfaces import Connection
from casino.poker.commands import Act, Cause, Show
from casino.poker.events import CardsShown
from casino.poker.state import Status
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.decks import Decks, PreparedDeck
from casino.poker_room.effects import (
    AddChips,
    PassedByBigBlind,
    SatOut,
    StoreHand,
    StoreShownCards,
)
from casino.poker_room.hand_runner import HandRunner, Phase
from casino.poker_room.live_hand import HandPlayer, LiveHand
from casino.poker_room.messages import ActInHand, Join, PreAct, ShowCards
from casino.poker_room.next_start import NextStart
from casino.poker_room.occupants import DepartureReason, Occupant
from casino.poker_room.pool import Draw
from casino.poker_room.seated_table import SeatedTable
from casino.poker_room.senders import Sender
from casino.poker_room.table_seats import TableSeats
from casino.poker_room.table_terms import TableTerms
from casino.poker_room.table_views import own_seat_view, table_view
from casino.refusals import Reason
from casino.wire.common import Pause
from casino.wire.poker_events import Acted as ActedReply
from casino.wire.poker_events import PokerSnapshot
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
        super().__init__(terms, seats, HandRunner(terms, deck, decks, broadcaster, hand_no), broadcaster)
        self.paused: Pause | None = None
        self.is_closing = False
        self._is_draining = False
        self._not_notified: set[str] = set()  # players to notify of the restart
        self._published: TableView | None = None  # the last view sent to all
        self._draw = draw
        self._next = NextStart(terms.between_hands_ms, terms.start_min)

    # Interface for the room

    @property
    def idle_since_ms(self) -> int | None:
        """Since when no hand can start."""
        return self._next.idle_since_ms

    @property
    def due_ms(self) -> int | None:
        """When `tick` has something to do."""
        waiting = [occupant for occupant in self.occupants.values() if not occupant.is_moving_money]
        due = [occupant.rebuy_until_ms + 1 for occupant in waiting if occupant.rebuy_until_ms is not None]
        if (runner_ms := self._runner.due_ms) is not None:
            due.append(runner_ms)
        if self.phase is Phase.WAITING and self._next.waits_until_ms is not None:
            due.append(self._next.waits_until_ms)
        if (next_ms := self.next_hand_at) is not None:
            due.append(next_ms)
        return min(due, default=None)

    @property
    def next_hand_at(self) -> int | None:
        return self._next.starts_ms if self.phase is Phase.WAITING and self._can_start else None

    def publish_changes(self, now_ms: int) -> bool:
        """Sends the table and own seats once for all changes since the last time; returns whether there were any."""
        self._reconsider(now_ms)
        is_changed = self._is_changed
        if (
            is_changed and (view := table_view(self)) != self._published
        ):  # the same again would reveal a player's request
            self._published = view
            self._broadcaster.table(view)
        for player_id in self._changed:
            if player_id in self.occupants:
                self._broadcaster.seat(self.occupants[player_id], own_seat_view(self, player_id))
        self._is_changed = False
        self._changed.clear()
        return is_changed

    # Messages of players

    def occupant(self, sender: Sender) -> Occupant:
        found = self.occupants.get(sender.player_id)
        if found is None:
            raise Reason.NO_SEAT.refusal()
        return found

    def join(self, message: Join, now_ms: int) -> PokerSnapshot:
        """The connection controls the seat from now on."""
        occupant, connection = self.occupant(message.sender), message.sender.connection
        if connection is not None:
            before, occupant.holder = occupant.holder, connection
            occupant.connections = [other for other in occupant.connections if other != connection] + [connection]
            self._connected(occupant, now_ms)  # before it listens: the snapshot has what follows from it
            self._broadcaster.joined(connection, before)
            if occupant.player_id in self._not_notified:
                self._not_notified.discard(occupant.player_id)
                self._broadcaster.rolled_back(connection)
        player_id = occupant.player_id
        return {
            "table": table_view(self),
            "hand": self._broadcaster.hand_snapshot(self.live, now_ms),
            "seat": own_seat_view(self, player_id),
            "cards": self._broadcaster.own_cards(self.live, player_id),
            "options": self._broadcaster.own_options(self.live, player_id),
            "available": occupant.available,
        }

    def lost(self, player_id: str, connection: Connection, now_ms: int) -> None:
        occupant = self.occupants.get(player_id)
        if occupant is None or connection not in occupant.connections:
            return
        occupant.connections.remove(connection)
        occupant.holder = None if occupant.holder == connection else occupant.holder
        self._broadcaster.left([connection])
        self._connected(occupant, now_ms)

    def act(self, message: ActInHand, now_ms: int) -> ActedReply:
        live = self._live_of(message.sender, message.hand_id)
        player_id = message.sender.player_id
        command = Act(message.hand_id, message.turn, player_id, message.action, message.amount)
        try:
            paid = live.act(command, now_ms)
        finally:
            self._moved(now_ms)  # time may have run out for another player
        hand = self._broadcaster.hand
        seat = hand.seat_of(player_id) if hand is not None and hand.hand_id == message.hand_id else None
        return {"turn": message.turn, "paid": paid, "stack": seat.stack if seat is not None else 0}

    def pre_act(self, message: PreAct) -> None:
        live = self._live_of(message.sender, message.hand_id)
        live.pre_act(message.sender.player_id, message.hand_id, message.choice, message.price)
        self._changed.add(message.sender.player_id)

    def show(self, message: ShowCards, now_ms: int) -> None:
        """The player shows own cards of the last stored hand; the next one may have begun."""
        self._check_holder(message.sender)
        live = self._runner.stored_hand(message.hand_id)
        if live is None:
            is_running = self.live is not None and self.live.hand.hand_id == message.hand_id
            raise (Reason.SHOW_TOO_EARLY.refusal() if is_running else Reason.HAND_OVER.refusal())
        live.show(Show(message.hand_id, message.sender.player_id, message.cards), now_ms)
        for step in live.take_steps():
            self._broadcaster.shown(step, self.occupants, now_ms)
            if isinstance(step.event, CardsShown):
                shown = StoreShownCards(message.hand_id, message.sender.player_id, step.event.cards, now_ms)
                self._effects.append(shown)

    # Time

    def tick(self, now_ms: int) -> None:
        """Does everything that is due by now."""
        if (running := self._runner.running) is not None:
            running.tick(now_ms)
            self._moved(now_ms)
        elif self.phase is Phase.WAITING:
            self._stop_waiting_for_players(now_ms)
            if self._can_start and now_ms >= self._next.starts_ms:
                self._begin(now_ms)
        self._runner.send_delay_notice(now_ms)
        for occupant in self.occupants.values():
            if (
                occupant.rebuy_until_ms is not None
                and now_ms > occupant.rebuy_until_ms
                and not occupant.is_moving_money
            ):
                occupant.rebuy_until_ms = None
                occupant.leaving = occupant.leaving or DepartureReason.NO_CHIPS
                self._depart(occupant)

    def postpone(self, late_ms: int) -> None:
        """The server stood still for this long: no player loses time by it."""
        if (running := self._runner.running) is not None:
            running.postpone(late_ms)

    def wait_for_players(self, now_ms: int) -> None:
        """After a restart: no hand begins before all players are back, or this time is over.

        Players without chips have their time to decide from then on.
        """
        self._not_notified = {*self.occupants}
        self._next.waits_until_ms = now_ms + self.terms.after_restart_ms
        for player_id, occupant in self.occupants.items():
            if not self.seats.seats[player_id].stack:
                occupant.rebuy_until_ms = self._next.waits_until_ms + self.terms.rebuy_ms

    # Storing

    def stored(self, available: Mapping[str, int], now_ms: int) -> None:
        """The hand is stored: its result is published, and chips may move. `available` are the players' balances."""
        for player_id, amount in available.items():
            if player_id in self.occupants:
                self.occupants[player_id].available = amount
        self.seats = self._runner.stored(self.seats, self.occupants, now_ms)
        live = self.live
        assert live is not None
        is_large = live.hand.is_revealed and sum(award.amount for award in live.hand.awards) > self.terms.large_pot
        self._next.after_hand(now_ms, self.terms.after_showdown_ms if is_large else self.terms.between_hands_ms)
        self._after_hand(live, now_ms)

    def not_stored(self, now_ms: int) -> None:
        """The finished hand cannot be stored: it is void, and the table pauses. If that fails as well, it stops."""
        record = self._runner.not_stored(self.seats, now_ms)
        if record is not None:
            self._effects.append(StoreHand(record))
        else:
            self._broadcaster.notice("warning", "table_paused", "This table has stopped. Your chips are safe.")

    def pause(self, paused: Pause) -> None:
        """No hand begins any more."""
        self.paused = paused
        self._is_changed = True
        text = f"The table is paused: {paused['reason']} Incident {paused['incident_id']}."
        self._broadcaster.notice("warning", "table_paused", text)

    def resume(self, now_ms: int) -> None:
        self.paused = None
        self._next.again(now_ms)
        self._is_changed = True
        self._broadcaster.notice("info", "resumed", "The table goes on.")

    def stop(self) -> None:
        """The table can neither play nor void its hand: staff decide."""
        self._runner.phase = Phase.STOPPED

    def drain(self) -> None:
        """The server stops: no hand begins any more."""
        self._is_draining = True

    def void(self, reason: str, by: str, now_ms: int) -> None:
        """Rolls the running hand back to its start. Refuses `not_offered` without one."""
        self._runner.void(reason, by, now_ms)
        self._moved(now_ms)

    # Hands

    @property
    def _can_start(self) -> bool:
        return (
            self.paused is None
            and not self.is_closing
            and not self._is_draining
            and self._next.waits_until_ms is None
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
        self._changed.update(self.occupants)
        self._is_changed = True

    def _connected(self, occupant: Occupant, now_ms: int) -> None:
        live = self._runner.running
        if live is not None:
            timer = live.timer
            live.connect(occupant.player_id, now_ms, is_connected=occupant.is_connected)
            is_clock = timer is not None and live.timer is not None and timer != live.timer
            self._moved(now_ms)
            if is_clock:
                self._broadcaster.clock(live, self.occupants, now_ms)
        elif self.phase is Phase.WAITING:
            self._stop_waiting_for_players(now_ms)
        self._note(occupant.player_id)

    def _live_of(self, sender: Sender, hand_id: str) -> LiveHand:
        """The hand, if the message comes from the connection that controls the seat."""
        self._check_holder(sender)
        if self.live is None or self.live.hand.hand_id != hand_id:
            raise Reason.HAND_OVER.refusal()
        return self.live

    def _check_holder(self, sender: Sender) -> None:
        if sender.connection != self.occupant(sender).holder:
            raise Reason.NOT_AT_TABLE.refusal()

    def _stop_waiting_for_players(self, now_ms: int) -> None:
        until_ms = self._next.waits_until_ms
        if until_ms is None:
            return
        absent = [seat.player_id for seat in self.seats.present if not self.occupants[seat.player_id].is_connected]
        if absent and now_ms < until_ms:
            return
        self._next.again(now_ms)
        self._effects += [SatOut(player_id) for player_id in absent]
        self._is_changed = True
