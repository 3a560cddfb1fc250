"""Tournament table: plays one hand whenever its director says so, and reports it once it is stored.

It is synchronous and stores nothing by itself, as a cash table. It never begins a hand on its own. Players with chips
are always dealt in; who sits out folds at the own turn. Spectators see no hole cards.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from casino.hosting.interfaces import Connection
from casino.poker.commands import Act, Cause, Entrant, Show
from casino.poker.events import CardsShown
from casino.poker.positions import NextHand, Positions
from casino.poker.state import Hand
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.decks import Decks, PreparedDeck
from casino.poker_room.effects import Effect, ReportHand, StoreHand, StoreShownCards
from casino.poker_room.hand_runner import HandRunner, Phase
from casino.poker_room.live_hand import HandPlayer, LiveHand
from casino.poker_room.messages import ActInHand, Join, PreAct, ShowCards
from casino.poker_room.occupants import Occupant
from casino.poker_room.senders import Sender
from casino.poker_room.table_seats import Dealt
from casino.poker_room.tournament.table_seats import KeptClock, TournamentSeats
from casino.poker_room.tournament.table_terms import TournamentTableTerms
from casino.poker_room.tournament.table_views import own_seat_view, table_view
from casino.refusals import Reason
from casino.wire.common import Pause
from casino.wire.poker_events import Acted as ActedReply
from casino.wire.poker_events import PokerSnapshot


class Deal(NamedTuple):
    """The director's order to play a hand. `is_protected`: the tournament is in its final stages."""

    level: int
    positions: Positions
    dealt_in: tuple[int, ...]
    is_protected: bool


class TournamentTable:
    """`deck` is the one of the next hand, stored already. `hand_no` is the number of the last stored hand."""

    def __init__(
        self,
        terms: TournamentTableTerms,
        seats: TournamentSeats,
        *,
        deck: PreparedDeck,
        decks: Decks,
        broadcaster: TableBroadcaster,
        hand_no: int = 0,
        first_hand_ms: int = 0,
    ) -> None:
        self.terms: Final = terms
        self.seats = seats
        self.occupants: Final[dict[str, Occupant]] = {}
        self.heads: dict[str, int] = {}
        """Bounties on the heads of players."""
        self.next_level_ms: int | None = None
        self.paused: Pause | None = None
        self._runner = HandRunner(terms, deck, decks, broadcaster, hand_no)
        self._broadcaster = broadcaster
        self._deal: Deal | None = None
        self._starts_ms = first_hand_ms
        self._waits_until_ms: int | None = None
        self._is_draining = False
        self._not_notified: set[str] = set()  # players to notify of the restart
        self._effects: list[Effect] = []
        self._changed: set[str] = set()  # players whose own view has changed
        self._is_changed = False

    # Interface for the room

    @property
    def phase(self) -> Phase:
        return self._runner.phase

    @property
    def live(self) -> LiveHand | None:
        return self._runner.live

    @property
    def hand_no(self) -> int:
        return self._runner.hand_no

    @property
    def is_at_rest(self) -> bool:
        return self.phase not in {Phase.PLAYING, Phase.STORING}

    @property
    def public_hand(self) -> Hand | None:
        return self._broadcaster.hand

    def is_dealt_in(self, player_id: str) -> bool:
        return self._runner.is_dealt_in(player_id)

    def take_effects(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects

    @property
    def due_ms(self) -> int | None:
        due = [self._runner.due_ms, self.next_hand_at]
        if self.phase is Phase.WAITING:
            due.append(self._waits_until_ms)
        return min((moment for moment in due if moment is not None), default=None)

    @property
    def next_hand_at(self) -> int | None:
        is_free = self.paused is None and not self._is_draining and self._waits_until_ms is None
        return self._starts_ms if self._deal is not None and self.phase is Phase.WAITING and is_free else None

    def publish_changes(self) -> bool:
        """Sends the table and own seats once for all changes since the last time; returns whether there were any."""
        is_changed = self._is_changed
        if is_changed:
            self._broadcaster.table(table_view(self))
        for player_id in self._changed:
            if player_id in self.occupants:
                self._broadcaster.seat(self.occupants[player_id], own_seat_view(self, player_id))
        self._is_changed = False
        self._changed.clear()
        return is_changed

    # Orders of the director

    def deal(self, deal: Deal) -> None:
        """Play one hand with this level and these positions, as soon as the pause between hands is over."""
        assert self._deal is None, "the director waits for the hand before"
        self._deal = deal
        self.seats = replace(self.seats, deals=self.seats.deals + 1)
        self._is_changed = True

    def sit_down(self, occupant: Occupant, seat_no: int, chips: int, kept: KeptClock) -> None:
        """The player is dealt in from the next hand on."""
        self.seats = self.seats.seated(occupant.player_id, seat_no, chips, kept)
        self.occupants[occupant.player_id] = occupant
        self._note(occupant.player_id)

    def stand_up(self, player_id: str, reason: str) -> tuple[Occupant, KeptClock]:
        """The player has no seat here any more, and keeps watching unless moved to another table."""
        assert not self.is_dealt_in(player_id), "a player is never moved in a hand"
        kept = self.seats.clock_of(player_id)
        view = own_seat_view(self, player_id)
        occupant = self.occupants.pop(player_id)
        self.seats = self._with(self.seats.stood_up(player_id))
        self._broadcaster.seat(occupant, {**view, "state": "gone", "stack": 0, "reason": reason})
        self._is_changed = True
        return occupant, kept

    def unsubscribe(self, occupant: Occupant) -> None:
        self._broadcaster.left(occupant.connections)

    def agree(self, chips: Mapping[int, int]) -> None:
        """Stacks by seat after a hand, as the director has them. They differ if it was reported after a restart."""
        for player_id, seat in self.seats.seats.items():
            if chips.get(seat.seat_no, seat.stack) != seat.stack:
                self.set_chips(player_id, chips[seat.seat_no])

    def set_chips(self, player_id: str, chips: int) -> None:
        self.seats = self._with(self.seats.changed(player_id, stack=chips))
        self._note(player_id)

    def notice(self, code: str, text: str) -> None:
        self._broadcaster.notice("info", code, text)

    def look_changed(self) -> None:
        """The level, or the heads of players, have changed."""
        self._is_changed = True

    # Messages of players

    def occupant(self, sender: Sender) -> Occupant:
        found = self.occupants.get(sender.player_id)
        if found is None:
            raise Reason.NO_SEAT.refusal()
        return found

    def join(self, message: Join, now_ms: int) -> PokerSnapshot:
        """The connection controls the player's seat from now on; without a seat it watches."""
        occupant, connection = self.occupants.get(message.sender.player_id), message.sender.connection
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
            "table": table_view(self),
            "hand": self._broadcaster.hand_snapshot(self.live, now_ms),
            "seat": own_seat_view(self, player_id) if occupant is not None else None,
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

    def sit_out(self, player_id: str, now_ms: int, *, is_on: bool) -> None:
        """The player folds at every turn from now on, or is back, also for the running hand."""
        self.seats = self._with(self.seats.changed(player_id, sits_out=is_on))
        live = self._runner.running
        player = live.players.get(player_id) if live is not None else None
        if live is not None and player is not None and is_on:
            live.absent(player_id, Cause.SITTING_OUT, now_ms)
            self._moved(now_ms)
        elif player is not None and not is_on:
            player.is_silent = False
            player.absence = None
        self._note(player_id)

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
        self._waits_until_ms = now_ms + self.terms.after_restart_ms

    # Storing

    def stored(self, available: Mapping[str, int], now_ms: int) -> None:
        """The hand is stored: its result is published, and the director decides what follows."""
        for player_id, amount in available.items():
            if player_id in self.occupants:
                self.occupants[player_id].available = amount
        self.seats = self._with(self._runner.stored(self.seats, self.occupants, now_ms))
        live = self.live
        assert live is not None
        large = self.terms.large_pot_bb * live.hand.terms.big_blind
        is_large = live.hand.is_revealed and sum(award.amount for award in live.hand.awards) > large
        self._starts_ms = now_ms + (self.terms.after_showdown_ms if is_large else self.terms.between_hands_ms)
        self._effects.append(ReportHand(live.hand))
        self._changed.update(self.occupants)
        self._is_changed = True

    def not_stored(self, now_ms: int) -> None:
        """The finished hand cannot be stored: it is void, and the table pauses. If that fails as well, it stops."""
        record = self._runner.not_stored(self.seats, now_ms)
        if record is not None:
            self._effects.append(StoreHand(record))
        else:
            self._broadcaster.notice("warning", "table_paused", "This table has stopped. Your chips are safe.")

    def pause(self, paused: Pause) -> None:
        self.paused = paused
        self._is_changed = True
        text = f"The table is paused: {paused['reason']} Incident {paused['incident_id']}."
        self._broadcaster.notice("warning", "table_paused", text)

    def resume(self, now_ms: int) -> None:
        self.paused = None
        self._starts_ms = now_ms + self.terms.between_hands_ms
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

    def _begin(self, now_ms: int) -> None:
        deal, self._deal = self._deal, None
        assert deal is not None
        self.terms.level = deal.level
        by_no = {seat.seat_no: seat for seat in self.seats.seats.values()}
        entrants = tuple(Entrant(seat_no, by_no[seat_no].player_id, by_no[seat_no].stack) for seat_no in deal.dealt_in)
        players = [self._hand_player(entrant.player_id, deal) for entrant in entrants]
        dealt = Dealt(self.seats, NextHand(deal.positions, deal.dealt_in), entrants)
        self._runner.begin(self.seats, dealt, players, now_ms)
        self._changed.update(self.occupants)
        self._is_changed = True
        self._moved(now_ms)

    def _hand_player(self, player_id: str, deal: Deal) -> HandPlayer:
        seat, occupant = self.seats.seats[player_id], self.occupants[player_id]
        absence = Cause.SITTING_OUT if seat.sits_out else None
        player = HandPlayer(player_id, seat.bank_ms, occupant.is_connected, absence)
        if not (deal.is_protected or self.terms.is_always_protected):
            player.protection_ms = None
        return player

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

    def _stop_waiting_for_players(self, now_ms: int) -> None:
        until_ms = self._waits_until_ms
        if until_ms is None or (now_ms < until_ms and not all(one.is_connected for one in self.occupants.values())):
            return
        self._waits_until_ms = None
        self._starts_ms = now_ms + self.terms.between_hands_ms
        self._is_changed = True

    def _moved(self, now_ms: int) -> None:
        """Publishes what has happened in the hand; once it is over, it is stored."""
        self.seats = replace(self.seats, at_ms=now_ms)
        record = self._runner.advance(self.seats, self.occupants, now_ms)
        if record is not None:
            self._effects.append(StoreHand(record))

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

    @staticmethod
    def _with(seats: object) -> TournamentSeats:
        assert isinstance(seats, TournamentSeats)
        return seats
