"""Broadcasts events of one poker table: steps of a hand to all, own cards and options to one player.

Every snapshot and event of a table is built here. Events to all come from the hand, which holds no card that has not
been shown; own cards come from the live hand, for their player alone. `hand` is the hand as far as it has been
published: a result is published after it is stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from casino.cards.merkle import CardProof
from casino.hosting.interfaces import Connection
from casino.poker.events import BoardDealt, HandOpened
from casino.poker.state import Hand
from casino.poker_room.live_hand import LiveHand, Step
from casino.poker_room.messages import RoomPublisher
from casino.poker_room.occupants import Occupant
from casino.wire.notices import Level
from casino.wire.outbound import OutboundEvent
from casino.wire.player_events import NOTICE
from casino.wire.poker_events import (
    CARDS,
    HAND,
    HAND_OVER,
    OPTIONS,
    POKER_SEAT,
    POKER_TABLE,
    STEP,
    OwnCards,
    PokerHand,
    PokerOptions,
    PokerSeat,
    PokerTable,
)
from casino.wire.poker_hands import DeckProof, StepFields, Turn
from casino.wire.poker_views import (
    cards_view,
    clock_step,
    hand_view,
    no_options,
    player_options,
    proof_views,
    steps_of,
    turn_view,
)

HISTORY: Final = "/api/poker/hands/"


class TableBroadcaster:
    """Numbers hands and steps of its table without gaps, so that a listener detects a missed one."""

    def __init__(self, table_id: str, publisher: RoomPublisher) -> None:
        self._table_id = table_id
        self._publisher = publisher
        self._names: dict[str, str] = {}
        self._seq = 0
        self._to_act: str | None = None
        self.hand: Hand | None = None

    def steps(self, live: LiveHand, steps: Sequence[Step], occupants: Mapping[str, Occupant], now_ms: int) -> None:
        """Sends steps to all, and own cards and options to the players they are for."""
        public: list[OutboundEvent] = []
        turn = self._turn(live)
        for step in steps:
            is_last = step is steps[-1] and step.hand is live.hand
            public += self._public(step, occupants, now_ms, turn if is_last else None)
        if public:
            self._publisher.to_table(self._table_id, *public)
        has_new_cards = any(isinstance(step.event, HandOpened | BoardDealt) for step in steps)
        self._personal(live, occupants, turn, has_new_cards=has_new_cards)

    def shown(self, step: Step, occupants: Mapping[str, Occupant], now_ms: int) -> None:
        """Cards of a stored hand are shown. The running hand is not concerned."""
        self._publisher.to_table(self._table_id, *self._public(step, occupants, now_ms, None))

    def clock(self, live: LiveHand, occupants: Mapping[str, Occupant], now_ms: int) -> None:
        """The times of the running decision have changed."""
        turn = self._turn(live)
        if turn is not None:
            self._publisher.to_table(self._table_id, self._step(clock_step(live.hand, now_ms), live.hand, now_ms, turn))
            self._personal(live, occupants, turn, has_new_cards=False, is_clock=True)

    def results(self, live: LiveHand, occupants: Mapping[str, Occupant]) -> None:
        """Sends each player of the stored hand their result, with proofs of all cards the player has seen."""
        known: dict[int, CardProof] = {}
        views: dict[int, DeckProof] = {}  # most players have seen the same cards
        for seat in live.hand.seats:
            occupant = occupants.get(seat.player_id)
            if occupant is not None and occupant.holder is not None:
                proofs = live.dealer.proofs(live.hand, seat.seat_no, known)
                new = [proof for proof in proofs if proof.index not in views]
                views |= zip((proof.index for proof in new), proof_views(new), strict=True)
                over = HAND_OVER(
                    {
                        "table_id": self._table_id,
                        "hand_id": live.hand.hand_id,
                        "net": seat.stack - seat.start,
                        "stack": seat.stack,
                        "available": occupant.available,
                        "proofs": [views[proof.index] for proof in proofs],
                        "history": HISTORY + live.hand.hand_id,
                    }
                )
                self._publisher.to_connection(occupant.holder, over)

    def table(self, view: PokerTable) -> None:
        self._publisher.to_table(self._table_id, POKER_TABLE(view))

    def seat(self, occupant: Occupant, view: PokerSeat) -> None:
        self._publisher.to_player(occupant.player_id, POKER_SEAT(view))

    def notice(self, level: Level, code: str, text: str) -> None:
        self._publisher.to_table(self._table_id, self._notice(level, code, text))

    def rolled_back(self, connection: Connection) -> None:
        """To a player who comes back after a restart: a hand that was running is not known any more."""
        text = "The server was restarted. If a hand was running, it is void: all stacks are as at its start."
        self._publisher.to_connection(connection, self._notice("warning", "hand_void", text))

    def _notice(self, level: Level, code: str, text: str) -> OutboundEvent:
        return NOTICE({"table_id": self._table_id, "level": level, "code": code, "text": text})

    def joined(self, connection: Connection, before: Connection | None) -> None:
        """The connection controls the seat from now on."""
        if before is not None and before != connection:
            self._publisher.seat_moved(self._table_id, before)
        self._publisher.subscribe(self._table_id, connection)

    def left(self, connections: Iterable[Connection]) -> None:
        for connection in connections:
            self._publisher.unsubscribe(self._table_id, connection)

    def hand_snapshot(self, live: LiveHand | None, now_ms: int) -> PokerHand | None:
        """The hand as far as it has been published."""
        if self.hand is None or live is None:
            return None
        turn = self._turn(live) if self.hand is live.hand else None
        return {**hand_view(self.hand, self._names), "seq": self._seq, "server_time": now_ms, "turn": turn}

    def own_cards(self, live: LiveHand | None, player_id: str) -> OwnCards | None:
        """The player's own cards of the hand that the table shows."""
        seat = self.hand.seat_of(player_id) if self.hand is not None else None
        if live is None or self.hand is None or seat is None:
            return None
        return cards_view(self.hand, seat.seat_no, live.hole(player_id))

    def own_options(self, live: LiveHand | None, player_id: str) -> PokerOptions | None:
        seat = self.hand.seat_of(player_id) if self.hand is not None else None
        if live is None or self.hand is None or seat is None:
            return None
        return player_options(live.hand, seat.seat_no, live.timer)

    def _public(
        self, step: Step, occupants: Mapping[str, Occupant], now_ms: int, turn: Turn | None
    ) -> Iterable[OutboundEvent]:
        event, hand = step
        self._advance(hand)
        if isinstance(event, HandOpened):
            self._names = {player_id: occupant.name for player_id, occupant in occupants.items()}
            self._seq += 1
            view: PokerHand = {
                **hand_view(hand, self._names),
                "seq": self._seq,
                "server_time": now_ms,
                "turn": turn,
            }
            yield HAND(view)
            return
        fields = steps_of(event, hand)
        for number, step_fields in enumerate(fields, 1):
            yield self._step(step_fields, hand, now_ms, turn if number == len(fields) else None)

    def _advance(self, hand: Hand) -> None:
        """Cards shown after a hand do not bring it back once the next one has begun."""
        if self.hand is None or hand.number >= self.hand.number:
            self.hand = hand

    def _step(self, fields: StepFields, hand: Hand, now_ms: int, turn: Turn | None) -> OutboundEvent:
        self._seq += 1
        return STEP(
            {
                **fields,
                "table_id": self._table_id,
                "hand_id": hand.hand_id,
                "seq": self._seq,
                "server_time": now_ms,
                "turn": turn,
            }
        )

    def _turn(self, live: LiveHand) -> Turn | None:
        return turn_view(live.hand, live.timer)

    def _personal(
        self,
        live: LiveHand,
        occupants: Mapping[str, Occupant],
        turn: Turn | None,
        *,
        has_new_cards: bool,
        is_clock: bool = False,
    ) -> None:
        hand = live.hand
        to_act = hand.seats[hand.pending[0]].player_id if turn is not None else None
        before, self._to_act = self._to_act, to_act
        for seat in hand.seats:
            if not has_new_cards and seat.player_id not in {to_act, before}:
                continue
            occupant = occupants.get(seat.player_id)
            if occupant is None or occupant.holder is None:
                continue
            events: list[OutboundEvent] = []
            if has_new_cards and (seat.is_live or not hand.board):
                events.append(CARDS(cards_view(hand, seat.seat_no, live.hole(seat.player_id))))
            if seat.player_id == to_act:
                events.append(OPTIONS(player_options(hand, seat.seat_no, live.timer, turn)))
            elif seat.player_id == before and not is_clock:
                events.append(OPTIONS(no_options(self._table_id, hand.hand_id)))
            if events:
                self._publisher.to_connection(occupant.holder, *events)
