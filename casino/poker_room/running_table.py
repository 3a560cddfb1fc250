"""Running table: what cash tables and tournament tables share. It is synchronous and stores nothing by itself.

The table answers messages at once and runs due work at `tick`. Work that needs the database leaves as effects. While
the finished hand is being stored, its result is held back and no hand begins.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final, Generic, Protocol, TypeVar

from casino.hosting.interfaces import Connection
from casino.poker.commands import Act, Show
from casino.poker.events import CardsShown
from casino.poker.state import Hand
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.deadlines import earliest
from casino.poker_room.decks import Decks, PreparedDeck
from casino.poker_room.effects import Effect, StoreHand, StoreShownCards
from casino.poker_room.hand_runner import HandRunner, HandRunnerTerms, Phase
from casino.poker_room.live_hand import LiveHand
from casino.poker_room.messages import ActInHand, Join, PreAct, ShowCards
from casino.poker_room.next_start import NextStart
from casino.poker_room.occupants import Occupant
from casino.poker_room.seat_views import chips
from casino.poker_room.senders import Sender
from casino.poker_room.table_seats import TableSeats
from casino.refusals import Reason
from casino.wire.common import Pause
from casino.wire.outbound import Payload
from casino.wire.poker_events import Acted as ActedReply
from casino.wire.poker_events import PokerSeat, PokerSnapshot
from casino.wire.poker_events import PokerTable as TableView


class RunningTableTerms(HandRunnerTerms, Protocol):
    """`large_pot` is the pot above which the pause after a showdown is longer. Times are milliseconds."""

    @property
    def between_hands_ms(self) -> int: ...

    @property
    def after_showdown_ms(self) -> int: ...

    @property
    def after_restart_ms(self) -> int: ...

    @property
    def large_pot(self) -> int: ...


TableMessage = Join | ActInHand | PreAct | ShowCards
"""What players send to any table. `PokerTable` of cash games takes more."""
Terms = TypeVar("Terms", bound=RunningTableTerms)
Seats = TypeVar("Seats", bound=TableSeats)


class RunningTable(ABC, Generic[Terms, Seats]):
    """`deck` is the one of the next hand, stored already. `hand_no` is the number of the last stored hand.

    `seats` are those of the last stored hand, with the players who have sat down since.
    """

    def __init__(
        self,
        terms: Terms,
        seats: Seats,
        *,
        deck: PreparedDeck,
        decks: Decks,
        broadcaster: TableBroadcaster,
        hand_no: int,
        first_hand_ms: int = 0,
    ) -> None:
        self.terms: Final = terms
        self.seats = seats
        self.occupants: Final[dict[str, Occupant]] = {}
        self.paused: Pause | None = None
        self._runner = HandRunner(terms, deck, decks, broadcaster, hand_no)
        self._broadcaster = broadcaster
        self._next = NextStart(terms.between_hands_ms, starts_ms=first_hand_ms)
        self._is_draining = False
        self._not_notified: set[str] = set()  # players to notify of the restart
        self._published: TableView | None = None  # the last view sent to all
        self._effects: list[Effect] = []
        self._changed: set[str] = set()  # players whose own view has changed
        self._is_changed = False

    # Interface for the room

    @property
    def phase(self) -> Phase:
        return self._runner.phase

    @property
    def live(self) -> LiveHand | None:
        """The running hand, or the last one."""
        return self._runner.live

    @property
    def hand_no(self) -> int:
        """The number of the last stored hand."""
        return self._runner.hand_no

    @property
    def is_at_rest(self) -> bool:
        return self.phase not in {Phase.PLAYING, Phase.STORING}

    @property
    def public_hand(self) -> Hand | None:
        """The last hand as far as it has been published."""
        return self._broadcaster.hand

    @property
    def stacks(self) -> dict[str, int]:
        return {player_id: seat.stack for player_id, seat in self.seats.seats.items()}

    def public_stack(self, player_id: str) -> int:
        """The player's chips behind, as far as the hand has been published."""
        return chips(self, self.seats.seats[player_id])

    def is_dealt_in(self, player_id: str) -> bool:
        """Whether the player has cards in a hand that is not stored yet: no chips may move."""
        return self._runner.is_dealt_in(player_id)

    def take_effects(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects

    @property
    def due_ms(self) -> int | None:
        """When `tick` has something to do."""
        if self.phase is not Phase.WAITING:
            return self._runner.due_ms
        return earliest(self.next_hand_at, self._next.waits_until_ms)

    @property
    def next_hand_at(self) -> int | None:
        return self._next.starts_ms if self.phase is Phase.WAITING and self._can_start else None

    def publish_changes(self, now_ms: int) -> bool:  # noqa: ARG002  cash tables look at the time
        """Sends the table and own seats once for all changes since the last time; returns whether there were any."""
        is_changed = self._is_changed
        # The same view again would reveal that some player has asked for something.
        if is_changed and (view := self._view()) != self._published:
            self._published = view
            self._broadcaster.table(view)
        for player_id in self._changed:
            if player_id in self.occupants:
                self._broadcaster.seat(self.occupants[player_id], self._own_seat_view(player_id))
        self._is_changed = False
        self._changed.clear()
        return is_changed

    @abstractmethod
    def _view(self) -> TableView: ...

    @abstractmethod
    def _own_seat_view(self, player_id: str) -> PokerSeat: ...

    # Messages of players

    def occupant(self, sender: Sender) -> Occupant:
        found = self.occupants.get(sender.player_id)
        if found is None:
            raise Reason.NO_SEAT.refusal()
        return found

    def _viewer(self, sender: Sender) -> Occupant | None:
        """The player who joins; None for a spectator. Cash tables have none."""
        return self.occupant(sender)

    def handle(self, message: TableMessage, now_ms: int) -> Payload:
        match message:
            case ActInHand():
                return self.act(message, now_ms)
            case Join():
                return self.join(message, now_ms)
            case PreAct():
                self.pre_act(message)
            case ShowCards():
                self.show(message, now_ms)
        return {}

    def join(self, message: Join, now_ms: int) -> PokerSnapshot:
        """The connection controls the player's seat from now on; that of a spectator watches."""
        occupant, connection = self._viewer(message.sender), message.sender.connection
        if connection is not None:
            before = occupant.holder if occupant is not None else None
            if occupant is not None:
                occupant.holder = connection
                occupant.connections = [other for other in occupant.connections if other != connection] + [connection]
                self._connected(occupant, now_ms)  # before it listens: the snapshot has what follows from it
            self._broadcaster.joined(connection, before)
            if occupant is not None and occupant.player_id in self._not_notified:
                self._not_notified.discard(occupant.player_id)
                self._broadcaster.rolled_back(connection)
        player_id = message.sender.player_id
        return {
            "table": self._view(),
            "hand": self._broadcaster.hand_snapshot(self.live, now_ms),
            "seat": self._own_seat_view(player_id) if occupant is not None else None,
            "cards": self._broadcaster.own_cards(self.live, player_id) if occupant is not None else None,
            "options": self._broadcaster.own_options(self.live, player_id) if occupant is not None else None,
            "available": occupant.available if occupant is not None else 0,
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
            if (starts_ms := self.next_hand_at) is not None and now_ms >= starts_ms:
                self._begin(now_ms)
        self._runner.send_delay_notice(now_ms)

    def postpone(self, late_ms: int) -> None:
        """The server stood still for this long: no player loses time by it."""
        if (running := self._runner.running) is not None:
            running.postpone(late_ms)

    def wait_for_players(self, now_ms: int) -> None:
        """After a restart: no hand begins before all players are back, or this time is over."""
        self._not_notified = {*self.occupants}
        self._next.waits_until_ms = now_ms + self.terms.after_restart_ms

    def _stop_waiting_for_players(self, now_ms: int) -> None:
        until_ms = self._next.waits_until_ms
        if until_ms is None:
            return
        absent = [player_id for player_id in self._awaited if not self.occupants[player_id].is_connected]
        if absent and now_ms < until_ms:
            return
        self._next.again(now_ms)
        self._start_without(absent)
        self._is_changed = True

    @property
    def _awaited(self) -> list[str]:
        """The players without whom no hand begins after a restart."""
        return [*self.occupants]

    def _start_without(self, absent: list[str]) -> None:
        """Hands go on although these players are not back."""

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
        self._changed.update(self.occupants)
        self._is_changed = True

    @abstractmethod
    def _after_hand(self, live: LiveHand, now_ms: int) -> None:
        """What follows from a stored hand."""

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
        return self.paused is None and not self._is_draining and self._next.waits_until_ms is None

    @abstractmethod
    def _begin(self, now_ms: int) -> None:
        """Deals the next hand."""

    def _moved(self, now_ms: int) -> None:
        """Publishes what has happened in the hand; once it is over, it is stored."""
        record = self._runner.advance(self.seats, self.occupants, now_ms)
        if record is not None:
            self._effects.append(StoreHand(record))

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

    def _note(self, player_id: str) -> None:
        self._changed.add(player_id)
        self._is_changed = True
