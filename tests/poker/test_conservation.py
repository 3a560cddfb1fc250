"""Cash table as a state machine: random joins, actions and silence; hands are voided and rebuilt from events."""

import json
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from casino.cards.card import DECK
from casino.poker.betting import Action, options
from casino.poker.commands import Act, Cause, Command, DealBoard, Entrant, OpenHand, Reveal, TimeOver, VoidHand
from casino.poker.events import Event, HandOpened, dump_event, load_event
from casino.poker.hand import begin, open_hand, replay, unfold
from casino.poker.positions import LastHand, Table, next_positions
from casino.poker.rake import cap_for
from casino.poker.state import Hand, Status, WantKind
from casino.poker.terms import Game, RakeTerms, Terms

SEATS = 6
RAKE = RakeTerms(60, 30)


class CashTable(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.stacks: dict[int, int] = {}
        self.owing: set[int] = set()
        self.posting: set[int] = set()
        self.last: LastHand | None = None
        self.hand: Hand | None = None
        self.events: list[Event] = []
        self.deck: list[str] = []
        self.number = self.bought = self.left_with = self.rake = 0

    @property
    def playing(self) -> Hand:
        assert self.hand is not None
        return self.hand

    @rule(seat=st.integers(1, SEATS), chips=st.integers(1, 400), posts=st.booleans())
    def sit(self, seat: int, chips: int, posts: bool) -> None:  # noqa: FBT001
        if seat in self.stacks:
            return
        self.stacks[seat] = chips
        self.bought += chips
        self.owing.add(seat)
        if posts:
            self.posting.add(seat)

    @rule(seat=st.integers(1, SEATS))
    def leave(self, seat: int) -> None:
        in_hand = self.hand is not None and any(other.seat_no == seat for other in self.hand.seats)
        if seat in self.stacks and not in_hand:
            self.left_with += self.stacks.pop(seat)
            self.owing.discard(seat)
            self.posting.discard(seat)

    @precondition(lambda self: self.hand is None and len(self.stacks) > 1)
    @rule(game=st.sampled_from(Game), seed=st.randoms(use_true_random=False), raked=st.booleans())
    def deal(self, game: Game, seed: Random, raked: bool) -> None:  # noqa: FBT001
        present = frozenset(self.stacks)
        table = Table(
            SEATS,
            present,
            present - self.owing,
            self.last,
            posting=frozenset(self.posting),
            drawn=seed.choice(sorted(present)),
        )
        seated = next_positions(table)
        self.last = LastHand(seated.positions.big_blind, frozenset(seated.dealt_in))
        self.owing -= set(seated.dealt_in)
        self.posting -= set(seated.dealt_in)
        self.number += 1
        entrants = tuple(Entrant(seat, f"p{seat}", self.stacks[seat]) for seat in seated.dealt_in)
        terms = Terms(game, 1, 2, rake=RAKE if raked else None)
        self.events = open_hand(OpenHand("h", "t", self.number, terms, entrants, seated.positions), 0)
        self.deck = seed.sample(DECK, 52)
        self._rebuild()
        self._serve()

    def _rebuild(self) -> None:
        opened, *more = self.events
        assert isinstance(opened, HandOpened)
        self.hand = replay(opened, more)

    def _do(self, command: Command) -> None:
        for event, hand in unfold(self.playing, command, 0):
            self.events.append(event)
            self.hand = hand
            self.chips_are_conserved()

    def _serve(self) -> None:
        """Deal what the hand wants until it waits for a player, or is over."""
        while (wants := self.playing.wants).kind not in (WantKind.ACT, WantKind.NOTHING):
            if wants.kind is WantKind.BOARD:
                self._do(DealBoard("h", tuple(self._cards(wants.cards))))
            else:
                count = self.playing.terms.game.hole_cards
                self._do(Reveal("h", {seat: tuple(self._cards(count)) for seat in wants.seats}))
        if wants.kind is WantKind.NOTHING:
            self._end()

    def _cards(self, count: int) -> list[str]:
        return [self.deck.pop() for _ in range(count)]

    def _end(self) -> None:
        hand = self.playing
        if hand.status is Status.VOID:
            assert all(seat.stack == seat.start for seat in hand.seats)
        if hand.terms.rake is not None and hand.status is Status.SETTLED:
            most = cap_for(RAKE, len(hand.seats))
            assert 1 <= hand.rake <= most if hand.board else hand.rake == 0
            assert sum(share for _, share in hand.rake_shares) == hand.rake
        self.rake += hand.rake
        self.stacks.update({seat.seat_no: seat.stack for seat in hand.seats})
        self.hand = None
        for seat in [seat for seat, stack in self.stacks.items() if not stack]:
            self.leave(seat)

    @precondition(lambda self: self.hand is not None)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        offered = options(self.playing)
        assert offered is not None
        choices: list[tuple[Action, int]] = [(Action.FOLD, 0), (Action.CHECK if offered.check else Action.CALL, 0)]
        if offered.sizes is not None:
            amounts = st.integers(offered.sizes.smallest, offered.sizes.largest)
            choices.append((Action.RAISE_TO, data.draw(amounts)))
        action, amount = data.draw(st.sampled_from(choices))
        self._do(Act("h", self.playing.turn, f"p{offered.seat_no}", action, amount))
        self._serve()

    @precondition(lambda self: self.hand is not None)
    @rule(by=st.sampled_from(Cause))
    def fall_silent(self, by: Cause) -> None:
        self._do(TimeOver("h", self.playing.turn, by))
        self._serve()

    @precondition(lambda self: self.hand is not None)
    @rule()
    def void(self) -> None:
        self._do(VoidHand("h", "test", "manager"))
        self._serve()

    @precondition(lambda self: self.hand is not None)
    @rule()
    def crash(self) -> None:
        """The hand is rebuilt from its stored events."""
        before = self.playing
        self.events = [load_event(json.loads(json.dumps(dump_event(event)))) for event in self.events]
        self._rebuild()
        assert self.hand == before

    @invariant()
    def chips_are_conserved(self) -> None:
        in_hand = 0
        if self.hand is not None:
            hand = self.hand
            seats = sum(seat.stack for seat in hand.seats)
            awarded = sum(award.amount for award in hand.awards)
            in_middle = 0 if hand.is_over else hand.middle - awarded
            raked = sum(award.rake for award in hand.awards)
            assert seats + in_middle + raked == sum(seat.start for seat in hand.seats)
            assert all(seat.stack >= 0 for seat in hand.seats)
            in_hand = sum(seat.start for seat in hand.seats) - sum(self.stacks[seat.seat_no] for seat in hand.seats)
        assert sum(self.stacks.values()) + in_hand + self.rake + self.left_with == self.bought


CashTable.TestCase.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
TestCashTable = CashTable.TestCase


def test_a_hand_begins_as_it_is_opened() -> None:
    entrants = (Entrant(1, "p1", 50), Entrant(2, "p2", 50))
    positions = next_positions(Table(2, frozenset({1, 2}), frozenset(), None, drawn=1)).positions
    opened, *more = open_hand(OpenHand("h", "t", 1, Terms(Game.NLHE, 1, 2), entrants, positions), 0)
    assert isinstance(opened, HandOpened)
    assert not more
    assert begin(opened) == replay(opened, [])
