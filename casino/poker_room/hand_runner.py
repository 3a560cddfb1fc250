"""Runs the hands of one table: the deck, the running hand, and its result until it is stored.

    waiting ──▶ playing ──▶ storing ──▶ waiting        stopped: the hand could not be stored, staff decide

The result of a hand is held back until the hand is stored. The deck of the next hand is prepared then, so that its root
is stored before any of its cards is dealt.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final, Protocol, TypeVar

from casino.errors import Code, Refusal
from casino.poker.clock import ClockTerms
from casino.poker.commands import OpenHand
from casino.poker.events import Acted, BoardDealt, Event, HandOpened, HandSettled, HandVoided, PotAwarded
from casino.poker.hand import replay
from casino.poker.state import Status
from casino.poker.terms import Terms
from casino.poker_room.broadcaster import TableBroadcaster
from casino.poker_room.decks import Decks, PreparedDeck
from casino.poker_room.hand_record import HandRecord, hand_id_of, record_of
from casino.poker_room.live_hand import HandPlayer, LiveHand, Step
from casino.poker_room.occupants import Occupant
from casino.poker_room.table_seats import Dealt, TableSeats

DELAY_NOTICE_MS: Final = 2_000
"""After this long players are notified that their finished hand waits for the database."""
SYSTEM: Final = "system"
Seats = TypeVar("Seats", bound=TableSeats)


class Phase(StrEnum):
    WAITING = "waiting"
    PLAYING = "playing"
    STORING = "storing"
    STOPPED = "stopped"


class HandRunnerTerms(Protocol):
    """What the hands of a table are played by; the level of a tournament changes between hands."""

    @property
    def table_id(self) -> str: ...

    @property
    def currency(self) -> str: ...

    @property
    def clock(self) -> ClockTerms: ...

    @property
    def run_out_ms(self) -> int: ...

    @property
    def hand_terms(self) -> Terms: ...


class HandRunner:
    """`hand_no` is the number of the last stored hand, `live` the running or the last hand."""

    def __init__(
        self, terms: HandRunnerTerms, deck: PreparedDeck, decks: Decks, broadcaster: TableBroadcaster, hand_no: int
    ) -> None:
        self._terms = terms
        self._deck = deck
        self._decks = decks
        self._broadcaster = broadcaster
        self._next_deck: PreparedDeck | None = None
        self._before: TableSeats | None = None  # positions and blinds owed as at the start of the running hand
        self._held: list[Step] = []
        self._delay_notice_ms: int | None = None
        self.hand_no = hand_no
        self.live: LiveHand | None = None
        self._last: LiveHand | None = None  # stored; its players may still show cards
        self.phase = Phase.WAITING

    @property
    def due_ms(self) -> int | None:
        if self.phase is Phase.PLAYING and self.live is not None:
            return self.live.due_ms
        return self._delay_notice_ms if self.phase is Phase.STORING else None

    @property
    def running(self) -> LiveHand | None:
        """The hand in which players can still act."""
        return self.live if self.phase is Phase.PLAYING else None

    def stored_hand(self, hand_id: str) -> LiveHand | None:
        """The last stored hand, if this is it; the next one may have begun."""
        return self._last if self._last is not None and self._last.hand.hand_id == hand_id else None

    def is_dealt_in(self, player_id: str) -> bool:
        """Whether the player has cards in a hand that is not stored yet."""
        is_open = self.phase is Phase.PLAYING or self.phase is Phase.STORING
        return is_open and self.live is not None and player_id in self.live.players

    def begin(self, before: TableSeats, dealt: Dealt, players: Iterable[HandPlayer], now_ms: int) -> None:
        """Deals the next hand from the prepared deck. `before` are the seats as a void hand leaves them."""
        number, table_id = self.hand_no + 1, self._terms.table_id
        command = OpenHand(
            hand_id_of(table_id, number),
            table_id,
            number,
            self._terms.hand_terms,
            dealt.entrants,
            dealt.next_hand.positions,
            self._deck.shoe.root,
        )
        self.live = LiveHand.start(
            command, self._deck.shoe, self._terms.clock, players, now_ms, run_out_ms=self._terms.run_out_ms
        )
        self._before = before
        self.phase = Phase.PLAYING

    def advance(self, seats: TableSeats, occupants: Mapping[str, Occupant], now_ms: int) -> HandRecord | None:
        """Publishes the new steps of the hand. Returns its record once it is over; the result waits for `stored`."""
        live = self.running
        if live is None:
            return None
        steps = live.take_steps()
        if not live.is_over:
            self._broadcaster.steps(live, steps, occupants, now_ms)
            return None
        first = results_begin(steps)
        self._held = steps[first:]
        self._broadcaster.steps(live, steps[:first], occupants, now_ms)
        return self._finish(live, seats, now_ms)

    def void(self, reason: str, by: str, now_ms: int) -> None:
        """Rolls the running hand back to its start. Refuses `not_offered` without one."""
        if self.running is None:
            raise Refusal(Code.NOT_OFFERED, "No hand is being played at this table.")
        self.running.void(reason, by, now_ms)

    def stored(self, seats: Seats, occupants: Mapping[str, Occupant], now_ms: int) -> Seats:
        """The hand is stored: sends its result, and returns the seats after it."""
        live, deck = self.live, self._next_deck
        assert self.phase is Phase.STORING
        assert live is not None
        assert deck is not None
        after = self._seats_after(live, seats)
        self.hand_no += 1
        self._deck, self._next_deck, self._before, self._delay_notice_ms = deck, None, None, None
        self.phase = Phase.WAITING
        self._last = live
        held, self._held = self._held, []
        self._broadcaster.steps(live, held, occupants, now_ms)
        self._broadcaster.results(live, occupants)
        return after

    def not_stored(self, seats: TableSeats, now_ms: int) -> HandRecord | None:
        """The finished hand cannot be stored: it is void. Returns None if the void hand cannot be stored either."""
        live = self.live
        assert live is not None
        if live.hand.status is Status.VOID:
            self.phase = Phase.STOPPED
            return None
        _make_void(live, "The hand could not be stored.", now_ms)
        self._held = [Step(live.events[-1], live.hand)]
        return self._finish(live, seats, now_ms)

    def send_delay_notice(self, now_ms: int) -> None:
        """Players are notified once that the hand waits for the database."""
        if self.phase is Phase.STORING and self._delay_notice_ms is not None and now_ms >= self._delay_notice_ms:
            self._delay_notice_ms = None
            self._broadcaster.notice("warning", "hand_delayed", "The hand is being saved. Its result follows.")

    def _finish(self, live: LiveHand, seats: TableSeats, now_ms: int) -> HandRecord:
        self.phase = Phase.STORING
        self._delay_notice_ms = now_ms + DELAY_NOTICE_MS
        self._next_deck = self._next_deck or self._decks.prepare()
        return record_of(
            live.hand,
            live.events,
            self._terms.currency,
            deck=self._deck.stored,
            next_deck=self._next_deck.stored,
            state=self._seats_after(live, seats).dump(),
        )

    def _seats_after(self, live: LiveHand, seats: Seats) -> Seats:
        """The seats after the hand; a void one leaves no trace in positions, banks and blinds owed."""
        hand = live.hand
        if hand.status is Status.VOID:
            assert self._before is not None
            after = replace(seats, last=self._before.last)
            for player_id, seat in self._before.seats.items():
                if player_id in after.seats:
                    after = after.changed(player_id, is_current=seat.is_current)
            return after
        stacks = {seat.player_id: seat.stack for seat in hand.seats}
        banks = {player_id: player.bank_ms for player_id, player in live.players.items()}
        after = seats.played(stacks, banks, self._terms.clock)
        for player in live.players.values():
            if player.is_silent:
                after = after.changed(player.player_id, sits_out=True)
        return after


def results_begin(steps: list[Step]) -> int:
    """The first step of the result, in the steps with which a hand ended: after the last action or board card."""
    public = [index for index, step in enumerate(steps) if isinstance(step.event, HandOpened | Acted | BoardDealt)]
    return public[-1] + 1 if public else 0


def _make_void(live: LiveHand, reason: str, now_ms: int) -> None:
    """Makes a settled hand that could not be stored a void one: its pots were never paid."""
    kept: list[Event] = [event for event in live.events if not isinstance(event, PotAwarded | HandSettled)]
    opened, *following = kept
    assert isinstance(opened, HandOpened)
    live.events = [*kept, HandVoided(reason, SYSTEM, now_ms)]
    live.hand = replay(opened, [*following, live.events[-1]])
