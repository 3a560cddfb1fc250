"""Live hand: one hand at a table, driven by messages and one deadline, without sockets, storage or a clock of its own.

The hand answers every message at once and keeps what happened as steps, in order. `due_ms` is the next moment at which
something happens without a message: the end of a decision's time, or the next cards of a run-out. Time is an argument.

A player whose turn comes is answered for without waiting if the player has left or sits out (fold), or has chosen a
pre-action that is still valid. Otherwise the decision is timed: decision time, then time bank, or protection of a lost
connection, which does not touch the bank.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from casino.cards.card import Card
from casino.poker.betting import Options, options
from casino.poker.clock import PROTECTION_PER_HAND_MS, ClockTerms, Stage, Timer, start_timer
from casino.poker.commands import Act, Cause, Command, OpenHand, Show, TimeOver, VoidHand
from casino.poker.events import Acted, Event, HandOpened
from casino.poker.hand import begin, evolve, open_hand, unfold
from casino.poker.state import Hand, WantKind
from casino.poker_room.dealer import Dealer
from casino.poker_room.pre_actions import Choice, PreAction, action_of, is_valid, prepare
from casino.poker_room.shoe import Shoe
from casino.refusals import Reason

RUN_OUT_MS: Final = 1_000
"""Pause before the next board cards once no player can bet any more."""


class Step(NamedTuple):
    """A public event and the hand after it."""

    event: Event
    hand: Hand


@dataclass(slots=True)
class HandPlayer:
    """State of a player for a hand. `bank_ms` and `protection_ms` are the remaining times; None: no protection."""

    player_id: str
    bank_ms: int
    is_connected: bool = True
    absence: Cause | None = None
    """The player has left or sits out, and folds when the turn comes."""
    protection_ms: int | None = PROTECTION_PER_HAND_MS
    is_silent: bool = False
    """The house has acted for the player because time was over: the player sits out after the hand."""
    pre_action: PreAction | None = None


@dataclass
class LiveHand:
    """`steps` collects everything since `take_steps` was last called."""

    hand: Hand
    dealer: Dealer
    clock: ClockTerms
    players: Mapping[str, HandPlayer]
    events: list[Event]
    """All public events of the hand, for its record."""
    run_out_ms: int = RUN_OUT_MS
    timer: Timer | None = None
    next_cards_ms: int | None = None
    _steps: list[Step] = field(default_factory=list)
    _answers: dict[tuple[str, int], tuple[Act, int]] = field(default_factory=dict)

    @classmethod
    def start(
        cls,
        command: OpenHand,
        shoe: Shoe,
        clock: ClockTerms,
        players: Iterable[HandPlayer],
        now_ms: int,
        *,
        run_out_ms: int = RUN_OUT_MS,
    ) -> "LiveHand":
        """Opens the hand with the deck that was committed to. Antes, blinds and posts are paid."""
        assert command.root == shoe.root, "the root was published before the first card"
        opened, *following = open_hand(command, now_ms)
        assert isinstance(opened, HandOpened)
        hand = begin(opened)
        by_id = {player.player_id: player for player in players}
        live = cls(hand, Dealer.of(shoe, hand), clock, by_id, [opened], run_out_ms)
        live._steps.append(Step(opened, hand))
        for event in following:
            live._record(event, evolve(live.hand, event))
        live._go_on(now_ms)
        return live

    @property
    def is_over(self) -> bool:
        return self.hand.is_over

    @property
    def due_ms(self) -> int | None:
        """When `tick` has something to do; None once the hand is over."""
        if self.timer is not None:
            return self.timer.ends_ms
        return self.next_cards_ms

    @property
    def options(self) -> Options | None:
        """Options of the player to act, if there is one."""
        return options(self.hand)

    def hole(self, player_id: str) -> tuple[Card, ...]:
        """The hole cards of this player, for this player alone; none for others."""
        seat = self.hand.seat_of(player_id)
        return self.dealer.hole(seat.seat_no) if seat else ()

    def take_steps(self) -> list[Step]:
        steps, self._steps = self._steps, []
        return steps

    def act(self, command: Act, now_ms: int) -> int:
        """Takes a player's action and returns what it paid. The same action again has the same answer.

        Refuses what the rules refuse, and `too_late` once the time of the decision is over.
        """
        answered = self._answers.get((command.player_id, command.turn))
        if answered is not None and answered[0] == command:
            return answered[1]
        self.tick(now_ms)
        timer = self.timer
        steps = unfold(self.hand, command, now_ms)
        if timer is not None:
            self._spend(timer, command.player_id, now_ms)
        paid = steps[0][0].paid if isinstance(steps[0][0], Acted) else 0
        self._answers[command.player_id, command.turn] = (command, paid)
        self._apply(steps, now_ms)
        return paid

    def pre_act(self, player_id: str, hand_id: str, choice: Choice, price: int | None) -> None:
        """Keeps a decision for the player's next turn, or clears it. Other players do not see it."""
        if hand_id != self.hand.hand_id:
            raise Reason.HAND_OVER.refusal()
        prepared = prepare(self.hand, player_id, choice, price)
        self.players[player_id].pre_action = prepared

    def connect(self, player_id: str, now_ms: int, *, is_connected: bool) -> None:
        """The player's last connection was lost, or the first one is back."""
        player = self.players.get(player_id)
        if player is None or player.is_connected == is_connected:
            return
        self.tick(now_ms)
        player.is_connected = is_connected
        if self.timer is not None and self._player_to_act() is player:
            self.timer = self.timer.connected(now_ms, is_connected=is_connected)

    def absent(self, player_id: str, cause: Cause, now_ms: int) -> None:
        """The player leaves or is removed: folds at their turn, at once if it is now. All-in hands are played."""
        player = self.players.get(player_id)
        if player is None or self.is_over:
            return
        self.tick(now_ms)
        player.absence, player.pre_action = cause, None
        if self.timer is not None and self._player_to_act() is player:
            self._spend(self.timer, player_id, now_ms)
            self._go_on(now_ms)

    def show(self, command: Show, now_ms: int) -> None:
        """A player shows own cards after the hand. Refuses cards that are not the player's."""
        seat = self.hand.seat_of(command.player_id)
        if seat is not None and not self.dealer.is_held(seat.seat_no, command.cards):
            raise Reason.NOT_YOUR_CARDS.refusal()
        for event, hand in unfold(self.hand, command, now_ms):
            self.hand = hand
            self._steps.append(Step(event, hand))

    def void(self, reason: str, by: str, now_ms: int) -> None:
        """Rolls the hand back to its start."""
        self._apply(unfold(self.hand, VoidHand(self.hand.hand_id, reason, by), now_ms), now_ms)

    def postpone(self, late_ms: int) -> None:
        """The server stood still for this long: no player loses time by it."""
        if self.timer is not None:
            since_ms, ends_ms = self.timer.since_ms + late_ms, self.timer.ends_ms + late_ms
            self.timer = self.timer._replace(since_ms=since_ms, ends_ms=ends_ms)
        if self.next_cards_ms is not None:
            self.next_cards_ms += late_ms

    def tick(self, now_ms: int) -> None:
        """Does everything that is due by now."""
        while (due_ms := self.due_ms) is not None and now_ms >= due_ms:
            if self.timer is None:
                self.next_cards_ms = None
                self._do(self.dealer.serve(self.hand), due_ms)
                continue
            timer = self.timer.at(due_ms)
            self.timer = timer
            if timer.stage is Stage.OVER:
                self._time_over(timer)

    def _time_over(self, timer: Timer) -> None:
        player = self._player_to_act()
        player.bank_ms, player.protection_ms = timer.bank_ms, timer.protection_ms
        player.is_silent = True
        cause = Cause.CLOCK if timer.is_connected else Cause.LINE
        self.timer = None
        self._do(TimeOver(self.hand.hand_id, self.hand.turn, cause), timer.since_ms)

    def _spend(self, timer: Timer, player_id: str, now_ms: int) -> None:
        """The decision is made: bank and protection keep what is left."""
        ended = timer.acted(now_ms)
        player = self.players[player_id]
        player.bank_ms, player.protection_ms = ended.bank_ms, ended.protection_ms
        self.timer = None

    def _do(self, command: Command, now_ms: int) -> None:
        self._apply(unfold(self.hand, command, now_ms), now_ms)

    def _apply(self, steps: Iterable[tuple[Event, Hand]], now_ms: int) -> None:
        for event, hand in steps:
            self._record(event, hand)
        self._go_on(now_ms)

    def _record(self, event: Event, hand: Hand) -> None:
        self.hand = hand
        self.events.append(event)
        self._steps.append(Step(event, hand))

    def _player_to_act(self) -> HandPlayer:
        return self.players[self.hand.seats[self.hand.pending[0]].player_id]

    def _go_on(self, now_ms: int) -> None:
        """Serves what the hand wants, until it waits for a player or for a pause."""
        self.timer, self.next_cards_ms = None, None
        self._clear_pre_actions()
        wants = self.hand.wants
        if wants.kind is WantKind.NOTHING:
            return
        if wants.kind is WantKind.ACT:
            self._ask(now_ms)
        elif wants.kind is WantKind.BOARD and self.hand.is_betting_closed:
            self.next_cards_ms = now_ms + self.run_out_ms
        else:
            self._do(self.dealer.serve(self.hand), now_ms)

    def _ask(self, now_ms: int) -> None:
        player = self._player_to_act()
        if player.absence is not None:
            self._do(TimeOver(self.hand.hand_id, self.hand.turn, player.absence), now_ms)
            return
        chosen, player.pre_action = player.pre_action, None
        prepared = action_of(chosen, self.hand) if chosen is not None else None
        if prepared is not None:
            self._do(prepared, now_ms)
            return
        self.timer = start_timer(
            self.clock,
            now_ms,
            player.bank_ms,
            is_connected=player.is_connected,
            protection_ms=player.protection_ms,
        )

    def _clear_pre_actions(self) -> None:
        for player in self.players.values():
            if player.pre_action is not None and not is_valid(player.pre_action, self.hand):
                player.pre_action = None
